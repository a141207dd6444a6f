# One clip in ten containers is one voice; sox and ffmpeg make the files.  SPDX-License-Identifier: Apache-2.0
command -v sox >/dev/null && command -v ffmpeg >/dev/null || skip "no sox, or no ffmpeg, to write recordings with"
base_model
clip clip.wav
sox -q clip.wav -b 24 s24.wav
sox -q clip.wav -e float -b 32 float.wav
sox -q clip.wav -r 44100 -c 2 stereo.flac
sox -q clip.wav a.aiff
sox -q clip.wav a.au
sox -q clip.wav a.ogg
ffmpeg -v error -i clip.wav -b:a 96k a.mp3
ffmpeg -v error -i clip.wav -b:a 48k a.opus
ffmpeg -v error -i clip.wav -ar 48000 b.wav
sox -q clip.wav -r 8000 narrow.wav
for file in clip.wav s24.wav float.wav stereo.flac a.aiff a.au a.ogg a.mp3 a.opus b.wav narrow.wav; do
    run 0 clone -q $file --raw -o ./$file.kzvoice --consent "I am Anna"
    run 0 voices export -q ./$file.kzvoice -o $file.json
done
python3 - <<'PY' || fail "the voices differ"
import glob, json
vectors = {name: json.load(open(name))["spk_embedding"] for name in sorted(glob.glob("*.json"))}
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
want = vectors.pop("clip.wav.json")
bad = len(vectors) < 10
for name, vector in vectors.items():
    cosine = dot(vector, want) / (dot(vector, vector) * dot(want, want)) ** 0.5
    print(f"{name:16} cosine {cosine:.5f}")
    bad = bad or cosine < (0.9 if name.startswith("narrow") else 0.99)
raise SystemExit(bad)
PY
