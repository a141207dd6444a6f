# Words and -f together: the hint that -f is the input.  SPDX-License-Identifier: Apache-2.0
refused 2 "-f is the input; -o names the output" say -f out.wav hello
