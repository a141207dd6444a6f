# The script for bash is valid and completes commands, options and values.  SPDX-License-Identifier: Apache-2.0
command -v bash >/dev/null || skip "no bash"
"$KZTTS" completion bash >script
bash -n script
complete() {
    bash -c '. ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kztts; echo "${COMPREPLY[@]}"' bash "$@"
}
same "$(complete kztts dec)" decode
same "$(complete kztts say --fo)" --format
same "$(complete kztts say --format md)" md5
same "$(complete kztts decode --gree)" ""
same "$(complete kztts completion z)" zsh
same "$(complete kztts voices exp)" export
same "$(complete kztts clone --ref-text-)" --ref-text-file
