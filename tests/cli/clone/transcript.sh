# Transcripts that are none.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
refused 3 "the transcript is empty" clone a.wav -o anna --consent x -T " "
refused 3 "the transcript: invalid UTF-8 at byte offset 1" clone a.wav -o anna --consent x -T "$(printf 'a\377')"
printf 'ab\377' >bad.txt
refused 3 "bad.txt: invalid UTF-8 at byte offset 2" clone a.wav -o anna --consent x --ref-text-file bad.txt
refused 6 "can't open 'none.txt'" clone a.wav -o anna --consent x --ref-text-file none.txt
refused 3 "transcript: empty: there is no letter in it" clone a.wav -o anna --consent x -T "..."
