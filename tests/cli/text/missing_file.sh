# A text file that isn't there.  SPDX-License-Identifier: Apache-2.0
refused 6 "can't open 'none.txt'" say -f none.txt
