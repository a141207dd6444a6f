# Where the token comes from: the option, the variable, the files.  SPDX-License-Identifier: Apache-2.0
mkdir -p repo home .cache/huggingface
echo hello >repo/a.bin
hub
sent() {
    : >requests
    run 0 pull -q test/model "$@"
    sed -n '1s/.*token=\(Bearer \)*\([^ ]*\).*/\2/p' requests
}
same "$(sent)" - none
echo hf_default >.cache/huggingface/token
same "$(sent)" hf_default
HF_HUB_DISABLE_IMPLICIT_TOKEN=1
export HF_HUB_DISABLE_IMPLICIT_TOKEN
same "$(sent)" - "not asked for"
unset HF_HUB_DISABLE_IMPLICIT_TOKEN
echo hf_home >home/token
HF_HOME=$PWD/home
export HF_HOME
same "$(sent)" hf_home
echo "  hf_path " >path
HF_TOKEN_PATH=$PWD/path
export HF_TOKEN_PATH
same "$(sent)" hf_path
HF_TOKEN=hf_variable
export HF_TOKEN
same "$(sent)" hf_variable
same "$(sent -hft hf_option)" hf_option
