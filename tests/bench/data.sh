#!/bin/bash
# data.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How long data takes from 2 to 4 processes and back, by each method, beside the same bytes moved by bare calls among the
same processes in the same job: isend/irecv (p2p, rma), alltoallv (coll), memcpy (shared)."
own_options="  --sizes LIST  bytes (1000000,64000000,1000000000)
  --data LIST   p2p,coll,rma,shared"
sizes=1000000,64000000,1000000000 data=p2p,coll,rma,shared
. "$here/sampling.sh"

own_option() {
    case $1 in
        --sizes) sizes=$2 ;;
        --data) data=$2 ;;
        *) return 1 ;;
    esac
}

# "DATA BYTES FLOOR"
cases() {
    local each size floor
    for each in ${data//,/ }; do
        case $each in coll) floor=coll ;; shared) floor=copy ;; *) floor=p2p ;; esac
        for size in ${sizes//,/ }; do
            echo "$each $size $floor"
        done
    done
}

# Time of all steps of one kind in the last reconfiguration between two sizes.
step_s() { # KIND NS NT
    grep "\"event\":\"step\".*\"kind\":\"$1\",.*\"ns\":$2,\"nt\":$3," "$work/trace" | tail -n 1 | number time_s
}

measure() { # CASE
    local words
    read -r -a words <<<"$1"
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$bin/nereus-mpiexec" -n 2 "$bin/data-job" "${words[@]}" || return
    echo "expand_s $(step_s redistribute 2 4)"
    echo "expand_allocate_s $(step_s allocate 2 4)"
    echo "shrink_s $(step_s redistribute 4 2)"
    echo "shrink_allocate_s $(step_s allocate 4 2)"
}

table() {
    echo "Four processes on $(nproc) cores. Medians. moved: the steps allocate and redistribute of the library. fresh, touched: the same"
    echo "bytes between the same processes by bare calls, into pages that were never used and that were; the library's new"
    echo "parts are fresh. Ratios: moved over each."
    echo
    echo "| data | bytes | | moved [ms] | floor, fresh [ms] | ratio | floor, touched [ms] | ratio | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        { median[$1, $2] = $3; count[$1] = $4; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function line(key, way, name,    moved, fresh, touched, word) {
            split(key, word, " ")
            moved = median[key, way "_s"] + median[key, way "_allocate_s"]
            fresh = median[key, "floor_" way "_fresh_s"]; touched = median[key, "floor_" way "_touched_s"]
            if (fresh > 0 && touched > 0)
                printf "| %s | %s | %s | %.3f | %.3f | %.2f | %.3f | %.2f | %d |\n", word[1], word[2], name, 1e3 * moved,
                       1e3 * fresh, moved / fresh, 1e3 * touched, moved / touched, count[key]
        }
        END { for (r = 1; r <= rows; r++) { line(row[r], "expand", "2 -> 4"); line(row[r], "shrink", "4 -> 2") } }'
}

read_options data "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS
sample_all < <(cases)
finish
