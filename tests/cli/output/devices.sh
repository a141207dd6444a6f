# A device or a named pipe needs no extension.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 2 -o /dev/null hello
has err "out=/dev/null"
mkfifo pipe
cat pipe >got.wav &
say -o pipe hello
wait $!
same "$(head -c 4 got.wav)" RIFF
same "$(wav_frames got.wav)" 3
