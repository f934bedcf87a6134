#!/bin/bash
# watchdog.sh MPIEXEC PROGRAM: a job that waits is spoken of again at longer intervals and goes on,
# and keeps no file in /dev/shm with its records. Rank 0 waits in its third iteration until the
# sentence was said twice; then the job ends by itself.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/said" # the job below may make it later than it is first looked at
NEREUS_WATCHDOG=0.5s "$1" -n 2 "$2" slow "$work/go" >"$work/said" 2>&1 &
job=$!
said='nereus: rank 1 has waited .* at point 4 for rank 0, which is at point 2, in the program'
while [ "$(grep -cE "$said" "$work/said")" -lt 2 ] && kill -0 $job 2>/dev/null; do sleep 0.1; done
pages=$(readlink /proc/[0-9]*/fd/* 2>/dev/null | grep -c '^/memfd:nereus-progress')
names=$(find /dev/shm -maxdepth 1 -type f -name '*nereus*' -user "$(id -un)" 2>/dev/null | wc -l)
touch "$work/go"
wait $job
status=$?
cat "$work/said"
[ "$(grep -cE "$said" "$work/said")" -ge 2 ] || { echo "watchdog.sh: not said twice"; exit 1; }
[ "$pages" -ge 2 ] || { echo "watchdog.sh: $pages progress records, of two processes"; exit 1; }
[ "$names" -eq 0 ] || { echo "watchdog.sh: $names files in /dev/shm"; exit 1; }
exit $status
