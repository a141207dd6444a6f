# What sound, voice and model files are.  SPDX-License-Identifier: Apache-2.0
anna
run 0 inspect anna.wav
has out "is           a recording: WAV, 16-bit PCM, 24000 Hz, 1 channel, 4.56 s"
has out "provenance   none said"
has out "can          serve as a reference"
for voice in anna "$XDG_DATA_HOME/kztts/voices/anna.kzvoice"; do
    run 0 inspect "$voice"
    has out "is           a voice (.kzvoice), a clone"
    has out "needs        a base model of width 84"
    has out "consent      I am Anna"
done
for model in "$KZTTS_MODEL" "$KZTTS_MODEL/model.safetensors"; do
    run 0 inspect "$model"
    has out "type         base"
    has out "can          speak with voices cloned from recordings"
done
say -v anna -o a.wav hello
run 0 inspect a.wav
has out "provenance   AI-generated speech; engine: kztts "
has out "; model: base 1b7; voice: anna"
has out "generated    yes"
"$KZTTS" inspect - <a.wav >out
has out "generated    yes"
python3 - "$KZTTS" "$KZTTS_MODEL" <<'END'
import json, subprocess, sys
def inspect(name):
    return json.loads(subprocess.run([sys.argv[1], "inspect", "--json", name], stdout=-1, check=True).stdout)
sound, voice, model, clip = (inspect(n) for n in ("a.wav", "anna", sys.argv[2], "anna.wav"))
assert sound["is"] == "recording" and sound["ai_generated"] is True and sound["sample_rate"] == 24000
assert clip["ai_generated"] is None and clip["findings"] == [] and clip["reference"] == "ok"
assert voice["is"] == "voice" and voice["width"] == 84 and voice["frames"] == 57 and voice["consent"] == "I am Anna"
assert model["type"] == "base" and model["clone"] is True and model["voice_width"] == 84 and model["design"] is False
END
