# The two pre-tokenizer patterns differ in mixed-case words.  SPDX-License-Identifier: Apache-2.0
run 0 tokenize --pattern native iPhone
run 0 tokenize --pattern mistral iPhone
