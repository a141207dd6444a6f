# How far it is, on a terminal; the hub client's variable and -q keep it quiet.  SPDX-License-Identifier: Apache-2.0
mkdir repo
head -c 3000000 /dev/zero >repo/a.bin
hub
pulled() {
    rm -rf cache
    on_terminal "$1 '$KZTTS' pull $2 test/model"
    same $rc 0
    cmp repo/a.bin "cache/$snapshot/a.bin"
}
pulled "" ""
has screen "MB/s"
for off in 1 true YES; do
    pulled "HF_HUB_DISABLE_PROGRESS_BARS=$off" ""
    hasnt screen "MB/s"
done
pulled "HF_HUB_DISABLE_PROGRESS_BARS=0" ""
has screen "MB/s"
pulled "" -q
hasnt screen "MB/s"
