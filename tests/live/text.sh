#!/bin/bash
# text.sh MPIEXEC RESIZE NEREUS: a job in a folder whose name is no UTF-8, in a program that has set
# a locale with a decimal comma, with numbers that have a point in its environment: all that it
# writes is JSON, and nereus reads it. One change is carried out, one fails with a sentence that
# names the folder. Status 77: there is no such locale here.
set -u
mpiexec=$1 resize=$2 nereus=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
localedef -c -i "$(dirname -- "$0")/../unit/data/comma.locale" -f ANSI_X3.4-1968 "$folder/comma" 2>/dev/null
[ -d "$folder/comma" ] || { echo "text.sh: not run: localedef cannot make a locale (Debian has what it needs in the package locales)"; exit 77; }
export LOCPATH=$folder NEREUS_WATCHDOG=9.5s NEREUS_ANSWER_TIMEOUT=22.5 NEREUS_IMBALANCE=0.25 NEREUS_MONITOR_EVERY=2
latin1=$folder/$(printf 'caf\351')
mkdir "$latin1" && cd "$latin1" || exit
LC_ALL=comma NEREUS_TRACE=trace.jsonl NEREUS_STATE=state.json NEREUS_MONITOR=job.jsonl timeout -k 3 50 "$mpiexec" -n 2 "$resize" locale=, \
    schedule=1@2:merge/coll,3@4:merge/coll program="$latin1/none" last=6 outcome=failed || exit 1
"$nereus" job trace trace.jsonl >shown && "$nereus" job trace --check trace.jsonl && "$nereus" job top --once job.jsonl >>shown || exit 1
cat shown
python3 - <<'PY'
import json
trace, monitored = [[json.loads(line) for line in open(name, encoding="utf-8")] for name in ("trace.jsonl", "job.jsonl")]
json.load(open("state.json", encoding="utf-8"))
changes = [e for e in trace if e["event"] == "reconfiguration"]
assert [e["outcome"] for e in changes] == ["resized", "failed"], changes
assert "/caf\ufffd/none" in changes[1]["sentence"], changes[1]
assert 0 < changes[0]["rt_s"] < 60, changes[0]
assert [e["outcome"] for e in monitored if e["event"] == "reconfiguration"] == ["resized", "failed"], monitored
assert all(0 < e["real_s"] < 60 for e in monitored if e["event"] == "interval"), monitored
PY
