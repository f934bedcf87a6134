#!/bin/bash
# mpis.sh BIN FOLDER[=BIN][,...] [ROUNDS [NS [NT]]]: what a change of size takes by each method on
# several MPIs, alternating; a table in Markdown. BIN is that of a build by the standard's binary
# interface (preset abi); each FOLDER holds an answer of find-mpi, the first is what the others are
# compared with; =BIN: an MPI without that interface has a build of its own (preset openmpi).
# Medians of ROUNDS (5) jobs that go from NS (2) to NT (3) processes, and back for zs and ts.
set -u
bin=$1 rounds=${3-5} ns=${4-2} nt=${5-3}
IFS=, read -ra folders <<<"$2"
methods=${NEREUS_BENCH_METHODS-"baseline/coll baseline-intra/coll merge/coll merge/p2p merge/shared merge/rma merge-multiple/coll merge-hypercube/coll merge-launch/coll
    baseline-launch/coll merge-async/coll merge-zs/coll merge-ts/coll restart/file"}
bins=() mpis=()
for f in "${!folders[@]}"; do # the MPI of a build of its own is not named
    case ${folders[f]} in
        *=*) bins+=("${folders[f]#*=}") folders[f]=${folders[f]%%=*} mpis+=("") ;;
        *) bins+=("$bin") mpis+=("${folders[f]}") ;;
    esac
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
printf 'localhost/%s:1\n' a b c d e f >"$work/hosts"

# one METHOD NUMBER: seconds on the MPI of that number, or why not.
one() {
    local schedule=$nt@2 wanted=$nt method=$1 said
    case $1 in
        *-zs/* | *-ts/*) schedule="$nt@2:merge/coll,$ns@4" wanted=$ns ;;
    esac
    said=$(NEREUS_MPI=${mpis[$2]} NEREUS_HOSTFILE=$work/hosts NEREUS_CHECKPOINT=$work/saved timeout -k 3 "${NEREUS_BENCH_LIMIT_S-40}" \
        "${bins[$2]}/nereus-mpiexec" -n "$ns" "${bins[$2]}/../tests/bin/resize" data=all "method=$method" "schedule=$schedule" last=7 settle=1 "expect=$wanted" 2>&1)
    rm -rf "$work/saved"
    sed -nE 's/^outcome: resized .* in ([0-9.e-]+) s$/\1/p; s/^nereus: .*not carried out on this MPI: ([^;]*).*/refused: \1/p' <<<"$said" |
        tail -1 | grep . || echo "failed: $(tail -1 <<<"$said" | cut -c1-100)"
}
name_of() { sed -nE 's/^NEREUS_MPI_VERSION=([^(]*[^ (]).*/\1/p' "$1/mpi.env"; }

echo "Seconds from $ns to $nt processes (zs, ts: back), median of $rounds (lowest to highest)."
echo
for folder in "${folders[@]}"; do printf '| %s ' "$(name_of "$folder")"; done | sed 's/^/| method /; s/$/|/'
echo
for folder in x "${folders[@]}"; do printf '| --- '; done
echo '|'
for method in $methods; do
    for ((i = 0; i < rounds; i++)); do
        for f in "${!folders[@]}"; do one "$method" "$f" >>"$work/$f"; done
    done
    printf '| %s ' "$method"
    for f in "${!folders[@]}"; do
        sort -g "$work/$f" | awk -v first="$work/median" -v is_first="$((f == 0))" '
            /^[0-9]/ { t[++n] = $1; next } { why = $0 }
            END {
                m = n ? t[int((n + 1) / 2)] : ""
                if (is_first) print m >first; else getline base <first
                printf "| "
                if (n) printf "%.3g (%.3g to %.3g)", m, t[1], t[n]
                if (n && !is_first && base > 0) printf ", x %.1f", m / base
                if (why != "") printf "%s%s", n ? "; " : "", why
                printf " "
            }'
        rm -f "$work/$f"
    done
    echo '|'
done
