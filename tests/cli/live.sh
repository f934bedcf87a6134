# nereus run and validate with MPI: live reconfigurations, an interrupt, and nothing left behind.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
export NEREUS_TEST_MARK="cli-live-$$"
mkdir tmp
export TMPDIR=$PWD/tmp

left() {
    for file in $(grep -lzs "^NEREUS_TEST_MARK=$NEREUS_TEST_MARK\$" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        ps -o stat=,args= -p "${pid%/environ}" 2>/dev/null | grep -v '^Z' | grep -E 'nereus-sam|mpiexec|hydra'
    done
}
# At once: the command waits for all that it has started.
nothing_left() {
    [ -z "$(left)" ] || fail "processes were left: $1: $(left)"
    [ -z "$(ls -A tmp)" ] || fail "files were left: $1: $(ls -A tmp)"
}

cat >app.ini <<'INI'
[general]
bytes = 100003
[stage0]
type = pi
time_s = 0.002
[group0]
processes = 1
iterations = 4
[group1]
processes = 2
iterations = 4
method = merge/p2p
INI
accepted "$NEREUS" run app.ini --limit 40s --results results.json
holds 'resized' out
holds '"outcome": "resized"' results.json
nothing_left 'run'
sed 's/iterations = 4/iteratons = 4/' app.ini >bad.ini
refused "bad.ini.*iteratons.*did you mean" "$NEREUS" run bad.ini
sed 's/processes = 1/processes = 0/' app.ini >bad.ini
refused "bad.ini.*0" "$NEREUS" run bad.ini
sed 's/merge.p2p/merge\/p2q/' app.ini >bad.ini
refused "p2q" "$NEREUS" run bad.ini
: >bad.ini
refused 'bad.ini' "$NEREUS" run bad.ini

cp app.ini both.ini
"$NEREUS" run both.ini --results ./both.ini >out 2>err && fail "results that replace the file were accepted"
holds 'both.ini: the results would replace this file' err
cmp app.ini both.ini || fail "a refused run changed its file"
cp "$data/profile.json" p.json
refused '--results ./p.json is the profile' "$NEREUS" validate --profile p.json --results ./p.json --pairs 1:2
cmp p.json "$data/profile.json" || fail "a refused validation changed the profile"
rm both.ini p.json

# Predicted beside measured. Times are not asserted, the arithmetic between them is.
v="$NEREUS validate --profile $data/profile.json --pairs 1:2,2:1 --methods merge/coll,merge-single/coll,baseline/p2p --bytes-variable 30001 --repeats 2"
accepted $v --format csv # merge-single 2 -> 1 is merge
cp out rows.csv
holds '^ns,nt,method,number,step,predicted_s,' rows.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { key = $c["ns"] " " $c["nt"] " " $c["method"]; runs[key] = 1; m = $c["measured_s"]; p = $c["predicted_s"]
      if (m == "" || m < 0) { print "no measurement: " $0; bad = 1 }
      if ($c["repeats"] != 2 || $c["measured_least_s"] > m || $c["measured_most_s"] < m) { print "median: " $0; bad = 1 }
      if (p > 0 && ($c["ratio"] - m / p) ^ 2 > 1e-12 * $c["ratio"] ^ 2) { print "ratio: " $0; bad = 1 }
      if ($c["step"] == "RT") { rt[key] = m; if (!(m > 0 && p > 0)) { print "RT: " $0; bad = 1 } }
      if ($c["step"] == "spawn") spawned[key] = 1 }
    END { for (k in runs) n++; if (n != 5) { print n " reconfigurations"; bad = 1 }
      if (!spawned["1 2 merge/coll"] || !spawned["2 1 baseline/p2p"] || spawned["2 1 merge/coll"]) { print "spawns"; bad = 1 }
      exit bad }' rows.csv >report || fail "validate: $(cat report)"
nothing_left 'validate'
holds '^validating: 10 live reconfigurations in' err

# Jobs of processes that take two cores each; their results are no others'.
if [ "$(nproc)" -ge 2 ]; then
    v="$NEREUS validate --profile $data/profile.json --pairs 1:2 --methods merge/coll --repeats 1 --results cores.csv"
    accepted $v --cores-per-process 2
    awk -F, '/^#/ || NR == 1 { next } $NF != 2 { bad = 1 } END { exit bad || NR < 3 }' cores.csv || fail "cores of a process: $(cat cores.csv)"
    rows=$(wc -l <cores.csv)
    accepted $v --cores-per-process 2
    [ "$(wc -l <cores.csv)" -eq "$rows" ] || fail "a job that was measured ran again"
    accepted $v
    [ "$(wc -l <cores.csv)" -gt "$rows" ] || fail "results of processes of two cores were taken for those of one"
    rm cores.csv
else
    echo "skipped: processes of two cores, as there is one core"
fi

v="$NEREUS validate --profile $data/profile.json --pairs 1:2 --methods merge/coll --repeats 1"
accepted $v
holds '^1 -> 2 +merge/coll' out
holds 'of 1 measured RTs lie inside' out
accepted $v --format json
holds '"summary": \{' out
holds '"step": "redistribute"' out
# Other ways to start and to end processes. A pair that a method is not legal for is left out, with
# the reason; before ts the job grows, so that there are worlds that can end; nodes may be virtual.
printf 'localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\n' >nodes
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:3,3:1 --methods merge-diffusive/coll,merge-ts/coll \
    --hostfile nodes --bytes-variable 30001 --repeats 1 --format csv
cp out rows.csv
holds '1 -> 3 is left out: method .merge-ts/coll' err
for step in synchronise connect reorder; do holds "^1,3,merge-diffusive/coll,[0-9]+,$step," rows.csv; done
holds '^3,1,merge-ts/coll,[0-9]+,terminate,[^,]*,[^,]*,[^,]*,[0-9]' rows.csv
[ "$(grep -c '^3,1,merge-ts/coll,[0-9]*,spawn' rows.csv)" -eq 0 ] || fail "the growth before a ts was taken for it"
nothing_left 'validate, groups'
# Restarts, with checkpoints in a folder that was not there, and is not there afterwards.
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2,2:1 --methods restart/file --checkpoint saved --bytes-variable 30001 --repeats 1 \
    --format csv
cp out rows.csv
for pair in 1,2 2,1; do
    for step in write start read RT; do holds "^$pair,restart/file,[0-9]*,$step,[^,]*,[^,]*,[^,]*,[0-9]" rows.csv; done
done
[ ! -e saved ] || fail "checkpoints are left: $(ls saved)"
: >saved
refused "no checkpoint can be written into 'saved' .--checkpoint, NEREUS_CHECKPOINT.: Not a directory" \
    "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2 --methods restart/file --checkpoint saved
nothing_left 'validate, restarts'
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2 --methods merge-launch-async/coll,merge-single-async/p2p \
    --repeats 1
holds '^It: [0-9]+ .*predicted, [0-9]' out
holds '^1 -> 2 +merge-launch-async/coll' out
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2 --methods merge-async/coll --repeats 1 --format json
holds '"iterations_predicted": [0-9]' out
holds '"iterations_measured": [0-9]' out
# An overlap moves constant data: two steps redistribute.
refused 'merge/coll-thread moves constant data.*--bytes-constant' "$NEREUS" validate --profile "$data/profile.json" \
    --pairs 1:2 --methods merge/coll,merge/coll-thread
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2 --methods merge/coll-waittargets --bytes-variable 30001 \
    --bytes-constant 300001 --repeats 1 --format csv
[ "$(grep -c '^1,2,merge/coll-waittargets,[0-9]*,redistribute,' out)" -eq 2 ] || fail "no overlap: $(cat out)"
nothing_left 'validate, asynchronous'
# Pairs that the profile has not seen, and runs that are kept: the second start has nothing left to run.
accepted "$NEREUS" profile fit "$data/samples.csv" --output small.json
h="$NEREUS validate --profile small.json --held-out --pairs 1:3 --bytes-variable 30001"
refused 'small.csv.*--samples' $h --repeats 2
j="$h --samples $data/samples.csv --methods merge/coll,baseline/coll"
h="$j --results kept.csv --repeats 2"
accepted $h --format json
for word in '"held_out": true' '"quantity": "RT"' '"goal": "system"' '"who": "always merge"'; do holds "$word" out; done
grep -Eq '"source": "measured"' out && fail "held out, and predicted from its own measurement"
accepted $h --report judgement --format csv
holds '^all,RT,all,2,4,' out
grep -q 'live reconfigurations' err && fail "run again: $(cat err)"
accepted $j --results kept.csv --budget 1ms --repeats 3 # enough for one more at most
holds 'the budget is spent: [45] of 6 runs' err
holds 'predictor .*0\.1' out
refused 'is the file that the profile is fitted to' $j --results "$data/samples.csv"
rm small.json kept.csv
nothing_left 'validate, held out'
refused 'no-such-nodes' "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2 --hostfile no-such-nodes
# More processes than cores.
cores=$(nproc)
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs "$cores:$((cores + 1))" --methods merge/coll --repeats 1
holds 'oversubscribed' out
holds 'oversubscribed' err
# Nothing to do for merge; a job that takes too long.
refused 'nothing to run|nothing to do' "$NEREUS" validate --profile "$data/profile.json" --pairs 2:2 --methods merge/coll
$v --limit 1ms >out 2>err && fail "a job that was stopped counts as measured"
holds 'was stopped after 0.001 s' err
holds '^1 could not be measured:$' out
holds '^  1 -> 2 by merge/coll: .*was stopped after 0.001 s' out
grep -q '0 of 0\|median of 0\|not reached' out && fail "tables without anything in them: $(cat out)"
accepted "$NEREUS" validate --profile "$data/profile.json" --pairs 1:2,2:1 --methods merge/coll --repeats 1 --budget 1ms
holds '^1 not reached within the budget\.$' out
grep -q 'could not be measured\|median of 0' out && fail "not reached, but told otherwise: $(cat out)"
nothing_left 'limit'

# An interrupt in the middle.
for signal in INT TERM; do
    keep= kept='nothing is reported'
    [ $signal = TERM ] && keep='--results kept.csv' kept='what was measured is in kept.csv'
    env --default-signal=INT "$NEREUS" validate --profile "$data/profile.json" --pairs 2:3,3:2 --methods merge/coll,baseline/coll \
        --repeats 50 $keep >out 2>err &
    pid=$!
    # Not by grep beside it, which would find itself: the signal would come before anything has begun.
    until case $(left) in *nereus-sam*) ;; *) ! kill -0 $pid 2>/dev/null ;; esac do sleep 0.1; done
    kill -$signal $pid
    wait $pid
    status=$?
    [ "$status" -eq $((128 + $(kill -l $signal))) ] || fail "SIG$signal: status $status: $(cat err)"
    holds "interrupted.*$kept" err
    nothing_left "SIG$signal"
done
finish
