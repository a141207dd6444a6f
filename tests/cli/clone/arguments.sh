# One recording, one transcript, one standard input.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
refused 2 "no recording" clone -o anna --consent x
refused 2 "one recording at a time" clone a.wav b.wav -o anna --consent x
echo words >a.txt
refused 2 "with --ref-text or with --ref-text-file, not both" clone a.wav -T words --ref-text-file a.txt -o a --consent x
refused 2 "can't both come from standard input" clone - --ref-text-file - -o a --consent x
refused 2 "the model knows no language 'klingon'" clone a.wav -o a --consent x -l klingon
refused 2 "kztts clone has no option '--speed'" clone a.wav --speed 2 -o a
