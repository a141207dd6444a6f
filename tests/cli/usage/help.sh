# Help of the program and of every command, on standard output.  SPDX-License-Identifier: Apache-2.0
run 0 --help
for command in $(sed -n 's/^  \([a-z]*\)  .*/\1/p' out); do
    run 0 $command --help
    has out "usage: kztts $command"
    cp out long
    run 0 help $command
    cmp out long
    run 0 $command -h
    cmp out long
    [ ! -s err ]
done
run 0 help say
for option in $(sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' out); do
    echo $option
done >options
[ "$(grep -c . options)" -ge 31 ]
same "$(sort options | uniq -d)" "" "options shown twice"
