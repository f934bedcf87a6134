#!/bin/bash
# restart.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What a restart from a checkpoint takes beside a baseline, and how well a calibration of the same run says both beforehand: RT as
measured and by nereus predict, and the steps write, start and read of the restart by nereus plan."
own_options="  --pairs NS:NT,...   (2:1,1:2,3:2)
  --sizes BYTES,...   (0,64000000,1000000000)
  --methods LIST      (restart/file,baseline/coll)
  --budget TIME       of the calibration (240s)
  --checkpoint DIR    where checkpoints go, while calibrating too (a temporary folder)
  --profile FILE      instead of a calibration"
pairs=2:1,1:2,3:2 sizes=0,64000000,1000000000 methods=restart/file,baseline/coll budget=240s checkpoint="" profile=""
. "$here/sampling.sh"

fingerprint() {
    cat "$bin/nereus" "$tests/bench-job" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local pair size method
    for pair in ${pairs//,/ }; do
        for size in ${sizes//,/ }; do
            for method in ${methods//,/ }; do echo "${pair/:/ } $size $method"; done
        done
    done
}

calibrate() {
    profile=$out/restart.profile.json
    [ -z "$again" ] || rm -f "$out"/restart.profile.*
    [ -s "$profile" ] && return
    echo "calibrating for $budget" >&2
    "$bin/nereus" calibrate --no-install --budget "$budget" --checkpoint "$checkpoint" --samples "$out/restart.profile.csv" \
        --output "$profile" </dev/null >"$out/restart.said" 2>"$work/progress" && return
    tail -n 5 "$work/progress" >&2
    return 1
}

measure() { # "NS NT BYTES METHOD"
    local ns nt bytes method line status=0
    read -r ns nt bytes method <<<"$1"
    echo "load $(cut -d' ' -f1 /proc/loadavg)"
    rm -f "$work/trace"
    NEREUS_CHECKPOINT=$checkpoint/restart NEREUS_TRACE=$work/trace timeout -k 3 60 "$bin/nereus-mpiexec" -n "$ns" "$tests/bench-job" "$method" \
        "$nt" "$bytes" >&2 || status=$?
    rm -rf "${checkpoint:?}/restart"
    [ "$status" -eq 0 ] || return "$status"
    line=$(last_reconfiguration "$ns" "$nt" <"$work/trace") || { cat "$work/trace" >&2; return 1; }
    echo "rt_s $(number rt_s <<<"$line")"
    "$bin/nereus" job trace --format csv "$work/trace" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["kind"] ~ /^(write|start|read)$/ { print $at["kind"] "_s", $at["time_s"] }'
}

# predicted CASE: "QUANTITY VALUE" lines.
predicted() {
    local ns nt bytes method asked
    read -r ns nt bytes method <<<"$1"
    asked=(--profile "$profile" --ns "$ns" --nt "$nt" --bytes-variable "$bytes" --bytes-replicated 8) # the number of the iteration
    "$bin/nereus" predict "${asked[@]}" --methods "$method" --format csv 2>/dev/null | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print "rt_s", $at["rt_s"]; print "rt_low_s", $at["rt_low_s"]; print "rt_high_s", $at["rt_high_s"] }'
    "$bin/nereus" plan "${asked[@]}" --method "$method" --format json 2>/dev/null | python3 -c '
import json, sys
for step in json.load(sys.stdin)["steps"]:
    if step["kind"] in ("write", "start", "read"):
        print(step["kind"] + "_s", step["time_s"])'
}

table() {
    local case
    while read -r case; do predicted "$case" | sed "s|^|$case,|; s|\(.*\) |\1,|"; done <"$work/cases" >"$work/predicted"
    echo "RT in s, medians of the samples; in brackets predicted over measured, * where the 90 % interval does not hold the median."
    echo "Load of the machine: $(medians | awk -F, '$2 == "load" { print $5 "\n" $6 }' | sort -g | sed -n '1p;$p' | paste -sd' ' | sed 's/ / to /')."
    echo "The calibration: $(sed -n 's/^restart, checkpoints in [^:]*: //p' "$out/restart.said" 2>/dev/null)."
    echo
    medians >"$work/measured"
    python3 - "$work/measured" "$work/predicted" <<'PY'
import collections, statistics, sys
def read(path, at):
    of = collections.defaultdict(dict)
    for row in (line.rstrip("\n").split(",") for line in open(path)):
        of[tuple(row[0].split())][row[1]] = float(row[at])
    return of
measured, predicted = read(sys.argv[1], 2), read(sys.argv[2], 2)
ways = list(dict.fromkeys(key[3] for key in measured))
steps = ("write", "start", "read")
def cell(key, what):
    m, p = measured.get(key, {}).get(what), predicted.get(key, {}).get(what)
    if not m or not p:
        return "-"
    low, high = (predicted[key].get(f"rt_{end}_s") for end in ("low", "high")) if what == "rt_s" else (0, m)
    return f"{m:.3g} ({p / m:.2f}{'' if low <= m <= high else '*'})"
print("| change | data | " + " | ".join(ways + [f"its {step}" for step in steps]) + " | restart / baseline |")
print("| --- " * (len(ways) + 6) + "|")
for ns, nt, size in dict.fromkeys(key[:3] for key in measured):
    rt = {way: measured.get((ns, nt, size, way), {}).get("rt_s") for way in ways}
    others = [rt[way] for way in ways[1:] if rt[way]]
    ratio = f"{rt[ways[0]] / others[0]:.2f}" if others and rt[ways[0]] else "-"
    cells = [cell((ns, nt, size, way), "rt_s") for way in ways] + [cell((ns, nt, size, ways[0]), f"{step}_s") for step in steps]
    print(f"| {ns} -> {nt} | {int(size) / 1e6:g} MB | " + " | ".join(cells) + f" | {ratio} |")
print("\n| predicted / measured | cases | median | median error | largest error |\n| --- | --- | --- | --- | --- |")
for what, way in [("rt_s", way) for way in ways] + [(f"{step}_s", ways[0]) for step in steps]:
    ratios = [predicted[k][what] / measured[k][what] for k in measured
              if k[3] == way and predicted.get(k, {}).get(what) and measured[k].get(what)]
    if ratios:
        errors = [abs(r - 1) for r in ratios]
        name = f"RT of {way}" if what == "rt_s" else f"{what[:-2]} of {way}"
        print(f"| {name} | {len(ratios)} | {statistics.median(ratios):.2f} | {100 * statistics.median(errors):.0f} % | {100 * max(errors):.0f} % |")
PY
}

read_options restart "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_CHECKPOINT NEREUS_CHECKPOINT_EVERY
checkpoint=${checkpoint:-$work/checkpoints}
mkdir -p "$checkpoint"
[ -n "$profile" ] || calibrate || refuse "no profile of this machine"
sample_all < <(cases)
finish
