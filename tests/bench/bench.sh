#!/bin/bash
# bench.sh BUILD_FOLDER [REPEATS]: the reconfiguration time of each method beside its floors, all in
# one run and by turns:
#   nereus    RT from the trace of bench-job
#   bare      the same MPI calls without Nereus (bare)
#   empty     mpiexec -n k of an empty program, k = processes that the method starts
# Medians in milliseconds. Then what a malleability point costs.
set -eu
build=$1 repeats=${2:-15}
bin=$build/bin tests=$build/tests/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NEREUS_TRACE=$work/trace
run() { timeout -k 3 60 "$bin/nereus-mpiexec" "$@" 2>>"$work/log"; }
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
field() { sed -n 's/.*"event":"reconfiguration".*"rt_s":\([0-9.e+-]*\).*/\1/p' "$1"; }

printf '%-14s %3s %3s %10s | %10s %10s %8s %9s | %10s\n' method NS NT bytes nereus_ms bare_ms ratio extra_ms empty_ms
for bytes in 0 1000000 64000000; do
    for case in "merge 1 2" "merge 2 4" "merge 4 2" "merge 1 3" "baseline 1 2" "baseline 2 4" "baseline 4 2" "baseline 2 2"; do
        read -r method ns nt <<<"$case"
        started=$nt
        [ "$method" = merge ] && started=$((nt > ns ? nt - ns : 0))
        : >"$work/nereus"; : >"$work/bare"; : >"$work/empty"
        for _ in $(seq "$repeats"); do
            rm -f "$NEREUS_TRACE"
            run -n "$ns" "$tests/bench-job" "$method/coll" "$nt" "$bytes" >/dev/null
            field "$NEREUS_TRACE" >>"$work/nereus"
            run -n "$ns" "$tests/bare" "$method" "$nt" "$bytes" >>"$work/bare"
            if [ "$started" -gt 0 ]; then
                begin=$(date +%s%N)
                run -n "$started" "$tests/empty"
                echo "$((($(date +%s%N) - begin) / 1000))e-6" >>"$work/empty"
            else
                echo 0 >>"$work/empty"
            fi
        done
        awk -v m="$method/coll" -v ns="$ns" -v nt="$nt" -v bytes="$bytes" -v n="$(median <"$work/nereus")" \
            -v b="$(median <"$work/bare")" -v e="$(median <"$work/empty")" 'BEGIN {
            printf "%-14s %3d %3d %10d | %10.2f %10.2f %8.3f %9.2f | %10.2f\n", m, ns, nt, bytes, n * 1e3, b * 1e3, n / b, (n - b) * 1e3, e * 1e3}'
    done
done
unset NEREUS_TRACE
echo
run -n 2 "$tests/point-cost"
