#!/bin/bash
# restart-programs.sh WORD MPIEXEC SIZES PLAIN... -- PROGRAM...: PROGRAM, unchanged, writes
# checkpoints as so many processes ("1,3,2") until it is stopped at one of them, and goes on from
# there as the next number of processes. It must say what PLAIN says with one process.
# WORD: of the lines that are compared: "residual" (to ten digits, with PLAIN's lines), "day", or
# "answer" (the last line's digest).
set -u
word=$1 mpiexec=$2
IFS=, read -ra sizes <<<"$3"
shift 3
plain=()
while [ "$1" != -- ]; do
    plain+=("$1")
    shift
done
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
fail() {
    echo "FAILED: $*: $(tail -n 4 ./*.err)"
    exit 1
}

timeout -k 3 60 "$mpiexec" -n 1 "${plain[@]}" >plain 2>plain.err || fail "${plain[*]} ends with $?"
export NEREUS_CHECKPOINT=saved NEREUS_CHECKPOINT_EVERY=1us
# Stopped from its third checkpoint on; a job that has ended by then goes on from its end.
newest() { find saved -path '*/checkpoint-*/manifest.json' 2>/dev/null | sed 's/.*checkpoint-//; s/\/.*//' | sort -n | tail -n 1; }
for size in "${sizes[@]:0:${#sizes[@]}-1}"; do
    began=$(newest)
    for _ in {1..50}; do # a short job may be over before the processes have agreed on a point
        timeout -k 3 60 "$mpiexec" -n "$size" "$@" >first 2>first.err &
        job=$!
        while [ "$(newest)0" -lt $((${began:-0}0 + 30)) ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
        kill -TERM $job 2>/dev/null
        wait $job
        [ -n "$(newest)" ] && break
    done
    [ -n "$(newest)" ] || fail "no checkpoint of $size processes"
    export NEREUS_RESTART=saved
done
timeout -k 3 60 "$mpiexec" -n "${sizes[-1]}" "$@" >second 2>second.err || fail "the restart ends with $?"
grep "goes on from" second.err || fail "no restart"
if [ "$word" = answer ]; then
    read -r _ one _ <plain
    read -r _ other _ <second
    [ -n "$one" ] && [ "$one" = "$other" ] || fail "the answers $one and $other differ"
    exit 0
fi
awk -v word="$word" '
    $1 != word { next }
    FNR == NR { first[$2] = $0; value[$2] = $3; last = $2; next }
    {
        lines++
        difference = $3 - value[$2]
        if (difference < 0) difference = -difference
        if (!($2 in first) || (word == "day" ? $0 != first[$2] : !(difference <= 1e-10 * value[$2]))) {
            if (wrong++ < 5) print "\"" $0 "\" instead of \"" first[$2] "\""
        }
        ends = $2
    }
    END {
        printf "%d lines, to number %d\n", lines, ends
        exit wrong > 0 || lines < 1 || ends != last
    }' plain second || fail "the lines differ"
