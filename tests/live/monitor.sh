#!/bin/bash
# monitor.sh MPIEXEC NEREUS NP WORK POINT:ITERATIONS:PROCESSES,... WORD...: runs the program monitor
# (WORD...) with a monitoring file and looks at that, as a reader of JSON Lines and with nereus job
# top. The list is that of all intervals; "any": each begins where the one before ended, and the
# last one ends at the last point. WORK: what work is counted in; WORK/REASON: a regular expression
# that the sentence about what degraded matches; any: instructions, or CPU time where they cannot be
# counted. Variables: NEREUS_MONITOR_EVERY, NEREUS_PAPI and others are the caller's.
set -u
mpiexec=$1 nereus=$2 np=$3 work=${4%%/*} reason=${4#"${4%%/*}"} intervals=$5
shift 5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/job.jsonl
if [ "${NEREUS_TEST_PRELOAD-yes}" = no ]; then # as where another launcher starts the job
    timeout -k 3 50 env -u NEREUS_MONITOR_EVERY "$mpiexec" -genv NEREUS_MONITOR "$file" \
        -genv NEREUS_MONITOR_EVERY "$NEREUS_MONITOR_EVERY" -n "$np" "$@" uncounted 2>"$folder/said"
else
    NEREUS_MONITOR=$file timeout -k 3 50 "$mpiexec" -n "$np" "$@" 2>"$folder/said"
fi
status=$?
cat "$folder/said" >&2
[ "$status" -eq 0 ] || exit 1
"$nereus" job top --once --format json "$file" >"$folder/top.json" || exit 1
"$nereus" job top --format csv "$file" >"$folder/top.csv" || exit 1
python3 - "$file" "$folder/top.json" "$folder/top.csv" "$folder/said" "$work" "${reason#/}" "$intervals" <<'PY'
import csv, json, re, sys
path, top, rows, said, work, reason, intervals = sys.argv[1:]
lines = [json.loads(line) for line in open(path)]
header, end = lines[0], lines[-1]
assert header["event"] == "monitor" and header["version"] == 1, header
assert header["work"] == work or work == "any" and header["work"] in ("instructions", "cpu-time"), header
assert re.search(reason, header["degraded"] or ""), header["degraded"]
assert (header["degraded"] is None) == (reason == ""), header
sentences = [line for line in open(said) if "monitoring: " in line]
assert len(sentences) == (1 if reason else 0), sentences # said once, by one process
assert not reason or header["degraded"] in sentences[0]
assert end["event"] == "end", end
seen, last, processes, changed = [], 0, [], []
for line in lines[1:-1]:
    if line["event"] == "process":
        assert line["rank"] == len(processes), line
        processes.append(line)
        assert (line["mpi_s"] is None) == ("MPI calls are not counted" in (header["degraded"] or ""))
    elif line["event"] == "interval":
        assert line["processes"] == len(processes)
        assert line["point"] - line["iterations"] == last, (line, last)
        assert line["real_s"] == max(p["real_s"] for p in processes)
        assert line["imbalance"] is None or line["imbalance"] >= 0
        last = line["point"]
        seen.append("%d:%d:%d" % (last, line["iterations"], len(processes)))
        final, pids, processes = line, [p["pid"] for p in processes], []
    else:
        assert line["event"] == "reconfiguration", line
        changed.append(line)
        last = max(last, line["point"]) # nothing is sampled while one is under way
assert processes == [] and last == end["point"], (last, end)
assert intervals == "any" or intervals.split(",") == seen, (intervals, seen)
shown = json.load(open(top))
assert shown["ended"] and shown["processes"] == final["processes"] and shown["point"] == final["point"], shown
assert [r["pid"] for r in shown["ranks"]] == pids
assert (shown["last_change"] is None) == (changed == [])
assert not changed or shown["last_change"]["nt"] == changed[-1]["nt"]
assert [int(r["pid"]) for r in csv.DictReader(open(rows))] == pids
print(len(seen), "intervals, as expected:", " ".join(seen)[:300])
PY
status=$?
[ "$status" -eq 0 ] || cat "$file"
exit "$status"
