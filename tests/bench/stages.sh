#!/bin/bash
# stages.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How long a stage of nereus-sam takes that was asked for a time: Stage_Time x FactorS, by T_op as the profile has it and as it is
measured at the start. A sample is a quantile of the stage's times in one job."
own_options="  --types LIST      (pi,matrix)
  --times LIST      Stage_Time x FactorS, in ms (1,2,5,20)
  --processes LIST  (1,2)
  --quantile Q      of the times; below the median on a machine that others use, too (0.5)
  --profile FILE    with T_op of this machine (calibrated here and now: three runs of each stage)"
types=pi,matrix times=1,2,5,20 processes=1,2 quantile=0.5 profile=""
. "$here/sampling.sh"

fingerprint() {
    cat "$bin/nereus-sam" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local type time number from
    for type in ${types//,/ }; do
        for number in ${processes//,/ }; do
            for time in ${times//,/ }; do
                for from in profile measured; do echo "$type $number $time $from"; done
            done
        done
    done
}

# Enough iterations for half a second, 10 at least. Matrices of 30 rows: products of some microseconds.
measure() { # "TYPE PROCESSES MILLISECONDS profile|measured"
    local type number time from rows
    read -r type number time from <<<"$1"
    awk -v type="$type" -v n="$number" -v ms="$time" -v from="$from" 'BEGIN {
        print "[general]\nT_op = " from "\nGranularity = " (type == "pi" ? 100 : 30) "\n[stage0]\ntype = " type
        print "time_s = " n * ms / 1000 "\n[group0]\nprocesses = " n "\niterations = " (ms < 50 ? int(500 / ms) : 10) }' >"$work/app.ini"
    rm -f "$work/app.jsonl"
    NEREUS_PROFILE=$work/profile.json timeout -k 3 60 "$bin/nereus-mpiexec" -n "$number" "$bin/nereus-sam" --results "$work/app.jsonl" \
        "$work/app.ini" >"$work/said" || return
    if [ "$from" = profile ]; then grep -q 'by the profile' "$work/said" || { echo 'T_op is not that of the profile' >&2; return 1; }; fi
    rows=$(sed -n 's/.*"event":"stage".*"time_s":\([-0-9.e+]*\).*/\1/p' "$work/app.jsonl" | sort -g)
    awk -v asked="$time" -v q="$quantile" '{ v[++n] = $1 } END { if (!n) exit 1; m = v[int(q * (n - 1) + 0.5) + 1]
        printf "ms %.6f\nratio %.6f\n", m * 1000, m * 1000 / asked }' <<<"$rows"
}

# A profile with T_op of these stages; nothing else of it is used.
prepare_profile() {
    local stage entries=""
    for stage in pi:100 matrix:30; do
        : >"$work/values"
        for _ in 1 2 3; do
            timeout -k 3 60 "$bin/nereus-mpiexec" -n 1 "$build"/libexec/nereus/nereus-calibrate stage --stage $stage --cluster here \
                --cores "$(nproc)" --nodes 1 --output "$work/rows.csv" >>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
            sed -n 's/.*,stage,.*,//p' "$work/rows.csv" >>"$work/values"
        done
        entries+="\"$stage\": {\"t_op_s\": $(sort -g "$work/values" | sed -n 2p), \"rows\": 3},"
    done
    sed "0,/{/s//{\"stages\": {${entries%,}},/" "$here/../cli/data/profile.json" >"$work/profile.json"
}

table() {
    echo "Stages of nereus-sam, $(nproc) cores; medians of samples, each the $quantile quantile of the iterations of a job. Ratio: measured / asked for."
    echo
    echo "| stage | processes | asked for [ms] | T_op by the profile: ratio | T_op measured at the start: ratio | samples |"
    echo "| --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '$2 == "ratio" { split($1, w, " "); key = w[1] " | " w[2] " | " w[3]; v[key, w[4]] = $3; if (!(key in n)) row[++rows] = key; n[key] = $4 }
        END { for (r = 1; r <= rows; r++) printf "| %s | %.3f | %.3f | %d |\n", row[r], v[row[r], "profile"], v[row[r], "measured"], n[row[r]] }'
}

read_options stages "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY
if [ -n "$profile" ]; then cp "$profile" "$work/profile.json" || exit; else prepare_profile; fi
sample_all < <(cases)
finish
