# Names of files may not be empty.  SPDX-License-Identifier: Apache-2.0
refused 2 "-o: the name is empty" say -o "" hello
refused 2 "-m: the name is empty" say -m "" hello
