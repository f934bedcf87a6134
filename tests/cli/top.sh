# nereus job top: a monitored job as text, CSV and JSON; files that grow, end, or are of something else.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
t=$data/monitor-jobs.jsonl # two jobs; the second one has grown from 2 to 3 processes, and goes on

accepted "$NEREUS" job top --once "$t"
holds '^Job a3f0c2d417e96b58: 3 processes on 2 hosts, point 264, 1 reconfiguration$' out
holds '^Iteration 0\.007669 s \(163 in 1\.25 s\), imbalance 10 %$' out
holds '^Last request, at point 101: resized: resized from 2 to 3 processes by merge/coll in 0\.131 s$' out
holds '^Note: work is counted as CPU time \(PAPI is not installed' out
holds '^ +2 +node2 +417 +67\.5 +30 +99\.2 +0\.8438 +48$' out
holds '^ *allgather +489 +11736000 +0\.3438$' out
grep -q "$(printf '\033')" out && fail "control sequences where there is no terminal"
accepted "$NEREUS" job top --once --color always "$t"
grep -q "imbalance $(printf '\033')" out || fail "a high imbalance is not coloured with --color always"
cp out coloured
accepted "$NEREUS" job top --once - <"$t"
"$NEREUS" job top --once "$t" | cmp - out || fail "standard input is not shown as the file"

accepted "$NEREUS" job top --format csv "$t"
[ "$(head -n 1 out)" = "job,point,iterations,t_iter_s,rank,host,pid,real_s,cpu_s,work_kind,work,power,mpi_s,wait_s,memory_bytes" ] ||
    fail "columns: $(head -n 1 out)"
[ "$(sed -n 3p out)" = "a3f0c2d417e96b58,264,163,0.00766871227,1,node2,312,1.25,1.24,cpu-time,1,,0.25,0.21875,51380224" ] ||
    fail "row: $(sed -n 3p out)"
accepted "$NEREUS" job top --format json "$t"
python3 - out <<'PY' || fail "JSON is not right"
import json, sys
job = json.load(open(sys.argv[1]))
assert job["processes"] == 3 and job["hosts"] == 2 and job["point"] == 264 and not job["ended"]
assert job["last_change"]["nt"] == 3 and job["last_change"]["outcome"] == "resized"
assert [r["rank"] for r in job["ranks"]] == [0, 1, 2] and job["ranks"][0]["power"] is None
assert {m["kind"]: m["calls"] for m in job["mpi"]} == {"allreduce": 978, "allgather": 489}
PY

# A file that grows, also by halves of lines: shown with each interval, until the job ends.
head -n 5 "$t" >growing.jsonl
NO_COLOR= "$NEREUS" job top growing.jsonl >live 2>err &
top=$!
step() { # LINES-SHOWN: wait for so many intervals on standard output
    until [ "$(grep -c '^Job a3f0' live)" -ge "$1" ]; do
        kill -0 "$top" 2>/dev/null || { fail "not $1 intervals: $(cat live err)"; return; }
        sleep 0.05
    done
}
sed -n 6,8p "$t" >>growing.jsonl
step 1
half=$(sed -n 9p "$t")
printf '%s' "${half:0:40}" >>growing.jsonl
sleep 0.3
printf '%s\n' "${half:40}" >>growing.jsonl
step 2
sed -n '10,$p' "$t" >>growing.jsonl
step 3
echo '{"event":"end","unix_ms":1795431003000,"point":265,"processes":3}' >>growing.jsonl
wait "$top" || fail "status of a job that has ended: $(cat err)"
holds '^Job a3f0c2d417e96b58 \(ended\): 3 processes' live
holds '^Job a3f0c2d417e96b58: 2 processes on 2 hosts, point 97' live

# On a terminal it is drawn anew, with colours unless NO_COLOR is set.
if command -v script >/dev/null; then
    TERM=xterm script -qc "'$NEREUS' job top growing.jsonl" /dev/null >terminal </dev/null
    grep -q "$(printf '\033')\[2J" terminal || fail "not drawn anew on a terminal: $(head -c 300 terminal)"
    grep -q "$(printf '\033')\[38;5" terminal || fail "no colour on a terminal"
    NO_COLOR=1 TERM=xterm script -qc "'$NEREUS' job top growing.jsonl" /dev/null >terminal </dev/null
    grep -q "$(printf '\033')\[38;5" terminal && fail "colours in spite of NO_COLOR"
else
    echo "not checked, as script (bsdutils) is not installed: colours on a terminal"
fi

# A line of a process that was cut off takes its interval with it; the next one is shown.
{ sed -n 5,6p "$t" && sed -n 7p "$t" | cut -c 1-50 && sed -n '8,$p' "$t"; } >torn.jsonl
accepted "$NEREUS" job top --once torn.jsonl
holds '^Job a3f0c2d417e96b58: 3 processes on 2 hosts, point 264' out
holds '^nereus job top: .*torn\.jsonl.* line 3' err

failed "^nereus job top: .* '/nowhere' does not exist" "$NEREUS" job top /nowhere
failed '^nereus job top: .*trace-jobs.jsonl, line 1: the first line has to be of the event monitor' "$NEREUS" job top --once "$data/trace-jobs.jsonl"
failed '^nereus job top: -, line 2: not a JSON object' sh -c "head -n 1 '$t' | sed 'p;s/{//' | '$NEREUS' job top --once -"
head -n 1 "$t" >empty.jsonl
failed '^nereus job top: empty.jsonl holds no interval yet' "$NEREUS" job top --once empty.jsonl
misused 'FILE' "$NEREUS" job top
finish
