#!/bin/bash
# stress-resizes.sh BUILD [RECONFIGURATIONS [SEED]]: one job of that many random reconfigurations (100) on each netmod:
# sizes 1 to 4, baseline and merge, coll and p2p, all data checked after each. Takes minutes; with few it is a test of ./setup test --all (tests/long.cmake).
set -u
build=$(readlink -f "${1:?give the build folder}") count=${2:-100} seed=${3:-$$}
limit=$((60 + 5 * count))
methods=(merge/coll merge/p2p baseline/coll baseline/p2p)
wrong=0

# A schedule in which every entry does something: merge to the present size would not.
schedule="" size=2 start=2
RANDOM=$seed
for ((i = 1; i <= count; i++)); do
    method=${methods[RANDOM % 4]}
    next=$((1 + RANDOM % 4))
    while [ "${method%/*}" = merge ] && [ $next -eq $size ]; do next=$((1 + RANDOM % 4)); done
    schedule+=,$next@$((i + 1)):$method
    size=$next
done

# The stacks of a job that hangs, if there is a debugger (the job carries a mark in its environment).
show_stacks() {
    local file pid
    for file in /proc/[0-9]*/environ; do
        grep -qz "^NEREUS_TEST_JOB=$NEREUS_TEST_JOB\$" "$file" 2>/dev/null || continue
        pid=${file#/proc/}
        pid=${pid%/environ}
        case $(readlink "/proc/$pid/exe") in */resize | */nereus-guard*) ;; *) continue ;; esac
        echo "-- $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" | head -c 200)"
        gdb -p "$pid" -batch -ex 'thread apply all bt' 2>/dev/null | grep '^#'
    done
}

stress() {
    local output status running expected="$size processes, $count reconfigurations, outcome resized, wrong 0"
    export NEREUS_TEST_JOB="stress-$$-$RANDOM$RANDOM"
    output=$(mktemp)
    timeout -k 3 "$limit" "$build/bin/nereus-mpiexec" -n $start "$build/bin/resize" "schedule=${schedule#,}" \
        last=$((count + 3)) expect=$size outcome=resized </dev/null >"$output" 2>&1 &
    running=$!
    timeout $((limit - 15)) tail -s 0.2 --pid=$running -f /dev/null || show_stacks
    wait "$running"
    status=$?
    if [ $status -eq 0 ] && grep -q "$expected" "$output"; then
        echo "$1: $count reconfigurations, data right after each"
    else
        echo "$1: FAILED with status $status, seed $seed, ${schedule#,}"
        cat "$output"
        wrong=1
    fi
    rm -f "$output"
}

MPIR_CVAR_CH4_NETMOD=ucx stress ucx
MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp stress "ofi (tcp)"
exit $wrong
