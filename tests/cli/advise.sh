# nereus advise: sums worked out by hand, the crossovers between staying and resizing, the same
# content in every format.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="$NEREUS advise --profile $data/profile.json"
job="--ns 3 --t-iter 0.21s --scaling strong"
header=ns,nt,best,method,rt_s,rt_low_s,rt_high_s,t_iter_s,t_ex_s,t_ex_low_s,t_ex_high_s,gain,gain_low,gain_high
header=$header,break_even_iterations,pays_until_iteration,may_lose,nodes_before,nodes_during,nodes_after,node_s
header=$header,iterations,iterations_capped,oversubscribed,source,later_method,later_rt_s,note
header=$header,mtbf_s,checkpoint_s,checkpoint_low_s,checkpoint_high_s,checkpoint_interval_s,start_s,read_s
header=$header,failure_share,t_ex_failures_s,t_ex_no_checkpoint_s,checkpoint_note,energy_j

# value NT COLUMN: from the CSV in `out`.
value() {
    awk -F, -v nt="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        NR > 1 && $2 == nt { print $c }' out
}

# 3 -> 7 by merge-single is 0.3955 s (predict.sh); T(7) = 0.21 x 3 / 7 = 0.09. 97 left: 0.3955 + 97
# x 0.09 = 9.1255 against 20.37;
# break-even 0.3955 / (0.21 - 0.09) = 3.2958 iterations, so until iteration 93.
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single --format csv
[ "$(head -1 out)" = "$header" ] || fail "header: $(head -1 out)"
near T_ex "$(value 7 t_ex_s)" 9.1255 1e-9
near gain "$(value 7 gain)" 11.2445 1e-9
near 'break-even' "$(value 7 break_even_iterations)" 3.295833 1e-6
near 'until' "$(value 7 pays_until_iteration)" 93 1e-9
near 'to stay' "$(value 3 t_ex_s)" 20.37 1e-9
[ "$(value 7 best)$(value 3 best)$(value 7 method)" = 10merge-single ] || fail "best: $(cat out)"
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single
holds '^Resize from 3 to 7 processes by merge-single: T_ex of 9.126 s instead of 20.37 s, 55.2 % less\.$' out
holds '^It pays as long as at least 4 iterations are left: until iteration 93 of the 97\.$' out
holds '^90 % interval of the gain: 11\.2 s to 11\.28 s\.$' out
holds '^best +7  merge-single +0.3955 ' out
# The crossover: 4 iterations pay, 3 do not, and then to stay is best.
for left in 3:stay 4:resize; do
    accepted $p $job --iterations-after ${left%:*} --nt 7 --methods merge-single --format json
    holds "\"advice\": \"${left#*:}\"" out
done
accepted $p $job --iterations-after 3 --nt 7 --methods merge-single
holds '^Stay at 3 processes: T_ex of 630 ms; the best resize, to 7 by merge-single, costs 35.5 ms more\.$' out
holds '^It would pay if at least 4 iterations were left\.$' out
holds '^90 % interval of the gain: from a loss of 78\.2 ms to a gain of 3\.03 ms\.$' out
holds '^stay: best +3 ' out
# RT at the bad end of its interval: what is lost against staying.
accepted $p $job --iterations-after 3 --nt 7 --methods merge-single --format csv
near 'may lose' "$(value 7 may_lose)" "$(awk "BEGIN { print $(value 7 rt_high_s) + 3 * 0.09 - 3 * 0.21 }")" 1e-5
# No scaling: more processes never pay.
accepted $p --ns 3 --t-iter 0.21s --scaling weak --iterations-after 1000000 --nt 4:12 --format csv
[ "$(awk -F, '$3 == 1 { print $2 }' out)" = 3 ] || fail "weak scaling: $(cat out)"
[ "$(awk -F, 'NR > 2 && $15 != "" && $15 != "inf" && $2 > 3' out)" = '' ] || fail "it pays from some time on: $(cat out)"

# Only columns that are shown are explained.
accepted $p --ns 3 --t-iter 0.21s --scaling weak --iterations-after 1000000 --nt 4:12
grep -q 'pays from' out && fail "a column that is not shown is explained: $(cat out)"
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single
holds '^pays from: ' out

# Node-hours: nodes of 4, 3 -> 7 holds 1, 2 and 2. Two nodes for 97 x 0.09 + 0.3955 s are 18.251
# against 20.37 of one.
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single --goal node-hours --format csv
near 'node-seconds' "$(value 7 node_s)" 18.251 1e-7
near 'to stay' "$(value 3 node_s)" 20.37 1e-9
near 'gain' "$(value 7 gain)" 2.119 1e-7
# 2 x 0.3955 = 0.791 over 0.21 - 2 x 0.09 = 0.03 an iteration.
near 'break-even' "$(value 7 break_even_iterations)" 26.36667 1e-6
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single --goal node-hours
holds 'node-hours of 0.00507 node-hours|0.00507 node-hours instead of 0.005658 node-hours' out
# Energy at 400 W: 0.4 x 18.251 kJ against 0.4 x 20.37 kJ; in the resize 1 kW: 2 x 600 x 0.3955 J more.
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single --goal energy --node-power 400 --format csv
near 'energy' "$(value 7 energy_j)" 7300.4 1e-7
near 'energy to stay' "$(value 3 energy_j)" 8148 1e-9
near 'gain' "$(value 7 gain)" 847.6 1e-7
near 'break-even' "$(value 7 break_even_iterations)" 26.36667 1e-6
accepted $p $job --iterations-after 97 --nt 7 --methods merge-single --goal energy --node-power 400 --resize-power 1000
holds 'energy of 0.00216 kWh instead of 0.002263 kWh' out
# Weights: RT alone counts against each resize.
accepted $p $job --iterations-after 97 --nt 4:8 --goal weights --weights rt=1 --format json
holds '"advice": "stay"' out
accepted $p $job --iterations-after 97 --nt 4:8 --goal weights --weights t_ex=1 --format json
holds '"advice": "resize"' out
# The system's method is the one with the least RT.
accepted $p $job --iterations-after 97 --nt 7 --goal system --format csv
accepted $p $job --iterations-after 97 --nt 7 --format csv

# With a later shrink back to 3 the iterations in between must pay for both.
accepted $p $job --iterations-after 97 --nt 7 --later-shrink 3 --later-iterations 40 --format csv
[ -n "$(value 7 later_method)" ] || fail "no later shrink: $(cat out)"
from=$(value 7 break_even_iterations) most=$(awk "BEGIN { print int($(value 7 break_even_iterations)) + 1 }")
accepted $p $job --iterations-after 97 --nt 7 --later-shrink 3 --later-iterations "$most" --format csv
awk "BEGIN { exit !($(value 7 gain) >= 0) }" || fail "$most iterations, break-even at $from: $(cat out)"
accepted $p $job --iterations-after 97 --nt 7 --later-shrink 3 --later-iterations $((most - 1)) --format csv
awk "BEGIN { exit !($(value 7 gain) < 0) }" || fail "$((most - 1)) iterations, break-even at $from: $(cat out)"
failed 'must end at 3 or more' $p $job --nt 7 --later-shrink 2

# All sizes of the nodes; what predict says of one of them is the same.
accepted $p $job --nodes 4 --iterations-after 97 --format csv
[ "$(wc -l <out)" -eq 17 ] || fail "sizes of 16 cores: $(cut -d, -f2 out | tr '\n' ' ')"
at=$(value 9 t_ex_s) method=$(value 9 method)
cp out all
accepted "$NEREUS" predict --profile "$data/profile.json" --ns 3 --nt 9 --t-iter 0.21s --nodes 4 --iterations-before 0 --format csv
[ "$(awk -F, 'NR == 2 { print $4 }' out)" = "$method" ] || fail "predict has another best method than $method: $(cat out)"
near 'T_ex by predict' "$at" "$(awk -F, 'NR == 2 { print $23 }' out)" 1e-8
for nt in best 1:16; do
    accepted "$NEREUS" predict --profile "$data/profile.json" $job --nt $nt --nodes 4 --format csv
    cmp -s out all || fail "predict --nt $nt is not the same: $(diff out all | head -3)"
done
# In text at most 100 columns, also with the longest methods and goals.
for goal in application system node-hours 'weights --weights t_ex=1,rt=1,node_hours=1' 'energy --node-power 350'; do
    accepted $p $job --nodes 40 --methods all --goal $goal
    awk 'length($0) > 100 { exit 1 }' out || fail "wider than 100 columns ($goal): $(awk 'length($0) > 100' out)"
done
accepted $p $job --nodes 40 --iterations-after 9 --later-shrink 3 --later-nodes any --methods all
awk 'length($0) > 100 { exit 1 }' out || fail "wider than 100 columns: $(awk 'length($0) > 100' out)"
# Of many sizes some are shown, at even steps, whatever the sizes are: 492 at steps of 50, 99 of
# 3:300:3, 1000 of which whole nodes are.
shown() { # FEWEST ARGUMENT...
    fewest=$1
    shift
    accepted "$NEREUS" advise --t-iter 1s --iterations-after 1000 "$@"
    rows=$(awk '/^Goal/ { exit } NF > 5 && /[0-9] +(merge|baseline)/' out | wc -l)
    [ "$rows" -ge "$fewest" ] && [ "$rows" -le 13 ] || fail "$rows sizes are shown: $(cat out)"
}
shown 9 --synthetic "nodes:513 cores:48" --ns 4800
shown 9 --synthetic "nodes:100 cores:20" --ns 300 --nt 3:300:3
shown 9 --synthetic "nodes:50 cores:20" --ns 300 --nt 1:1000
holds '^ +200  merge' out
# More processes than cores: during the resize, and as the job is now.
scheduler='there are more processes than cores: times depend on the OS scheduler$'
shown 2 --synthetic "nodes:1 cores:4" --ns 3 --nt 2:4 --methods baseline
holds_whole "^during every resize $scheduler"
shown 2 --synthetic "nodes:1 cores:4" --ns 2 --nt 1,3,4 --methods baseline
holds_whole "^during 2 of these resizes, from NT 3 on, $scheduler"
shown 3 --synthetic "nodes:1 cores:4" --ns 2 --nt 1,3,4 --methods merge
grep -q 'OS scheduler' out && fail "oversubscribed: $(cat out)"
for ns in 4:0 8:1; do
    accepted "$NEREUS" advise --t-iter 1s --iterations-after 1000 --synthetic "nodes:1 cores:4" --ns ${ns%:*} --nt 2 --format csv
    [ "$(value ${ns%:*} oversubscribed)" = ${ns#*:} ] || fail "the size as it is: $(cat out)"
    [ -z "$(value ${ns%:*} rt_s)" ] || fail "an RT of staying: $(cat out)"
done
# CSV and JSON have the same.
accepted $p $job --nodes 4 --format csv
awk -f "$NEREUS_SOURCE_DIR/tests/cli/rows.awk" out | grep -v ' best \| iterations_capped \| oversubscribed ' | sort >rows.csv
accepted $p $job --nodes 4 --format json
awk -v format=json -f "$NEREUS_SOURCE_DIR/tests/cli/rows.awk" out | grep -v ' best \| iterations_capped \| oversubscribed ' | sort >rows.json
[ -s rows.csv ] || fail "no rows"
same rows.csv rows.json 1e-8

# Failures, of the job as it is. 1.5 GB on 3 processes: to write takes 0.01 + 0.5 + 1.5 = 2.01 s and
# to read 0.005 + 0.15 + 0.45 = 0.605 s (both assumed), to start 0.11 s as by merge-single in
# predict.sh. 100000 iterations are 21000 s of work.
bytes="--t-iter 0.21s --bytes-constant 1GB --bytes-variable 500MB --nt 7 --methods merge-single"
failing="--ns 3 $bytes --iterations-after 100000"
accepted $p $failing --mtbf 6h --format csv
daly() { # EXPRESSION of d, m, t (the interval), w (the work)
    awk "BEGIN { d = 2.01; m = 21600; w = 21000; x = d / (2 * m); t = sqrt(2 * d * m) * (1 + sqrt(x) / 3 + x / 9) - d; printf \"%.12g\", $1 }"
}
near 'the MTBF' "$(value 3 mtbf_s)" 21600 1e-9
near 'a checkpoint' "$(value 3 checkpoint_s)" 2.01 1e-8
near 'a start' "$(value 3 start_s)" 0.11 1e-8
near 'to read' "$(value 3 read_s)" 0.605 1e-8
near 'the best interval' "$(value 3 checkpoint_interval_s)" "$(daly t)" 1e-8
near 'with checkpoints' "$(value 3 t_ex_failures_s)" "$(daly 'm * exp(0.715 / m) * (exp((t + d) / m) - 1) * w / t')" 1e-8
near 'without' "$(value 3 t_ex_no_checkpoint_s)" "$(daly 'm * exp(0.11 / m) * (exp(w / m) - 1)')" 1e-8
near 'the share' "$(value 3 failure_share)" "$(awk "BEGIN { print 1 - 21000 / $(value 3 t_ex_failures_s) }")" 1e-4
awk "BEGIN { exit !($(value 3 checkpoint_low_s) < 2.01 && 2.01 < $(value 3 checkpoint_high_s)) }" || fail "interval: $(cat out)"
holds '^3,3,.*,prior: write: .*; prior: start as spawn; prior: read: ' out
[ -z "$(value 7 mtbf_s)$(value 7 t_ex_failures_s)" ] || fail "failures of another size: $(cat out)"
accepted $p $failing --mtbf 6h
holds_whole '^Failures: with an MTBF of the job of 6 h, and 2\.01 s \(90 %: .*\) for a checkpoint, the best interval between two is 293\.3 s\.$'
holds_whole '^Checkpoints and failures take 1\.36 % of the time that is left: .* T_ex of 5\.9[0-9]* h instead of 5\.8333 h; without checkpoints 9\.[0-9]* h\.$'
holds_whole '^uncertain: prior: write: '
stated="nodes:4 cores:2 latency:2us bandwidth:10GB/s spawn:0.1s file-write:1GB/s file-read:2GB/s"
accepted "$NEREUS" advise --synthetic "$stated" $failing --mtbf 6h
holds_whole '^uncertain: prior: start as spawn$'
accepted "$NEREUS" advise --synthetic "$stated start:1s" $failing --mtbf 6h
grep -q '^uncertain' out && fail "prices that were stated: $(cat out)"
accepted $p $failing --mtbf 6h --format json
holds '"checkpoint_s": 2.01,' out
# Of the iterations before, none is lost.
accepted $p $failing --iterations-before 1000 --mtbf 6h --format csv
near 'after 210 s' "$(value 3 t_ex_failures_s)" "$(daly '210 + m * exp(0.715 / m) * (exp((t + d) / m) - 1) * w / t')" 1e-8
# Where less is left than the interval none is written; and with many failures it does not end without.
accepted $p --ns 3 $bytes --iterations-after 9 --mtbf 6h
holds_whole 'without checkpoints .*, so that none pays\.$'
accepted $p $failing --mtbf 29s
holds_whole 'without checkpoints for ever\.$'
# 6 processes on nodes of 4 are on 2 of them.
accepted $p --ns 6 $bytes --mtbf 6h --format csv
cp out of-job
accepted $p --ns 6 $bytes --node-mtbf 12h --format csv
same of-job out 1e-12
failed 'no data to write into a checkpoint: --bytes-constant' $p $job --nt 7 --mtbf 6h

# A job's results: 2 processes took 0.3 s (the median of three; 0.9 s beside the change does not
# count), 3 took 0.21, and its arrays are 4000 and 8000 bytes. The answer is that of the same values
# by hand; T(6) by the power law: 0.21 (6 / 3)^(log(0.21 / 0.3) / log(3 / 2)).
iteration() { # GROUP NUMBER PROCESSES OVERLAPPED TIME
    echo "{\"event\": \"iteration\", \"group\": $1, \"iteration\": $2, \"processes\": $3, \"nodes\": 1, \"start_s\": $2, \"time_s\": $5, \"overlapped\": $4}"
}
{
    echo '{"event": "run", "configuration": "app.ini", "groups": 2, "constant_bytes": 4000, "variable_bytes": 8000, "stages": ["pi"]}'
    iteration 0 0 2 false 0.31
    iteration 0 1 2 false 0.3
    iteration 0 2 2 false 0.29
    echo '{"event": "change", "reconfiguration": 1, "ns": 2, "nt": 3, "nodes": 1, "method": "merge/coll", "outcome": "resized", "sentence": ""}'
    iteration 1 3 2 true 0.9
    iteration 1 4 3 false 0.21
} >job.jsonl
law=$(awk 'BEGIN { printf "n,t_iter_s\n3,0.21\n6,%.15g\n", 0.21 * 2 ^ (log(0.21 / 0.3) / log(3 / 2)) }')
echo "$law" >law.csv
accepted $p --ns 3 --t-iter 0.21s --scaling law.csv --bytes-constant 4000 --bytes-variable 8000 --nt 6 --format csv
cp out by-hand
accepted $p --results job.jsonl --nt 6 --format csv
same by-hand out 1e-9
accepted $p --results job.jsonl --nt 2 --format csv
near 'a measured size' "$(value 2 t_iter_s)" 0.3 1e-12
accepted $p --results job.jsonl --nt 6
holds_whole '^Assumed: .*--t-iter 0.21 s \(job.jsonl\)'
holds_whole '^Assumed: .*--scaling measured \(job.jsonl\)'
holds_whole '^Assumed: .*--bytes-variable 8000 \(job.jsonl\)'
# What is given holds.
accepted $p --results job.jsonl $job --bytes-constant 4000 --bytes-variable 8000 --nt 6 --format csv
cp out given
accepted $p $job --bytes-constant 4000 --bytes-variable 8000 --nt 6 --format csv
same out given 1e-12
failed 'job.jsonl has the iteration time of 2, 3, and none of 5 processes: --t-iter says it' $p --results job.jsonl --ns 5 --nt 6
failed 'job.jsonl: neither an event .reconfiguration. nor .size.' $p --trace job.jsonl --nt 6

# A trace: the times of each size, arrays as the last change moved them. An older runtime wrote
# times where the method was left open.
change() { # NUMBER NS NT
    echo "{\"event\": \"reconfiguration\", \"reconfiguration\": $1, \"ns\": $2, \"nt\": $3, \"method\": \"merge/coll\", \"outcome\": \"resized\", \"bytes\": 12000, \"constant_bytes\": 4000, \"variable_bytes\": 8000, \"replicated_bytes\": 0, \"record\": {\"zombies\": 0, \"bridge\": 0, \"batch\": 1, \"data\": 2, \"groups\": [], \"leavers\": []}}"
}
choice() { # NUMBER NS NT TIME
    echo "{\"event\": \"choice\", \"reconfiguration\": $1, \"ns\": $2, \"nt\": $3, \"method\": \"merge/coll\", \"by\": \"model\", \"reason\": \"\", \"t_iter_ns_s\": $4, \"t_iter_nt_s\": 1, \"scaling\": \"strong\"}"
}
{ choice 1 2 4 0.3; change 1 2 4; choice 2 4 3 0.2; change 2 4 3; choice 3 3 2 0.21; change 3 3 2; change 4 2 3; } >trace.jsonl
accepted $p --trace trace.jsonl --nt 4 --format csv
near 'T of 3' "$(value 3 t_iter_s)" 0.21 1e-12
near 'T of 4' "$(value 4 t_iter_s)" 0.2 1e-12
{ change 1 2 4; change 2 4 3; } >named.jsonl
failed 'named.jsonl has no iteration time, .*: --t-iter says it' $p --trace named.jsonl --nt 4
accepted $p --trace named.jsonl --t-iter 0.21s --nt 4
holds_whole '^Assumed: .*--bytes-constant 4000 \(named.jsonl\)'

size() { # PROCESSES TIME
    echo "{\"event\": \"size\", \"processes\": $1, \"iterations\": 7, \"t_iter_s\": $2}"
}
{ size 2 0.3; change 1 2 4; size 4 0.2; change 2 4 3; size 3 0.21; } >sizes.jsonl
accepted $p --trace sizes.jsonl --nt 2,4 --format csv
near 'T of 2' "$(value 2 t_iter_s)" 0.3 1e-12
near 'T of 4' "$(value 4 t_iter_s)" 0.2 1e-12
size 3 0.21 >never.jsonl # a job that was never resized
accepted $p --trace never.jsonl --nt 4
holds_whole '^Assumed: .*--t-iter 0.21 s \(never.jsonl\)'

# Faults have file, line and key.
while IFS='|' read -r line edit sentence; do
    sed "${line}s/$edit/" job.jsonl >bad.jsonl
    failed "bad.jsonl, line $line: $sentence" $p --results bad.jsonl --nt 6
done <<'ROWS'
2|"processes": 2/"processes": -2|key processes needs a number of processes from 1 on, not -2
3|"iteration": 1/"iteration": 1.5|key iteration needs a whole number
5|"nt": 3/"mt": 3|key nt needs a whole number
1|8000/-8|key variable_bytes needs a whole number of bytes from 0 on
4|^{/[|not a JSON object
ROWS
grep -v '"run"' job.jsonl >bad.jsonl
failed "bad.jsonl: no results: an event 'run' is missing" $p --results bad.jsonl --nt 6
head -1 job.jsonl >bad.jsonl
failed "bad.jsonl: no event 'iteration'" $p --results bad.jsonl --nt 6
sed '1s/"ns": 2/"ns": 0/' trace.jsonl >bad.jsonl
failed 'bad.jsonl, line 1: key ns needs a number of processes from 1 on, not 0' $p --trace bad.jsonl --nt 4
failed "trace 'none.jsonl' does not exist" $p --trace none.jsonl --nt 4
misused '--results and --trace exclude each other' $p --results job.jsonl --trace trace.jsonl --nt 6
misused '--ns is missing' $p --nt 7
misused '--nt.*whole number' $p --ns 3 --nt few
misused '--nt: the range 7:4 ends before it begins' $p --ns 3 --nt 7:4
misused '--weights belongs' $p --ns 3 --weights rt=1
misused "unknown option '--t-iter-nt'" $p --ns 3 --t-iter-nt 1s
failed 'the job has 3 processes: name other sizes' $p --ns 3 --nt 3
failed 'nothing says how many nodes' $p --ns 3 --cores-per-node 2
printf 'n,t_iter_s\n3,0.21\n9,0.13\n' >times.csv
accepted $p --ns 3 --nt 2:12 --scaling times.csv --format csv
[ "$(awk -F, 'NR > 1 { printf "%s ", $2 }' out)" = '3 4 5 6 7 8 9 ' ] || fail "sizes of the table: $(cat out)"
finish
