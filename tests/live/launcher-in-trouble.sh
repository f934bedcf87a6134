#!/bin/bash
# launcher-in-trouble.sh SUPERVISE: a launcher says that something is wrong, and waits without end:
# its words come out while it does.
set -u
said=$(mktemp) || exit
trap 'kill "$job" 2>/dev/null; rm -f "$said"' EXIT
"$1" sh -c 'echo "[mpiexec@here] no route to host" >&2; exec sleep 1000' 2>"$said" &
job=$!
until grep -q '^\[mpiexec@here\] no route to host$' "$said"; do
    kill -0 "$job" || exit 1
    sleep 0.1
done
kill "$job"
wait "$job"
[ $? -eq 143 ] || { cat "$said"; exit 1; }
