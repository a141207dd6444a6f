# A signal while the text is awaited ends at once and leaves no file.  SPDX-License-Identifier: Apache-2.0
mkfifo text
"$KZTTS" say -o a.wav <text 2>err &
pid=$!
exec 3>text
echo hello >&3
sleep 0.2
kill -TERM $pid
rc=0
wait $pid || rc=$?
same $rc 143
[ ! -e a.wav ]
