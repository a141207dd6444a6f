# A folder as the output.  SPDX-License-Identifier: Apache-2.0
mkdir a.wav
refused 1 "can't write 'a.wav': Is a directory" say -o a.wav hello
mkdir folder
refused 2 "-o 'folder' is a folder: name a file in it" say -o folder hello
refused 2 "-o 'folder/' is a folder: name a file in it" say -o folder/ hello
refused 1 "can't write '.': Is a directory" say --format wav -o . hello
