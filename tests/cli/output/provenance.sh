# A WAV file tells that it is generated, in a file and in a pipe; its samples don't.  SPDX-License-Identifier: Apache-2.0
say -o a.wav -v vivian hello
say -v vivian hello | cat >b.wav
for file in a.wav b.wav; do
    grep -qaF "AI-generated speech; engine: kztts " $file || fail "$file doesn't tell"
    grep -qaF "; model: custom_voice " $file || fail "$file names no model"
    grep -qaF "; voice: vivian" $file || fail "$file names no voice"
done
wav_complete a.wav
say --format pcm -o a.pcm -v vivian hello
wav_pcm a.wav | cmp - a.pcm
wav_pcm b.wav | cmp - a.pcm
! grep -qa AI-gen a.pcm || fail "raw samples have no room for that"
run 0 say -q --max-frames 3 -o c.wav --codes codes hello
run 0 decode -q -o d.wav codes
grep -qaF "AI-generated speech" d.wav || fail "decode"
command -v python3 >/dev/null || skip "no python3"
python3 - <<'END'
import wave
with wave.open("a.wav") as w:
    assert (w.getnchannels(), w.getsampwidth(), w.getframerate(), w.getnframes()) == (1, 2, 24000, 3 * 1920)
    assert w.readframes(9 ** 9) == open("a.pcm", "rb").read()
END
