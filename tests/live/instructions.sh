#!/bin/bash
# instructions.sh PROGRAM ARGS...: what malleability adds to the loop of a solver that is never
# resized, counted, not timed.
# PROGRAM and PROGRAM-plain run with one process under valgrind; what is counted are the
# instructions of all their threads, with those of MPI and of the libraries, between the two looks
# at the clock around the loop (MPI_Wtime in solve). It fails above 1 % more than plain.
# With one process nobody waits for anybody, so that a program's count is the same each time.
#
# instructions.sh --monitored ITERATIONS WATCH-LIBRARY PROGRAM ARGS...: what monitoring adds to an
# iteration, with an interval in each. It fails above 100000 instructions: 1 % of 10 ms on a core
# that executes 10^9 a second, which is few.
set -u
if [ "$1" = --monitored ]; then
    iterations=$2 library=$3
    shift 3
fi
program=$1
shift
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 77
fi
if ldd "$program" | grep -q -e libasan -e libtsan -e libubsan; then
    echo "skipped: valgrind cannot run a program with sanitizers"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# loop_instructions PROGRAM ARGS...: a profile is written before each look at the clock; the second
# is that of the loop.
loop_instructions() {
    if ! timeout -k 3 60 valgrind --tool=callgrind --dump-before=MPI_Wtime --dump-before=PMPI_Wtime \
        --callgrind-out-file="$work/profile" "$@" >"$work/out" 2>&1; then
        tail -n 20 "$work/out" >&2
        return 1
    fi
    awk '/^desc: Trigger: --dump-before/ { loops++; in_loop = loops == 2 } in_loop && /^(summary|totals):/ { print $2; exit }' "$work"/profile.?
    rm -f "$work"/profile*
}

export NEREUS_BIND=none
if [ -n "${iterations-}" ]; then
    off=$(loop_instructions "$program" "$@") || exit 1
    on=$(LD_PRELOAD=$library NEREUS_MONITOR=$work/job.jsonl NEREUS_MONITOR_EVERY=1 loop_instructions "$program" "$@") || exit 1
    intervals=$(grep -c '"event":"interval"' "$work/job.jsonl")
    echo "${program##*/} $*: $off instructions, $on monitored in $intervals intervals"
    awk -v off="$off" -v on="$on" -v n="$iterations" -v intervals="$intervals" 'BEGIN {
        if (!(off > 0 && on > off && intervals >= n)) { print "no count of the loop, or nothing was monitored"; exit 1 }
        printf "%.0f instructions an iteration\n", (on - off) / n
        exit on - off > 100000 * n }'
    exit
fi
plain=$(loop_instructions "$program-plain" "$@") || exit 1
malleable=$(loop_instructions "$program" "$@") || exit 1
echo "${program##*/} $*: $plain instructions plain, $malleable malleable"
awk -v plain="$plain" -v malleable="$malleable" 'BEGIN {
    if (!(plain > 0 && malleable > 0)) { print "no count of the loop"; exit 1 }
    printf "ratio %.5f\n", malleable / plain
    exit malleable > 1.01 * plain }'
