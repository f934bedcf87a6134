#!/bin/bash
# stress-guard.sh BUILD [FAILURES]: makes that many spawns fail (150) on each netmod, in jobs of one
# failure and in jobs of many, with programs that are missing, that end at once and that are killed
# at once. Every job has to go on as it was, with its data right, and end with status 0. Takes
# minutes; with few it is a test of ./setup test --all (tests/long.cmake).
set -u
. "$(dirname "$(readlink -f "$0")")/job_processes.sh"
build=$(readlink -f "${1:?give the build folder}") failures=${2:-150}
per_job=10 limit=60
mpiexec=$build/bin/nereus-mpiexec resize=$build/tests/bin/resize
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nkill -9 $$\n' >"$folder/killed"
chmod +x "$folder/killed"
programs=(/nowhere/program /bin/false "$folder/killed")
methods=(merge/coll baseline/p2p merge/p2p baseline/coll)
wrong=0

# job COUNT FIRST: one job with so many failing spawns; FIRST picks method and program.
job() {
    local count=$1 schedule="" i status running cancelled
    for ((i = 0; i < count; i++)); do
        schedule+=,$((3 + i % 2))@$((2 + i)):${methods[($2 + i) % 4]}
    done
    export NEREUS_TEST_JOB="stress-$$-$RANDOM$RANDOM"
    timeout -k 3 "$limit" "$mpiexec" -n 2 "$resize" "schedule=${schedule#,}" "program=${programs[$2 % 3]}" \
        last=$((count + 3)) expect=2 outcome=failed </dev/null >"$folder/out" 2>"$folder/err" &
    running=$!
    timeout $((limit - 10)) tail -s 0.1 --pid=$running -f /dev/null || job_stacks resize nereus-guard nereus-guard-join >"$folder/stacks" 2>&1
    wait "$running"
    status=$?
    cancelled=$(grep -c 'was cancelled after .* and the job goes on' "$folder/err")
    if [ "$status" -ne 0 ] || [ "$cancelled" -ne "$count" ]; then
        echo "FAILED: status $status, $cancelled of $count cancelled: ${programs[$2 % 3]} ${schedule#,}"
        cat "$folder/out" "$folder/err" "$folder/stacks" 2>/dev/null
        rm -f "$folder/stacks"
        return 1
    fi
}

# stress NETMOD: FAILURES in jobs of one and FAILURES in jobs of per_job.
stress() {
    local done_single=0 done_many=0 i
    for ((i = 0; i < failures; i++)); do
        job 1 "$i" && done_single=$((done_single + 1))
    done
    for ((i = 0; i < failures; i += per_job)); do
        job "$per_job" $((i / per_job)) && done_many=$((done_many + per_job))
    done
    echo "$1: $done_single of $failures in jobs of one, $done_many of $failures in jobs of $per_job"
    [ "$done_single" -eq "$failures" ] && [ "$done_many" -ge "$failures" ] || wrong=1
}

MPIR_CVAR_CH4_NETMOD=ucx stress ucx
MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp stress "ofi (tcp)"
exit $wrong
