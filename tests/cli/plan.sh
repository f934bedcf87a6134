# nereus plan: the steps add up, depend on each other, and are the same in both formats.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="$NEREUS plan --profile $data/profile.json"

accepted $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M --bytes-variable 1000KB --t-iter 0.21 --t-iter-nt 0.09
same "$data/plan.txt" out 0.02
# spawn 0.3525, merge 0.043 (see predict.sh); 7291456 bytes: a target's seventh at 0.7 ns a byte, a
# source's third at 2.3 ns.
holds '^ *2  spawn .* 0\.3525 ' out
holds '^ *4  merge .* 0\.043 ' out
holds '^ *5  allocate .* 0\.0007291 ' out
holds '^ *-  correction .* 0\.00[0-9]* ' out
holds '^RT 0\.4[0-9]* s .*: the sum of these rows' out

accepted $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M --bytes-variable 1000KB --format json
awk '/"time_s"/ { gsub(/,/, ""); sum += $2 } /^  "rt_s"/ { gsub(/,/, ""); rt = $2 }
    END { d = sum - rt; if (d < 0) d = -d; exit !(rt > 0.4 && d < 1e-8) }' out || fail "the times of a chain add up to RT"
holds '"kind": "spawn"' out
holds '"name": "log2_new_nodes"' out
holds '"plan_hash": "[0-9a-f]{16}"' out
holds '"option": "iterations-before"' out

# What moves: 1e9 bytes on 3 and then 7 processes; source 2 has three targets. Gets were not
# measured, nor windows: these as a split.
accepted $p --ns 3 --nt 7 --method merge/rma --bytes-constant 1GB
holds '^data of step 7, equal blocks: of one process at most 3 messages out ' out
holds '^windows over the sources. parts: 0\.0017 s' out
holds '^extrapolated: .*prior: redistribute as p2p or coll' out
accepted $p --ns 3 --nt 7 --method merge/rma --bytes-constant 1GB --format json
holds '"messages_out": 3' out
holds '"bytes_in": 142857143' out
holds '"bytes_kept_total": 142857143' out
holds '"window_s": 0\.0017' out
# What is listed is what is priced: 3 of 13 parts at most, or equal blocks where no ranges are computed.
accepted $p --ns 3 --nt 7 --method merge/p2p-weighted --powers 1,3 --bytes-constant 1300MB --format json
holds '"ranges": "by computing power"' out
holds '"bytes_in": 300000000' out
# A grid of 60 x 40 elements: 3 x 1 processes become 6 x 1 or 3 x 2, which have the same surfaces;
# in rank order 3 x 2 keeps more.
accepted $p --ns 3 --nt 6 --method merge/p2p --grid 60x40 --bytes-constant 2400000 --format json
holds '"ranges": "boxes of the grid"' out
holds '"bytes_in": 400000' out
accepted $p --ns 3 --nt 6 --method merge/p2p-keep --grid 60x40 --bytes-constant 2400000 --format json
holds '"ranges": "boxes of the grid, by keep"' out
holds '"bytes_kept_total": 1200000' out
for words in '--nt 7 --method merge/p2p-weighted' '--nt 80 --method merge/p2p-keep'; do
    accepted $p --ns 3 $words --bytes-constant 1300MB --format json
    holds '"ranges": "as if of equal blocks"' out
done

# No line is wider than a page, whatever the method and the sizes.
for method in merge-launch-async/p2p-weighted baseline-intra-diffusive-async/rma-waittargets merge-hypercube-async/coll-thread; do
    accepted $p --ns 16 --nt 65536 --method $method --bytes-constant 1GB --bytes-variable 1GB --t-iter 0.2 --nodes 8192 --cores-per-node 16
    [ "$(wc -L <out)" -le 110 ] || fail "$method: a line of $(wc -L <out) columns: $(awk 'length > 110' out | head -2)"
done

# Nothing to do, a shrink, a respawn.
accepted $p --ns 4 --nt 4 --method merge
holds 'Nothing to do' out
accepted $p --ns 6 --nt 3 --method merge-zs/coll
holds '^ *[0-9]+  sleep ' out
accepted $p --ns 6 --nt 3 --method baseline/coll
holds '^ *[0-9]+  disconnect ' out
holds ' 3 spawned, 0 woken, 6 leaving' out
accepted $p --ns 3 --nt 7 --method baseline-single-async
holds '^ *-  overlap ' out
# A restart: no process is there before and after; data passes through files. What this profile did
# not measure is assumed.
accepted $p --ns 3 --nt 7 --method restart/file --bytes-constant 6M --bytes-replicated 1000
holds ' 7 spawned, 0 woken, 3 leaving' out
[ "$(awk '$1 ~ /^[0-9]+$/ && $3 ~ /leaving|spawned/ { printf "%s:%s%s ", $2, $4, $5 }' out)" = \
    'decide:30 write:30 agree:30 end:30 start:07 read:07 agree:07 commit:07 ' ] || fail "steps of a restart: $(cat out)"
holds '^ *[0-9]: prior: const 0\.01 s \+ freed_bytes ' out
tr -s '\n ' ' ' <out | grep -q 'extrapolated: prior: write: 10 ms + 2 ns a byte assumed; .*prior: start as spawn' || fail "priors: $(cat out)"
accepted $p --ns 3 --nt 7 --method restart
grep -q write out && fail "no data, and a write: $(cat out)"
refused "'async' starts processes while the sources compute" $p --ns 3 --nt 7 --method restart-async
refused "'file' goes with restart only" $p --ns 3 --nt 7 --method merge/file
refused "'coll' sends data from process to process" $p --ns 3 --nt 7 --method restart/coll
# Zombies are woken before anything is spawned.
cat >state.json <<'JSON'
{"version": 1, "processes": 3, "cores_per_node": 4,
 "worlds": [{"id": 0, "processes": 3, "zombies": 2, "first_node": 0, "nodes": 2}]}
JSON
accepted $p --ns 3 --nt 7 --method merge --state state.json
holds ' 2 spawned, 2 woken, 0 leaving' out
holds '^ *2  wake ' out
refused 'state.json' $p --ns 4 --nt 7 --method merge --state state.json

# A calibration knows its nodes, how far single measurements lie apart, and what comes on top of the steps.
calibrated() {
    sed -e '0,/"cores_per_node": 4,/s//&"nodes": 1, "unattributed": {"'"$1"'": {"basis": "fitted", "spread": 0.3, "factors": ['"$2"'],\
        "terms": [{"name": "const", "coefficient": 0.0231}], "covariance": [[0]], "rows": 17}},/' \
        "$data/profile.json" >calibrated.json
}
c="$NEREUS plan --profile calibrated.json"
# predict and plan mean the same by plain merge: where no ending worlds were measured (as on the
# cluster of these tables), zs, nodes included.
accepted $NEREUS profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output tables.json
accepted $NEREUS plan --profile tables.json --ns 60 --nt 20 --state per-node --method merge --format json
holds '"method": "merge-zs/coll"' out
# A strategy that is named starts nothing in such a shrink, and does not forbid it.
accepted $NEREUS plan --profile tables.json --ns 60 --nt 20 --state per-node --method merge-diffusive
holds '^merge-zs/coll: 60 -> 20 ' out
holds '^The profile has no measured ending worlds, so processes sleep here' out
accepted $NEREUS plan --profile tables.json --ns 60 --nt 20 --method merge # one world, which cannot end
grep -q 'no measured ending worlds' out && fail "one initial world: $(cat out)"
accepted $NEREUS predict --profile tables.json --ns 60 --nt 20 --state per-node --methods merge,merge-zs,merge-ts --goal node-hours --format json
awk '/"method"/ { m = $2 } /"rt_s"/ { t[m] = $2 + 0 } /"nodes_after"/ { n[m] = $2 + 0 }
    END { exit !(n["\"merge\","] == 3 && n["\"merge-zs\","] == 3 && n["\"merge-ts\","] == 1 &&
        t["\"merge\","] == t["\"merge-zs\","]) }' out || fail "plain merge: $(cat out)"
# Where terminations were measured, it ends worlds.
accepted $NEREUS profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/parallel_mn5.csv" --output mn5.json
accepted $NEREUS plan --profile mn5.json --ns 448 --nt 224 --state per-node --method merge --format json
holds '"method": "merge-ts/coll"' out
accepted $NEREUS plan --profile mn5.json --ns 448 --nt 224 --state per-node --method merge-diffusive
holds '^merge-ts/coll: 448 -> 224 ' out
# What predict corrects by sizes nearby is said.
accepted $NEREUS plan --profile tables.json --ns 20 --nt 60 --method merge
holds '^ *-  correction ' out

# With more sources than cores an overlap is another method, and no thread connects launched processes.
crowded="$NEREUS plan --profile tables.json --nodes 1 --cores-per-node 20 --bytes-constant 1GB --t-iter 1s"
accepted $crowded --ns 60 --nt 20 --method merge/coll-thread
holds '^merge/coll-thread \(carried out as merge-zs/coll\): 60 -> 20 ' out
grep -Eq 'at points|[(]thread' out && fail "an overlap without a core: $(cat out)"
accepted ${crowded/ plan / predict } --ns 60 --nt 20 --methods merge/coll-thread
holds 'carried out without an overlap, as there are more sources than cores' out
accepted ${crowded/ plan / predict } --ns 40 --nt 60 --methods merge/coll-thread --format json
holds 'carried out with the overlap waitsources, as there are more sources than cores' out
accepted ${crowded/ plan / predict } --ns 20 --nt 10 --methods merge/coll-thread
grep -q 'carried out' out && fail "enough cores: $(cat out)"
accepted $crowded --ns 40 --nt 60 --method merge-launch-async/coll-thread
holds '^ *[0-9]+ +redistribute \(at points\) ' out
holds '^ *[0-9]+ +connect ' out
grep -q "[(]thread" out && fail "a thread without a core: $(cat out)"

calibrated 'merge' '0.31, 3.7'
accepted $c --ns 2 --nt 3 --method merge
holds "^Assumed: .*--nodes 1 \\(the profile's\\)" out
holds '^-  unattributed .* 0\.0231 ' out
holds '^unattributed: what reconfigurations took longer than the sum of the medians of their steps$' out
cp out with
accepted $c --ns 2 --nt 3 --method merge --format json
holds '"unattributed_s": 0.0231,?$' out
[ "$(grep -c '"waits_s"' out)" -eq 0 ] || fail 'unattributed time is called waits'
accepted $p --ns 2 --nt 3 --nodes 1 --method merge
[ "$(grep -c 'unattributed' out)" -eq 0 ] || fail 'unattributed time that the profile does not have'
awk '/^RT/ { rt[FILENAME] = $2 } END { exit !(rt["with"] - rt["out"] > 0.0229 && rt["with"] - rt["out"] < 0.0233) }' \
    with out || fail "RT with and without unattributed time: $(grep -h ^RT with out)"
accepted $c --ns 2 --nt 3 --method merge --nodes 2
[ "$(grep -c '^Assumed: .*--nodes' out)" -eq 0 ] || fail 'nodes were given, not assumed'
accepted $c --ns 2 --nt 3 --method baseline
[ "$(grep -c 'unattributed' out)" -eq 0 ] || fail 'the unattributed time of merge for baseline'
calibrated 'merge' '1.31, 3.7'
refused 'factors.*low <= 1' $c --ns 2 --nt 3 --method merge
calibrated 'marge' '0.31, 3.7'
refused "unattributed.*did you mean 'merge'" $c --ns 2 --nt 3 --method merge

# plan and predict say the same RT, of which predict writes 9 digits, whatever the method.
rt_of() { grep -m 1 '"rt_s"' "$1" | grep -o '[0-9][0-9.e-]*' | tail -1 | xargs -r printf '%.9g\n'; }
question="--ns 4 --nt 8 --bytes-constant 50MB --bytes-variable 1MB --t-iter 0.3"
for methods in all merge/coll,merge-single/p2p,baseline-diffusive/coll,merge-async/coll,merge/coll-thread,baseline-single-async/coll-waittargets; do
    accepted "$NEREUS" predict --profile "$data/profile.json" $question --methods "$methods" --format csv
    tail -n +2 out | cut -d, -f4,5 >predicted
    [ -s predicted ] || fail "nothing is predicted of $methods"
    while IFS=, read -r method rt; do
        accepted $p $question --method "$method" --format json
        tac out | grep -m 1 '^  "rt_s"' >plan_rt
        [ "$(rt_of plan_rt)" = "$rt" ] || fail "$method: plan says $(rt_of plan_rt), predict $rt"
    done <predicted
done
rm predicted

# So they do of load balance, which is priced by what it moves; without powers nothing moves.
for powers in '' '--powers 1,3'; do
    question="--ns 4 --nt 4 --bytes-variable 50MB --t-iter 0.3 --format json $powers"
    accepted $p $question --method merge/coll-weighted
    tac out | grep -m 1 '^  "rt_s"' >plan_rt
    accepted "$NEREUS" predict --profile "$data/profile.json" $question --methods merge/coll-weighted
    [ "$(rt_of plan_rt)" = "$(rt_of out)" ] || fail "load balance $powers: plan says $(rt_of plan_rt), predict $(rt_of out)"
    rt_of out >>balance_rt
done
awk 'NR == 1 { first = $1 } END { exit !(NR == 2 && first > 0 && $1 > 1.2 * first) }' balance_rt || fail "load balance: $(xargs <balance_rt)"

# Nodes by name: the groups are these, and what the method cannot do is refused.
printf 'a:2\nb:2\nc:2\n' >three.hosts
q="$p --hostfile three.hosts --ns 2"
accepted $q --layout b:1,c:1 --method baseline-diffusive/coll --format json
holds '"nt": 2' out
refused "node 1 would gain processes and node 0 lose some: use baseline" $q --layout b:1,c:1 --method merge/coll
# Spread: one on each node in turn, as if it were written down.
accepted $q --layout a:2,b:1,c:1 --method merge/coll --format json
mv out given
accepted $q --nt 4 --layout spread --method merge/coll --format json
cmp -s given out || fail "spread: $(diff given out)"
rm given
failed 'node 1 would gain processes and node 0 lose some: use baseline' $q --nt 2 --layout spread --method merge/coll
failed '^nereus plan: --nt 7: only 6 slots' $q --nt 7 --layout spread --method merge/coll
failed '--layout spread needs the nodes: name a host file' $p --ns 2 --nt 4 --layout spread --method merge/coll
misused '--nt is missing' $q --layout spread --method merge/coll
refused "'d' is no node of the host file" $q --layout a:2,d:1 --method merge/coll
refused "'a' is named twice" $q --layout a:1,a:2 --method merge/coll
refused 'a layout of 3 processes does not fit a request for 4' $q --nt 4 --layout a:2,b:1 --method merge/coll
misused "^nereus plan: --layout: 'a' is neither NODE:PROCESSES, as in host0:2,host3:1, nor spread\$" $q --layout a --method merge/coll
misused "'spraed' is neither .*, nor spread; did you mean 'spread'.\$" $q --nt 4 --layout spraed --method merge/coll
misused "'b1' is neither NODE:PROCESSES" $q --layout a:2,b1 --method merge/coll
misused "'a:0' has no process" $q --layout a:0 --method merge/coll
printf 'host0:2\nhost1:2\n' >two.hosts
failed "'hots1' is no node of the host file .--hostfile.; did you mean 'host1'.\$" $p --hostfile two.hosts --ns 2 --layout host0:2,hots1:1 --method merge/coll
# Where the processes will be is printed; predict takes a layout, too, and says the same RT as the plan.
accepted $q --nt 4 --layout spread --method merge/coll
holds '^  placement: a 2, b 1, c 1$' out
accepted $q --nt 4 --layout spread --method merge/coll --summary
holds '^placement: a 2, b 1, c 1$' out
for method in merge/coll baseline/p2p merge-diffusive/coll baseline-diffusive/coll merge-async/coll; do
    question="--hostfile three.hosts --ns 2 --nt 4 --layout spread --bytes-variable 5MB --t-iter 0.3 --format json"
    accepted $p $question --method $method
    holds '"node": "c"' out
    tac out | grep -m 1 '^  "rt_s"' >plan_rt
    accepted "$NEREUS" predict --profile "$data/profile.json" $question --methods $method
    holds '"node": "c"' out
    [ -n "$(rt_of out)" ] && [ "$(rt_of plan_rt)" = "$(rt_of out)" ] || fail "$method, spread: plan says $(rt_of plan_rt), predict $(rt_of out)"
done
# It is another price than that of nodes filled in order, and no measured row is of it.
predict="$NEREUS predict --profile $data/profile.json --hostfile three.hosts --ns 2 --methods merge/coll --format json"
accepted $predict --nt 4
mv out compact
accepted $predict --nt 4 --layout spread
[ "$(rt_of compact)" != "$(rt_of out)" ] || fail "spread costs what compact does: $(rt_of out)"
grep -q '"source": "measured"' out && fail "measured, and spread: $(cat out)"
accepted $predict --layout a:2,b:2
[ "$(grep '"nt"' out)" = "$(grep '"nt"' compact)" ] || fail "NT of a layout: $(grep '"nt"' out)"
accepted "$NEREUS" predict --profile "$data/profile.json" --hostfile three.hosts --ns 2 --nt 2 --layout spread --methods merge,baseline
holds 'merge is left out: merge cannot bring this layout about' out
for option in '--cases cases.csv' '--sequence 4@10' '--nt best' '--nt 4 --later-shrink 2'; do
    misused '--layout needs a single resize: remove --' $predict --layout a:2,b:2 $option
done

# A way to start that the profile has not measured is priced by its steps, and says what stands in.
accepted $p --ns 4 --nt 8 --method merge-hypercube
holds '^extrapolated: .*prior: synchronise as ' out
refused 'MPI 4.1, 12.2.1' $p --ns 4 --nt 8 --method baseline/rma
refused '--nt' $p --ns 4 --nt 8 --method merge --slots 6
refused 'nothing.json' "$NEREUS" plan --profile nothing.json --ns 4 --nt 8 --method merge
# An overlap without constant data has the plan of none: that is said.
accepted $p --ns 4 --nt 8 --method merge/coll-thread --bytes-variable 1MB
holds 'there is none .--bytes-constant' err
accepted $p --ns 4 --nt 8 --method merge/coll-thread --bytes-constant 1MB
grep -q 'there is none' err && fail "constant data are not seen: $(cat err)"
finish
