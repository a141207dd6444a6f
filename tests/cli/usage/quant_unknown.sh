# Unknown types and groups of weights are refused.  SPDX-License-Identifier: Apache-2.0
refused 2 'quant: "q9" is not understood; it is a list like talker=q8,predictor=q8, or one type for both; types are q8, q4, q4_0 and stored' say --quant q9 hello
refused 2 'quant: "" is not understood' say --quant "" hello
refused 2 'quant: "" is not understood' say --quant q8, hello
refused 2 'quant: "talker" is not understood' say --quant talker hello
refused 2 'quant: "talker=" is not understood' say --quant predictor=q4,talker= hello
refused 2 'quant: "codec=q8" is not understood' info --quant talker=q8,codec=q8
refused 2 'quant: "talker=q8 " is not understood' info --quant "talker=q8 ,predictor=q8"
