#!/bin/bash
# killed-guard.sh SUPERVISE: a guard over a spawned process, which is a member of the job, is killed, and a launcher that did not see it goes on.
# This script is also that launcher, and speaks for the guard (src/guard/supervisor.h).
set -u
if [ "${1-}" != -n ]; then
    exec "$1" "$0" -n 1 true
fi
IFS=: read -r host port token <<<"$NEREUS_LAUNCHER"
exec 3<>"/dev/tcp/$host/$port"
printf '%s H spawn 4711 elsewhere\nL 1\nL 2\n' "$token" >&3
exec 3>&-
exec sleep 60
