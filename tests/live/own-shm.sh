#!/bin/bash
# own-shm.sh COMMAND...: runs a command with a /dev/shm of its own, and fails if files are in it afterwards, or if none were in it meanwhile.
# Status 77: there are no mount namespaces here. Ends as the command ends.
set -u
if [ "${1-}" != --inside ]; then
    unshare --map-root-user --mount mount -t tmpfs tmpfs /dev/shm 2>/dev/null ||
        { echo "own-shm.sh: not run: this user cannot have a mount namespace with a /dev/shm of its own (unshare)"; exit 77; }
    exec unshare --map-root-user --mount "$BASH" "$0" --inside "$@"
fi
shift
mount -t tmpfs tmpfs /dev/shm || exit
"$@" &
job=$!
most=0
while kill -0 $job 2>/dev/null; do
    now=$(find /dev/shm -type f | wc -l)
    [ "$now" -gt "$most" ] && most=$now
    sleep 0.05
done
wait $job
status=$?
left=$(find /dev/shm -type f)
if [ -n "$left" ]; then
    echo "own-shm.sh: files were left: $left"
    exit 1
fi
[ "$most" -gt 0 ] || { echo "own-shm.sh: the job had no file in /dev/shm at any time: nothing was tried"; exit 1; }
exit $status
