# Names of files and folders are bytes.  SPDX-License-Identifier: Apache-2.0
mkdir "тест 音声"
cp -R "$MODEL" "тест 音声/modèle"
printf 'hello' >"тест 音声/tëxt.txt"
run 0 say -m "тест 音声/modèle" --max-frames 3 -f "тест 音声/tëxt.txt" -o "тест 音声/ausgäbe.wav" --codes "тест 音声/コード"
wav_complete "тест 音声/ausgäbe.wav"
has err "out=тест 音声/ausgäbe.wav"
same "$(say --format md5 hello)" "$("$KZTTS" decode -q -m "тест 音声/modèle" --format md5 "тест 音声/コード")"
