# A reader that goes ends the speech at once, with exit 0 and no message.  SPDX-License-Identifier: Apache-2.0
{
    rc=0
    "$KZTTS" say --greedy --max-frames 4000 hello 2>err || rc=$?
    echo $rc >code
} | head -c 1000 >head
same "$(cat code)" 0
hasnt err "audio="
hasnt err "Broken"
same "$(head -c 4 head)" RIFF

# Also while a text is awaited that doesn't come.
mkfifo text
{
    rc=0
    "$KZTTS" stream <text 2>err || rc=$?
    echo $rc >code
} | true &
pid=$!
exec 3>text
wait $pid
same "$(cat code)" 0
same "$(cat err)" ""
