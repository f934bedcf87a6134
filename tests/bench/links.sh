#!/bin/bash
# links.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How well a calibration says beforehand what a change of size takes where the network is the bottleneck: four hosts of two processes
(network namespaces, tests/hosts; needs root, else skipped), the link of each limited by a token bucket in both directions. For each rate:
nereus calibrate on these hosts, then reconfigurations there beside nereus predict and nereus plan."
own_options="  --rates LIST   of the links (100mbit,300mbit,1000mbit)
  --pairs LIST   PROCESS:NS:NT (merge:2:4,merge:2:8,merge:4:8,merge:8:4,merge:8:2,merge:4:2,baseline:2:4,baseline:4:2)
  --data LIST    p2p,coll,rma
  --sizes LIST   bytes (4000000,64000000)
  --budget TIME  of each calibration (150s)
  --profile FILE instead of a calibration"
rates=100mbit,300mbit,1000mbit pairs=merge:2:4,merge:2:8,merge:4:8,merge:8:4,merge:8:2,merge:4:2,baseline:2:4,baseline:4:2
data=p2p,coll,rma sizes=4000000,64000000 budget=150s profile=
. "$here/sampling.sh"
hosts=$here/../hosts/hosts list=host0:2,host1:2,host2:2,host3:2

fingerprint() {
    cat "$bin/nereus" "$tests/bench-job" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local rate pair each size
    for rate in ${rates//,/ }; do
        for pair in ${pairs//,/ }; do
            for each in ${data//,/ }; do
                # a window is of one group
                [ "$each" = rma ] && pair=${pair/#baseline:/baseline-intra:}
                for size in ${sizes//,/ }; do echo "$rate ${pair//:/ } $each $size"; done
            done
        done
    done
}

# at RATE COMMAND...: four hosts with such links, and this in front of them
at() {
    local rate=$1
    shift
    NEREUS_HOSTS_LINK=$rate NEREUS_HOSTS_STATE=$work/hosts HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC="$here/../hosts/launch" \
        "$hosts" with 4 "$@"
}

profile_of() { # RATE
    echo "${profile:-$out/links-$1.json}"
}

# What was measured of an interrupted calibration is gone on with.
calibrate() { # RATE
    local made=$out/links-$1
    [ -z "$again" ] || rm -f "$made".*
    [ -s "$made.json" ] && return
    echo "calibrating with links of $1" >&2
    at "$1" "$hosts" on front "$bin/nereus" calibrate --hostfile "$work/machine" --cluster "links-$1" --samples "$made.csv" \
        --output "$made.json" --no-install --budget "$budget" </dev/null >"$made.said" 2>"$made.progress" && return
    tail -n 5 "$made.said" "$made.progress" >&2
    rm -f "$made.json"
    return 1
}

measure() { # "RATE PROCESS NS NT DATA BYTES"
    local rate process ns nt each bytes line asked
    read -r rate process ns nt each bytes <<<"$1"
    asked=(--profile "$(profile_of "$rate")" --hostfile "$work/machine" --ns "$ns" --nt "$nt" --bytes-variable "$bytes")
    rm -f "$work/trace"
    NEREUS_MPIEXEC=$bin/nereus-mpiexec NEREUS_TRACE=$work/trace NEREUS_HOSTFILE=$work/machine \
        at "$rate" timeout -k 3 120 "$hosts" run "$list" -n "$ns" "$tests/bench-job" "$process/$each" "$nt" "$bytes" >&2 || return 1
    line=$(last_reconfiguration "$ns" "$nt" <"$work/trace") || { cat "$work/trace" >&2; return 1; }
    echo "rt_measured_s $(number rt_s <<<"$line")"
    "$bin/nereus" predict "${asked[@]}" --methods "$process/$each" --format csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print "rt_predicted_s", $at["rt_s"]; print "rt_low_s", $at["rt_low_s"]; print "rt_high_s", $at["rt_high_s"] }'
    echo "moved_measured_s $("$bin/nereus" job trace --format csv "$work/trace" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["kind"] == "redistribute" { s += $at["time_s"] } END { print s }')"
    "$bin/nereus" plan "${asked[@]}" --method "$process/$each" --format json | python3 "$here/links.py" --moved
}

table() {
    python3 "$here/links.py" --table "$samples"
}

[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: hosts need root"; exit 77; }
read_options links "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE
export MPIR_CVAR_CH4_NETMOD=${MPIR_CVAR_CH4_NETMOD-ucx} FI_PROVIDER=${FI_PROVIDER-tcp}
tr , '\n' <<<"$list" >"$work/machine"
at "${rates%%,*}" true # says why where it cannot be
status=$?
[ "$status" -eq 0 ] || exit "$status"
for rate in ${rates//,/ }; do
    [ -n "$profile" ] || calibrate "$rate" || refuse "no profile for links of $rate"
done
sample_all < <(cases)
finish
