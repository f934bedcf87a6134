#!/bin/bash
# balance.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What load balance by measured powers gains, of what an oracle would gain: nereus-cg on two processes, each bound to a core, that is never
balanced, balanced by NEREUS_BALANCE, and balanced at the first iteration with the right weights and powers. By turns: never, measured,
oracle, oracle, measured, never; share = (never - measured) / (never - oracle) of each half. Cases:
  matrix     rows of the second half have five times the non-zeros; the oracle weighs rows by them
  rank       rank 0 multiplies each row twice as often (--repeat): a node of half the speed
  neighbour  rank 0 shares its core with a busy loop"
own_options="  --cases LIST      (matrix,rank,neighbour)
  --rows N          of the unbalanced matrix (6000)
  --shorter N       N times fewer iterations (1)"
cases=matrix,rank,neighbour rows=6000 shorter=1
. "$here/sampling.sh"
repeats=6

fingerprint() {
    cat "$bin/nereus-cg" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

# Every row has the neighbours up to a distance, which is five times as far in the second half. Rows
# and columns are scaled by 1 to 1e3, so that conjugate gradient does not come to an end: to compute
# with numbers near the smallest one would take longer.
write_matrix() {
    awk -v n="$rows" 'BEGIN {
        near = int(n / 120) > 0 ? int(n / 120) : 1
        for (i = 1; i <= n; i++) {
            scale[i] = 10 ^ (1.5 + 1.5 * sin(i))
            reach = i > n / 2 ? 5 * near : near
            first[i] = i > reach ? i - reach : 1
            if (i > n / 2 && first[i] <= n / 2) first[i] = int(n / 2) + 1
            count += i - first[i] + 1
        }
        print "%%MatrixMarket matrix coordinate real symmetric"
        print n, n, count
        for (i = 1; i <= n; i++) {
            for (j = first[i]; j < i; j++) print i, j, -scale[i] * scale[j]
            print i, i, (10 * near + 1) * scale[i] * scale[i]
        }
    }' >"$work/matrix.mtx"
}

# Iterations, points from one look at the load to the next, the powers that the oracle states, and
# what the solver is told.
describe() { # CASE
    words=(--grid 24,24,24)
    case $1 in
        matrix) iterations=3600 every=40 powers=1,1 words=(--matrix "$work/matrix.mtx") ;;
        rank) iterations=1400 every=20 powers=1,2 words+=(--repeat 20,10) ;;
        neighbour) iterations=160 every=2 powers=1,2 words+=(--repeat 100,100) ;;
        *) refuse "--cases: '$1' is none of matrix, rank, neighbour" ;;
    esac
    iterations=$((iterations / shorter > 4 ? iterations / shorter : 4))
}

# -bind-to, which nereus-mpiexec refuses, does no harm where no process is started.
solve() { # WORD...: seconds of the loop, and how often data was moved
    NEREUS_MPIEXEC_UNCHECKED=1 timeout -k 3 60 "$bin/nereus-mpiexec" -bind-to core -n 2 "$bin/nereus-cg" "${words[@]}" --tolerance 0 \
        --iterations "$iterations" --tell-end "$@" |
        sed -n 's/.* \([0-9]*\) reconfigurations*, from iteration 0 on \([0-9.]*\) s, .*/\2 \1/p'
}

# The slowest process' time outside MPI over the mean, between the first move of data and the second
# one, or the end.
slowest_after_one() { # MONITORING_FILE
    python3 - "$1" <<'PY'
import json, sys
times, moves, pending = {}, 0, {}
for event in map(json.loads, open(sys.argv[1])):
    if event["event"] == "process" and event["mpi_s"] is not None:
        pending[event["rank"]] = event["real_s"] - event["mpi_s"]
    elif event["event"] == "interval":
        for rank, busy_s in pending.items():
            times[rank] = times.get(rank, 0) + busy_s * (moves == 1)
        pending = {}
    elif event["event"] == "reconfiguration":
        moves += event["outcome"] == "resized"
if sum(times.values()) > 0:
    print("slowest", max(times.values()) * len(times) / sum(times.values()))
PY
}

run() { # KIND
    case $1 in
        never) solve ;;
        measured) rm -f "$work/monitor.jsonl"
            NEREUS_BALANCE=$every NEREUS_MONITOR=$work/monitor.jsonl solve ;;
        oracle) NEREUS_SCHEDULE=2@1:merge/coll-weighted solve --powers "$powers" ;;
    esac
}

measure() { # CASE
    local kind answer="" neighbour=""
    describe "$1"
    if [ "$1" = neighbour ]; then
        setpriv --pdeathsig KILL -- taskset -c "$core" sh -c 'while :; do :; done' >/dev/null &
        neighbour=$!
    fi
    for kind in never measured oracle oracle measured never; do
        answer+="$kind $(run $kind)"$'\n'
        [ "$kind" != measured ] || slowest_after_one "$work/monitor.jsonl"
    done
    [ -z "$neighbour" ] || { kill "$neighbour"; wait "$neighbour" 2>/dev/null; }
    awk 'NF == 3 { n++; print $1 "_s", $2; if ($1 == "measured") print "moves", $3; half = n > 3; s[half, $1] = $2 }
        END {
            if (n != 6) exit 1
            for (half = 0; half < 2; half++) { # no share of what is hardly a gain
                gain = s[half, "never"] - s[half, "oracle"]
                if (gain > 0.02 * s[half, "never"]) printf "share %.4f\n", (s[half, "never"] - s[half, "measured"]) / gain
            }
        }' <<<"$answer"
}

table() {
    echo "nereus-cg on two processes, each bound to one of $(nproc) cores; seconds of the loop."
    echo "Medians; in brackets the quartiles. Slowest: the slowest process' time outside MPI over the mean, after one move of data."
    echo
    echo "| case | never [s] | measured [s] | oracle [s] | share of the oracle's gain | slowest / mean | moves | samples | share at least 0.8 |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    python3 - "$samples" <<'PY'
import collections, csv, statistics, sys
seen = collections.defaultdict(lambda: collections.defaultdict(list))
for row in csv.reader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    if len(row) == 4 and row[0] != "round" and row[2] != "failed":
        seen[row[1]][row[2]].append(float(row[3]))
def shown(values, digits):
    if not values:
        return "-"
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
for case, by in seen.items():
    share = by["share"]
    verdict = "-" if not share else "yes" if statistics.median(share) >= 0.8 else "no"
    print(f"| {case} | {shown(by['never_s'], 3)} | {shown(by['measured_s'], 3)} | {shown(by['oracle_s'], 3)} | {shown(share, 2)} "
          f"| {shown(by['slowest'], 3)} | {shown(by['moves'], 0)} | {len(by['never_s']) // 2} | {verdict} |")
PY
}

read_options balance "$@"
[[ $rows =~ ^[1-9][0-9]*$ && $shorter =~ ^[1-9][0-9]*$ ]] || refuse "--rows and --shorter take whole numbers from 1 on"
[ "$(nproc)" -ge 2 ] || refuse "two cores are needed, and there is one"
export NEREUS_BIND=none
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY NEREUS_BALANCE NEREUS_POLICY
core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/') # of rank 0
for case in ${cases//,/ }; do describe "$case"; done
[[ ,$cases, != *,matrix,* ]] || write_matrix
sample_all < <(printf '%s\n' ${cases//,/ })
finish
