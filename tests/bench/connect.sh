#!/bin/bash
# connect.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How old and new processes are best connected with the MPI at hand: through a port or through a bridge
(NEREUS_CONNECT), over each network module; and for the strategy multiple, one process a spawn or two (NEREUS_BATCH)."
own_options="  --netmods LIST  network modules (ucx,ofi)
  --methods RE    only methods that match this extended regular expression"
netmods=ucx,ofi methods=.
. "$here/sampling.sh"

# "connect NETMOD METHOD NS NT port|bridge" and "batch NETMOD METHOD NS NT 1|2"
cases() {
    local netmod method way
    for netmod in ${netmods//,/ }; do
        for method in baseline-single merge-single baseline-multiple merge-multiple baseline-diffusive merge-diffusive; do
            [[ $method =~ $methods ]] || continue
            for way in port bridge; do echo "connect $netmod $method 2 4 $way"; done
            [[ $method = *-multiple ]] || continue
            for way in 1 2; do
                echo "batch $netmod $method 2 4 $way"
                [[ $method = baseline* ]] || echo "batch $netmod $method 1 5 $way"
            done
        done
    done
}

measure() { # CASE
    local what netmod method ns nt way line
    read -r what netmod method ns nt way <<<"$1"
    local setting=(MPIR_CVAR_CH4_NETMOD="$netmod" NEREUS_HOSTFILE="$work/machine" NEREUS_TRACE="$work/trace")
    case $netmod in
        ucx) setting+=(UCX_TLS="^sysv") ;; # else killed jobs leave System V segments
        ofi) setting+=(FI_PROVIDER=tcp) ;; # its own choice hangs
    esac
    if [ "$what" = connect ]; then setting+=(NEREUS_CONNECT="$way"); else setting+=(NEREUS_BATCH="$way"); fi
    rm -f "$work/trace"
    env "${setting[@]}" timeout -k 3 60 "$bin/nereus-mpiexec" -n "$ns" "$tests/bench-job" "$method/coll" "$nt" 0 >&2 || return
    line=$(last_reconfiguration "$ns" "$nt" <"$work/trace") || { cat "$work/trace" >&2; return 1; }
    echo "rt_s $(number rt_s <<<"$line")"
}

# pairs_of WHAT ONE OTHER HEADING: a row for each method, module and pair of sizes.
pairs_of() {
    medians | awk -F, -v what="$1" -v one="$2" -v other="$3" -v heading="$4" '
        { split($1, word, " ") }
        word[1] == what {
            key = word[3] " | " word[4] " -> " word[5] " | " word[2]
            median[key, word[6]] = $3; count[key, word[6]] = $4
            if (!(key in seen)) { seen[key] = 1; row[++rows] = key }
        }
        function ms(key, way) { return (key, way) in median ? sprintf("%.1f", 1e3 * median[key, way]) : "-" }
        END {
            if (!rows) exit
            printf "%s\n| --- | --- | --- | --- | --- | --- | --- |\n", heading
            for (r = 1; r <= rows; r++) {
                key = row[r]
                ratio = (key, one) in median && (key, other) in median ? sprintf("%.2f", median[key, other] / median[key, one]) : "-"
                printf "| %s | %s | %s | %s | %d |\n", key, ms(key, one), ms(key, other), ratio,
                       count[key, one] < count[key, other] ? count[key, one] : count[key, other]
            }
            print ""
        }'
}

table() {
    echo "RT in ms without data, medians of so many samples by turns; six virtual nodes of one host, $(nproc) cores in all."
    echo
    pairs_of connect port bridge "| method | NS -> NT | netmod | port | bridge | bridge / port | samples |"
    pairs_of batch 1 2 "| method | NS -> NT | netmod | 1 a spawn | 2 a spawn | 2 / 1 | samples |"
}

read_options connect "$@"
printf 'localhost/%s:1\n' a b c d e f >"$work/machine"
sample_all < <(cases)
finish
