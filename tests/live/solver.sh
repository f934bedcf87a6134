#!/bin/bash
# solver.sh MPIEXEC PROGRAM PROCESSES SCHEDULE SIZE RECONFIGURATIONS ARGS...
# Runs a solver twice: as it was before it became malleable (PROGRAM-plain), with one process, and
# with all these changes of size. Both must say the same about each iteration, and the job must have
# ended with SIZE processes after so many reconfigurations.
# SCHEDULE is NEREUS_SCHEDULE, or walk:SEED: that many random changes, one in each iteration from
# the second on; or same: that many rebalances at the same size, by methods in turn, with powers
# that differ each time; or balance: the same by NEREUS_BALANCE=1, until so many iterations are
# done.
# NEREUS_TEST_WORDS, NEREUS_TEST_DATA: the methods of a walk (defaults below); those after "|" only
# to shrink. NEREUS_TEST_PAUSE:
# seconds an iteration lasts longer, so that changes which go on beside iterations find enough of them.
set -u
mpiexec=$1 program=$2 processes=$3 schedule=$4 size=$5 count=$6
shift 6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
words=${NEREUS_TEST_WORDS:-baseline baseline-intra baseline-single baseline-multiple merge merge merge merge | merge-zs merge-ss}
data=${NEREUS_TEST_DATA:-coll p2p coll-keep p2p-keep coll-weighted p2p-weighted shared shared-keep rma rma-keep}

# walk SEED COUNT: sizes from 1 to 4, each another than the one before.
walk() {
    awk -v seed="$1" -v count="$2" -v size="$processes" -v words="$words" -v data="$data" '
        function any(n) { seed = (seed * 16807 + 7) % 2147483647; return int(seed / 2147483647 * n) + 1 }
        BEGIN {
            cut = index(words, "|")
            always = split(cut ? substr(words, 1, cut - 1) : words, word, " ")
            for (i = split(cut ? substr(words, cut + 1) : "", more, " "); i > 0; i--) word[always + ++shrinking] = more[i]
            parts = split(data, part, " ")
            for (k = 1; k <= count; k++) {
                next_size = (size + any(3) - 1) % 4 + 1
                method = word[any(always + (next_size < size ? shrinking : 0))]
                moved = part[any(parts)]
                if (moved ~ /^rma/ && (method ~ /^baseline/ && method !~ /^baseline-intra/ || method ~ /-ss$/)) sub(/rma/, "coll", moved) # needs one communicator
                printf("%s%d@%d:%s/%s", (k == 1) ? "" : ",", next_size, k + 1, method, moved)
                size = next_size
            }
        }'
}
extra=()
if [[ $schedule == same || $schedule == balance ]]; then
    extra=(--powers 1,4,2,3/2,1,4,3/4,2,1/3,1)
    [ $schedule = same ] && schedule=$(awk -v size="$processes" -v count="$count" 'BEGIN {
        methods = split("coll p2p rma shared coll-thread", method, " ")
        for (k = 1; k <= count; k++)
            printf("%s%d@%d:merge/%s-weighted", (k == 1) ? "" : ",", size, k + 1, method[k % methods + 1])
    }')
fi
if [[ $schedule == walk:* ]]; then
    schedule=$(walk "${schedule#walk:}" "$count")
    size=${schedule##*,} size=${size%%@*}
fi
# What goes on beside iterations may not be over with the last one.
[[ ! $schedule =~ async|thread|wait ]] || extra+=(--settle)

run() { # NAME COMMAND...
    local name=$1 status
    shift
    "$@" >"$work/$name" 2>"$work/$name.err"
    status=$?
    if [ $status -ne 0 ]; then
        echo "status $status: $*" | cut -c 1-400
        tail -n 5 "$work/$name" "$work/$name.err"
        exit 1
    fi
}
run plain "$mpiexec" -n 1 "$program-plain" "$@" --print
if [ "$schedule" = balance ]; then export NEREUS_BALANCE=1; else export NEREUS_SCHEDULE=$schedule; fi
run resized "$mpiexec" -n "$processes" "$program" "$@" --print --pause "${NEREUS_TEST_PAUSE:-0}" "${extra[@]}"
tail -n 1 "$work/resized"
if ! grep -q " $size process\(es\)\?, $count reconfigurations\?, " "$work/resized"; then
    echo "expected $size processes and $count reconfigurations of ${schedule:0:400}"
    grep -v warning "$work/resized.err" | head -5
    exit 1
fi
# Changes to which the program did not come are spoken of, and no others.
commas=${schedule//[^,]/}
wanted=$((${#commas} + 1))
expected=$((wanted > count ? wanted - count : 0))
said=$(sed -n "s/^nereus: \([0-9]*\) of $wanted changes* of the schedule w[aser]* not carried out: the application ended first.*/\1/p" "$work/resized.err")
if [ "${said:-0}" -ne "$expected" ]; then
    echo "of $wanted changes $count were carried out, and '$said' are said to be missing"
    exit 1
fi
# Seconds are those from the iteration on with which the printing process has begun: the last change
# that replaced all (of one beside the iterations nobody knows beforehand).
began=0
for change in ${schedule//,/ }; do
    [[ $change =~ @([0-9]+):(baseline|[a-z-]*-ss) && $change != 9@9999* ]] && began=${BASH_REMATCH[1]}
done
if [[ $schedule != *async* ]] && ! grep -q " from iteration $began on [0-9.]* s, [0-9.]* s CPU$" "$work/resized"; then
    echo "expected seconds from iteration $began on"
    exit 1
fi
awk '
    $1 != "residual" { next }
    FNR == NR { first[$2] = $3; lines++; next }
    {
        also++
        difference = $3 - first[$2]
        if (difference < 0) difference = -difference
        if (!($2 in first) || !(difference <= 1e-10 * first[$2])) { if (wrong++ < 5) print "iteration " $2 ": " $3 " and " first[$2] }
        if (first[$2] > 0 && difference / first[$2] > largest) largest = difference / first[$2]
    }
    END {
        printf "%d iterations, the largest difference is %.2g of the residual\n", lines, largest
        exit wrong > 0 || lines < 2 || also != lines
    }' "$work/plain" "$work/resized"
