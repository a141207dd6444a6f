# What the check does to a recording: trims, adds silence, or nothing with --raw.  SPDX-License-Identifier: Apache-2.0
base_model
clip long.wav start=1.5 end=1.2
run 0 clone long.wav -o a --consent "yes, mine"
has err "1.50 s of silence before the speech, trimmed to 0.1 s"
has err "1.40 s cut off at the start"
has err "  skipped  transcript"
run 0 clone long.wav -o b --consent "yes, mine" --raw
has err "  warn     start"
has err "used: the recording as it is"
differ "$(say --format md5 -v a hello)" "$(say --format md5 -v b hello)"
clip cut.wav cut=1
run 0 clone cut.wav -o c --consent "yes, mine"
has err "  warn     ending      cut off while speaking"
has err "0.50 s of silence added"
refused 8 "'cut.wav' can't serve as a reference: ending: cut off while speaking" clone cut.wav -o d --consent x --strict
has err "(without --strict, warnings are no errors)"
run 0 say --max-frames 1 --format null --ref cut.wav hello
has err "kztts: note: cut.wav: ending: cut off while speaking"
refused 8 "ending: cut off" say --max-frames 1 --format null --ref cut.wav --strict hello
clip phone.wav rate=8000
run 0 clone phone.wav -o e --consent "yes, mine"
has err "8000 Hz"
has err "  warn     band"
