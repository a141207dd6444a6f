# Words that a command doesn't take.  SPDX-License-Identifier: Apache-2.0
refused 2 "'extra' is too much" info extra
refused 2 "'extra' is too much" voices extra
refused 2 "one codes file at a time" decode a b
refused 2 "no codes file" decode
refused 2 "takes no TEXT" tokenize --jsonl hello
refused 2 "name one shell" completion
refused 2 "name one shell" completion tcsh
refused 2 "there is no command 'x'" help x
