# The codes of a recording, a line a frame; decode takes them.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
run 0 encode a.wav --codes codes
[ ! -s out ]
has err "ok audio=4.56s frames=57 out=codes"
same "$(grep -c . codes)" 57
while read -r line; do
    same "$(echo $line | wc -w | tr -d ' ')" 16
done <codes
run 0 encode -q a.wav
cmp out codes
[ ! -s err ]
run 0 encode -q - <a.wav
cmp out codes
run 0 decode -q --format pcm -o a.pcm codes
same "$(size a.pcm)" $((57 * 3840))
