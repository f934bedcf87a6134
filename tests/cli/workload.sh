# nereus slurm workload, with a Slurm of three scripts: jobs are submitted at their times and waited
# for; failures, losses and interrupts are told.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
mkdir bin
cat >bin/sbatch <<'FAKE'
#!/bin/sh
[ "$2" = -- ] || exit 9
# The script without its application, in the background; $FAKE_SLURM says what becomes of the job.
id=$(($(wc -l <submitted) + 100))
echo "$id" >>submitted
case $FAKE_SLURM in
refuse) echo "sbatch: error: no such partition" >&2; exit 1 ;;
lose) ;;
slow) until [ -e go ]; do sleep 0.05; done ;;
fail) sed 's/^.*nereus. run /false /' "$3" | sh >/dev/null 2>&1 & ;;
hold) date +%s.%N >"$(dirname "$3")/job-0.start" ;;
*) sed 's/^.*nereus. run /sleep 0.2 \&\& : /' "$3" | sh >/dev/null 2>&1 & ;;
esac
echo "$id;cluster"
FAKE
cat >bin/squeue <<'FAKE' # -o is the last option
#!/bin/bash
[[ $* != *PENDING* ]] || exit 0
[ "$FAKE_SLURM" = lose ] || sed "s/.*/${!#%%|*}|&|&|RUNNING|1|2|host0|None|/" submitted
FAKE
printf '#!/bin/bash\n[ "$FAKE_SLURM" != refuse ] || exit 1\nfor i in 0 1 2; do echo "${!#%%%%|*}|host$i|idle|2"; done\n' >bin/sinfo
printf '#!/bin/sh\n[ "$1" = -- ] && shift && echo "$@" >>cancelled\n' >bin/scancel
chmod +x bin/*
export PATH=$PWD/bin:$PATH
printf 'submit_s,run_s,processors,requested_s,malleable,t_iter_s,scaling,bytes_per_process\n1,0.2,1,,no,,,\n1.5,10,4,90,yes,2.5,amdahl:0.5,1MB\n1.5,0.2,1,,no,,,\n' >jobs.csv
w="$NEREUS slurm workload jobs.csv --nodes 2 --cores-per-node 2 --output there"

# What is written: an iteration on 4 processes takes 2.5 s, on one 2.5 / (0.5 + 0.5 / 4) = 4 s; 4 MB
# in all; whole nodes, and a minute more.
accepted $w --dry-run
[ ! -e submitted ] || fail "a dry run has submitted jobs"
for line in 'scaling = amdahl:0.5' 'variable_bytes = 4000000' 'time_s = 4' 'Stage_Time_Capped = yes' 'iterations = 4' 'processes = 4'; do
    grep -qx "$line" there/job-1.ini || fail "no '$line': $(cat there/job-1.ini)"
done
for line in '#SBATCH --nodes=2' '#SBATCH --ntasks-per-node=2' '#SBATCH --exclusive' '#SBATCH --time=3' '#SBATCH --comment="nereus job-1-%j"' 'export NEREUS_SIZES=minimum=2,maximum=4'; do
    grep -qx -- "$line" there/job-1.sh || fail "no '$line': $(cat there/job-1.sh)"
done

: >submitted
misused '--latencies submits jobs of its own: leave the workload, --generate, --latency and --dry-run out' $w --latencies
failed '--latencies needs 4 idle nodes \(--nodes\), and Slurm has 3' "$NEREUS" slurm workload --latencies --nodes 4 --output four
[ ! -s submitted ] || fail "jobs for latencies were submitted to nodes that are not there"
accepted $w --format json
python3 - <<'PY' || fail "results: $(cat out)"
import json
d = json.load(open("out"))
jobs, (measured, simulated) = d["jobs"], d["summary"]
assert [j["state"] for j in jobs] == ["ended"] * 3 and [j["nodes"] for j in jobs] == [1, 2, 1]
assert [j["malleable"] for j in jobs] == [False, True, False]
assert all(j["wait_s"] >= 0 and j["run_s"] >= 0.2 for j in jobs)
assert [round(j["simulated_wait_s"], 9) for j in jobs] == [0, 0, 10]
assert measured["jobs"] == 3 and simulated["makespan_s"] == 10.7
PY
holds 'note: Slurm has 3 nodes in service, and the simulation 2: waits differ' err
[ "$(wc -l <submitted)" = 3 ] || fail "submitted: $(cat submitted)"
FAKE_SLURM=fail $w >out 2>err
[ $? = 1 ] || fail "failed jobs end with 0"
holds "job 2 .Slurm's 104. has failed; see .*/there/job-1.out" err
[ "$(grep -c ' failed' out)" = 3 ] || fail "failed jobs: $(cat out)"
FAKE_SLURM=lose $w --format csv >out 2>err
[ $? = 1 ] || fail "lost jobs end with 0"
holds "job 1 .Slurm's 106. was ended by Slurm" err
FAKE_SLURM=refuse failed '^nereus slurm workload: job 1 was not submitted: sbatch ended with status 1: sbatch: error: no such partition' $w
failed 'job 1 was not submitted: sbatch could not be started' /usr/bin/env PATH=/nonexistent $w
# An interrupt, once the first job has started: what has not ended is cancelled, and there is a table.
rm -f there/*.start
FAKE_SLURM=hold $w >out 2>err &
pid=$!
until [ -s there/job-0.start ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
kill -TERM $pid # a shell starts what runs beside it with SIGINT ignored
wait $pid
[ $? = 143 ] || fail "an interrupted command ends with another status: $(cat err)"
holds ' running$' out
holds 'interrupted: jobs that had not ended were cancelled' err
[ -s cancelled ] || fail "nothing was cancelled"
# An interrupt while sbatch runs: the job that it comes back with is cancelled, too.
rm -f there/*.start cancelled
before=$(wc -l <submitted)
FAKE_SLURM=slow $w >out 2>err &
pid=$!
until [ "$(wc -l <submitted)" -gt "$before" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
kill -TERM $pid
touch go
wait $pid
[ $? = 143 ] || fail "an interrupted command ends with another status: $(cat err)"
[ "$(cat cancelled)" = "$(tail -1 submitted)" ] || fail "submitted: $(tail -1 submitted), cancelled: $(cat cancelled)"
misused '--nodes is missing' "$NEREUS" slurm workload jobs.csv
misused 'one workload: a file, or --generate' "$NEREUS" slurm workload --nodes 2
for folder in 'a b' "it's" 'a#b' 'a\b' '50%'; do
    failed "it has a blank or one of" "$NEREUS" slurm workload jobs.csv --nodes 4 --output "$folder"
done
finish
