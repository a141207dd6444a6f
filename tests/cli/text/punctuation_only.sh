# Nor can punctuation.  SPDX-License-Identifier: Apache-2.0
refused 3 "speak" say "... !?"
