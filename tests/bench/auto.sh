#!/bin/bash
# auto.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What it costs to let the model choose: T_ex of the synthetic application with one change of size, by the method auto and by each
method named, by turns. Needs a profile of this machine (\$NEREUS_PROFILE, or the one that nereus calibrate has installed). The regret is
T_ex of auto over that of the best of all methods, whichever that turns out to be, less 1."
own_options="  --pairs NS:NT,...   (1:2,2:1,2:4,4:2)
  --sizes BYTES,...   variable data (0,16MB)
  --methods LIST      beside auto (merge,merge-single,merge-launch,merge-async,baseline,baseline-launch)
  --iterations N      with the new size, of 5 ms (60)
  --scaling LAW       that the job is told: weak, as its iterations are; none: it assumes strong scaling until it has had both sizes (weak)
  --profile FILE      of this machine (that which is found)"
pairs=1:2,2:1,2:4,4:2 sizes=0,16MB iterations=60 scaling=weak profile=""
methods=merge,merge-single,merge-launch,merge-async,baseline,baseline-launch
. "$here/sampling.sh"

fingerprint() {
    cat "$bin/nereus-sam" "$build"/lib*/libnereus*.so "$profile" | md5sum | cut -c 1-12
}

cases() {
    local pair size method
    for pair in ${pairs//,/ }; do
        for size in ${sizes//,/ }; do
            for method in auto ${methods//,/ }; do echo "${pair/:/ } $size $method"; done
        done
    done
}

# The same iteration on each size: what is compared are methods, not sizes.
measure() { # "NS NT BYTES METHOD"
    local ns nt bytes method law="scaling = $scaling" factor=""
    read -r ns nt bytes method <<<"$1"
    [ "$scaling" != none ] || law="" factor="factor = 1"
    cat >"$work/app.ini" <<INI
[general]
bytes = $bytes
$law
[stage0]
type = pi
time_s = 0.005
[stage1]
type = allreduce
bytes = 8
[group0]
processes = $ns
iterations = 10
$factor
[group1]
processes = $nt
iterations = $iterations
$factor
method = $method
INI
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$bin/nereus-mpiexec" -n "$ns" "$bin/nereus-sam" --results "$work/results.json" \
        --format json "$work/app.ini" >"$work/out" || return
    python3 - "$work/results.json" "$work/trace" <<'PY'
import json, sys
results = json.load(open(sys.argv[1]))
before, after = results["groups"]
print("t_ex_s", results["t_ex_s"])
print("t_iter_ns_s", before["iteration_median_s"])
print("t_iter_nt_s", after["iteration_median_s"])
for key in "reconfiguration_s", "overlap_iterations", "overlap_mean_s":
    if isinstance(after.get(key), (int, float)):
        print(key, after[key])
for line in open(sys.argv[2]):
    event = json.loads(line)
    if event["event"] == "choice":
        if event["by"] != "model":
            sys.exit("auto has not asked the model: " + event["reason"])
        print("chose:" + event["method"], 1)
        print("predicted_s", event["predicted_t_ex_s"])
        print("predicted_t_iter_nt_s", event["t_iter_nt_s"])
PY
}

table() {
    echo "$iterations iterations of 5 ms a process after the change, 10 before; $(nproc) cores; profile $(basename "$profile")."
    echo "Medians of T_ex. Noise: how far the best method's own samples are apart (quartiles, over its median)."
    echo
    echo "| NS -> NT | data | auto [s] | it took | best [s] | which | regret | merge [s] | auto / merge | noise | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    python3 - "$samples" <<'PY'
import collections, csv, statistics, sys
times, chosen = collections.defaultdict(list), collections.defaultdict(collections.Counter)
for row in csv.reader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    if len(row) != 4 or row[0] == "round":
        continue
    ns, nt, size, method = row[1].split()
    if row[2] == "t_ex_s":
        times[ns, nt, size, method].append(float(row[3]))
    elif row[2].startswith("chose:"):
        chosen[ns, nt, size][row[2][6:]] += 1
regrets = []
for cell, count in chosen.items():
    medians = {m: statistics.median(v) for (*c, m), v in times.items() if tuple(c) == cell}
    best = min((m for m in medians if m != "auto"), key=medians.get)
    low, middle, high = statistics.quantiles(times[(*cell, best)], n=4) if len(times[(*cell, best)]) > 1 else (medians[best],) * 3
    took = ", ".join(f"{m} {n}" for m, n in count.most_common())
    # auto may have found a method that is not among those named.
    regret = medians["auto"] / min(medians.values()) - 1
    regrets.append(regret)
    merge = f"{medians['merge']:.4f} | {medians['auto'] / medians['merge']:.3f}" if "merge" in medians else "- | -"
    print(f"| {cell[0]} -> {cell[1]} | {cell[2]} | {medians['auto']:.4f} | {took} | {medians[best]:.4f} | {best} | {100 * regret:.1f} % "
          f"| {merge} | {100 * (high - low) / middle:.1f} % | {len(times[(*cell, 'auto')])} |")
if regrets:
    print(f"\nRegret: mean {100 * statistics.mean(regrets):.1f} %, largest {100 * max(regrets):.1f} % of T_ex.")
PY
}

read_options auto "$@"
[ -z "$profile" ] || export NEREUS_PROFILE=$profile
unset NEREUS_HOSTFILE NEREUS_SLOTS
profile=$("$bin/nereus" profile show 2>/dev/null | sed -n '1s/ (.*//p')
[ -r "$profile" ] || refuse "no profile of this machine: \`nereus calibrate\` measures one"
sample_all < <(cases)
finish
