# nereus simulate with nodes that fail: a list of failures, what jobs do, what is printed, what is refused.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
made="latency:1.5us bandwidth:12GB/s spawn:0.3s"

# Two jobs, one failure: job 1 has nodes 0 and 1 and fails at 300 s; node 1 is back at 400 s.
printf 'job,submit_s,run_s,processors\n1,0,1000,2\n2,0,500,2\n' >two.csv
printf '# by hand\nnode,time_s,repair_s\n1,300,100\n' >one.csv
p="$NEREUS simulate two.csv --nodes 4 --node-failures one.csv"
accepted $p --format csv
cut -d, -f1,3,4,11,13- out >rows
diff - rows <<'ROWS' || fail "a job that starts anew: $(cat out)"
job,start_s,end_s,node_s,losses,redone_node_s,checkpoint_node_s,restart_node_s
1,0,1400,2600,1,600,0,0
2,0,500,1000,0,0,0,0
ROWS
accepted $p --on-failure end --format json
python3 - <<'PY' || fail "jobs that end: $(cat out)"
import json
document = json.load(open("out"))
summary, lost = document["summary"][0], document["failures"][0]
assert len(document["jobs"]) == summary["jobs"] == 1 and lost["failures"] == lost["losses"] == lost["unfinished"] == 1
assert abs(lost["unfinished_node_hours"] - 600 / 3600) < 1e-9 and abs(lost["useful_node_hours"] - 1000 / 3600) < 1e-9
assert abs(lost["repair_node_hours"] - 100 / 3600) < 1e-9 and abs(lost["useful_share"] - 1000 / (4 * 500)) < 1e-9
PY
# Energy: 3600 node-seconds of 360 W; of 4 nodes until 1400 s, 100 s in repair draw nothing, 1900 s 36 W.
accepted $p --node-power 360 --idle-power 36 --format json
python3 -c 'import json; s = json.load(open("out"))["summary"][0]; assert abs(s["energy_kwh"] - (3600 * 360 + 1900 * 36) / 3.6e6) < 1e-9, s' ||
    fail "energy: $(cat out)"
accepted $p
holds '^ +1 +1 +0 +0.5357 ' out
grep -q assumed err && fail "a price is named where no checkpoint is written: $(cat err)"

# With checkpoints, of which the profile has no price; a malleable job goes on at once.
accepted $p --checkpoint 90s --synthetic "nodes:4 cores:1 $made" --bytes-per-process 1GB --malleable 1 --policy none --format csv
holds 'note: the price of a checkpoint is assumed: the profile has no measured step write, and --synthetic no file-write$' err
awk -F, 'NR == 2 { exit !($4 > 1000 + 300 + 400 && $4 < 1900 && $13 == 1 && $14 > 0 && $14 < 100 && $15 > 0 && $16 > 0) }' out ||
    fail "a job that goes on: $(cat out)"
accepted $p --checkpoint 90s --synthetic "nodes:4 cores:1 $made file-write:1GB/s" --bytes-per-process 1GB --malleable 1 --policy none
grep -q 'is assumed' err && fail "the price of a checkpoint was stated: $(cat err)"
accepted $p --checkpoint 90s --synthetic "nodes:4 cores:1 $made" --malleable 0 --format csv
awk -F, 'NR == 2 { exit !($4 > 1100 && $4 < 1150) }' out || fail "a rigid job waits for the repair: $(cat out)"

# Drawn failures: one seed gives one run; none gives what it gave before; a sweep has means of what
# single runs say.
s="$NEREUS simulate --generate lublin:300 --nodes 64 --load 0.8"
accepted $s --format csv
[ "$(head -1 out | tr , '\n' | wc -l)" = 12 ] || fail "columns of failures without failures: $(head -1 out)"
f="--node-mtbf 480h --checkpoint auto --bytes-per-process 1GB --on-failure requeue"
s="$NEREUS simulate --generate lublin:300 --nodes 64 --load 0.8 $f"
accepted $s --synthetic "nodes:64 cores:1 $made" --format csv --seed 2
cp out first.csv
accepted $s --synthetic "nodes:64 cores:1 $made" --format csv --seed 2
cmp -s first.csv out || fail "two runs with one seed differ"
for seed in 2 3; do
    accepted $s --synthetic "nodes:64 cores:1 $made" --format json --seed $seed
    python3 -c 'import json; f = json.load(open("out"))["failures"][0]; print(f["losses"], f["redone_node_hours"], f["useful_node_hours"])' >>alone
done
accepted $s --synthetic "nodes:64 cores:1 $made" --sweep "node-mtbf=480h,120000h seed=2:3" --format csv --output sweep.svg
awk 'NR == FNR { for (i = 1; i <= 3; i++) mean[i] += $i / 2; next } FNR == 1 { n = split($0, names, ","); for (i = 1; i <= n; i++) at[names[i]] = i; next }
    FNR == 2 { split($0, cells, ","); d = cells[at["losses"]] - mean[1]; e = cells[at["redone_node_hours"]] - mean[2]; g = cells[at["useful_node_hours"]] - mean[3]
               exit !(mean[1] > 0 && d * d + e * e + g * g < 1e-9) }' alone out || fail "the sweep differs from its simulations: $(cat alone out)"
holds 'node-mtbf 480h: redone: ' sweep.svg
accepted $s --synthetic "nodes:64 cores:1 $made" --sweep "on-failure=end,requeue,restart checkpoint=none,auto,1h"
holds 'restart +1h' out

# wrong 'LINES' 'REGEX': a list of failures
wrong() {
    printf "$1" >wrong.csv
    failed "$2" "$NEREUS" simulate two.csv --nodes 4 --node-failures wrong.csv
}
wrong 'time_s,nodes\n1,1\n' "wrong.csv:1: failures have no column 'nodes'; did you mean 'node'"
wrong 'time_s,node,node\n1,1,1\n' "wrong.csv:1: the column 'node' is there twice"
wrong 'time_s\n1\n' "wrong.csv:1: the column 'node' is missing"
wrong 'time_s,node\n1\n' "wrong.csv:2: 1 value where the header line has 2 columns"
wrong 'time_s,node\n1,4\n' "wrong.csv:2: node must be 0 to 3, not 4"
wrong 'time_s,node\n-1,1\n' "wrong.csv:2: time_s must be .*not -1"
wrong 'time_s,node\nsoon,1\n' "wrong.csv:2: time_s must be .*not 'soon'"
wrong 'time_s,node,repair_s\n1,1,0\n' "wrong.csv:2: repair_s must be a time above 0, not 0"
wrong 'time_s,node\n' "'wrong.csv' has no failure"
wrong 'time_s,node,a,b\n' "wrong.csv:1: failures have no column 'a'"
failed "list of failures 'none.csv' does not exist" "$NEREUS" simulate two.csv --nodes 4 --node-failures none.csv
p="$NEREUS simulate two.csv --nodes 4"
misused '--checkpoint needs nodes that fail: --node-mtbf or --node-failures' $p --checkpoint 1h
misused '--checkpoint auto needs --node-mtbf' $p --node-failures one.csv --checkpoint auto
accepted $p --node-failures one.csv --checkpoint none
misused "--checkpoint must be a time .*not 'often'" $p --node-mtbf 720h --checkpoint often
misused "--node-mtbf must be a time above 0, not 0" $p --node-mtbf 0
misused "--on-failure must be one of end, requeue, restart" $p --node-mtbf 720h --on-failure stop
misused "--sweep: 'node-mtfb' is no option .*did you mean 'node-mtbf'" $p --sweep node-mtfb=1h
failed 'no profile: none is named' $p --node-mtbf 720h --checkpoint 1h
finish
