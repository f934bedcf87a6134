#!/bin/bash
# workloads.sh BUILD_FOLDER: five workloads of twelve jobs, each in a real Slurm on three namespaces
# of one CPU, beside its simulation with and without the latencies of Slurm, which are measured
# first. As root, in some 16 minutes, on a machine that does nothing else.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
if [ -z "${NEREUS_WORKLOADS-}" ]; then
    [ -x "${1-}/bin/nereus" ] || { echo "workloads.sh BUILD_FOLDER, which has bin/nereus" >&2; exit 2; }
    export NEREUS_WORKLOADS=1 NEREUS_SLURM_CPUS=1 NEREUS_SLURM_SETTINGS=SchedulerType=sched/builtin # without backfilling: jobs of seconds
    exec "$here/../hosts/hosts" with 3 "$here/../hosts/slurm" "$here/workloads.sh" "$(readlink -f -- "$1")"
fi
nereus=$1/bin/nereus folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
machine="nodes:3 cores:1 latency:2us bandwidth:10GB/s spawn:0.4s"
cluster=(--nodes 3 --scheduler fcfs --policy broker --synthetic "$machine" --format json)

# workload MALLEABLE MEAN SEED: jobs of 6 to 18 s on 1 to 3 nodes, a share of them malleable, with
# so many seconds between them.
workload() {
    python3 - "$@" <<'PY'
import random, sys
share, mean, seed = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
draw, at = random.Random(seed), 0.0
print("job,submit_s,run_s,processors,requested_s,malleable,t_iter_s,least_processors,most_processors")
for job in range(12):
    n, run, flexible = draw.randint(1, 3), draw.uniform(6, 18), job % 2 < 2 * share
    print(f"{job + 1},{at:.1f},{run:.1f},{n},60,{'yes' if flexible else 'no'},0.5,{1 if flexible else n},{3 if flexible else n}")
    at += draw.expovariate(1 / mean)
PY
}

run() { # NAME MALLEABLE MEAN SEED
    local broker=""
    workload "${@:2}" >"$1.csv"
    if [ "$2" != 0 ]; then
        "$nereus" slurm broker --synthetic "$machine" >"$1.log" 2>&1 &
        broker=$!
    fi
    timeout -k 3 600 "$nereus" slurm workload "$1.csv" "${cluster[@]}" --latency "$latency round:10s" --output "$1" >"$1.live" 2>"$1.err" ||
        { tail -n 3 "$1.err" >&2; exit 1; }
    [ -z "$broker" ] || { kill "$broker"; wait "$broker"; } 2>/dev/null
    "$nereus" simulate "$1.csv" "${cluster[@]}" >"$1.plain" 2>>"$1.err" || exit 1
    python3 - "$1" <<'PY'
import json, sys
name = sys.argv[1]
live, simulated = json.load(open(name + ".live"))["summary"]
plain = json.load(open(name + ".plain"))["summary"][0]
cells = [name]
for key in ("makespan_s", "mean_wait_s"):
    off = [f"{s[key]:.4g} ({100 * (s[key] / live[key] - 1):+.1f} %)" for s in (simulated, plain)]
    cells += [f"{live[key]:.4g}, {off[0]}", off[1]]
print("| " + " | ".join(cells) + " |", flush=True)
PY
}

"$nereus" slurm workload --latencies --nodes 3 --output latencies >out 2>err || { tail -n 3 err >&2; exit 1; }
cat out
latency=$(sed -n 's/.*--latency "\([^"]*\)".*/\1/p' out)
[ -n "$latency" ] || { echo "no latencies: $(cat out err)" >&2; exit 1; }
echo "| workload | makespan [s]: measured, simulated | without \`--latency\` | mean wait [s]: measured, simulated | without |"
echo "| --- | --- | --- | --- | --- |"
run rigid-tight 0 3 1
run rigid-loose 0 12 2
run half-tight 0.5 3 3
run all-tight 1 3 4
run all-loose 1 12 5
