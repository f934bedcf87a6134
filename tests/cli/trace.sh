# nereus job trace: tables, time lines, Chrome's format, the check of a trace against its plans, and
# errors with their lines.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
t=$data/trace-jobs.jsonl # two jobs: an expansion and a shrink; a tree of groups, and a request that failed

accepted "$NEREUS" job trace "$t"
holds '^Reconfiguration 1: 2 -> 4 processes by merge/coll: resized, RT 0\.[0-9]+ s \(critical path' out
holds '^Reconfiguration 2: 4 -> 1 process by merge/p2p: resized' out
holds '^Job 2, reconfiguration 1: 1 -> 4 processes by merge-diffusive/coll: resized' out
holds '^Job 2, reconfiguration 2: 4 -> 5 processes by merge/coll: failed: injected failure' out
holds '^ *0 +decide +2 ' out
holds '^ +connect in round 1 +\|[ .]*#+ *\|$' out
[ "$(grep -c '^  commit' out)" -eq 3 ] || fail "not one time line for each that was carried out"

# Why this method: before the steps, in a request that had left it open.
head='{"event": "choice", "reconfiguration": 1, "ns": 2, "nt": 4, "method": "merge/coll", "candidates": 12, "decided_s": 0.0003,'
{ echo "$head \"by\": \"model\", \"reason\": \"p.json, installed\", \"predicted_rt_s\": 0.25, \"predicted_rt_low_s\": 0.1, \"predicted_rt_high_s\": 0.5}"
  cat "$t"; } >chosen.jsonl
accepted "$NEREUS" job trace chosen.jsonl
holds '^Chosen by the model, RT of 0\.25 s predicted \(90 %: 0\.1 to 0\.5\): p\.json, installed$' out
accepted "$NEREUS" job trace --check chosen.jsonl
{ sed '1s/"predicted_rt_s"/"goal": "energy", "predicted_energy_j": 12345.6, &/; 1q' chosen.jsonl; cat "$t"; } >goal.jsonl
accepted "$NEREUS" job trace goal.jsonl
holds '^Chosen by the model for the goal energy .12346 J predicted., RT of 0\.25 s predicted' out
rm goal.jsonl
{ echo "$head \"by\": \"rule\", \"reason\": \"no profile\"}"; cat "$t"; } >chosen.jsonl
accepted "$NEREUS" job trace chosen.jsonl
holds '^Chosen by a rule, not by the model: no profile$' out
# What new processes start.
{ echo '{"event": "start", "reconfiguration": 1, "ns": 2, "nt": 4, "method": "merge/coll", "command": "env A=1 ./job", "from": "nereus-mpiexec"}'
  cat "$t"; } >chosen.jsonl
accepted "$NEREUS" job trace chosen.jsonl
holds '^New processes start \(nereus-mpiexec\): env A=1 \./job$' out
accepted "$NEREUS" job trace --check chosen.jsonl
{ sed 's/"nt": 4/"nt": 3/' chosen.jsonl | head -1
  echo '{"event": "reconfiguration", "reconfiguration": 1, "ns": 2, "nt": 3, "method": "merge/coll", "outcome": "failed", "sentence": "no room"}'; } >failed.jsonl
accepted "$NEREUS" job trace --check failed.jsonl
rm chosen.jsonl failed.jsonl

# A restart: the steps of the old processes, then of the new ones.
r=$data/trace-restart.jsonl
accepted "$NEREUS" job trace "$r"
holds '^Reconfiguration 1: 4 -> 3 processes by restart/file: resized' out
holds '^ *1 +write +4 +0 +9000000 ' out
holds '^ *4 +start +0 +3 ' out
accepted "$NEREUS" job trace --check "$r"

# A job that went on after a loss: also without a reconfiguration.
echo '{"event":"restart","path":"/ckpt/checkpoint-2","ns":4,"nt":3,"points":78,"restarts":1}' >lost.jsonl
accepted "$NEREUS" job trace lost.jsonl
holds "^Restart from '/ckpt/checkpoint-2', after point 78: 4 -> 3 processes\$" out
failed 'lost.jsonl holds no reconfiguration' "$NEREUS" job trace --check lost.jsonl
{ cat "$t" lost.jsonl; sed 's/ckpt/later/' lost.jsonl; cat "$r"; } >both.jsonl
accepted "$NEREUS" job trace both.jsonl
[ "$(grep -n '^Restart from\|^Job 3' out | cut -d: -f2- | cut -c1-20 | tr '\n' ';')" = "Restart from '/ckpt/;Restart from '/later;Job 3, reconfigurati;" ] ||
    fail "restarts before the job that follows: $(grep '^Restart\|^Job' out)"
accepted "$NEREUS" job trace --check both.jsonl
rm lost.jsonl both.jsonl

accepted "$NEREUS" job trace --format csv "$t"
steps=$(grep -c '"event": *"step"' "$t")
[ "$(awk -F, '$8 != "kind" && $8 != "RT" && $8 != "waits" && $8 != "not-attributed"' out | wc -l)" -eq "$steps" ] ||
    fail "not a row for each of $steps steps"
[ "$(awk -F, '$8 == "RT"' out | wc -l)" -eq 4 ] || fail "not a row RT for each request"
accepted "$NEREUS" job trace --format json "$t"
python3 - out "$steps" <<'PY' || fail "JSON is not right"
import json, sys
rows = json.load(open(sys.argv[1]))
rows = rows if isinstance(rows, list) else rows[next(k for k in rows if isinstance(rows[k], list))]
steps = [r for r in rows if r["step"] is not None]
assert len(steps) == int(sys.argv[2]), len(steps)
PY

# Chrome's format: complete events, none of which overlaps another one of its thread, within their
# reconfiguration.
accepted "$NEREUS" job trace --format chrome "$t"
python3 - out "$steps" <<'PY' || fail "Chrome's format is not right"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
complete = [e for e in events if e["ph"] == "X"]
for e in complete:
    assert all(k in e for k in ("name", "ph", "ts", "dur", "pid", "tid")) and e["ts"] >= 0 and e["dur"] >= 0, e
assert {e["ph"] for e in events} == {"X", "M", "i"}
assert len([e for e in complete if e["cat"] == "step"]) == int(sys.argv[2])
whole = [e for e in complete if e["cat"] == "reconfiguration"]
assert len(whole) == 3 and {e["pid"] for e in whole} == {1, 2}
lanes = {}
for e in sorted(complete, key=lambda e: (e["ts"], e["dur"])):
    lane = lanes.setdefault((e["pid"], e["tid"]), [])
    assert not lane or lane[-1]["ts"] + lane[-1]["dur"] <= e["ts"] + 1e-2, (lane[-1], e)
    lane.append(e)
for e in complete:
    assert any(w["pid"] == e["pid"] and w["ts"] - 1e-2 <= e["ts"] and
               e["ts"] + e["dur"] <= w["ts"] + w["dur"] + 1e-2 for w in whole), e
PY

# The check: a right trace, and what is wrong with others, by line.
accepted "$NEREUS" job trace --check "$t"
holds ': 4 requests; 3 reconfigurations have all steps of their plans, once and in order$' out
wrong() { # 'REGEX' SED-SCRIPT
    sed "$2" "$t" >bad.jsonl
    "$NEREUS" job trace --check bad.jsonl >out 2>err
    status=$?
    [ "$status" -eq 1 ] || fail "status $status, expected 1: $2"
    [ -s out ] && fail "standard output of a failed check: $2"
    holds "$1" err
}
t=$r wrong 'line [0-9]+: reconfiguration 1: step 5 \(read\) of the plan is missing' 7d
wrong '^nereus job trace: bad.jsonl, line [0-9]+: reconfiguration 1: step 1 \(spawn\) of the plan is missing' 2d
wrong '^nereus job trace: bad.jsonl, line 3: reconfiguration 1: step 1 \(spawn\) is there twice' 2p
wrong '^nereus job trace: bad.jsonl, line 3: reconfiguration 1: step 1 \(spawn\) comes after step 2' '2{h;d};3{G}'
wrong 'step 1 is launch, the plan says spawn' '2s/"spawn"/"launch"/'
wrong 'line 4: reconfiguration 1: its steps are not followed by a line of its own' '5,$d'
# A request for the present size whose method was left open: a choice, and no steps. A shrink whose
# record has another method.
size='{"event": "size", "processes": 2, "iterations": 4, "t_iter_s": 0.1}'
{ echo "$size"; echo "${head/\"nt\": 4/\"nt\": 2} \"by\": \"rule\", \"reason\": \"\"}"
  echo '{"event": "reconfiguration", "reconfiguration": 1, "ns": 2, "nt": 2, "method": "merge/coll", "outcome": "unchanged", "sentence": "the job has that size already"}'
  echo "$size"; } >present.jsonl
accepted "$NEREUS" job trace --check present.jsonl
holds ': 1 request; 0 reconfigurations have all steps' out
sed '/"event": *"reconfiguration"/{/"ns": *2,/s/"record": *{/&"carried_out": "merge-multiple-async\/coll", /}' "$t" >other.jsonl
"$NEREUS" job trace --check other.jsonl >out 2>err && fail "the method of the record is not looked at"
rm present.jsonl other.jsonl
# Traces of older runtimes can be shown, and not be checked.
accepted "$NEREUS" job trace "$data/trace.jsonl"
holds '^Reconfiguration 1: 3 -> 7 processes by merge/p2p: resized, RT 0\.389 s' out
head -11 "$data/trace.jsonl" >old.jsonl
accepted "$NEREUS" job trace --check old.jsonl
holds '^nereus job trace: note: [0-9]+ reconfigurations? cannot be compared: an older runtime wrote them' err
accepted "$NEREUS" job trace --format chrome "$data/trace.jsonl"

# Errors.
failed '^nereus job trace: .*nowhere.jsonl' "$NEREUS" job trace nowhere.jsonl
printf '{"event":"step"}\n' >one.jsonl
failed "^nereus job trace: one.jsonl, line 1: key reconfiguration needs a whole number" "$NEREUS" job trace one.jsonl
sed '7s/^{/[/' "$t" >two.jsonl
failed '^nereus job trace: two.jsonl, line 7: not a JSON object' "$NEREUS" job trace two.jsonl
sed '3s/"kind": *"[a-z]*"/"kind":"leap"/' "$t" >three.jsonl
failed "^nereus job trace: three.jsonl, line 3: there is no kind of step 'leap'" "$NEREUS" job trace three.jsonl
sed 's/"zombies": *0/"zombies":"none"/' "$t" >four.jsonl
failed '^nereus job trace: four.jsonl, line [0-9]+: key record is not as formats.md says' "$NEREUS" job trace four.jsonl
: >empty.jsonl
failed "^nereus job trace: trace 'empty.jsonl' is empty" "$NEREUS" job trace empty.jsonl
echo '{"event":"something new"}' >none.jsonl
failed '^nereus job trace: none.jsonl holds no reconfiguration' "$NEREUS" job trace none.jsonl
misused 'TRACE.jsonl' "$NEREUS" job trace
misused "unknown option '--fromat'; did you mean '--format'\?" "$NEREUS" job trace --fromat csv "$t"
misused '--check prints no table: leave --format out' "$NEREUS" job trace --check --format csv "$t"
finish
