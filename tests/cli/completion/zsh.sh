# The script for zsh is valid.  SPDX-License-Identifier: Apache-2.0
command -v zsh >/dev/null || skip "no zsh"
"$KZTTS" completion zsh >script
zsh -n script
has script "--text-mode"
