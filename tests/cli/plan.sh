# nereus plan: the steps add up, depend on each other, and are the same in both formats.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="$NEREUS plan --profile $data/profile.json"

accepted $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M --bytes-variable 1000KB --t-iter 0.21 --t-iter-nt 0.09
same "$data/plan.txt" out 0.02
# spawn 0.3525, merge 0.043 (see predict.sh); 7291456 bytes: a target's seventh at 0.7 ns a byte, a source's third at 2.3 ns.
holds '^ *2  spawn .* 0\.3525 ' out
holds '^ *4  merge .* 0\.043 ' out
holds '^ *5  allocate .* 0\.0007291 ' out
holds '^RT 0\.402 s' out

accepted $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M --bytes-variable 1000KB --format json
awk '/"time_s"/ { gsub(/,/, ""); sum += $2 } /^  "rt_s"/ { gsub(/,/, ""); rt = $2 }
    END { d = sum - rt; if (d < 0) d = -d; exit !(rt > 0.4 && d < 1e-8) }' out || fail "the times of a chain add up to RT"
holds '"kind": "spawn"' out
holds '"name": "log2_new_nodes"' out
holds '"plan_hash": "[0-9a-f]{16}"' out
holds '"option": "iterations-before"' out

# Nothing to do, a shrink, a respawn.
accepted $p --ns 4 --nt 4 --method merge
holds 'Nothing to do' out
accepted $p --ns 6 --nt 3 --method merge-zs/coll
holds '^ *[0-9]+  sleep ' out
accepted $p --ns 6 --nt 3 --method baseline/coll
holds '^ *[0-9]+  disconnect ' out
holds ' 3 spawned, 0 woken, 6 leaving' out
accepted $p --ns 3 --nt 7 --method baseline-single-async
holds 'synchronous twin' out
# Zombies are woken before anything is spawned.
cat >state.json <<'JSON'
{"version": 1, "processes": 3, "cores_per_node": 4,
 "worlds": [{"id": 0, "processes": 3, "zombies": 2, "first_node": 0, "nodes": 2}]}
JSON
accepted $p --ns 3 --nt 7 --method merge --state state.json
holds ' 2 spawned, 2 woken, 0 leaving' out
holds '^ *2  wake ' out
refused 'state.json' $p --ns 4 --nt 7 --method merge --state state.json

refused 'hypercube' $p --ns 4 --nt 8 --method merge-hypercube
refused 'shared' $p --ns 4 --nt 8 --method merge/shared
refused '--nt' $p --ns 4 --nt 8 --method merge --slots 6
refused 'nothing.json' "$NEREUS" plan --profile nothing.json --ns 4 --nt 8 --method merge
finish
