# Overlong forms, surrogates and what is beyond Unicode aren't UTF-8.  SPDX-License-Identifier: Apache-2.0
for bytes in '\300\200' '\340\200\200' '\355\240\200' '\364\220\200\200' '\370\210\200\200\200' '\342\202'; do
    refused 3 "byte offset 1 " say "$(printf "a$bytes")"
    refused 3 "byte offset 1 " tokenize "$(printf "a$bytes")"
done
