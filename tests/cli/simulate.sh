# nereus simulate: schedules equal those of a slow reference job by job, also where the log is bad;
# resizes cost what was predicted.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
reference="$NEREUS_SOURCE_DIR/tests/cli/simulate-reference.py"
nasa=$data/workloads/NASA-iPSC-1993-3.1-cln.swf.gz # Parallel Workloads Archive; requested times are unknown
has zlib "gzipped logs" || { gzip -dc "$nasa" >unpacked.swf && nasa=unpacked.swf; }
gzip -dcf "$nasa" | head -n 7000 >short.swf # where the queue, or a sweep, makes a minute of all 18239 jobs

# equal REFERENCE SCHEDULER NODES SCALE LOG
equal() {
    accepted "$NEREUS" simulate "$5" --nodes "$3" --cores-per-node 1 --scheduler "$2" --malleable 0 --arrival-scale "$4" --seed 3 --format csv
    python3 "$reference" "$1" "$3" "$4" "$5" <out >compared || fail "$(cat compared)"
}
for scale in 0.5 0.25; do
    for scheduler in fcfs easy; do
        equal $scheduler $scheduler 128 $scale "$nasa"
    done
done
equal conservative-promises conservative 128 0.5 "$nasa"
equal conservative-promises conservative 128 0.25 short.swf

# Jobs that end before their estimated ends; the schedule that another simulator published (Batsim,
# by particular processors).
batsim=$data/workloads/batsim_easy_32.csv
awk -F, 'NR > 1 { print $1, $2, -1, $5, $3, -1, -1, $3, $4, -1, 1, -1, -1, -1, -1, -1, -1, -1 }' "$batsim" >batsim.swf
for scheduler in fcfs easy conservative; do
    equal $scheduler $scheduler 32 1 batsim.swf
    equal $scheduler $scheduler 32 0.5 batsim.swf
done
accepted "$NEREUS" simulate batsim.swf --nodes 32 --scheduler easy --format csv
awk -F, 'NR == FNR { if (FNR > 1) published += $6 - $2; next } FNR > 1 { wait += $7 }
    END { print wait, published; exit !(wait > 0.9 * published && wait < 1.1 * published) }' "$batsim" out >waits || fail "sums of waits: $(cat waits)"

# A bad log: what is wrong with it is said by line, and the jobs that are left are simulated in
# order of submission.
cat >bad.swf <<'LOG'
; MaxNodes: 4
1 0 -1 10 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
2 5 -1 -1 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
3 6 -1 10 9 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
4 3 -1 10 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
5 7 -1 2 1 -1 -1 3

6 8 -1 2 1 -1 -1 -1 -1 -1 3 -1 -1 -1 -1 -1 -1 -1
LOG
accepted "$NEREUS" simulate bad.swf --nodes 4 --scheduler fcfs --format csv
holds '^nereus simulate: note: bad.swf:3: .*unknown \(-1\), or below 0: the job is left out' err
holds 'note: bad.swf:4: more nodes than the machine has: the job is left out' err
holds 'note: bad.swf:5: submitted before the line above: sorted' err
holds 'note: bad.swf:6: not 18 fields' err
holds 'note: bad.swf:8: part of a job' err
cut -d, -f1-6 out >rows
diff - rows <<'ROWS' || fail "the jobs of the bad log: $(cat out)"
job,submit_s,start_s,end_s,processors,nodes
1,0,0,10,2,2
4,3,10,20,4,4
5,7,20,22,3,3
ROWS
if has zlib "a damaged log"; then
    gzip -k bad.swf
    "$NEREUS" simulate bad.swf.gz --nodes 4 --scheduler fcfs --format csv 2>err | cmp - out || fail "a gzipped log"
    head -c 90 bad.swf.gz >cut.swf.gz
    failed "'cut.swf.gz' cannot be read: its gzip data is damaged, or not complete" "$NEREUS" simulate cut.swf.gz --nodes 4
fi
# Whole nodes of two cores: jobs of 2, 4 and 3 processors get 1, 2 and 2 nodes.
accepted "$NEREUS" simulate bad.swf --nodes 2 --cores-per-node 2 --scheduler easy --format csv
[ "$(cut -d, -f6 out | tail -n +2 | tr '\n' ' ')" = "1 2 2 " ] || fail "nodes of two cores: $(cat out)"

failed "^nereus simulate: workload 'none.swf' does not exist" "$NEREUS" simulate none.swf --nodes 4
printf '1 0 -1 ten\n' >words.swf
failed "words.swf:1: field 4 must be a number, not 'ten'" "$NEREUS" simulate words.swf --nodes 4
printf '; nothing\n' >empty.swf
failed '^nereus simulate: empty.swf: no job is in this workload' "$NEREUS" simulate empty.swf --nodes 4
sed -n 4p bad.swf >large.swf # the reason is said by line, where no job is left, too
! "$NEREUS" simulate large.swf --nodes 4 >out 2>err || fail "a job that is too large alone"
holds 'note: large.swf:1: more nodes than the machine has: the job is left out' err
holds 'no job that can run on 4 nodes' err
s="$NEREUS simulate bad.swf"
misused '--nodes is missing, or a machine that says how many there are: --profile or --synthetic$' $s
misused '--malleable must be 0 to 1, not 2' $s --nodes 4 --malleable 2 --profile p.json
failed 'no profile: none is named' "$NEREUS" simulate batsim.swf --nodes 32 --malleable 0.5
failed "nosuch.json" "$NEREUS" simulate batsim.swf --nodes 32 --profile nosuch.json
misused 'one workload: a file, or --generate' $s --nodes 4 --generate lublin:9
misused 'one workload: a file, or --generate' "$NEREUS" simulate --nodes 4
misused "--generate must be lublin:JOBS, not 'x'" "$NEREUS" simulate --nodes 4 --generate x
misused '--load and --arrival-scale both' $s --nodes 4 --load 0.7 --arrival-scale 2
misused '--arrival-scale must be above 0' $s --nodes 4 --arrival-scale 0
misused "--iteration-time must be constant:VALUE, .*, not 'normal:1:2'" $s --nodes 4 --iteration-time normal:1:2
misused '--serial-share: the lower end 1 is above the upper one 0' $s --nodes 4 --serial-share uniform:1:0
misused "--scheduler must be one of fcfs, easy, conservative" $s --nodes 4 --scheduler sjf

# Malleable jobs: one seed gives one result; a resize costs what nereus predict says for the pair.
accepted "$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output six-nodes.json
m="$NEREUS simulate --nodes 128 --malleable 0.5 --profile six-nodes.json --generate lublin:3000 --load 0.8"
accepted $m --format csv --seed 2
cp out first.csv
accepted $m --format csv --seed 2
cmp -s first.csv out || fail "two runs with one seed differ"
accepted $m --format csv --seed 4
cmp -s first.csv out && fail "another seed gives the same"
accepted $m --method auto --format csv --seed 2
cmp -s first.csv out || fail "auto is not best"
accepted $m --method baseline
holds '^baseline +[1-9][0-9]*$' out
grep -q '^merge' out && fail "merges where each resize is a baseline"
accepted $m --format json
python3 -c 'import json; d = json.load(open("out")); assert len(d["jobs"]) == d["summary"][0]["jobs"] == 3000 and d["summary"][0]["resizes"] == sum(m["resizes"] for m in d["methods"]) > 0' ||
    fail "the document: $(head -c 300 out)"
failed "'merge-async' is asynchronous; name a synchronous method, or best" $m --method merge-async

# What is said of resizes has no effect without malleable jobs, which is said; the number of nodes
# says nothing of them.
for words in '--bytes-per-process 1GB' '--method merge' '--grow-to 3' '--malleable 0.5 --policy none --serial-share constant:0.1'; do
    accepted "$NEREUS" simulate --nodes 64 --generate lublin:20 $words
    holds 'note: no job can be resized \(--malleable, --policy\): the other options of malleable jobs have no effect$' err
done
accepted "$NEREUS" simulate --nodes 64 --generate lublin:20 --seed 2
grep -q 'no job can be resized' err && fail "nothing was said of resizes: $(cat err)"

# A synthetic machine has prices, too.
accepted "$NEREUS" simulate --nodes 64 --malleable 1 --generate lublin:500 --synthetic "nodes:16 cores:20 latency:1.5us bandwidth:12GB/s spawn:0.3s"
holds '^ *500 ' out

# Nodes and cores of the machine that is named, where no others are given; a profile of papers knows no nodes.
of() { python3 -c 'import json; d = json.load(open("out")); print(d["summary"][0]["utilisation"], len(d["jobs"]))'; }
generated="$NEREUS simulate --generate lublin:50 --format json"
for given in "" "--nodes 16" "--cores-per-node 2" "--nodes 16 --cores-per-node 20"; do
    accepted $generated --synthetic "nodes:16 cores:20" $given
    of >>machines
done
accepted $generated --synthetic "nodes:3 cores:1" --sweep nodes=16
[ "$(sed -n 1p machines)" = "$(sed -n 4p machines)" ] && [ "$(sort -u machines | wc -l)" = 3 ] || fail "machines: $(cat machines)"
grep -q 'the cluster is' err && fail "nodes that were given, or stated, are said again: $(cat err)"
accepted "$NEREUS" simulate --generate lublin:5 --profile "$NEREUS_SOURCE_DIR/tests/unit/data/calibrated.json"
holds "note: the cluster is the profile's: 1 node with 2 cores$" err

# One job of 20 processes on 4 nodes of 20 cores, alone: it grows to 40 at once, once, and ends half
# its time and one RT later.
printf '1 0 -1 1000 20 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n' >one.swf
accepted "$NEREUS" predict --profile six-nodes.json --ns 20 --nt 40 --t-iter 1s --methods merge --state per-node --format csv
rt=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["rt_s"] }' out)
accepted "$NEREUS" simulate one.swf --nodes 4 --cores-per-node 20 --malleable 1 --profile six-nodes.json --method merge \
    --iteration-time constant:1 --format csv
awk -F, -v rt="$rt" 'NR == 2 { exit !($9 == 1 && $10 - rt < 1e-6 && rt - $10 < 1e-6 && $4 - (500 + rt) < 1e-6 && 500 + rt - $4 < 1e-6) }' out ||
    fail "RT is $rt: $(cat out)"
# Two nodes at 1 kW for one RT, then at 360 W for 500 s.
accepted "$NEREUS" simulate one.swf --nodes 4 --cores-per-node 20 --malleable 1 --profile six-nodes.json --method merge \
    --iteration-time constant:1 --node-power 360 --resize-power 1000 --format json
near 'energy with a resize' "$(awk '/"energy_kwh"/ { print $2 + 0 }' out)" "$(awk -v rt="$rt" 'BEGIN { printf "%.9f", (2 * 1000 * rt + 2 * 360 * 500) / 3.6e6 }')" 1e-5

# A sweep: each row is what the simulations of its seeds say, one by one; the first row is what the
# others are compared with.
small="--nodes 128 --profile six-nodes.json --generate lublin:1000 --load 0.8"
accepted "$NEREUS" simulate $small --sweep "malleable=0,0.5 method=merge,baseline seed=3:5" --format csv --output sweep.svg
mv out sweep.csv
[ "$(cut -d, -f1-3 sweep.csv | tr '\n' ' ')" = "malleable,method,seeds 0,merge,3 0,baseline,3 0.5,merge,3 0.5,baseline,3 " ] || fail "rows of the sweep: $(cat sweep.csv)"
for seed in 3 4 5; do
    for share in 0 0.5; do
        accepted "$NEREUS" simulate $small --malleable $share --method merge --seed $seed --format json
        python3 -c 'import json; print(json.load(open("out"))["summary"][0]["mean_turnaround_s"])' >>alone.$share
    done
done
paste alone.0 alone.0.5 | awk '{ rigid += $1 / 3; malleable += $2 / 3; logs += log($2 / $1) / 3 }
    END { printf "%.6g %.6g %.6f\n", rigid, malleable, exp(logs) }' >expected
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { rigid = $at["mean_turnaround_s"]; if ($at["turnaround_ratio"] != 1) exit 1 }
    NR == 4 { printf "%.6g %.6g %.6f\n", rigid, $at["mean_turnaround_s"], $at["turnaround_ratio"]
              exit !($at["ratio_low"] < $at["turnaround_ratio"] && $at["turnaround_ratio"] < $at["ratio_high"]) }' sweep.csv >found ||
    fail "ratio outside its interval: $(cat sweep.csv)"
cmp expected found || fail "the sweep differs from its simulations: $(cat expected found)"
grep -q 'malleable 0.5, method baseline' sweep.svg || fail "a row without its name in the picture"
# What an option changes: least and largest ratio over the others.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { t[$1 $2] = $at["turnaround_ratio"]; w[$1 $2] = $at["mean_wait_s"]; s[$1 $2] = $at["mean_bounded_slowdown"]; m[$1 $2] = $at["makespan_s"] }
    function range(name, a, b) { x = sprintf("%.3g", a < b ? a : b); y = sprintf("%.3g", a < b ? b : a); return name " x " x (x == y ? "" : " to " y) }
    function all(a, b, c, d) { return range("turnaround", t[a] / t[b], t[c] / t[d]) ", " range("mean wait", w[a] / w[b], w[c] / w[d]) ", " range("slowdown", s[a] / s[b], s[c] / s[d]) ", " range("makespan", m[a] / m[b], m[c] / m[d]) "." }
    END { print "malleable 0.5 instead of 0: " all("0.5merge", "0merge", "0.5baseline", "0baseline")
          print "method baseline instead of merge: " all("0baseline", "0merge", "0.5baseline", "0.5merge") }' sweep.csv >expected
accepted "$NEREUS" simulate $small --sweep "malleable=0,0.5 method=merge,baseline seed=3:5" --output sweep.html
sed '1,/^One option/d' out | tr '\n' ' ' | tr -s ' ' >found
tr '\n' ' ' <expected | cmp -s - found || fail "effects: $(cat found), not $(cat expected)"
grep -q "instead" sweep.html || fail "no effects on the page"
# Rows that are the same are one: with no malleable job the method is no matter.
[ "$(grep -o '>malleable 0[^.<]*<' sweep.html | sort -u)" = '>malleable 0<' ] || fail "rows of the picture: $(grep -o '>malleable 0[^<]*<' sweep.html)"
[ "$(awk '$1 == "0" { print $2 }' out)" = any ] || fail "rows of the table: $(cat out)"
# No sentence is cut: all effects of the largest sweep with a name are on its page.
accepted "$NEREUS" simulate "$data/workloads/sacct" --synthetic "nodes:4 cores:20" --sweep malleability --output page.html
tr '\n' ' ' <page.html | sed 's/<[^>]*>/ /g' | tr -s ' ' >page.text
for effect in 'malleable 0.5 instead of 0' 'malleable 1 instead of 0' 'policy equipartition instead of both' 'method baseline instead of best' 'bytes-per-process 1GB instead of 64MB'; do
    holds "$effect: turnaround x [0-9.]+( to [0-9.]+)?\\." page.text
done
[ "$(grep -o '>Mean turnaround[^<]*<' page.html | awk '{ print (length($0) < 60) }' | sort -u)" = 1 ] || fail "a long title: $(grep -o '>Mean turnaround[^<]*<' page.html)"
rm -f page.*
holds '^nereus simulate: note: the seeds draw malleable jobs and failures; submissions are those of one log' err
# A policy that is named is that of the sweep with a name.
accepted "$NEREUS" simulate "$data/workloads/sacct" --synthetic "nodes:4 cores:20" --policy broker --sweep malleability --format csv
[ "$(cut -d, -f1-4 out | sed -n '1p;$p' | paste -sd' ')" = "malleable,method,bytes-per-process,seeds 1,baseline,1GB,5" ] || fail "one policy: $(cat out)"
broker=$(tail -n 1 out | cut -d, -f5)
accepted "$NEREUS" simulate "$data/workloads/sacct" --synthetic "nodes:4 cores:20" --malleable 1 --method baseline --bytes-per-process 1GB --sweep "policy=none,broker seed=1:5" --format csv
[ "$(tail -n 1 out | cut -d, -f3)" = "$broker" ] || fail "the broker's mean is not $broker: $(cat out)"
! grep -q 'the seeds draw' <("$NEREUS" simulate $small --sweep "malleable=0,0.5 seed=1:2" 2>&1) || fail "generated workloads are no log"
# Under EASY a job that ends earlier may delay others, without any resize: a policy is not to be
# judged by one log.
mean() { "$NEREUS" simulate "$1" --nodes 4 --cores-per-node 20 --format json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["summary"][0]["mean_turnaround_s"])'; }
sed '/^4003|/s/|633|/|419|/' "$data/workloads/sacct" >earlier
awk -v a="$(mean "$data/workloads/sacct")" -v b="$(mean earlier)" 'BEGIN { exit !(b > 1.05 * a) }' || fail "no anomaly of EASY"
rm -f alone.* expected found sweep.*
# Resizes that cost nothing come to an end, too: a job changes once at a point.
accepted timeout 60 "$NEREUS" simulate $small --malleable 1 --price-scale 0 --format csv
accepted "$NEREUS" simulate $small --sweep "price-scale=0:1:0.25 malleable=0.5" --format csv
[ "$(cut -d, -f1 out | tr '\n' ' ')" = "price-scale 0 0.25 0.5 0.75 1 " ] || fail "even steps: $(cat out)"
s="$NEREUS simulate $small"
misused "--sweep: 'malleabel' is no option .*did you mean 'malleable'" $s --sweep malleabel=0
misused "--malleable must be 0 to 1, not 2" $s --sweep malleable=0,2
misused "--sweep: policy must be one of .*not 'bth'; did you mean 'both'" $s --sweep policy=none,bth
misused "--sweep names no option to vary" $s --sweep seed=1:9
misused "'malleable' must be OPTION=VALUE" $s --sweep malleable
misused "--sweep: malleable has no value" $s --sweep malleable=,
misused "--sweep: load is given twice" $s --sweep "load=1 load=2"
misused "LOW:HIGH is for whole numbers" $s --sweep load=0.5:0.9
misused "zzz" $s --sweep method=best,zzz
misused "load=2:1 must be LOW:HIGH" $s --sweep load=2:1

# A workload as CSV: the same jobs give the same schedule, in any order of columns; what columns say
# of a job is not drawn.
gzip -dcf "$nasa" | awk '!/^;/ && NF == 18 && $4 >= 0 { print ($8 > 0 ? $8 : $5) "," $4 "," $2 "," $1 }' | sed '1i processors,run_s,submit_s,job' >nasa.csv
accepted "$NEREUS" simulate "$nasa" --nodes 128 --arrival-scale 0.5 --format csv
mv out from-swf
accepted "$NEREUS" simulate nasa.csv --nodes 128 --arrival-scale 0.5 --format csv
cmp -s from-swf out || fail "the NASA log as CSV gives another schedule"
one="--nodes 4 --cores-per-node 20 --profile six-nodes.json --method merge --format csv"
columns="job,submit_s,run_s,processors,malleable,t_iter_s,scaling,bytes_per_process,least_processors,most_processors,class"
accepted "$NEREUS" simulate one.swf $one --malleable 1 --iteration-time constant:3 --serial-share constant:0.001 --bytes-per-process 1MB --grow-to 1.5
tail -1 out | cut -d, -f1-11 >by-options
printf '%s\n1,0,1000,20,yes,3s,amdahl:0.001,1MB,,30,\n' "$columns" >one.csv
accepted "$NEREUS" simulate one.csv $one
tail -1 out | cut -d, -f1-11 | cmp -s - by-options || fail "columns and options: $(cat out by-options)"
printf '%s\n1,0,1000,20,no,3s,,,,,\n' "$columns" >one.csv
accepted "$NEREUS" simulate one.csv $one --malleable 1
holds '^1,0,0,1000,20,1,0,0,0,' out
printf '%s\n7,,1000,20,,,,,,,\n8,0,-1,20,,,,,,,\n,5,10,90,,,,,,,"a,b"\n' "$columns" >holes.csv
accepted "$NEREUS" simulate holes.csv --nodes 5 --cores-per-node 20 --format csv
holds 'note: holes.csv:2: .*unknown' err
holds 'note: holes.csv:3: .*unknown' err
holds '^3,5,5,15,90,5,0,0,0,0,50,"a,b"$' out
# Equipartition, with resizes that cost nothing, by hand. What a job at its maximum cannot take goes
# to the others: of 12 nodes jobs of at most 2, 12 and 3 hold 2, 7 and 3, and 2 and 10 once the
# third has ended. Nodes that cannot be shared equally are not idle: three jobs hold 5, 4 and 4 of
# 13, the two that are left 7 and 6, the last one 12.
shared() { # NODES END...: of the jobs of shared.csv
    accepted "$NEREUS" simulate shared.csv --nodes "$1" --cores-per-node 1 --synthetic "nodes:$1 cores:1" --price-scale 0 --policy equipartition --format csv
    [ "$(awk -F, 'NR > 1 { printf " %.0f", $4 / 10 }' out)" = " ${*:2}" ] || fail "equipartition on $1 nodes: $(cat out)"
}
columns=submit_s,run_s,processors,malleable,t_iter_s,least_processors,most_processors
printf '%s\n0,5000,2,yes,1,1,2\n0,5000,6,yes,1,1,12\n0,5000,1,yes,1,1,3\n' $columns >shared.csv
shared 12 500 350 167
printf '%s\n' $columns 0,4000,4,yes,1,1,12 0,4000,4,yes,1,1,12 0,4000,4,yes,1,1,12 >shared.csv
shared 13 370 366 320
# wrong LINE 'REGEX': the second line of a CSV
wrong() {
    printf 'submit_s,run_s,processors,scaling,malleable,least_processors\n%s\n' "$1" >wrong.csv
    failed "wrong.csv:2: $2" "$NEREUS" simulate wrong.csv --nodes 4
}
wrong '0,ten,1,,,' "run_s must be .*not 'ten'"
wrong '0,1,0.5,,,' "processors must be .*not '0.5'"
wrong '0,1,1,linear,,' "scaling must be ideal, weak or amdahl:F, not 'linear'"
wrong '0,1,1,,perhaps,' "malleable must be one of no, yes"
wrong '0,1,1,,,2' "processors must be between least_processors and most_processors, not 1"
wrong '0,1,1' "3 values where the header line has 6 columns"
wrong '0,"1,1' "a quoted cell has no closing quote"
printf 'submit_s,run_s,procesors\n' >wrong.csv
failed "wrong.csv:1: a workload has no column 'procesors'; did you mean 'processors'" "$NEREUS" simulate wrong.csv --nodes 4
printf 'submit_s,processors\n' >wrong.csv
failed "wrong.csv:1: the column 'run_s' is missing" "$NEREUS" simulate wrong.csv --nodes 4
printf 'job,job\n' >wrong.csv
failed "wrong.csv:1: the column 'job' is there twice" "$NEREUS" simulate wrong.csv --nodes 4
: >wrong.csv
failed "workload 'wrong.csv' is empty" "$NEREUS" simulate wrong.csv --nodes 4

# Classes of applications: by the column, or drawn by their shares.
printf '[solver]\nshare = 0.25\nmalleable = 1\niteration-time = constant:2\nserial-share = constant:0.01\nbytes-per-process = 1GB\n[stencil]\nshare = 0.25\n' >classes.ini
accepted "$NEREUS" simulate --nodes 64 --generate lublin:2000 --load 0.7 --profile six-nodes.json --classes classes.ini --format csv
awk -F, 'NR > 1 { n[$12]++; malleable[$12] += $8; resizes += $9 }
    END { exit !(n["solver"] > 400 && n["solver"] < 600 && n["stencil"] > 400 && n["stencil"] < 600 && malleable["solver"] > 0.9 * n["solver"] && malleable["stencil"] + malleable[""] == 0 && resizes > 0) }' out ||
    fail "classes: $(head -3 out)"
printf 'submit_s,run_s,processors,class\n0,100,1,stencil\n0,100,1,solver\n0,100,1,stencil\n' >named.csv
accepted "$NEREUS" simulate named.csv --nodes 3 --profile six-nodes.json --classes classes.ini --format csv
[ "$(tail -n +2 out | cut -d, -f8,12 | tr '\n' ' ')" = "0,stencil 1,solver 0,stencil " ] || fail "named classes: $(cat out)"
printf 'submit_s,run_s,processors,class\n0,100,1,stencil\n0,100,1,sovler\n' >typo.csv
failed "^nereus simulate: typo.csv:3: class: 'sovler' is no class of 'classes.ini'; did you mean 'solver'.\$" \
    "$NEREUS" simulate typo.csv --nodes 3 --profile six-nodes.json --classes classes.ini
accepted "$NEREUS" simulate typo.csv --nodes 3
sed -n '/^    \[solver\]/,/^    shrink-to/s/^    //p' "$NEREUS_SOURCE_DIR/docs/policies.md" >manual.ini
[ "$(grep -c = manual.ini)" = 7 ] || fail "the classes of docs/policies.md: $(cat manual.ini)"
accepted "$NEREUS" simulate --nodes 64 --generate lublin:200 --load 0.7 --profile six-nodes.json --classes manual.ini
c="$NEREUS simulate named.csv --nodes 3 --classes"
printf '[a]\nshare = 0.7\n[b]\nshare = 0.7\n' >wrong.ini
failed 'wrong.ini: the shares of all classes add up to 1.4' $c wrong.ini
printf '[a]\niteration_time = constant:1\n' >wrong.ini
failed "wrong.ini:2: a class has no key 'iteration_time'; did you mean 'iteration-time'" $c wrong.ini
printf '[a]\ngrow-to = 0.5\n' >wrong.ini
failed "wrong.ini:2: grow-to must be 1 to" $c wrong.ini
printf '[a]\n[a]\n' >wrong.ini
failed "wrong.ini:2: class .a. is there twice" $c wrong.ini
printf '[a]\nshare = 0.2\n[b]\nshare = 0.1\ngrow-to = 2\nshare = 0.3\n' >wrong.ini
failed "wrong.ini:6: 'share' is there twice" $c wrong.ini

# A batch system: the first job can start 3 s after its submission, the second one 2 s after the end
# of the first; each takes a second longer.
printf 'submit_s,processors,run_s\n0,4,10\n1,4,10\n60,4,10\n' >chain.csv
accepted "$NEREUS" simulate chain.csv --nodes 4 --latency "submit:3s next:2s job:1s" --format csv
[ "$(awk -F, 'NR > 1 { print $3, $4, $7 }' out | tr '\n' ' ')" = "3 14 3 16 27 15 63 74 3 " ] || fail "latencies: $(cat out)"
accepted "$NEREUS" simulate one.swf --nodes 4 --cores-per-node 20 --malleable 1 --profile six-nodes.json --method merge \
    --iteration-time constant:1 --latency "submit:3.5s,round:5s" --format csv
# It starts at 3.5 s; in the round at 5 s it is to grow, onto nodes that it has 3.5 s later: after
# five of its iterations of a second.
awk -F, -v rt="$rt" 'NR == 2 { end = 8.5 + rt + 497.5; exit !($9 == 1 && $4 - end < 1e-6 && end - $4 < 1e-6) }' out || fail "a round at 5 s, RT $rt: $(cat out)"
# The broker: of three nodes the first job asks for one and grows, with nodes since 11 s; of the
# next rounds, 10 s after the resize, the first gives two nodes to the second job, 1 s after the
# shrink. A job that asked for two nodes keeps them: the second one waits for its end.
broker="--nodes 3 --policy broker --synthetic"
broker_machine="nodes:3 cores:1 latency:2us bandwidth:10GB/s spawn:0.4s"
printf 'submit_s,processors,run_s,malleable,t_iter_s,least_processors,most_processors\n0,1,100,yes,1,1,3\n20,2,100,no,,,\n' >given.csv
sed '2s/.*/0,2,100,yes,1,1,3/' given.csv >kept.csv
for ends in "given 81 22" "kept 71 72"; do
    read -r name end start <<<"$ends"
    # shellcheck disable=SC2086 # words
    accepted "$NEREUS" simulate "$name.csv" $broker "$broker_machine" --latency "submit:1s next:1s round:10s" --format csv
    awk -F, -v end="$end" -v start="$start" 'function off(x, y) { return (x - y) ^ 2 > 1e-8 }
        NR == 2 { rt = $10; failed = off($4, end + rt) || rt < 0.4 }
        NR == 3 { failed = failed || off($3, start + rt) }
        END { exit failed }' out || fail "$name by the broker: $(cat out)"
done
misused "--latency has submit, next, job and round, as submit:2.9s, not 'nxt'; did you mean 'next'" "$NEREUS" simulate chain.csv --nodes 4 --latency nxt:2s
misused "--latency next must" "$NEREUS" simulate chain.csv --nodes 4 --latency next:2x
misused "--latency names 'next' twice" "$NEREUS" simulate chain.csv --nodes 4 --latency "next:1s next:2s"
# However long it is.
misused "--latency next must" "$NEREUS" simulate chain.csv --nodes 4 --latency "$(printf 'submit:3s%151snext:2x' '')"

# Energy: 300 node-seconds of 360 W and, of 3 nodes in 100 s, none idle; with one job more on a
# fourth node 100 node-seconds idle.
accepted "$NEREUS" simulate named.csv --nodes 3 --node-power 360 --idle-power 36 --format json
holds '"energy_kwh": 0.03$' out
accepted "$NEREUS" simulate named.csv --nodes 4 --node-power 360 --idle-power 36 --format json
holds '"energy_kwh": 0.031$' out
accepted "$NEREUS" simulate named.csv --nodes 4
grep -q energy out && fail "an energy without a power: $(cat out)"
accepted "$NEREUS" simulate named.csv --nodes 4 --node-power 360 --sweep "idle-power=0,36" --format csv
[ "$(cut -d, -f1,13 out | tr '\n' ' ')" = "idle-power,energy_kwh 0,0.03 36,0.031 " ] || fail "energies of a sweep: $(cat out)"
misused "--resize-power needs --node-power" "$NEREUS" simulate named.csv --nodes 4 --resize-power 36
misused "--idle-power needs --node-power" "$NEREUS" simulate named.csv --nodes 4 --idle-power 36

# A picture of one simulation: a bar for each job, and again from each change of its nodes; a part
# of it; too much to be drawn.
accepted "$NEREUS" simulate one.swf --nodes 4 --cores-per-node 20 --malleable 1 --profile six-nodes.json --output one.svg
holds 'job 1: 1 node asked for, from 0 s to' one.svg
holds 'in a resize' one.svg
if has cairo "simulations as PDF and PNG"; then
    accepted "$NEREUS" simulate batsim.swf --nodes 32 --output batsim.pdf
    head -c 5 batsim.pdf | grep -q '%PDF-' || fail "no PDF"
    accepted "$NEREUS" simulate "$nasa" --nodes 128 --output nasa.png
fi
accepted "$NEREUS" simulate batsim.swf --nodes 32 --window 0:20 --output part.svg
[ "$(grep -c 'nodes asked for, from' part.svg)" -ge 1 ] || fail "no bar in the window"
accepted "$NEREUS" simulate "$nasa" --nodes 128 --output nasa.svg
holds 'Choose a part with --window' nasa.svg
failed "there is nothing to draw between 1e.09 s and 2e.09 s" "$NEREUS" simulate batsim.swf --nodes 32 --window 1e9:2e9 --output none.svg
cp one.swf log.svg
failed "which is read" "$NEREUS" simulate log.svg --nodes 32 --output log.svg
misused "--window must be FROM:UNTIL" "$NEREUS" simulate batsim.swf --nodes 32 --window 20 --output part.svg
misused "it needs --output, and no --sweep" "$NEREUS" simulate batsim.swf --nodes 32 --window 0:20
rm -f nasa.* unpacked.swf batsim.pdf one.svg part.svg from-swf by-options

# The commands of docs/policies.md and docs/results/clusters.md, as they stand there.
mkdir build && ln -s "$NEREUS_SOURCE_DIR/tests" tests
grep -hE '^    nereus ([a-z]+ )?(fit|simulate|convert|workload) ' "$NEREUS_SOURCE_DIR"/docs/{policies,results/clusters}.md | sed 's/^ *nereus //' >commands
eval "$(grep -h '^    sed ' "$NEREUS_SOURCE_DIR/docs/results/clusters.md")" # makes a log that they read
while read -r command; do
    command=${command/seed=1:*\"/seed=1:2\"} # fewer seeds and jobs
    command=${command/lublin:[35]000/lublin:200}
    [[ $command != *--sweep* ]] || command=${command/ tests*NASA*.gz / short.swf }
    case $command in *workload\ *) command="$command --dry-run" ;; esac # that needs Slurm
    eval "accepted \"\$NEREUS\" $command" # words in quotes stay one
done <commands
[ "$(wc -l <commands)" -ge 18 ] || fail "commands of docs/policies.md: $(cat commands)"
finish
