# An unknown voice is refused with near names.  SPDX-License-Identifier: Apache-2.0
refused 6 "there is vivian" say -v vivien hello
