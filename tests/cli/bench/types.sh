# A set of types among several that isn't one, and formats.  SPDX-License-Identifier: Apache-2.0
refused 2 'quant: "q9" is not understood' bench -t 1 -r 1 --max-frames 2 --quant q9/q8
refused 2 "isn't one of md|csv|json|jsonl" bench -o xml
refused 2 "isn't one of md|csv|json|jsonl" bench -oe xml
refused 2 "isn't a whole number from 1 to 1000" bench -r 0
