# Playing without a device, and playing while writing.  SPDX-License-Identifier: Apache-2.0
built_with --play || skip "built without ALSA and PulseAudio"
refused 4 "no device to play on: " say --play hello
refused 4 "no device to play on: " say --device hw:99 hello
refused 4 "no device to play on: PulseAudio: " say --device pulse hello
refused 4 "no device to play on: PulseAudio: " say --device pulse:none hello
refused 2 "give one of them" say --play -o a.wav hello
refused 2 "give one of them" say --play --format mp3 hello
refused 2 "give one of them" say --device default -o a.wav hello
[ ! -e a.wav ]
run 0 say --list-audio
hasnt out "kztts:"
need_terminal
on_terminal "'$KZTTS' say --max-frames 2 hello"
same $rc 0
has screen "kztts: note: no device to play on ("
wav_complete kztts-out.wav
