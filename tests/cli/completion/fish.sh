# The script for fish is valid and completes options.  SPDX-License-Identifier: Apache-2.0
command -v fish >/dev/null || skip "no fish"
"$KZTTS" completion fish >script
fish --no-execute script
HOME=$PWD fish -c 'source script; complete -C "kztts say --fo"' >out
has out "--format"
