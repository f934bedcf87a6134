#!/bin/bash
# epidemic.sh MPIEXEC NEREUS-EPIDEMIC REFERENCE.py RUN...: the epidemic of one seed, by another
# program, and by nereus-epidemic, each RUN: with one process, with three, over changes of sizes,
# over moves of data at the same size (balance): each day has the same numbers;
# and without memory (memory).
set -u
mpiexec=$1 program=$2 reference=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
options=(--persons 300 --days 24 --seed 7 --rate 0.05 --infectious 5 --start 0.01 --encounters 2 --print)
python3 "$reference" 300 24 7 0.05 5 0.01 2 >"$work/expected" || exit 1

# same NAME PROCESSES END WORDS...: END is what the last line has to say
same() {
    local name=$1 processes=$2 end=$3
    shift 3
    timeout -k 3 40 "$mpiexec" -n "$processes" "$program" "${options[@]}" "$@" >"$work/$name" 2>"$work/$name.err" || {
        echo "FAILED: $name: status $?: $(tail -n 3 "$work/$name.err")"
        exit 1
    }
    grep '^day ' "$work/$name" | diff "$work/expected" - >"$work/differences" || {
        echo "FAILED: $name: the epidemic is another one:"
        head -6 "$work/differences"
        exit 1
    }
    tail -n 1 "$work/$name" | grep -Eq "$end" || {
        echo "FAILED: $name: expected '$end': $(tail -n 1 "$work/$name")"
        exit 1
    }
}
# no_memory PROGRAM OPTION: so many numbers of iterations do not fit below a limit of the processes'
# memory (a sanitizer needs more than it)
no_memory() {
    local programs=${program%/*}
    (ulimit -v 16000000 && "$programs/$1" --version) >/dev/null 2>&1 || {
        echo "not checked, as a process needs more than 16 GB of addresses (a sanitizer): $1 without memory"
        return
    }
    (ulimit -v 16000000 && timeout -k 3 40 "$mpiexec" -n 2 "$programs/$1" "$2" 2147483647) >"$work/memory" 2>&1 && fail_memory "$1" "status 0"
    grep -q "^$1: no memory for [0-9]* elements of 8 bytes$" "$work/memory" || fail_memory "$1" "no reason"
    grep -q 'before initializing' "$work/memory" && fail_memory "$1" "MPI_Abort without MPI"
}
fail_memory() {
    echo "FAILED: $1 without memory: $2: $(cat "$work/memory")"
    exit 1
}
for run in "$@"; do
    case $run in
        one) same one 1 ' 1 process, 0 reconfigurations,' ;;
        three) same three 3 ' 3 processes, 0 reconfigurations,' ;;
        sizes) NEREUS_SCHEDULE=4@3:merge/coll-keep,1@7:baseline/p2p,2@12:merge/p2p-weighted,3@18:merge/coll \
            same sizes 2 ' 3 processes, 4 reconfigurations,' ;;
        balance) NEREUS_BALANCE=1 same balance 3 ' 3 processes, [1-9][0-9]* reconfigurations*,' --powers 1,4,2/3,2,1/2,1,3 ;;
        memory)
            no_memory nereus-epidemic --days
            no_memory nereus-cg --iterations # the same fault, at the same place
            no_memory nereus-jacobi --iterations
            continue
            ;;
        *) echo "no run is called $run"; exit 2 ;;
    esac
    tail -n 1 "$work/$run"
done
