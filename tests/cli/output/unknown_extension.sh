# An extension that names no format.  SPDX-License-Identifier: Apache-2.0
refused 2 "known are .wav, .f32, .pcm and .raw" say -o hello.mp3 hello
refused 2 "known are .wav" say -o hello hello
refused 2 "known are .wav" decode -o x.ogg codes
[ ! -e hello.mp3 ]
