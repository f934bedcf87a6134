# nereus study run: runs that go on after kill -9 and after an interrupt, runs that fail, and what it ends in.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
export NEREUS_TEST_MARK="study-$$"

cp "$data/study.ini" a.ini

# --- killed, interrupted, and finished ----------------------------------------------------------------------

runs() { ls "$1"/runs/*.jsonl 2>/dev/null | wc -l; }
until_runs() { # N PID: until there are so many of the study that takes long
    while [ "$(runs many)" -lt "$1" ] && kill -0 "$2" 2>/dev/null; do sleep 0.02; done
}
# So many runs that none of the signals comes too late.
sed 's/^repeats.*/repeats = 500/' a.ini >many.ini
"$NEREUS" study run many.ini >out 2>err &
pid=$!
until_runs 1 $pid
kill -9 $pid || fail "the study ended by itself: $(cat err)"
wait $pid 2>/dev/null
none_left
before=$(runs many)
"$NEREUS" study run many.ini >out 2>err &
pid=$!
until_runs $((before + 1)) $pid
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "status after SIGINT: $(cat err)"
none_left
holds "going on: $before of 1000 runs (is|are) in many" err
holds 'interrupted after [0-9]+ of 1000 runs; the same command again goes on' err
# What is there is not run again.
accepted "$NEREUS" study run a.ini
rm "$(ls a/runs/*.jsonl | head -1)"
accepted "$NEREUS" study run a.ini
holds 'going on: 5 of 6 runs' err
holds '^runs: 6 of 6, 0 failures$' out
holds '^RT of 2 methods at 1 pair of sizes' out
[ "$(runs a)" -eq 6 ] || fail "runs: $(ls a/runs)"
[ "$(ls a a/runs | grep -cE '^part|[.]ini$')" -eq 1 ] || fail "left over: $(ls a a/runs)"
# What it ends in: samples that can be fitted, the comparison, the page with predictions of nothing here.
accepted "$NEREUS" profile fit a/samples.csv --output p.json
[ "$(grep -c ',merge/coll,' a/samples.csv)" -gt 3 ] || fail "samples: $(cat a/samples.csv)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } !/^#/ && $c["rt_s"] != "" {
    print $c["ns"], $c["nt"], $c["bytes"], $c["n"], ($c["t_iter_ns_s"] > 0), ($c["t_iter_nt_s"] > 0) }' a/samples.csv | sort | uniq -c |
    sed 's/^ *//' >found
[ "$(cat found)" = '6 1 2 100000 1 1 1' ] || fail "samples: $(cat found)"
holds '^ 1 +2 +merge/coll +3 ' a/comparison.txt
[ "$(grep -c '^<figure id=' a/report.html)" -eq 8 ] || fail "figures: $(grep '^<figure' a/report.html)"
# All is done: nothing is run again. Another file is another study.
accepted "$NEREUS" study run a.ini
holds '^runs: 6 of 6, 0 failures$' out
# Samples that another command writes to stay whole: they are emptied only when they are locked.
cp a/samples.csv samples.before
coproc python3 -c 'import fcntl, sys
samples = open("a/samples.csv", "r+")
fcntl.lockf(samples, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()'
other=$COPROC_PID
read -r _ <&"${COPROC[0]}"
"$NEREUS" study run a.ini >out 2>err && fail 'a study whose samples another command writes to succeeded'
holds '^nereus study run: another nereus is writing to a/samples.csv$' err
kill "$other" && wait "$other" 2>/dev/null
cmp -s a/samples.csv samples.before || fail "samples of another command: $(wc -c a/samples.csv samples.before)"
accepted "$NEREUS" study run a.ini
diff <(grep -v '^#' a/samples.csv) <(grep -v '^#' samples.before) >found || fail "the samples differ: $(cat found)"
rm samples.before
sed 's/seed = 7/seed = 8/' a.ini >b.ini
failed 'a has the runs of another study: a/study.ini differs from b.ini' "$NEREUS" study run b.ini --output a

# A job that would go on for a minute ends with the command.
sed 's/^time_s.*/time_s = 20/' a.ini >c.ini
"$NEREUS" study run c.ini >out 2>err &
pid=$!
until [ -s c/part.jsonl ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -9 $pid || fail "the job of a minute ended by itself: $(cat err)"
wait $pid 2>/dev/null
none_left

# --- runs that fail -----------------------------------------------------------------------------------------

sed 's/^repeats.*/repeats = 1\nattempts = 2/; s/, baseline.*//; s/^constant_percent/program = .nowhere\nconstant_percent/; s,[.]nowhere,/nowhere,' a.ini >b.ini
"$NEREUS" study run b.ini >out 2>err && fail 'a study whose runs fail succeeded'
holds 'no run succeeded; b/failures.txt says why' err
[ "$(grep -c '^ns1-nt2-merge_coll-100000-r1: the job ended with status 1: ' b/failures.txt)" -eq 2 ] || fail "failures: $(cat b/failures.txt)"
holds '1 to 2 by merge/coll, 100000 bytes, run 1 failed \(2 of 2 attempts\)' err
none_left
rm -rf a b c many
only a.ini b.ini c.ini many.ini p.json found
finish
