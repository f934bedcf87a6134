#!/bin/bash
# limited.sh LIMIT NUMBER COMMAND...: runs a command with that limit (ulimit's letter: -n, -u).
# Limits of processes count all those of a user, and do not hold for root: then the command runs as
# a user who has none, another one for each run of this script.
set -u
limit=$1 number=$2
shift 2
if [ "$limit" = -u ]; then
    if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
        echo "SKIPPED: only root can run a job as somebody who has no other processes"
        exit 77
    fi
    other=(setpriv --reuid=$((100000 + $$)) --regid=65534 --clear-groups)
    if ! "${other[@]}" test -x "$1"; then
        echo "SKIPPED: another user than root may not run $1 (a folder above it is root's alone)"
        exit 77
    fi
    set -- "${other[@]}" "$@"
fi
for file in /proc/$$/fd/*; do # what the caller has open counts, too
    case ${file##*/} in [012] | 255) ;; *) eval "exec ${file##*/}>&-" ;; esac # 255: this script
done
ulimit "$limit" "$number" || exit
exec "$@"
