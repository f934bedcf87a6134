# nereus convert: what both can say is the same after a round trip; what one side cannot say is named.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
elastisim=$data/elastisim
mixed=$data/workloads/mixed.csv

# ElastiSim's jobs. By hand: on 4 nodes of 100 Gflop/s 10 iterations of 80 (0.05 + 0.95 / 4) + 1 s;
# malleable, from 8 nodes on, 25 of 40 (0.1 + 0.9 / 8) + 1 s, whose share of one process is (40 0.1
# + 1) / (40 + 1) on a node of 1 core.
accepted "$NEREUS" convert "$elastisim/jobs.json" --platform "$elastisim/platform.xml"
awk -F, 'function is(a, b) { if (a - b > 1e-9 * b || b - a > 1e-9 * b) { print NR ": " a " is not " b; bad = 1 } }
    NR == 2 { is($3, 10 * (80 * (0.05 + 0.95 / 4) + 1)); is($4, 4); is($5, 300); bad += $6 != "no" }
    NR == 3 { is($3, 25 * 9.5); is($4, 8); is($7, 9.5); sub("amdahl:", "", $8); is($8, 5 / 41); is($10, 2); is($11, 8); bad += $6 != "yes" }
    NR == 4 { is($3, 4 * 40 / sqrt(8)); is($4, 8); bad += $6 != "yes" }
    NR == 5 { is($3, 4 * (40 / 8 + 1)); is($4, 8); bad += $6 != "no" }
    NR == 6 { is($3, 4 * 40 / 4); is($4, 16) }
    END { exit bad || NR != 6 }' out >found || fail "$(cat found out)"
holds "jobs\[4\] is left out: it reads or writes, and no platform gives the bandwidth of a node .bw. and of a link to storage" err
holds '1 moldable and evolving job got the largest number of nodes' err
holds 'jobs\[5\] is left out: it asks for GPUs' err
cp out plain.csv
cp "$elastisim"/*.json .
accepted "$NEREUS" convert - --platform "$elastisim/platform.xml" <jobs.json
cmp out plain.csv || fail "jobs from standard input"
if has zlib "gzipped jobs"; then gzip -c jobs.json >packed; else cp jobs.json packed; fi
accepted "$NEREUS" convert packed --platform "$elastisim/platform.xml"
cmp out plain.csv || fail "jobs gzipped, in a file without ending"
accepted "$NEREUS" convert "$elastisim/jobs.json" --platform "$elastisim/platform.xml" --cores-per-node 20 --output twenty.csv
[ "$(cut -d, -f4,10,11 twenty.csv | tr '\n' ' ')" = "processors,least_processors,most_processors 80,, 160,40,160 160,20,160 160,, 320,, " ] || fail "nodes of 20 cores: $(cat twenty.csv)"
accepted "$NEREUS" simulate twenty.csv --nodes 16 --cores-per-node 20 --synthetic "nodes:16 cores:20" --format csv
[ "$(wc -l <out)" = 6 ] || fail "the jobs of ElastiSim, simulated: $(cat out)"
"$NEREUS" convert "$elastisim/jobs.json" >out 2>err && fail "operations have a time without a platform"
holds 'jobs\[1\] is left out: it counts operations, and no platform gives the speed of a node' err
holds '^nereus convert: .*jobs.json: no job can be converted to a workload' err

# Storage, communication and phases at the start. Nodes of 1 GB/s and 1 Gflop/s, a storage that
# reads 4 and writes 2 GB/s, as bits and bytes.
cat >network.xml <<'XML'
<platform><cluster id="a" radical="0-7" speed="1Gf" bw="8Gbps" lat="1us"/><link id="PFS_read" bandwidth="4GBps"/><link id="to_Write" bandwidth="16Gbps"/></platform>
XML
task() { printf '{"type": "%s", "bytes": 8e9, %s}' "$1" "$2"; }
model() { # FILE TASK
    printf '{"on_init": {"tasks": [%s]}, "phases": [{"iterations": 2, "evolving_request": "num_nodes + 1", "tasks": [%s]}]}' "$(task pfs_read '"pattern": "root_only"')" "$2" >$1
}
entries=""
n=0
for task in "$(task pfs_read '"pattern": "all_ranks"')" "$(task pfs_write '"pattern": "all_ranks"')" "$(task pfs_write '"pattern": "uniform"')" \
    "$(task cpu '"communication_pattern": "scatter"')" "$(task cpu '"communication_pattern": "all_to_all"')" "$(task cpu '"communication_pattern": "master_worker"')" \
    "$(task cpu '"communication_pattern": "ring", "flops": 9e9, "computation_pattern": "uniform", "coupled": true')"; do
    n=$((n + 1))
    model model$n.json "$task"
    entries="$entries{\"type\": \"evolving\", \"submit_time\": $n, \"num_nodes_min\": 1, \"num_nodes_max\": 4, \"application_model\": \"model$n.json\"}, "
done
printf '{"jobs": [%s{"type": "adaptive", "submit_time": 9, "num_nodes_min": 1, "num_nodes_max": 4, "application_model": "model7.json"}]}' "$entries" >network.json
accepted "$NEREUS" convert network.json --platform network.xml
# 8 s to read at the start, through the link of one node; two iterations on 4 nodes.
[ "$(cut -d, -f3,6 out | tail -n +2 | paste -sd' ')" = "12,no 16,no 40,no 20,no 12,no 40,no 26,no 26,yes" ] || fail "times of storage and communication: $(cat out)"
holds 'note: network.json: 7 moldable and evolving jobs got the largest number of nodes' err
holds 'note: network.json: what 8 jobs would ask for themselves .evolving_request. is left out' err
sed 's/bw="8Gbps" //' network.xml >slow.xml
"$NEREUS" convert network.json --platform slow.xml >out 2>err && fail "communication has a time without a bandwidth"
holds 'jobs\[0\] is left out: it reads or writes, and no platform gives the bandwidth' err
# 1 / n^0.8 is no Amdahl's law, but near one.
sed 's/"phases"/"ignored"/; s/}$/, "phases": [{"tasks": [{"type": "busy_wait", "delay": "100 \/ num_nodes^0.8", "pattern": "uniform"}]}]}/' model1.json >near.json
printf '{"jobs": [{"type": "malleable", "submit_time": 0, "num_nodes_min": 2, "num_nodes_max": 8, "application_model": "near.json"}]}' >near-jobs.json
accepted "$NEREUS" convert near-jobs.json --platform network.xml
holds "note: near-jobs.json: iterations of malleable jobs are taken by Amdahl's law, which is up to [0-9.]+ % off" err

sed -i 's/num_nodes^0.8/num_nodes^3/' near.json
"$NEREUS" convert near-jobs.json --platform network.xml >out 2>err && fail "a law that is far from Amdahl's"
holds 'jobs\[0\] is left out: its iterations take another time than a \+ b / num_nodes' err

# Round trip: the same jobs, and the same schedule.
sed '/^#/d; /^5,/s/,,,stencil/,20,40,stencil/' "$mixed" >mixed.csv
accepted "$NEREUS" convert mixed.csv --to elastisim --nodes 4 --cores-per-node 20 --output there
accepted "$NEREUS" convert there/jobs.json --platform there/platform.xml --output back.csv
python3 - mixed.csv back.csv <<'PY' || fail "round trip: $(cat back.csv)"
import csv, re, sys
def value(key, text):
    if key == "scaling":
        return {"": 0, "ideal": 0}.get(text) if not text.startswith("amdahl:") else float(text[7:])
    found = re.fullmatch(r"([0-9.]+)(ms|s|MB)?", text)
    return float(found[1]) * {None: 1, "s": 1, "ms": 1e-3, "MB": 1e6}[found[2]] if found else text
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
assert len(a) == len(b) == 8
for x, y in zip(a, b):
    for key in x:
        u, v = value(key, x[key]), value(key, y[key])
        assert u == v or abs(u - v) <= 1e-9 * abs(u) + 1e-12, (key, u, v)
PY
for file in mixed back; do
    accepted "$NEREUS" simulate $file.csv --nodes 4 --cores-per-node 20 --synthetic "nodes:4 cores:20" --format csv
    awk -F, '{ for (i = 1; i <= NF; i++) printf(i < 12 && NR > 1 ? "%.6f," : "%s,", $i); print "" }' out >$file.schedule
done
cmp mixed.schedule back.schedule || fail "the schedules differ after a round trip"
awk -F, '{ resizes += $9 } END { exit !(resizes > 0) }' mixed.schedule || fail "nothing was resized: $(cat mixed.schedule)"

# A run that is no whole number of iterations ends with a shorter one; prices are in the phase
# on_reconfiguration, by the new size.
printf 'submit_s,run_s,processors,malleable,t_iter_s,least_processors,most_processors\n0,25,2,yes,10,1,4\n3,7,1,yes,10,1,2\n' >rest.csv
accepted "$NEREUS" convert rest.csv --to elastisim --nodes 4 --output rest --synthetic "nodes:4 cores:1"
accepted "$NEREUS" convert rest/jobs.json --platform rest/platform.xml
holds '^1,0,25,2,,yes,10,amdahl:0,,1,4,$' out
holds '^2,3,7,1,,yes,7,amdahl:0,,1,2,$' out # an iteration is no longer than the run
holds 'on_reconfiguration and on_expansion are left out' err
python3 - <<'PY' || fail "prices: $(cat rest/jobs.json)"
import json
jobs = json.load(open("rest/jobs.json"))["jobs"]
model = json.load(open(jobs[0]["application_model"]))
assert model["on_reconfiguration"]["tasks"][0]["delay"] == "resize_s" and len(model["phases"]) == 2
text = jobs[0]["arguments"]["resize_s"]
assert text.count("if(num_nodes < ") == 3 and text.count("(") == text.count(")")
values = [float(v) for v in text.replace(")", "").replace("if(", "").split(", ") if "num_nodes" not in v]
assert len(values) == 4 and all(v > 0 for v in values)
for key in jobs[0]["arguments"]:  # ElastiSim replaces names as text
    assert not any(key != other and key in other for other in list(jobs[0]["arguments"]) + ["num_nodes"]), key
PY
printf 'submit_s,run_s,processors,malleable,t_iter_s\n0,25,2,yes,10\n3,7,9,no,\n0,1,1,,\n' >part.csv
accepted "$NEREUS" convert part.csv --to elastisim --nodes 4 --output part
holds 'job 1 .line 2. is left out: it is malleable, which needs t_iter_s, least_processors' err
holds 'job 2 .line 3. is left out: it asks for more nodes than the platform has' err

# Formats of logs; what is wrong with files and words.
nasa=$data/workloads/NASA-iPSC-1993-3.1-cln.swf.gz
has zlib "a gzipped log" || { gzip -dc "$nasa" >nasa.swf && nasa=nasa.swf; }
accepted "$NEREUS" convert "$nasa" --output nasa.csv
accepted "$NEREUS" simulate nasa.csv --nodes 128 --format csv
cp out as-csv
accepted "$NEREUS" simulate "$nasa" --nodes 128 --format csv
cmp -s out as-csv || fail "the log as CSV gives another schedule"
misused '--to elastisim needs --nodes N, of the platform, and --output FOLDER$' "$NEREUS" convert mixed.csv --to elastisim
misused '--to elastisim needs --nodes N, of the platform$' "$NEREUS" convert mixed.csv --to elastisim --output x
misused '--to elastisim needs --output FOLDER$' "$NEREUS" convert mixed.csv --to elastisim --nodes 4
# Without a job nothing is written.
for text in '' '; a comment\n' 'submit_s,run_s,processors\n' 'JobID|Submit|ElapsedRaw|NNodes\n'; do
    printf "$text" >none
    failed 'none: no job is in this workload: ' "$NEREUS" convert none
    failed 'none: no job is in this workload: ' "$NEREUS" simulate none --nodes 4
done
echo '1 -60 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1' >none
! "$NEREUS" convert none >out 2>err || fail "a log without a job is converted: $(cat out)"
holds '^nereus convert: none: no job can be converted$' err
holds 'note: none:1: submit time, run time or processors unknown .-1., or below 0: the job is left out' err
misused "is ElastiSim's already" "$NEREUS" convert there/jobs.json --to elastisim --nodes 4 --output x
misused '--platform belongs to a jobs file' "$NEREUS" convert mixed.csv --platform p.xml
misused '--output mixed.csv is read' "$NEREUS" convert mixed.csv --output mixed.csv
# platform 'REGEX' 'XML'
platform() {
    printf '%s' "$2" >wrong.xml
    failed "$1" "$NEREUS" convert there/jobs.json --platform wrong.xml
}
platform 'must have a <cluster>, or a <host>, and this one has none' '<platform/>'
printf '{"jobs": [{"type": "rigid", "submit_time": 0, "num_nodes": 2, "application_model": "model7.json"}]}' >iterations-jobs.json
sed -i 's/"bytes": 8e9, "communication/"communication/; s/pfs_read.*root_only"/busy_wait", "delay": 1, "pattern": "uniform"/' model7.json
sed -i 's/"communication_pattern": "ring", //' model7.json
two='<cluster id="small" radical="0-1" speed="1Gf"/><cluster id="large" radical="0-7" speed="2Gf"/>'
platform 'has several clusters: choose one with --cluster, of small, large' "$two"
platform '</platform> is missing: the file is cut off' "<platform version='4.1'>$two"
echo "$two" >two.xml
failed "the platform has no cluster 'c': choose one with --cluster, of small, large" "$NEREUS" convert iterations-jobs.json --platform two.xml --cluster c
accepted "$NEREUS" convert iterations-jobs.json --platform two.xml --cluster large
large=$(cat out)
printf '%s' '<host id="m" speed="1Gf"><prop id="role" value="master"/></host><host id="a" speed="2Gf, 1Gf"/><host id="b" speed="2Gf"></host>' >hosts.xml
accepted "$NEREUS" convert iterations-jobs.json --platform hosts.xml
[ "$(cat out)" = "$large" ] || fail "hosts: $(cat out), not $large"
# The cores of hosts and clusters; hosts that differ are asked about.
for tags in '<host id="a" speed="2Gf" core="20"/><host id="b" core="20" speed="2Gf"/>' '<cluster id="c" radical="0-1" speed="2Gf" core="20"/>'; do
    echo "$tags" >cores.xml
    accepted "$NEREUS" convert iterations-jobs.json --platform cores.xml
    [ "$(tail -1 out | cut -d, -f4)" = 40 ] || fail "2 nodes of 20 cores, of $tags: $(cat out)"
done
echo '<host id="a" speed="2Gf" core="20"/><host id="b" speed="2Gf"/>' >cores.xml
failed "cores.xml: hosts differ in their number of cores: say how many processes a node has with --cores-per-node" "$NEREUS" convert iterations-jobs.json --platform cores.xml
accepted "$NEREUS" convert iterations-jobs.json --platform cores.xml --cores-per-node 4
platform 'platform: core must be' '<cluster radical="0-1" speed="1f" core="few"/>'
# A walltime below the run.
sed 's/"num_nodes": 2/"num_nodes": 2, "walltime": 1/' iterations-jobs.json >walltime.json
accepted "$NEREUS" convert walltime.json --platform hosts.xml
[ "$(cat out)" = "$large" ] || fail "a short walltime: $(cat out), not $large"
holds '^nereus convert: note: walltime.json: the walltime of 1 job is below the run, at which ElastiSim would end it: it is taken with the whole run$' err
sed 's/"num_nodes": 2/"num_nodes": 2, "walltime": 0.9/' iterations-jobs.json >walltime.json # 0 would be none
accepted "$NEREUS" convert walltime.json --platform hosts.xml
holds 'the walltime of 1 job is below the run' err
platform 'speed must be that of all hosts, as "100Gf", not "1Gf"' '<host id="a" speed="2Gf"/><host id="b" speed="1Gf"/>'
platform 'radical must number the nodes' '<cluster radical="5-1" speed="1f"/>'
platform 'speed must be that of all nodes' '<cluster radical="0-1" speed="fast"/>'
platform 'speed must be that of all nodes' '<cluster radical="0-1" speed="inff"/>'
printf '<clusters/><cluster\n  radical="0-1"\n  speed="1Gf"/>' >lines.xml
accepted "$NEREUS" convert there/jobs.json --platform lines.xml
for cores in -3 few 0; do
    platform 'cores_per_node must be' '<cluster radical="0-1" speed="1f"><prop id="cores_per_node" value="'$cores'"/></cluster>'
done
# A list of nodes that is no range may be long: it is read to its end.
printf '<cluster radical="%s,x" speed="1Gf"/>' "$(seq -s , 1000)" >long.xml
failed 'radical must number the nodes' "$NEREUS" convert there/jobs.json --platform long.xml
printf '<cluster radical="%s" speed="1Gf"/>' "$(seq -s , 1000)" >long.xml
accepted "$NEREUS" convert there/jobs.json --platform long.xml
echo '{"jobs": 3}' >wrong.json
failed "there must be an array 'jobs'" "$NEREUS" convert wrong.json
echo '{"jobs": [' >wrong.json
failed "^nereus convert: jobs file 'wrong.json', line 2: no JSON" "$NEREUS" convert wrong.json
# model 'REGEX' DELAY
model() {
    echo "{\"phases\": [{\"tasks\": [{\"type\": \"idle\", \"delay\": $2, \"pattern\": \"uniform\"}]}]}" >model.json
    echo '{"jobs": [{"type": "rigid", "submit_time": 0, "num_nodes": 3, "application_model": "model.json"}]}' >one.json
    "$NEREUS" convert one.json >out 2>err
    holds "$1" out
}
model '^1,0,11,3,' '"2 + num_nodes ^ 2"'
model '^1,0,512,3,' '"2^num_nodes^2"'
model '^1,0,1,3,' '"-(1 - 2) * 1e0"'
model '^1,0,0.5,3,' '0.5'
# Iterations are whole, as ElastiSim cuts them off; a huge range of sizes is looked at in steps; a
# huge number is no size.
# sized 'REGEX' FILE TYPE SIZES ITERATIONS
sized() {
    echo "{\"phases\": [{\"iterations\": $5, \"tasks\": [{\"type\": \"idle\", \"delay\": \"6 / num_nodes\", \"pattern\": \"uniform\"}]}]}" >model.json
    echo "{\"jobs\": [{\"type\": \"$3\", \"submit_time\": 0, $4, \"application_model\": \"model.json\"}]}" >sized.json
    timeout 20 "$NEREUS" convert sized.json >out 2>err
    holds "$1" "$2"
}
sized '^1,0,6,3,' out rigid '"num_nodes": 3' '"7 / 2"'
sized ',amdahl:[0-9.e-]*,,1,2000000000,$' out malleable '"num_nodes_min": 1, "num_nodes_max": 2000000000' 1
sized 'its numbers of nodes are missing, or too large' err malleable '"num_nodes_min": 1, "num_nodes_max": 1e300' 1
for wrong in '"num_gpus"' '"2 +"' '"(1"' '"log(2)"' '"1/0"' '""' 'true'; do
    echo "{\"phases\": [{\"tasks\": [{\"type\": \"idle\", \"delay\": $wrong, \"pattern\": \"uniform\"}]}]}" >model.json
    "$NEREUS" convert one.json >out 2>err && fail "delay $wrong is taken"
    holds "jobs\[0\] is left out: (the performance model|'delay' must be a number)" err
done
finish
