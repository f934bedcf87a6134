#!/bin/bash
# parts.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How well the computational model (docs/policies.md) says beforehand what the four parts of an interval take in which the number of
processes changes (Martín et al. (2015), section 5.1 and its figure 7): nereus-jacobi goes from NS to NT in the middle of its run. Computation (equation 3) and
communication (equations 4 and 5, lambda of the interval before) come from the interval before the change; the change of processes and the
redistribution of its data from the profile. An error is predicted / measured - 1."
own_options="  --pairs LIST      of sizes (1:2,2:1,2:4,4:2)
  --unknowns N      (1500)
  --iterations N    of each of both halves, at least 4 (60)
  --method METHOD   of the change (merge/coll)
  --profile FILE    of this machine (as nereus predict finds it)"
pairs=1:2,2:1,2:4,4:2 unknowns=1500 iterations=60 method=merge/coll profile=
. "$here/sampling.sh"

fingerprint() {
    cat "$bin/nereus" "$bin/nereus-jacobi" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    tr , '\n' <<<"$pairs" | tr : ' '
}

# predicted_rt NS NT OPTION...: of the method, and its interval, in seconds
predicted_rt() {
    local ns=$1 nt=$2
    shift 2
    "$bin/nereus" predict ${profile:+--profile "$profile"} --ns "$ns" --nt "$nt" --methods "$method" --format csv "$@" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["rt_s"], $at["rt_low_s"], $at["rt_high_s"] }'
}

# modelled PROCESSES: time of the calls of an iteration, without lambda
modelled() {
    printf '[policy]\ninterval = 1\n[class core]\ncores_per_node = 64\nstart = %d\n' "$1" >"$work/policy.ini"
    printf '[application]\niterations = 1\nwork = 0\n[call allgather]\nbytes = %d\n[call allreduce]\nbytes = 16\n' \
        $((8 * unknowns)) >"$work/application.ini"
    "$bin/nereus" policy run "$work/policy.ini" -a "$work/application.ini" ${profile:+--profile "$profile"} --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "communication_s") at = i } NR == 2 { print $at }'
}

measure() { # "NS NT"
    local ns nt
    read -r ns nt <<<"$1"
    rm -f "$work/monitor" "$work/trace"
    NEREUS_MONITOR=$work/monitor NEREUS_MONITOR_EVERY=$((iterations / 4)) NEREUS_MONITOR_WORK=cpu-time NEREUS_TRACE=$work/trace \
        NEREUS_SCHEDULE=$nt@$iterations:$method timeout -k 3 120 "$bin/nereus-mpiexec" -n "$ns" "$bin/nereus-jacobi" --unknowns "$unknowns" --tolerance 0 \
        --iterations $((2 * iterations)) >&2 || return 1
    "$bin/nereus" job trace --format csv "$work/trace" >"$work/steps.csv" || return 1
    predicted_rt "$ns" "$nt" >"$work/rt"
    predicted_rt "$ns" "$nt" --bytes-constant $((8 * unknowns * (unknowns + 1))) --bytes-variable $((8 * unknowns)) >>"$work/rt"
    { modelled "$ns"; modelled "$nt"; } >"$work/calls"
    python3 "$here/parts.py" "$work/monitor" "$work/steps.csv" "$work/rt" "$work/calls" "$ns" "$nt"
}

table() {
    echo "nereus-jacobi, $unknowns unknowns, $iterations iterations before and after the change by $method; $(nproc) cores."
    echo "Predicted / measured - 1, in percent: least, median and most of the runs; in brackets the medians of what was measured and predicted."
    echo
    python3 "$here/parts.py" --table "$samples"
}

read_options parts "$@"
[[ $iterations =~ ^[0-9]+$ && $iterations -ge 4 ]] || refuse "--iterations is '$iterations' and must be a whole number from 4 on"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY NEREUS_POLICY NEREUS_BALANCE
sample_all < <(cases)
finish
