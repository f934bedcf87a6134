#!/bin/bash
# full-disk.sh MPIEXEC NEREUS RESIZE APP.INI: what a job says where it cannot write. Files that tell
# of a job do not end it, and what is wrong with them is said once; its results, and its standard
# output, are what it was run for: it goes on, and its status is not 0.
set -u
mpiexec=$1 nereus=$2 resize=$3 ini=$4 failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
fail() {
    echo "FAILED: $*: $(cat err)"
    failures=1
}
said() { [ "$(grep -cE "$1" err)" -eq 1 ] || fail "not said once: $1"; }

for name in trace monitor state results.json; do ln -s /dev/full $name; done
NEREUS_TRACE=trace NEREUS_MONITOR=monitor NEREUS_STATE=state NEREUS_MONITOR_EVERY=1 timeout -k 3 60 "$mpiexec" -n 2 \
    "$resize" schedule=3@2:merge/coll,2@4:merge/coll last=6 expect=2 2>err || fail "a job whose trace cannot be written ends with $?"
said "the trace cannot be written to 'trace': No space left on device"
said "the monitoring file cannot be written to 'monitor': No space left on device"
said "'/dev/full' cannot be written: No space left on device"

# Named pipes that nobody reads; paths that no shell has expanded; standard output.
mkfifo state-pipe learn-pipe
echo localhost:4 >hosts
HOME=$folder NEREUS_HOSTFILE='~/hosts' NEREUS_TRACE='~/told' NEREUS_STATE=state-pipe NEREUS_LEARN=learn-pipe NEREUS_MONITOR=- NEREUS_MONITOR_EVERY=1 \
    timeout -k 3 60 "$mpiexec" -n 2 "$resize" schedule=3@2:merge/coll,2@4:merge/coll last=6 expect=2 >out 2>err || fail "a job with pipes ends with $?"
said "'.*/state-pipe' cannot be written: Broken pipe"
said "nothing can be learnt in 'learn-pipe': a pipe keeps nothing: name a file"
grep -q '"event":"reconfiguration"' told && grep -q '"event":"monitor"' out && [ ! -e - ] || fail "no events in ~/told, or on standard output"

sed 's/^\(iterations\) = .*/\1 = 2/; s/^time_s = .*/time_s = 0.001/' "$ini" >app.ini
timeout -k 3 60 "$nereus" run app.ini --results results.json >out 2>err && fail "status 0 without results"
said "'/dev/full' cannot be written: No space left on device"
grep -q '^T_ex' out || fail "no results on standard output"
timeout -k 3 60 "$nereus" run app.ini >/dev/full 2>err && fail "status 0 without standard output"
said '^nereus-mpiexec: standard output could not be written: No space left on device'

lines() { timeout -k 3 60 "$mpiexec" -n 1 sh -c 'i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i + 1)); done; touch ended' </dev/null; }
lines >/dev/full 2>err && fail "status 0 with a full standard output"
said '^nereus-mpiexec: standard output could not be written: No space left on device'
rm -f ended
{ lines 2>err; echo $? >status; } | head -1 >out
[ "$(cat status)" -eq 0 ] && [ ! -s err ] && [ -e ended ] || fail "status $(cat status) where a reader has gone"

# A disk that is full while the job runs: events are whole or not there.
mkdir small
own_mounts=(unshare --mount)
[ "$(id -u)" -eq 0 ] || own_mounts+=(--map-root-user)
"${own_mounts[@]}" bash -c 'mount -t tmpfs -o size=8k tmpfs small 2>err || exit 77
    timeout -k 3 60 "$0" run app.ini --results small/results.jsonl >out 2>err && exit 3
    cp small/results.jsonl .' "$nereus" 2>/dev/null
case $? in
    0)
        grep -q 'results.jsonl: the results cannot be written there: No space left on device' err || fail "nothing is said of events"
        grep -q '^T_ex' out || fail "the job has not ended"
        python3 -c 'import json
[json.loads(line) for line in open("results.jsonl")]' || fail "a torn event"
        ;;
    3) fail "status 0 without events" ;;
    *) echo "full-disk.sh: not tried: a disk of 8 KiB (this user cannot mount one: unshare)" ;;
esac
exit $failures
