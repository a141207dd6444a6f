# Names that can't be the name of a voice; voices that are there.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
refused 2 "name the voice with -o NAME" clone a.wav --consent x
refused 2 "'anna.wav': a voice file ends in .kzvoice" clone a.wav -o anna.wav --consent x
refused 2 "not to standard output" clone a.wav -o - --consent x
refused 2 "can't be the name of a voice" clone a.wav -o .anna --consent x
refused 2 "can't be the name of a voice" clone a.wav -o here/ --consent x
run 0 clone -q a.wav -o anna --consent x
refused 2 "anna.kzvoice' is there already; --force replaces it" clone a.wav -o anna --consent x
run 0 clone -q a.wav -o anna --consent x --force
refused 6 "none" clone a.wav -o none/anna --consent x
unset XDG_DATA_HOME
HOME= refused 1 "neither XDG_DATA_HOME nor HOME is set" clone a.wav -o ben --consent x
export HOME="$PWD/home"
run 0 clone -q a.wav -o ben --consent x
[ -f home/.local/share/kztts/voices/ben.kzvoice ]
