# An extension that names no format.  SPDX-License-Identifier: Apache-2.0
refused 2 "known are .wav, .flac, .mp3, .opus, .ogg (Opus), .aac, .m4a, .f32, .pcm and .raw" say -o hello.wma hello
refused 2 "known are .wav" say -o hello hello
refused 2 "known are .wav" decode -o x.oga codes
[ ! -e hello.wma ]
