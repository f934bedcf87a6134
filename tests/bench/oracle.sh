#!/bin/bash
# oracle.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="Redistributions between nodes as nereus predicts them, beside the same messages in SimGrid's SMPI (Debian: libsimgrid-dev), which
knows nothing of this model: it shares the rate of each link among the flows on it. A synthetic cluster: nodes with cores, messages of 20 us,
a process' own rate in and out, and a node's. Needs no MPI and does not depend on the machine."
own_options="  --cells RE    only cells \"NODES CORES GB/s_OF_PROCESS GB/s_OF_NODE NS NT BYTES\" that match (.)
  --rounds N    simulate exchanges in rounds up to N processes, as they take time as the square (160)"
cells=. rounds=160
. "$here/sampling.sh"
repeats=1

fingerprint() {
    cat "$bin/nereus" "$here/oracle_traffic.c" | md5sum | cut -c 1-12
}

cases() {
    {
        printf '8 20 1.17 1.17 %s\n' "10 160 1e11" "40 160 1e11" "120 160 1e11" "160 10 1e11" "160 40 1e11" "160 120 1e11" \
            "33 77 1e11" "40 160 64e6" "40 160 1e6" "160 10 1e6"
        printf '8 20 2.5 10 %s\n' "2 160 1e11" "10 160 1e11" "120 160 1e11"
        printf '%s\n' "16 20 1.17 1.17 80 320 1e11" "16 20 1.17 1.17 320 60 1e11" "32 20 12 12 100 640 1e11" \
            "64 20 12 12 320 1280 1e12" "64 20 12 12 1280 960 1e12"
    } | grep -E -- "$cells"
}

# Every process is a host with a link of its own, each node a cluster behind one link out and one
# in. A node has as many hosts again for the other group.
write_platform() { # NODES CORES PROCESS_RATE NODE_RATE
    awk -v nodes="$1" -v hosts=$((2 * $2)) -v own="$3" -v shared="$4" 'BEGIN {
        print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">"
        print "<zone id=\"all\" routing=\"Full\">"
        for (n = 0; n < nodes; n++) {
            printf "<cluster id=\"n%d\" prefix=\"h\" suffix=\"\" radical=\"%d-%d\" speed=\"1Gf\" ", n, n * hosts, (n + 1) * hosts - 1
            printf "bw=\"%gGBps\" lat=\"10us\" sharing_policy=\"SPLITDUPLEX\" router_id=\"r%d\"/>\n", own, n
        }
        for (n = 0; n < nodes; n++)
            printf "<link id=\"out%d\" bandwidth=\"%gGBps\" latency=\"0s\"/>\n<link id=\"in%d\" bandwidth=\"%gGBps\" latency=\"0s\"/>\n", n, shared, n, shared
        for (a = 0; a < nodes; a++)
            for (b = 0; b < nodes; b++)
                if (a != b)
                    printf "<zoneRoute src=\"n%d\" dst=\"n%d\" gw_src=\"r%d\" gw_dst=\"r%d\" symmetrical=\"NO\"><link_ctn id=\"out%d\"/><link_ctn id=\"in%d\"/></zoneRoute>\n", a, b, a, b, a, b
        print "</zone>\n</platform>"
    }'
}

# hosts_of CORES FIRST COUNT: ranks fill nodes compactly; FIRST is 0, or CORES for the other group.
hosts_of() {
    awk -v cores="$1" -v first="$2" -v count="$3" \
        'BEGIN { for (r = 0; r < count; r++) print "h" int(r / cores) * 2 * cores + first + r % cores }'
}

# simulated WAY NS NT BYTES < HOSTS: seconds. Messages cost latency + bytes / rate, without SMPI's
# factors for TCP.
simulated() {
    cat >"$work/hosts"
    timeout -k 3 600 smpirun -no-privatize -np "$(wc -l <"$work/hosts")" -platform "$work/platform.xml" -hostfile "$work/hosts" \
        --cfg=smpi/alltoallv:ring --cfg=smpi/simulate-computation:no --cfg=smpi/bw-factor:0:1 --cfg=smpi/lat-factor:0:1 \
        --log=root.thresh:warning "$work/oracle-traffic" "$1" "$2" "$3" "$(printf %.0f "$4")" | sort -g | tail -n 1
}

predicted() { # METHOD: of the step redistribute
    "$bin/nereus" plan --synthetic "nodes:$nodes cores:$cores latency:20us bandwidth:${own}GB/s node-bandwidth:${shared}GB/s spawn:0.3s" \
        --ns "$ns" --nt "$nt" --bytes-variable "$bytes" --method "$1" --format json |
        python3 -c 'import json, sys
print(sum(s["time_s"] for s in json.load(sys.stdin)["steps"] if s["kind"] == "redistribute"))'
}

# take_way WAY < HOSTS: a line of the sample, unless SMPI failed.
take_way() {
    local seconds_taken
    seconds_taken=$(simulated "$1" "$ns" "$nt" "$bytes")
    [[ $seconds_taken =~ ^[0-9.e-]+$ ]] || return 1
    echo "${1}_s $seconds_taken"
}

measure() { # CASE
    local nodes cores own shared ns nt bytes most way
    read -r nodes cores own shared ns nt bytes <<<"$1"
    most=$((ns > nt ? ns : nt))
    write_platform "$nodes" "$cores" "$own" "$shared" >"$work/platform.xml"
    echo "predicted_s $(predicted merge/p2p)"
    for way in p2p coll ring; do
        [ "$way" = ring ] && [ "$most" -gt "$rounds" ] && continue
        take_way "$way" < <(hosts_of "$cores" 0 "$most") || return
    done
    [ "$most" -gt "$rounds" ] || take_way rounds < <(hosts_of "$cores" 0 "$ns"; hosts_of "$cores" "$cores" "$nt")
}

table() {
    cat <<'TEXT'
Seconds of a redistribution alone, by SimGrid's SMPI (3.32); in brackets over the prediction of merge/p2p, which is also that of merge/coll.
At once: each pair of blocks that overlap, as p2p. Batches: of 32 peers, as MPICH's blocking MPI_Alltoallv in one group.
Ring: MPI_Alltoallv in one group as a pairwise exchange. Two groups: in max(NS, NT) rounds, as MPICH's MPI_Alltoallv between groups.

TEXT
    echo "| nodes x cores; GB/s of a process, of a node | NS -> NT | bytes | predicted | at once | batches | ring | two groups |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        { v[$1, $2] = $3; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function cell(name) {
            return (key SUBSEP name) in v ? sprintf("%.4g (%.2f)", v[key, name], v[key, name] / v[key, "predicted_s"]) : "-"
        }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]
                split(key, w, " ")
                printf "| %d x %d; %s, %s | %d -> %d | %s | %.4g | %s | %s | %s | %s |\n", w[1], w[2], w[3], w[4], w[5], w[6], w[7],
                    v[key, "predicted_s"], cell("p2p_s"), cell("coll_s"), cell("ring_s"), cell("rounds_s")
            }
        }'
    cat <<'TEXT'

Where simulation and prediction differ:

- **At once**, by up to 6 %: SMPI's acknowledgements of 5 % of the bytes go the other way, which a link carries too.
- **Batches**: links are idle while a process waits for its 32 messages.
  Not modelled: on the cluster of `redistribution_uji8.csv` MPI_Alltoallv in one group takes 0.99 to 1.24 times the prediction, where batches would take up to 1.64 times; whether hundreds of processes show it is unknown.
  `MPIR_CVAR_ALLTOALL_THROTTLE=0` makes one batch of all.
- **Ring**: each round waits for both neighbours, and 1 MB takes a latency a round. No method of Nereus does this.
- **Two groups**: sources go on to their next target while others wait; only small data pays for the rounds.
  That baseline/coll takes up to 10 times as long on that cluster (151 s, not 14) is not in the traffic: there NS + NT processes shared 160 cores, for which the fit has a term (cost_between.c).
TEXT
}

read_options oracle "$@"
if ! command -v smpicc >/dev/null; then
    echo "skipped: no SimGrid (libsimgrid-dev; ./setup test --all installs it on Debian)"
    exit 77
fi
smpicc -O2 -Wall -Wextra -I"$here/../.." -I"$here/../../model/include" "$here/oracle_traffic.c" "$here/../../model/partition/distribution.c" \
    -o "$work/oracle-traffic" || exit 1
sample_all < <(cases)
finish
