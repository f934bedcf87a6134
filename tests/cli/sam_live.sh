# What nereus-sam writes at the end of a job that reconfigures, and what it says when it cannot begin.
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
count() { # count N PATTERN FILE
    local n
    n=$(grep -cE -- "$2" "$3")
    [ "$n" = "$1" ] || complain "$n lines like '$2' in $3, expected $1"
}
run() { # run N ARGS...
    local n=$1
    shift
    timeout -k 3 40 nereus-mpiexec -n "$n" nereus-sam "$@" >out 2>err
}
live=$NEREUS_SOURCE_DIR/tests/live/sam

# Results of all groups have come through, whoever ended the job.
for app in merge-2-4-2 baseline-2-1-3; do
    NEREUS_TRACE=$app.jsonl run 2 --results $app.json "$live/$app.ini" || complain "$app: $(cat err)"
    count 3 '"group": ' $app.json
    count 1 '"outcome": "start"' $app.json
    count 2 '"outcome": "resized"' $app.json
    count 2 '"rt_s": [0-9]' $app.json
    count 2 '"reconfiguration_s": [0-9]' $app.json
    count 1 '"wrong_elements": 0,' $app.json
    count 1 '"not_resized": 0,' $app.json
    count 2 '^ +[12] +[0-9].*resized' out
done
sed -n 's/.*"processes": \([0-9]*\),/\1/p' merge-2-4-2.json | tr '\n' ' ' >sizes
[ "$(cat sizes)" = "2 4 2 " ] || complain "sizes $(cat sizes)"
sed -n 's/.*"iterations": \([0-9]*\),/\1/p' baseline-2-1-3.json | tr '\n' ' ' >iterations
[ "$(cat iterations)" = "6 8 10 " ] || complain "iterations $(cat iterations)"
# op = Stage_Time FactorS / T_op is computed anew: twice the processes, half the operations.
sed -n 's/.*"operations": \([0-9]*\).*/\1/p' merge-2-4-2.json | tr '\n' ' ' >operations
read -r first second third <operations
[ "$first" = "$third" ] && [ $((first - 2 * second)) -le 1 ] && [ $((2 * second - first)) -le 1 ] ||
    complain "operations $(cat operations)"

# Asynchronous: the iterations beside the reconfiguration count among those of the next group, and
# none is lost.
NEREUS_TRACE=async.jsonl run 1 --results async.json "$NEREUS_SOURCE_DIR/sam/examples/async.ini" || complain "async: $(cat err)"
count 2 '"outcome": "resized"' async.json
count 1 '"t_ex_s": [0-9]' async.json
all=$(sed -n 's/.*"\(overlap_\)\?iterations": \([0-9]*\),/\2/p' async.json | paste -sd+)
[ "$((all))" -eq 100 ] || complain "iterations $all instead of 100"
sed -n 's/.*"overlap_iterations": \([0-9]*\),/\1/p' async.json >overlapped
[ "$(head -1 overlapped)" -eq 0 ] && [ "$(sed -n 2p overlapped)" -gt 0 ] || complain "overlapped: $(cat overlapped)"
count 1 '"omega": [0-9]' <(sed -n '/"group": 1,/,/"group": 2,/p' async.json)
# The trace counts points: as many as there were iterations.
grep -h '"event":"reconfiguration"' async.jsonl | sed 's/.*"iterations":\([0-9]*\).*/\1/' >points
sed -n '2,$p' overlapped | cmp - points || complain "points $(cat points), iterations $(cat overlapped)"

# The same as events, with the trace among them: each iteration once, its stages, changes and steps.
run 1 --results async-events.jsonl "$NEREUS_SOURCE_DIR/sam/examples/async.ini" || complain "events: $(cat err)"
count 1 '"event":"run"' async-events.jsonl
sed -n 's/.*"event":"iteration".*"iteration":\([0-9]*\),.*/\1/p' async-events.jsonl | sort -n | cmp - <(seq 0 99) || complain "iterations are missing"
count 2 '"event":"change".*"outcome":"resized"' async-events.jsonl
count 2 '"event":"reconfiguration".*"outcome":"resized"' async-events.jsonl
beside=$(grep -c '"overlapped":true' async-events.jsonl)
[ "$beside" -gt 0 ] || complain "no iteration beside a change"
stages=$(grep -c '^.stage' "$NEREUS_SOURCE_DIR/sam/examples/async.ini")
count $((stages * (100 - beside))) '"event":"stage"' async-events.jsonl
"$NEREUS" job trace async-events.jsonl >out || complain "no trace: $(cat out)"
"$NEREUS" study report async-events.jsonl --format csv >out || complain "no report: $(cat out)"
count 3 . out

# A job that dies leaves what was measured until then, of the group under way, too.
sed 's/^Iters = 9/Iters = 9000000/' "$live/merge-2-4-2.ini" >dies.ini
nereus-mpiexec -n 2 nereus-sam --results dies.jsonl dies.ini >out 2>err &
pid=$!
until grep -q '"event":"iteration","group":1,' dies.jsonl 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -TERM $pid
wait $pid
"$NEREUS" study report dies.jsonl --report events --format csv >out || complain "a job that died: $(cat out)"
[ "$(grep -c ',iteration,0,' out)" -ge 3 ] && grep -q ',change,' out && grep -q ',iteration,1,' out || complain "what was measured is lost: $(cat out)"

# Constant data beside the application, by threads and at points: iterations went by beside each.
NEREUS_TRACE=overlap.jsonl run 1 --results overlap.json "$NEREUS_SOURCE_DIR/sam/examples/overlap.ini" || complain "overlap: $(cat err)"
count 3 '"outcome": "resized"' overlap.json
count 1 '"wrong_elements": 0' overlap.json
all=$(sed -n 's/.*"\(overlap_\)\?iterations": \([0-9]*\),/\2/p' overlap.json | paste -sd+)
[ "$((all))" -eq 140 ] || complain "iterations $all instead of 140"
sed -n 's/.*"overlap_iterations": \([0-9]*\),/\1/p' overlap.json | sed -n '2,$p' >overlapped
grep -qx 0 overlapped && complain "overlapped: $(cat overlapped)"
grep -h '"event":"reconfiguration"' overlap.jsonl | sed 's/.*"iterations":\([0-9]*\).*/\1/' | cmp - overlapped ||
    complain "points and iterations $(cat overlapped)"
count 6 '"kind":"redistribute"' overlap.jsonl
# In the points of such iterations data is copied, which is part of their time and takes much longer
# than these, as most of them took before the change.
cat >points.ini <<'END'
[general]
constant_bytes = 64000000
[stage0]
type = pi
time_s = 0.00005
[group0]
processes = 1
iterations = 20
[group1]
processes = 2
iterations = 20
method = merge/shared-waitsources
END
run 1 --results points.json points.ini || complain "points: $(cat err)"
value() { sed -n 's/.*"'"$1"'": \([0-9.e-]*\),/\1/p' points.json | "$2" -n 1; } # head: of the first group, tail: of the last one that has it
awk -v omega="$(value omega tail)" -v beside="$(value overlap_mean_s tail)" -v before="$(value iteration_median_s head)" \
    'BEGIN { exit !(omega > 0 && before > 0 && beside > 3 * before) }' || complain "points that copy 32 MB: $(cat points.json)"

# Resized from outside in the middle of a group: the group goes on, and is no change of its own.
printf '[general]\nbytes = 100kB\n[stage0]\ntype = pi\ntime_s = 0.004\nStage_Time_Capped = yes\n' >asked.ini # 12 s alone: long before that it is asked
printf '[group0]\nprocesses = 1\niterations = 3000\n[group1]\nprocesses = 3\niterations = 5\nmethod = merge\n' >>asked.ini
folder=$(mktemp -d)
XDG_RUNTIME_DIR=$folder NEREUS_JOB=sam run 1 --format json --results asked.jsonl asked.ini &
job=$!
until XDG_RUNTIME_DIR=$folder "$NEREUS" job status sam >said 2>&1; do kill -0 $job 2>/dev/null || break; sleep 0.1; done
XDG_RUNTIME_DIR=$folder "$NEREUS" job resize sam 2 >said 2>&1 || complain "resize: $(cat said)"
wait $job || complain "asked: $(cat err)"
rm -r "$folder"
awk -F'[ ,]+' '/"t_ex_s"/ { t = $3 } /"wrong_elements"/ && $3 != 0 { wrong = 1 } END { exit !(t > 0 && t < 1000 && !wrong) }' out || complain "T_ex or data: $(cat out)"
count 1 '"event": ?"change"' asked.jsonl
# Two processes compute half as long: the law is applied to the present size. Alone no iteration
# ends before 4 ms.
least=$(grep -h '"event":"iteration","group":0,.*"processes":2,' asked.jsonl | sed 's/.*"time_s":\([0-9.e-]*\).*/\1/' | sort -g | head -1)
awk -v least="$least" 'BEGIN { exit !(least >= 0.002 && least < 0.004) }' || complain "resized to 2, an iteration takes $least s"

# Rigid: processes meet before a stage, so that its time has no wait for a slower one.
# Capture_Method: whose time it is.
for row in "rigid no slowest" "rigid yes slowest" "capture no slowest" "capture no mean"; do
    read -r name rigid capture <<<"$row"
    printf '[general]\nRigid = %s\nCapture_Method = %s\n[stage0]\ntype = pi\ntime_s = 0.04\nStage_Time_Capped = yes\nimbalance = 1,3\n' "$rigid" "$capture" >rigid.ini
    [ "$name" = capture ] || printf '[stage1]\ntype = barrier\n' >>rigid.ini
    printf '[group0]\nprocesses = 2\niterations = 9\n' >>rigid.ini
    run 2 --results rigid.jsonl rigid.ini || complain "$row: $(cat err)"
    if [ "$name" = capture ]; then
        sed -n 's/.*"event":"iteration".*"time_s":\([0-9.e-]*\).*/\1/p' rigid.jsonl
    else
        sed -n 's/.*"event":"stage".*"stage":1,.*"time_s":\([0-9.e-]*\).*/\1/p' rigid.jsonl
    fi | sort -g | sed -n '1p;$p' | xargs >"times.$name.$rigid.$capture" # the least and the most
    rm -f rigid.jsonl
done
# Shares 0.5 and 1.5 of 40 ms / 2: 10 ms and 30 ms, so that the quicker process waits 20 ms in the barrier.
awk 'NR == 1 && $2 < 0.019 || NR == 2 && $1 > 0.01 { bad = 1 } END { exit bad || NR != 2 }' times.rigid.{no,yes}.slowest ||
    complain "a barrier after an imbalanced stage: $(cat times.rigid.*)"
awk 'NR == 1 && $1 < 0.03 || NR == 2 && ($1 < 0.02 || $1 >= 0.03) { bad = 1 } END { exit bad || NR != 2 }' \
    times.capture.no.{slowest,mean} || complain "times of the slowest and the mean: $(cat times.capture.*)"

# JSON on standard output is the same as in the file.
run 2 --format json --results file.json "$live/merge-2-4-2.ini" || complain "json: $(cat err)"
cmp out file.json || complain "standard output and file differ"

# What cannot begin ends with one sentence and leaves nothing.
printf '[stage0]\ntype = pi\ntime_s = 1\n[group0]\nIters = 3\nProcz = 2\n' >bad.ini
run 2 --results none.json bad.ini && complain "bad.ini ran"
count 1 "^nereus-sam: bad.ini:6: unknown key 'Procz' in \[group0\]; did you mean 'Procs'\?\$" err
count 1 . err
run 3 --results none.json "$live/merge-2-4-2.ini" && complain "3 processes instead of 2"
count 1 "Procs = 2, but 3 processes were started: nereus-mpiexec -n 2" err
run 2 --results nowhere/none.json "$live/merge-2-4-2.ini" && complain "results nowhere"
count 1 "nowhere/none.json: the results cannot be written there" err
[ -e none.json ] && complain "a result of nothing"

# A reconfiguration that cannot be carried out: the job goes on as it was, says so, and is not a success.
{ printf '[general]\nprogram = /nowhere/at/all\n'; cat "$live/merge-2-4-2.ini" | sed '/^\[general\]/d'; } >broken.ini
run 2 --results broken.json broken.ini && complain "a missing program is a success"
count 1 '"outcome": "failed"' broken.json
count 1 '"reason": "the program /nowhere/at/all is not there: nothing was started"' broken.json
sed -n 's/.*"iterations": \([0-9]*\),/\1/p' broken.json | tr '\n' ' ' >iterations
[ "$(cat iterations)" = "7 9 5 " ] || complain "iterations $(cat iterations)"
count 1 'reconfigurations? w[aser]* not carried out' err
# A name without a folder is not looked for beforehand: the guard finds out.
sed 's,^program = .*,program = no-such-program-anywhere,' broken.ini >guarded.ini
run 2 --results guarded.json guarded.ini && complain "a missing program is a success"
count 1 '"outcome": "failed"' guarded.json
grep -q 'nothing was started' guarded.json && complain "the guard was not asked: $(cat guarded.json)"
exit $failed
