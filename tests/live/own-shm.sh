#!/bin/bash
# own-shm.sh COMMAND...: runs a command with a /dev/shm of its own, and fails if files are in it
# afterwards, or if none were in it meanwhile.
# NEREUS_TEST_SHM: its size. Status 77: there are no mount namespaces here. Ends as the command ends.
set -u
if [ "${1-}" != --inside ]; then
    space=(unshare --mount) # root needs no user namespace, which a chroot cannot have
    [ "$(id -u)" -eq 0 ] || space+=(--map-root-user)
    "${space[@]}" mount -t tmpfs tmpfs /dev/shm 2>/dev/null ||
        { echo "SKIPPED: this user cannot have a mount namespace with a /dev/shm of its own (unshare)"; exit 77; }
    exec "${space[@]}" "$BASH" "$0" --inside "$@"
fi
shift
mount -t tmpfs -o "size=${NEREUS_TEST_SHM:-50%}" tmpfs /dev/shm || exit
before=$(stat -c %y /dev/shm) # of the folder: changes when a file comes or goes, however briefly it is there
"$@"
status=$?
left=$(find /dev/shm -type f)
if [ -n "$left" ]; then
    echo "own-shm.sh: files were left: $left"
    exit 1
fi
[ "$(stat -c %y /dev/shm)" != "$before" ] || { echo "own-shm.sh: the job had no file in /dev/shm at any time: nothing was tried"; exit 1; }
exit $status
