#!/bin/bash
# huge_pages.sh NEREUS MPIEXEC PROGRAM: the parts that a change of size makes have the advice to use
# huge pages where the profile says that it pays, or NEREUS_HUGE_PAGES; and no others.
set -u
nereus=$1 mpiexec=$2 program=$3
[ -e /sys/kernel/mm/transparent_hugepage/enabled ] || { echo "SKIPPED: this kernel has no transparent huge pages"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# profile NAME FACTOR: of a machine on which first touch takes so many times as long with the
# advice, measured up to 64 MiB
profile() {
    {
        echo "cluster,cores_per_node,ns,nt,method,bytes,rt_s,kind,time_s"
        for bytes in 8 512 32768 2097152 8388608 16777216 67108864; do
            awk -v b=$bytes -v f="$2" 'BEGIN {
                printf "synthetic,8,,,,%d,,touch,%.9g\nsynthetic,8,,,,%d,,touch-huge,%.9g\n", b, 1e-6 + 5e-10 * b, b, 1e-6 + f * 5e-10 * b }'
        done
    } >"$work/$1.csv"
    "$nereus" profile fit "$work/$1.csv" --output "$work/$1.json" >/dev/null 2>"$work/said" || { echo "FAILED: fit: $(cat "$work/said")"; exit 1; }
}
profile pays 0.4
profile loses 1.7

while read -r name profile setting method expected; do
    cp "$work/$profile.json" "$work/removed.json"
    env NEREUS_PROFILE="$work/removed.json" ${setting:+"$setting"} timeout -k 3 60 "$mpiexec" -n 1 "$program" "$method" 13 "$expected" \
        >"$work/said" 2>&1 </dev/null || { echo "FAILED: $name: $(cat "$work/said")"; failed=1; }
done <<ROWS
pays pays NEREUS_HUGE_PAGES= merge/coll 1
loses loses NEREUS_HUGE_PAGES= merge/coll 0
forced-off pays NEREUS_HUGE_PAGES=0 merge/p2p 0
forced-on loses NEREUS_HUGE_PAGES=1 baseline/coll 1
ROWS
exit $failed
