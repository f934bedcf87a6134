#!/bin/bash
# turns.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="A reconfiguration by this build, by an older build, and by bare MPI calls, by turns: each sample is new, old, bare, bare, old, new
(ABBA), so that a drift of the machine cancels in its ratios. Cells of the kind rt: RT of the trace, beside the same MPI calls without
Nereus. Cells of the kind total: T_ex of 100 iterations of 5 ms in each process, 10 of them before the change, with constant data;
beside the same run without the overlap (with fewer cores than sources both are the same). Cells of the kind still: how long the
application stands still (time inside nereus_point) for an asynchronous method, beside RT of the same change by a plain spawn. Ratios are medians over the samples, with their interval of at least 90 % (order statistics)."
own_options="  --old FOLDER  the older build; none: this one alone
  --cells RE    only cells that match this extended regular expression
  --bytes N     of the cells with data (67108864)"
old="" cells=. bytes=67108864
. "$here/sampling.sh"
repeats=11

fingerprint() {
    cat "$tests/bench-job" "$bin/nereus-sam" "$build"/lib*/libnereus*.so ${old:+"$old"/lib*/libnereus*.so} | md5sum | cut -c 1-12
}

# "rt METHOD NS NT BYTES", "total METHOD NS NT BYTES", "still METHOD NS NT BYTES"
cases() {
    local pair method
    {
        for pair in "1 2" "2 4" "4 2"; do
            echo "rt baseline/coll $pair $bytes"
            echo "rt baseline-intra/coll $pair $bytes"
        done
        for pair in "2 4" "4 2"; do echo "rt baseline/coll $pair 0"; done
        for pair in "2 4" "4 2"; do echo "rt merge/coll $pair 0"; done
        for method in merge/p2p merge/coll merge-launch/coll; do echo "rt $method 2 4 $bytes"; done
        echo "rt merge/coll 4 2 $bytes"
        echo "still merge-launch-async/coll 2 4 0"
        for method in merge/p2p-waitsources merge/coll-waittargets merge/p2p-thread merge/coll-thread merge-async/coll baseline/coll; do
            echo "total $method 4 2 $bytes"
        done
    } | grep -E -- "$cells"
}

# rt BUILD METHOD NS NT BYTES: seconds by the trace
rt() {
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$1/bin/nereus-mpiexec" -n "$3" "$1/tests/bin/bench-job" "$2" "$4" "$5" >&2 || return
    last_reconfiguration "$3" "$4" <"$work/trace" | number rt_s
}

# still BUILD METHOD NS NT BYTES: seconds that the application stands still; an older bench-job may not say it
still() {
    timeout -k 3 60 "$1/bin/nereus-mpiexec" -n "$3" "$1/tests/bin/bench-job" "$2" "$4" "$5" | sed -n 's/^still //p'
}

# bare METHOD NS NT BYTES: the floor
bare() {
    timeout -k 3 60 "$bin/nereus-mpiexec" -n "$2" "$tests/bare" "$(sed 's/[-/].*//' <<<"$1")" "$3" "$4"
}

# total BUILD METHOD NS NT BYTES: T_ex, and how many iterations passed meanwhile
total() {
    cat >"$work/app.ini" <<INI
[general]
bytes = $5
constant_percent = 100
[stage0]
type = pi
time_s = 0.005
[stage1]
type = allreduce
bytes = 8
[group0]
processes = $3
iterations = 10
factor = 1
[group1]
processes = $4
iterations = 90
factor = 1
method = $2
INI
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$1/bin/nereus-mpiexec" -n "$3" "$1/bin/nereus-sam" --results "$work/results.json" \
        --format json "$work/app.ini" >"$work/out" || return
    last_reconfiguration "$3" "$4" <"$work/trace" | number iterations >"$work/iterations"
    sed -n 's/.*"t_ex_s": *\([0-9.e+-]*\).*/\1/p' "$work/results.json" | head -n 1
}

# one VARIANT KIND METHOD NS NT BYTES
one() {
    local variant=$1 kind=$2
    shift 2
    case $kind/$variant in
        rt/bare) bare "$@" ;;
        still/bare) rt "$build" "${1%%-*}/${1##*/}" "${@:2}" ;; # a plain spawn
        total/bare) total "$build" "${1%%/*}/$(sed 's,.*/,,; s/-.*//' <<<"$1")" "${@:2}" ;; # the same without overlap
        */new) "$kind" "$build" "$@" ;;
        */old) "$kind" "$old" "$@" ;;
    esac
}

measure() { # CASE
    local words variant value before=$old
    local -A sum=()
    read -r -a words <<<"$1"
    [ "${words[0]}" != still ] || [ -z "$old" ] || [ -n "$(one old "${words[@]}")" ] || before=""
    for variant in new ${before:+old} bare bare ${before:+old} new; do
        value=$(one "$variant" "${words[@]}") || return
        [ -n "$value" ] || return
        sum[$variant]=${sum[$variant]:-0}+$value
        [ "${words[0]}" != total ] || [ "$variant" = bare ] || echo "${variant}_iterations $(cat "$work/iterations")"
    done
    for variant in new ${before:+old} bare; do
        awk -v name="${variant}_s" "BEGIN { printf \"%s %.9f\\n\", name, (${sum[$variant]}) / 2 }"
    done
}

table() {
    echo "$(nproc) cores; ms, medians. rt: RT beside bare MPI calls; total: T_ex of 100 iterations beside the same run without overlap;"
    echo "still: the application stands still, beside RT of merge."
    echo
    echo "| cell | NS -> NT | bytes | new | old | bare, sync | new / bare | new / old | It, new | It, old | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    python3 - "$samples" "$work/cases" <<'PY'
import collections, csv, math, statistics, sys
rows = collections.defaultdict(lambda: collections.defaultdict(dict))
for row in csv.reader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    if len(row) == 4 and row[0] != "round" and row[2] != "failed":
        rows[row[1]][row[2]][row[0]] = float(row[3])

def interval(values):
    """Order statistics that hold the median with at least 90 %, as far as so few values can."""
    v, n = sorted(values), len(values)
    k = 0
    while k < (n - 1) // 2 and 1 - 2 * sum(math.comb(n, i) for i in range(k + 2)) / 2 ** n >= 0.9:
        k += 1
    return v[k], v[n - 1 - k]

def ms(quantities, name):
    return f"{1e3 * statistics.median(quantities[name].values()):.1f}" if name in quantities else "-"

def ratio(quantities, over):
    both = [quantities["new_s"][r] / quantities[over][r] for r in quantities["new_s"] if r in quantities.get(over, {})]
    if not both:
        return "-"
    low, high = interval(both)
    return f"{statistics.median(both):.3f} ({low:.3f} to {high:.3f})"

def count(quantities, name):
    return f"{statistics.median(quantities[name].values()):.0f}" if name in quantities else "-"

for case in open(sys.argv[2]).read().split("\n"):
    if case in rows:
        q = rows[case]
        kind, method, ns, nt, size = case.split()
        print(f"| {kind} {method} | {ns} -> {nt} | {size} | {ms(q, 'new_s')} | {ms(q, 'old_s')} | {ms(q, 'bare_s')} | {ratio(q, 'bare_s')} "
              f"| {ratio(q, 'old_s')} | {count(q, 'new_iterations')} | {count(q, 'old_iterations')} | {len(q['new_s'])} |")
PY
}

read_options turns "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS
old=${old:+$(realpath -m -- "$old")}
[ -z "$old" ] || [ -x "$old/tests/bin/bench-job" ] || refuse "no bench-job in $old/tests/bin: build the older version with its benchmarks"
touch_memory
sample_all < <(cases)
finish
