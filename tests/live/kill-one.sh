#!/bin/bash
# kill-one.sh NAME COMMAND...: runs a job, and kills its first process of that program (an end of
# its path) when the job's state says that others are asleep, or, with NEREUS_CHECKPOINT, when it
# has written its second checkpoint. Ends as the job ends.
set -u
name=$1
shift
. "$(dirname "$(readlink -f "$0")")/job_processes.sh"
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
NEREUS_STATE=$folder/state NEREUS_TEST_KILL=yes "$@" &
job=$!
is_time() {
    if [ -n "${NEREUS_CHECKPOINT-}" ]; then
        ls -d "$NEREUS_CHECKPOINT"/checkpoint-*/manifest.json 2>/dev/null | grep -qv checkpoint-1/
    else
        grep -q '"zombies": [1-9]' "$folder/state" 2>/dev/null
    fi
}
until is_time; do
    kill -0 $job 2>/dev/null || { echo "kill-one.sh: the job ended before it was time to kill"; exit 1; }
    sleep 0.1
done
for pid in $(job_processes); do
    grep -qz '^NEREUS_TEST_KILL=yes$' "/proc/$pid/environ" 2>/dev/null || continue
    case $(readlink "/proc/$pid/exe") in
    */$name)
        kill -9 "$pid"
        echo "killed $pid, a $name"
        killed=$pid
        break
        ;;
    esac
done
[ -n "${killed-}" ] || { echo "kill-one.sh: no $name runs in the job"; kill $job; exit 1; }
wait $job
