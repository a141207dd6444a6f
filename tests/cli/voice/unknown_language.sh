# An unknown language is refused with near names.  SPDX-License-Identifier: Apache-2.0
refused 2 "auto, german" say -l germn hello
