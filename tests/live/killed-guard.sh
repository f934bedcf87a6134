#!/bin/bash
# killed-guard.sh SUPERVISE [INITIAL]: a guard is killed together with its process, and the launcher
# that did not see it goes on: one over a spawned process, which is a member of the job; with
# INITIAL one over an initial process, of a launcher that ends with status 0, as mpiexec does where
# a program without the library has called MPI_Abort with 0.
# This script is also that launcher, and speaks for the guard (src/supervise/supervisor.h).
set -u
if [ "${1-}" != -n ]; then
    exec "$1" "$0" -n 1 "${2:-true}"
fi
IFS=: read -r host port token <<<"$NEREUS_LAUNCHER"
exec 3<>"/dev/tcp/$host/$port"
last=${*: -1}
case $last in
    INITIAL) printf '%s I 0 4711 elsewhere\n' "$token" >&3 ;;
    *) printf '%s H spawn 4711 elsewhere\nL 1\nL 2\n' "$token" >&3 ;;
esac
exec 3>&-
[ "$last" = INITIAL ] || exec sleep 60
