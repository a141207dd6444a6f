# A file in a folder that isn't there.  SPDX-License-Identifier: Apache-2.0
refused 1 "can't write 'none/a.wav': No such file or directory" say -o none/a.wav hello
