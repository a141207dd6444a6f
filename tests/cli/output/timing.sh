# Subtitles and times: in order, within the sound, with the text's sentences; with --speed, the times of the output.  SPDX-License-Identifier: Apache-2.0
command -v python3 >/dev/null || skip "no python3"
text='One <is> & "one". Two is two more. And three, in the end.'
cat >check.py <<'END'
import json, re, sys
name, text, length = sys.argv[1], sys.argv[2], float(sys.argv[3])
data = json.load(open(name + ".json"))
cues = data["sentences"]
assert cues and abs(data["duration"] - length) < 0.0015, (data["duration"], length)
last = last_byte = 0
for c in cues:
    assert last <= c["begin"] <= c["end"] <= data["duration"], c
    assert last_byte <= c["text_begin"] < c["text_end"] and text[c["text_begin"]:c["text_end"]] == c["text"], c
    last, last_byte = c["end"], c["text_end"]
assert "".join(c["text"] for c in cues).replace(" ", "") == text.replace(" ", "")
def seconds(s):
    h, m, rest = s.replace(",", ".").split(":")
    return 3600 * int(h) + 60 * int(m) + float(rest)
def blocks(ending):
    return open(name + ending).read().strip("\n").split("\n\n")
srt, vtt = blocks(".srt"), blocks(".vtt")
assert vtt.pop(0) == "WEBVTT" and len(srt) == len(vtt) == len(cues)
for i, c in enumerate(cues):
    number, times, words = srt[i].split("\n")
    assert number == str(i + 1) and words == c["text"] and re.fullmatch(r"\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}", times)
    assert [seconds(t) for t in times.split(" --> ")] == [c["begin"], c["end"]]
    times_vtt, words = vtt[i].split("\n")
    assert times_vtt == times.replace(",", ".")
    assert words == c["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
END
KZTTS_MODEL=$TOP/voices/kazeia-mini
[ -d "$KZTTS_MODEL" ] || KZTTS_MODEL=$MODEL
files() { echo "--srt $1.srt --vtt $1.vtt --json-timing $1.json"; }
run 0 say -q -o a.wav $(files a) "$text"
python3 check.py a "$text" "$(seconds a.wav)"
say_again() { "$KZTTS" say -q -o b.wav $(files b) "$@"; }
say_again "$text"
for ending in srt vtt json; do
    cmp a.$ending b.$ending
done
run 0 say -q --format null --srt - "$text"
cmp out a.srt
"$KZTTS" say -q -o plain.wav "$text"
cmp plain.wav a.wav
if built_with --speed 2; then
    for speed in 0.5 1.7 3; do
        say_again --speed $speed "$text"
        python3 check.py b "$text" "$(seconds b.wav)"
    done
fi
if built_with --rate 8000; then
    say_again --rate 8000 "$text"
    python3 check.py b "$text" "$(seconds b.wav)"
fi
printf '%s\n' "$text" | "$KZTTS" stream -q -o c.wav $(files c) || fail "stream"
python3 check.py c "$text" "$(seconds c.wav)"
