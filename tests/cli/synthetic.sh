# --synthetic: a synthetic cluster wherever a profile is taken, and a sentence for each entry that is wrong.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
cluster="nodes:16 cores:20 latency:1.5us bandwidth:12GB/s spawn:0.3s"

accepted "$NEREUS" predict --synthetic "$cluster" --ns 20 --nt 60 --format csv
holds "note: synthetic cluster: 16 nodes with 20 cores, messages of 1.5 us and 12 GB/s .12 GB/s a node., 300 ms to start a process" err
holds '^20,60,0.1,merge,.*prior: a synthetic cluster' out
# spawn: 0.3 + 0.15 (full node) + 0.03 log2(2 new nodes); the priors of model/fit/priors.c. Other
# steps are below 1 % of it.
awk -F, '$4 == "merge" { found = $5 > 0.48 && $5 < 0.4848 } END { exit !found }' out || fail "RT of merge: $(cat out)"
# What is left out is as documented.
cp out whole
accepted "$NEREUS" predict --synthetic "spawn:300ms,cores:20" --ns 20 --nt 60 --format csv
cmp -s out whole || fail "defaults: $(diff out whole | head -4)"
accepted "$NEREUS" map --synthetic "$cluster" --ns 20 --nt 20:60:20 --format csv
[ "$(wc -l <out)" -eq 4 ] || fail "map: $(cat out)"
accepted "$NEREUS" plan --synthetic "$cluster" --ns 20 --nt 60 --method merge/p2p --bytes-variable 1GB
holds '^RT ' out
# A slower network: the redistribution takes longer by as much.
redistribute() {
    accepted "$NEREUS" plan --synthetic "bandwidth:$1" --ns 20 --nt 60 --method merge/p2p --bytes-variable 10GB
    awk '$2 == "redistribute" { print $6 }' out
}
awk -v fast="$(redistribute 12GB/s)" -v slow="$(redistribute 6GB/s)" 'BEGIN { exit !(slow > 1.99 * fast && slow < 2.01 * fast) }' ||
    fail "redistribution by bandwidth: $(redistribute 12GB/s) and $(redistribute 6GB/s)"
accepted "$NEREUS" plan --synthetic "file-write:500MB/s file-read:1GB/s start:2s" --ns 20 --nt 60 --method restart/file --bytes-variable 1GB
holds 'synthetic cluster: .* process; checkpoints written at 0.5 GB/s and read at 1 GB/s, 2 s until a program has started anew; all else by priors' err
holds '^2 +write +leaving +20 +0 +2\.06 ' out
accepted "$NEREUS" advise --synthetic "$cluster" --ns 20 --t-iter 1s --iterations-after 100 --format csv
[ "$(wc -l <out)" -eq 321 ] || fail "sizes of 320 cores: $(wc -l <out)"

rows=0
while IFS='|' read -r text pattern; do
    rows=$((rows + 1))
    misused "^nereus predict: $pattern" "$NEREUS" predict --synthetic "$text" --ns 2 --nt 4
done <<'ROWS'
node:3|--synthetic has nodes, cores, .*'node'; did you mean 'nodes'
nodes:0|--synthetic nodes .*at least 1, not 0
nodes:many|--synthetic nodes .*'many'
nodes:99999999999|--synthetic nodes must be at most
nodes|--synthetic nodes has no value
nodes:|--synthetic nodes has no value
node-bandwidth: 1GB/s|--synthetic node-bandwidth has no value: write node-bandwidth:12GB/s, without a space
cores:2 cores:3|--synthetic names 'cores' twice
latency:0us|--synthetic latency .*above 0
latency:1.5parsec|--synthetic latency .*'1.5parsec'
bandwidth:12GB|--synthetic bandwidth must be bytes or bits a second, such as 12GB/s or 100Gbit/s, not '12GB'
bandwidth:12Gb/s|--synthetic bandwidth .*12Gb
bandwidth:0/s|--synthetic bandwidth must be between 1 B/s and 4 EiB/s, not '0/s'
bandwidth:-1GB/s|--synthetic bandwidth must be between 1 B/s and 4 EiB/s, not '-1GB/s'
node-bandwidth:12GB|--synthetic node-bandwidth must be bytes or bits a second
spawn:-1s|--synthetic spawn
file-write:2GB|--synthetic file-write must be bytes or bits a second
file-read:|--synthetic file-read has no value: write file-read:4GB/s
start:0s|--synthetic start .*above 0
ROWS
[ "$rows" -gt 10 ] || fail "only $rows rows were tried"
misused '--profile and --synthetic each describe a machine' "$NEREUS" predict --profile a.json --synthetic cores:2 --ns 2 --nt 4
misused 'a synthetic machine has none' "$NEREUS" validate --synthetic cores:2 --held-out
finish
