#!/bin/bash
# interrupt.sh SIGNAL TARGET MOMENT COMMAND...: runs a job and interrupts it. Ends as the job ends,
# and fails if it says what it should not.
# TARGET: one (the launcher alone, as by kill), or group (all of its process group, as a terminal does it).
# MOMENT: a number of ms after the start, whatever the job does then; or running, grown, asleep:
# when the job's state says so.
set -u
signal=$1 target=$2 moment=$3
shift 3
folder=$(mktemp -d) || exit
trap 'kill -KILL -- "-${job-}" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' TERM INT
set -m # a process group of its own
NEREUS_STATE=$folder/state env --default-signal=INT,QUIT,HUP,TERM "$@" >"$folder/said" 2>&1 &
job=$!
says() { grep -Eq "$1" "$folder/state" 2>/dev/null; }
until case $moment in
    running) says '"worlds"' ;;
    grown) says '"id": [1-9]' ;;
    asleep) says '"zombies": [1-9]' ;;
    *) sleep "$(printf '0.%03d' "$moment")" ;;
esac do
    kill -0 $job 2>/dev/null || { cat "$folder/said"; echo "interrupt.sh: the job ended before it was interrupted"; exit 1; }
    sleep 0.05
done
[ "$target" = one ] || job_and_group=-
kill "-$signal" -- "${job_and_group-}$job"
wait $job
status=$?
cat "$folder/said"
if grep -En 'BAD TERMINATION|EXIT STRING|Segmentation|^\[mpiexec@|^\[proxy:' "$folder/said"; then
    echo "interrupt.sh: these are the launcher's own lines"
    exit 1
fi
count=$(grep -c "^nereus-mpiexec: the job was interrupted by signal $(kill -l "$signal") (" "$folder/said")
# Right after the start there may be no nereus-supervise yet, and the signal ends the shell script before it.
if [ "$count" -ne 1 ] && ! { [ "$count" -eq 0 ] && [[ $moment == [0-9]* ]] && [ ! -s "$folder/said" ]; }; then
    echo "interrupt.sh: $count sentences say that the job was interrupted, expected one; the job ended with status $status"
    exit 1
fi
exit $status
