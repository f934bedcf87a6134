# nereus slurm submit and nereus slurm broker with stubs of Slurm's commands: what is submitted,
# decided and refused. With a real Slurm: tests/hosts/batch, tests/hosts/brokered.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/slurm_stubs.sh
. "$NEREUS_SOURCE_DIR/tests/cli/slurm_stubs.sh"
cat >bin/sbatch <<'SH'
#!/bin/sh
[ ! -e fails ] || { echo "sbatch: error: invalid partition specified" >&2; exit 1; }
[ -z "${SBATCH_WAIT+x}" ] || { echo "sbatch: error: it would wait" >&2; exit 1; }
case "$2 $3" in
"--comment=nereus "*" --") cat "$4" >submitted; echo "$4" >script.path; echo "$2" >comment; shift 4 ;;
--nodes=1*)
    [ -z "${SBATCH_ARRAY_INX+x}" ] || { echo "sbatch: error: an array" >&2; exit 1; }
    printf '%s\n' "$@" >added.words
    [ ! -e added ] || cat added >>own
    ;;
*) exit 9 ;;
esac
echo "$*" >arguments
echo "41;hosts"
SH
chmod +x bin/*

# --- nereus slurm submit --------------------------------------------------------------------------

printf '#!/bin/bash\n#SBATCH --mem=1G\necho "$1"\n' >app.sh
accepted "$NEREUS" slurm submit app.sh --min 2 --max 8
holds '^submitted as Slurm job 41; it answers as app-41 once it runs$' out
[ "$(sed -n 2,3p submitted)" = $'#SBATCH --mem=1G\n#SBATCH --job-name=app' ] || fail "the script: $(cat submitted)"
holds '^export NEREUS_SIZES=minimum=2,maximum=8$' submitted
[ "$(tail -1 submitted)" = 'echo "$1"' ] || fail "the user's commands are not the last: $(cat submitted)"
[ ! -e "$(cat script.path)" ] || fail "the script was left: $(cat script.path)"
printf '#!/bin/bash\n#SBATCH --time=5\n  \n  # two nodes\n#SBATCH --nodes=2\necho\n' >spaced.sh
accepted "$NEREUS" slurm submit --print --min 2 spaced.sh
[ "$(grep -n -e --nodes=2 out | cut -d: -f1)" -lt "$(grep -n '^export' out | head -1 | cut -d: -f1)" ] ||
    fail "Slurm does not see an option behind a line of blanks: $(cat out)"
accepted "$NEREUS" slurm submit --min 2 --name solver --slurm '--time=5 --partition=main' -- app.sh --one two
[ "$(cat arguments)" = "--one two" ] || fail "arguments: $(cat arguments)"
holds 'it answers as solver once' out
holds '^#SBATCH --time=5 --partition=main$' submitted
# What nereus needs stands last, or on the line of sbatch; what would keep it from submitting is refused.
printf '#!/bin/bash\n#SBATCH --comment=mine\n#SBATCH -n 8\n#SBATCH hetjob\n#SBATCH --ntasks=1\necho\n' >two.sh
SBATCH_WAIT=1 accepted "$NEREUS" slurm submit --min 2 --slurm '--job-name="a --wait" --export=NONE' two.sh
[ "$(sed -n 4,9p submitted)" = $'#SBATCH --job-name=two\n#SBATCH --job-name="a --wait" --export=NONE\n#SBATCH --comment="nereus two-%j"\n#SBATCH --ntasks=2\n#SBATCH hetjob\n#SBATCH --ntasks=1' ] ||
    fail "own lines are not the last of the first part: $(cat submitted)"
[ "$(cat comment)" = '--comment=nereus two-%j' ] || fail "the comment of the command: $(cat comment)"
for word in --comment=x --comm=x "--time=5 --comment 'my job'" $'\t--comment="a b"'; do
    misused '--slurm must not have --comm[ent]*: nereus finds the job by its comment' "$NEREUS" slurm submit app.sh --min 2 --slurm "$word"
done
misused 'name the program without srun: nereus-mpiexec starts it instead' "$NEREUS" slurm submit --min 2 -- /usr/bin/srun ./solver
misused '--slurm must not have -n8: it starts with as many processes as --min says' "$NEREUS" slurm submit app.sh --min 2 --slurm '-N2 -n8'
misused '--slurm must not have --ntasks: ' "$NEREUS" slurm submit app.sh --min 2 --slurm '--ntasks 8'
misused '--slurm must not have --test-only: sbatch would submit nothing; --print' "$NEREUS" slurm submit app.sh --min 2 --slurm '--test-only'
accepted "$NEREUS" slurm submit app.sh --min 2 --slurm '--ntasks-per-node=2 --wait-all-nodes=1 -N 1 --nice # --wait'
printf '#!/bin/bash\n#SBATCH --time=5 -W\necho\n' >waits.sh
misused "the script's #SBATCH lines must not have -W: sbatch would not come back before the job has ended" "$NEREUS" slurm submit waits.sh --min 2
printf '#! /bin/sh\necho\n' >blank.sh # as many write it
accepted "$NEREUS" slurm submit --print --min 2 blank.sh
[ "$(head -1 out)" = '#! /bin/sh' ] || fail "'#! /bin/sh' is taken for a program: $(cat out)"
rm submitted
accepted "$NEREUS" slurm submit app.sh --min 4 --powers-of-two --print
holds '^export NEREUS_JOB="app-\$\{SLURM_JOB_ID\}"$' out
[ ! -e submitted ] || fail "--print has submitted"
if [ -x "${NEREUS%/*}/nereus-mpiexec" ]; then
    accepted "$NEREUS" slurm submit --min 2 --print -- /bin/true "a b"
    holds "^exec '.*/nereus-mpiexec' -n 2 '/bin/true' 'a b'$" out
    accepted "$NEREUS" slurm submit --print --min 2 -- none # it may be on the node
    holds "note: there is no 'none' in this folder or on PATH here" err
fi
# A job that goes on after its time limit: Slurm's signal comes to what the batch shell becomes, or
# to the steps of a user's script.
accepted "$NEREUS" slurm submit --print --min 2 --checkpoint 'c d,10min' --on-failure restart --restarts 3 app.sh
[ "$(sed -n '4,5p' out)" = $'#SBATCH --requeue --open-mode=append\n#SBATCH --signal=USR1@60' ] || fail "no signal: $(cat out)"
[ "$(grep -c "^export NEREUS_\(CHECKPOINT='c d'\|CHECKPOINT_EVERY='10min'\|ON_FAILURE='restart'\|RESTARTS_MAX='3'\)\$" out)" -eq 4 ] || fail "variables: $(cat out)"
printf '#!/bin/bash\n#SBATCH --signal=B:TERM@9\necho --signal\n' >own.sh
accepted "$NEREUS" slurm submit --print --min 2 --checkpoint c --on-failure restart own.sh
holds '^#SBATCH --requeue' out
! grep -q 'USR1' out || fail "two signals: $(cat out)"
accepted "$NEREUS" slurm submit --print --min 2 --checkpoint c app.sh
! grep -q '^#SBATCH --\(signal\|requeue\)' out || fail "a job that does not go on gets a signal: $(cat out)"
if [ -x "${NEREUS%/*}/nereus-mpiexec" ]; then
    accepted "$NEREUS" slurm submit --print --min 2 --checkpoint c --on-failure restart -- /bin/true
    holds '^#SBATCH --signal=B:USR1@60$' out
fi
accepted "$NEREUS" slurm submit --print --min 2 --restart c/checkpoint-3 --on-failure restart app.sh
holds "^export NEREUS_RESTART='c/checkpoint-3'$" out
holds '^#SBATCH --requeue' out
misused '--on-failure must be restart or end, not' "$NEREUS" slurm submit --min 2 --on-failure go app.sh
misused '--on-failure restart needs --checkpoint DIR,EVERY' "$NEREUS" slurm submit --min 2 --on-failure restart app.sh
accepted "$NEREUS" slurm submit --print --min 2 --checkpoint c,auto app.sh # it may set NEREUS_MTBF
misused '--checkpoint DIR,auto needs the mean time between failures of the job: NEREUS_MTBF, as in 6h' "$NEREUS" slurm submit --min 2 --checkpoint c,auto -- true
[ ! -x "${NEREUS%/*}/nereus-mpiexec" ] || NEREUS_MTBF=6h accepted "$NEREUS" slurm submit --print --min 2 --checkpoint c,auto -- true
misused '--restarts must be' "$NEREUS" slurm submit --min 2 --restarts x app.sh
misused 'the time of --checkpoint must be a time' "$NEREUS" slurm submit --min 2 --checkpoint c,10x app.sh
misused '--min is missing' "$NEREUS" slurm submit app.sh
misused '--max must be at least --min' "$NEREUS" slurm submit app.sh --min 4 --max 2
misused 'there is no such size' "$NEREUS" slurm submit app.sh --min 5 --max 7 --powers-of-two
misused '--min must be a size that the job takes' "$NEREUS" slurm submit app.sh --min 3 --multiple-of 2
for name in ../x 'a b-%j' '%j-%j' "$(printf '%41s' %j | tr ' ' x)"; do
    misused "'$name' is no name of a job: up to 47 letters, digits, .* and one %j" "$NEREUS" slurm submit app.sh --min 2 --name "$name"
done
# The program's name becomes one of a job, whatever it has.
while read -r program name; do
    cp app.sh "$program"
    accepted "$NEREUS" slurm submit --print --min 2 -- "./$program"
    holds "^#SBATCH --comment=\"nereus $name-%j\"\$" out
done <<TEXT
_my+app_1.x86.sh my-app_1
.hidden job
über ber
$(printf '%60s' x | tr ' ' x) $(printf '%31s' x | tr ' ' x)
TEXT
misused 'PROGRAM .* is missing' "$NEREUS" slurm submit --min 2
failed "the program './none' cannot be read" "$NEREUS" slurm submit ./none --min 2
mkdir folder
failed "^nereus slurm submit: './folder' is a folder: name a program, or a shell script\$" "$NEREUS" slurm submit ./folder --min 2
echo 'echo hello' >plain.txt
for plain in ./plain.txt plain.txt; do
    failed "'$plain' is neither executable .chmod \+x. nor a shell script: its first line is not" "$NEREUS" slurm submit $plain --min 2
done
printf '#!/usr/bin/env python3\n' >script.py
failed "'script.py' is neither executable .* nor a shell script: its first line names no shell" "$NEREUS" slurm submit script.py --min 2
printf '#!/opt/envy/envelope bash\n' >script.py
failed "'script.py' is neither executable .* nor a shell script: its first line names no shell" "$NEREUS" slurm submit script.py --min 2
# The lines that sbatch reads are those of any script, before its first command; sh's lines stand in
# none of another language.
printf '#!/usr/bin/env -S python3 -u\n# A job.\n#SBATCH --time=5\nimport sys, os\n#SBATCH --time=9\nprint(sys.argv[1:], os.environ["NEREUS_JOB"])\n' >script.py
accepted "$NEREUS" slurm submit --min 2 -- script.py 'a b' c
[ "$(sed -n 1,4p submitted)" = $'#!/bin/sh\n# A job.\n#SBATCH --time=5\n#SBATCH --job-name=script' ] || fail "of a script of Python: $(cat submitted)"
[ "$(SLURM_JOB_ID=7 sh submitted 'a b' c)" = "['a b', 'c'] script-7" ] || fail "a script of Python: $(cat submitted)"
printf '#!/bin/tcsh -f\n#SBATCH --time=5\nsetenv A b\n' >script.csh
accepted "$NEREUS" slurm submit --min 2 --print script.csh
holds "^exec '/bin/tcsh' '-f' '$PWD/script.csh' \"[$]@\"\$" out
printf '#! /opt/a;b/tcsh \t-f  -v "$x" \t\nsetenv A b\n' >script.csh
accepted "$NEREUS" slurm submit --min 2 --print script.csh
holds "^exec '/opt/a;b/tcsh' '-f  -v \"[$]x\"' '$PWD/script.csh' \"[$]@\"\$" out
sed 's/$/\r/' app.sh >dos.sh
printf '#!/bin/bash\necho one\r\necho two\r\n' >half.sh
for dos in dos.sh ./half.sh; do
    failed "the lines of '$dos' end as those of DOS do .*, which neither sbatch nor a shell takes: dos2unix '$dos'" "$NEREUS" slurm submit $dos --min 2
done
echo >true # found by PATH all the same
[ ! -x "${NEREUS%/*}/nereus-mpiexec" ] || accepted "$NEREUS" slurm submit --min 2 --print true
sed -i 's/^echo "41;hosts"$/cat id/' bin/sbatch
: >id
failed '^nereus slurm submit: sbatch named no number of a job$' "$NEREUS" slurm submit app.sh --min 2
touch fails
failed 'sbatch ended with status 1: sbatch: error: invalid partition specified' "$NEREUS" slurm submit app.sh --min 2

# --- nereus slurm broker --------------------------------------------------------------------------

: >own
: >queue
printf 'host0|alloc|2\nhost1|idle|2\n' >nodes
accepted "$NEREUS" slurm broker --once --dry-run --synthetic "nodes:4 cores:2 latency:2us bandwidth:10GB/s spawn:0.1s"
[ "$(wc -l <out)" -eq 1 ] || fail "not one line: $(cat out)"
holds '^\{"event":"decision","nodes":2,"idle_nodes":1,"waiting_nodes":\[\],"jobs":\[\],"silent":\[\],"actions":\[\],"time":"20' out
echo '8|N/A|3|6|Resources' >queue
accepted "$NEREUS" slurm broker --once --dry-run
holds '"waiting_nodes":\[3\]' out
holds 'a resize is taken to cost nothing: no profile: none is named .* no [^ ]*.json is in ' err
# The profile is that of the cluster: calibrate knows its name inside of a job, the broker asks for it.
mkdir -p conf/nereus/profiles
"$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output conf/nereus/profiles/big-one.json >out 2>err || fail "fit: $(cat err)"
printf '#!/bin/sh\n[ "$*" = "show config" ] && printf "Configuration data\\nClusterName             = big-one\\nCommunicationParameters = (null)\\n"\n' >bin/scontrol
chmod +x bin/scontrol
XDG_CONFIG_HOME=$PWD/conf accepted "$NEREUS" slurm broker --once --dry-run
grep -q 'taken to cost nothing' err && fail "the profile of the cluster is not found: $(cat err)"
rm -r bin/scontrol conf
# A job that waits although a node is idle asks for a certain one, perhaps: after six looks it keeps
# nobody from growing, and is noted once.
printf '8|N/A|1|1|Resources\n11|N/A|2|1|Priority\n' >queue
: >squeue.calls
timeout 60 "$NEREUS" slurm broker --every 0.1s --dry-run >out 2>err &
broker=$!
until [ "$(wc -l <squeue.calls)" -gt 30 ]; do kill -0 $broker || break; sleep 0.1; done
kill -TERM $broker
wait $broker
[ "$(grep -c 'job 8 waits although 1 node is idle, and it needs 1' err)" -eq 1 ] || fail "a job that no node helps: $(cat err)"
[ "$(sed 's/.*"waiting_nodes":\(.[^]]*.\).*/\1/' out | paste -sd' ')" = "[1,2] [2]" ] || fail "a job that no node helps: $(cat out)"
echo '8|N/A|3|6|Resources' >queue
# What a site's own squeue says before, and what Slurm says on stderr, is no job.
printf 'welcome\n8|N/A|1|1|Resources\n' >banner
accepted "$NEREUS" slurm broker --once --dry-run
holds '"waiting_nodes":\[3\]' out
holds "note: 2 lines of Slurm's cannot be read and are left out, the first because squeue printed 'welcome' before the first record" err
rm banner
touch down
! "$NEREUS" slurm broker --once --dry-run >out 2>err || fail "squeue has failed"
holds '^nereus slurm broker: squeue ended with status 1: slurm_load_jobs error: Unable to contact slurm controller' err
# A broker that is started while the controller is down waits for it.
: >squeue.calls
timeout 60 "$NEREUS" slurm broker --every 0.1s --dry-run >out 2>err &
broker=$!
until grep -q 'Unable to contact' err; do kill -0 $broker || break; sleep 0.1; done
rm down
until [ -s out ]; do kill -0 $broker || break; sleep 0.1; done
kill -TERM $broker
wait $broker
[ $? -eq 143 ] || fail "a broker has ended, as the controller was down: $(cat err)"
holds '"waiting_nodes":\[3\]' out
mv nodes there
: >nodes
! "$NEREUS" slurm broker --once --dry-run --partition nope >out 2>err || fail "an unknown partition has nodes"
holds "^nereus slurm broker: sinfo lists no node; is 'nope' a partition of this cluster\?$" err
mv there nodes
! "$NEREUS" slurm broker --once --dry-run --partition "$(printf '%9000s' x)" >out 2>err || fail "a name was cut"
holds '^nereus slurm broker: the arguments of squeue have more than 8191 characters' err
# One that has gone, or has not begun to answer, is no job.
echo "9|9|RUNNING|1|2|host0|None|nereus gone" >own
printf '#!/bin/sh\nexit 1\n' >bin/srun
chmod +x bin/srun
accepted "$NEREUS" slurm broker --once --dry-run
holds '"jobs":\[\],"silent":\["gone"\]' out
# What cannot be read is left out, with one note however often it is seen, and ends nothing; it
# stays plain text on a terminal.
: >squeue.calls
printf 'hello\033[2J\n--user=root|N/A|1|1|Resources\n8|N/A|1|1|Resources\n16|1-3%%2|1|2|Priority\n' >queue
printf 'host0|alloc|1024\nhost1|idle|few\nhost2|idle|1024\n' >nodes
SQUEUE_STATES=COMPLETED SINFO_FORMAT=%N timeout 60 "$NEREUS" slurm broker --every 0.2s --dry-run >out 2>err &
broker=$!
until [ "$(wc -l <squeue.calls)" -gt 9 ]; do kill -0 $broker || break; sleep 0.1; done
kill -TERM $broker
wait $broker
[ $? -eq 143 ] || fail "a line that cannot be read has ended the broker: $(cat err)"
[ "$(grep -c 'cannot be read' err)" -eq 1 ] || fail "not one note: $(cat err)"
holds "note: 3 lines of Slurm's cannot be read and are left out, the first because squeue printed 'hello .2J', which has 1 of the 5 columns" err
! grep -q $'\033' err || fail "a terminal would obey: $(cat -v err)"
holds '"nodes":2,"idle_nodes":1,"waiting_nodes":\[1,1,1\]' out

# By the prices. A job of 2 processes has 1000 points of 0.6 s left, 600 s: on 4 it saves half of
# that, less the way there and back. Where starting a process takes 1000 s it does not grow; where a
# node has to be given, one with little to move does, and pays for it.
printf '#!/bin/sh\necho "$*" >srun.call\ncat state\n' >bin/srun
solver() { # PROCESSES T_ITER; on as many nodes as it needs
    printf '{"protocol":1,"answer":"status","job":"solver","host":"host0","state":"computing","size":%d,"points_left":1000,"t_iter_s":%s,"sizes":{"minimum":2,"maximum":4},"nodes":[%s{"name":"host0"}]}\n' \
        "$1" "$2" "$([ "$1" -eq 2 ] || echo '{"name":"host1","allocation":"slurm:10"},')" >state
}
machine="nodes:4 cores:2 latency:2us bandwidth:10GB/s"
# decides CONDITION WORD...: on the actions a, in Python; p is the price of the only one, and last
# that of the decision before.
decides() {
    local condition=$1
    shift
    accepted "$NEREUS" slurm broker --once --dry-run "$@"
    python3 - "$condition" <<'PY' || fail "broker $*: not $condition: $(cat out)"
import json, os, sys
a = json.load(open("out"))["actions"]
last = json.load(open("price")) if os.path.exists("price") else None
p = a[0]["price_s"] if a else None
json.dump(p, open("price", "w"))
sys.exit(not eval(sys.argv[1]))
PY
}
printf 'host0|alloc|2\nhost1|idle|2\n' >nodes
echo "9|9|RUNNING|1|2|host0|None|nereus solver" >own
: >queue
solver 2 0.6
grown="len(a) == 1 and (a[0]['from_nodes'], a[0]['to_nodes'], a[0]['to_processes']) == (1, 2, 4)"
decides "$grown and p == 0 and a[0]['gain_s'] == 300"
holds 'a resize is taken to cost nothing' err
sed -i 's/"points_left":1000,//' state # its end is unknown: the horizon decides, and is no gain
decides "$grown and a[0]['gain_s'] is None"
solver 2 0.6
decides "$grown and p == 0 and a[0]['gain_s'] == 300" # `last` of the next one
decides "a == []" --synthetic "$machine spawn:1000s"
# What a node costs that is given back: of a Slurm job that was added.
printf 'host0|alloc|2\nhost1|alloc|2\n' >nodes
echo "10|10|RUNNING|1|2|host1|None|nereus-added solver 9" >>own
echo '11|N/A|1|2|Resources' >queue
solver 4 0.3
decides "a == []" --synthetic "$machine spawn:0.1s" --bytes-per-process 100TB
decides "len(a) == 1 and (a[0]['from_nodes'], a[0]['to_nodes'], a[0]['to_processes']) == (2, 1, 2) and 0 < p < 600 and a[0]['gain_s'] == 0" \
    --synthetic "$machine spawn:0.1s" --bytes-per-process 1GB
printf 'host0|alloc|2\nhost1|idle|2\n' >nodes
sed -i 1q own
: >queue
solver 2 0.6
decides "$grown and p > 0 and abs(a[0]['gain_s'] - (300 - p - last)) < 2e-3" --synthetic "$machine spawn:0.1s" --bytes-per-process 1GB
# Tasks of an array and the first part of a heterogeneous job are found by the number that they have
# inside; other text names no job.
for line in '9|4_1|RUNNING|1|2|host0|None|nereus solver' '9|9+0|RUNNING|1|2|host0|None|nereus solver'; do
    echo "$line" >own
    decides "$grown"
done
holds '^--quiet --jobid=9 --nodelist=host0 --nodes=1 --ntasks=1 --overlap --het-group=0 -- [^ ]*/nereus job status --format=json -- solver$' srun.call
printf '%s\n' '8|8|PENDING|1|2|n/a|None|x' '  9|9|RUNNING|1|2|host0|None|nereus solver' '9|9+1|RUNNING|1|2|host0|None|nereus solver' \
    '7|7|RUNNING|1|2|host0|None|nereus --help' '6|6|RUNNING|1|2|--all|None|nereus a/b' >own
decides "a == []"
holds '"jobs":\[\]' out
echo "9|9|RUNNING|1|2|host0|None|nereus solver" >own
# Two would give the same nodes away; who only looks may.
exec 9>runtime/nereus/.broker
flock 9
failed '^nereus slurm broker: another nereus slurm broker of this user is at work on this host: end it first' "$NEREUS" slurm broker --once
accepted "$NEREUS" slurm broker --once --dry-run
exec 9>&-
accepted "$NEREUS" slurm broker --once
[ ! -e runtime/nereus/.broker ] || fail "the broker has left its lock"
misused '--horizon .*above 0' "$NEREUS" slurm broker --horizon 0
misused "'x' is one argument too many" "$NEREUS" slurm broker x
failed 'none.json' "$NEREUS" slurm broker --once --profile none.json
echo 'host0|idle|few' >nodes
! "$NEREUS" slurm broker --once --dry-run >out 2>err || fail "sinfo without CPUs"
holds '^nereus slurm broker: sinfo lists no node: sinfo: the CPUs of a node must be' err

# --- nereus job resize --slurm --------------------------------------------------------------------

# A job of 4 processes that says it has a node of the allocation $1; whatever is asked is carried out.
cat >job.py <<'PY'
import json, os, socket, sys
nodes = [{"name": "host0", "processes": 2, "cores": 2}, {"name": "host1", "processes": 2, "cores": 2, "allocation": sys.argv[1]}]
answers = {"status": {"answer": "status", "job": "solver", "host": "host0", "state": "computing", "size": 4, "sizes": {"minimum": 2}, "nodes": nodes, "nodes_all": 2},
           "release": {"answer": "accepted", "request": 1, "ns": 4, "nt": 2}, "resize": {"answer": "accepted", "request": 1, "ns": 4, "nt": 6},
           "offer": {"answer": "refused", "reason": "not now"}, "wait": {"answer": "outcome", "request": 1, "outcome": "resized", "ns": 4, "nt": 2}}
listener = socket.socket(socket.AF_UNIX)
listener.bind("solver.new")
listener.listen(8)
os.rename("solver.new", "runtime/nereus/solver")
while True:
    client = listener.accept()[0]
    for line in client.makefile():
        client.sendall((json.dumps({"protocol": 1, **answers[json.loads(line)["do"]]}) + "\n").encode())
PY
printf '#!/bin/sh\necho "$*" >>scancel.calls\n' >bin/scancel
cp bin/scancel bin/scontrol
chmod +x bin/scancel bin/scontrol
printf 'host0|alloc|2\nhost1|alloc|2\n' >nodes
# resizes ALLOCATION STATUS WORD...: what is cancelled is in scancel.calls
resizes() {
    local allocation=$1 expected=$2 job status
    shift 2
    rm -f runtime/nereus/solver
    : >scancel.calls
    python3 job.py "$allocation" &
    job=$!
    until [ -S runtime/nereus/solver ]; do kill -0 $job || break; sleep 0.1; done
    "$NEREUS" job resize solver "$@" --slurm >out 2>err
    status=$?
    kill $job
    wait $job 2>/dev/null
    [ $status -eq "$expected" ] || fail "resize solver $*: status $status: $(cat out err)"
}
cancelled() { [ "$(cat scancel.calls)" = "$1" ] || fail "cancelled: $(cat scancel.calls), expected: $1: $(cat out err)"; }
# Left-over allocations of this job are ended, and the one that is given back; no other job,
# whatever a comment says.
printf '%s\n' '9|9|RUNNING|1|2|host0|None|nereus solver' '10|10|RUNNING|1|2|host1|None|nereus-added solver 9' '11|11|PENDING|1|2|n/a|Resources|nereus-added solver 9' \
    '12|12|PENDING|1|2|n/a|Resources|x' '  --user=root|7|PENDING|1|2|n/a|Resources|nereus-added solver 9' '  13|13|PENDING|1|2|n/a|Resources|nereus-added solver 9' \
    '13|13|PENDING|1|2|n/a|Resources|nereus-added other 5' '14|3_1|PENDING|1|2|n/a|Resources|nereus-added solver 9' \
    '--user=root|15|PENDING|1|2|n/a|Resources|nereus-added solver 9' '16|16|RUNNING|1|2|host1|None|nereus other' '17|17|RUNNING|1|2|host1|None|(null)' >own
resizes slurm:10 0 2
cancelled $'-- 11\n-- 10'
holds '^ended 1 Slurm job that an earlier resize had left$' out
# Whoever offered the node: it is another malleable job's, a job that there is not, or no number of one.
resizes slurm:16 0 2
cancelled $'-- 10\n-- 11'
holds '^host1 stays in Slurm job 16: it is no allocation of yours that was added to Slurm job 9 with host1$' out
resizes slurm:77 0 2
cancelled $'-- 10\n-- 11'
holds '^host1 stays in Slurm job 77: ' out
resizes 'slurm:--user=root' 0 2
cancelled $'-- 10\n-- 11'
resizes slurm:17 0 2 # an own allocation, which somebody has offered
cancelled $'-- 10\n-- 11\n-- 17'
# An allocation that is not used after all: what sbatch said is a number, or nothing is cancelled.
rm fails
for said in '--user=root' '10 20' '' 'hello'; do
    printf '%s\n' "$said" >id
    resizes slurm:10 1 6
    cancelled '-- 11'
    holds 'sbatch named no number of a job' err
done
printf 'welcome to the cluster\n18;hosts\n' >id
echo '18|18|RUNNING|1|2|host2|None|nereus-added solver 9' >added
cp own own.before
resizes slurm:10 1 6
cancelled $'-- 11\n-- 18'
holds 'refused: not now' err
# The further node is where the job is, and on its account, whatever the user has set for his own
# sbatch and however long the names are.
[ "$(sed -n '7,10p' added.words)" = $'--job-name=solver+\n--comment=nereus-added solver 9\n--partition=main\n--time=10:00' ] &&
    [ "$(sed -n '11,12p' added.words)" = $'--qos=normal\n--account=solvers' ] || fail "words of the further job: $(cat added.words)"
# It holds its node while the job runs, and whenever squeue cannot say: until a state in which the
# job has no processes, or starts anew.
tail -1 added.words >hold.sh
mkdir naps
printf '#!/bin/sh\ntouch slept\n: >held\n' >naps/sleep # then squeue knows no job
chmod +x naps/sleep
holds_node() { # yes|no WORDS: what squeue prints
    rm -f slept
    printf '%b\n' "$2" >held
    SQUEUE_FORMAT=%k PATH=$PWD/naps:$PATH timeout 20 sh hold.sh || fail "the script of an added allocation: status $?: $2"
    [ "$([ -e slept ] && echo yes || echo no)" = "$1" ] || fail "an added allocation holds its node ($1 expected) where squeue prints $2"
}
for state in RUNNING SUSPENDED STOPPED RESIZING SIGNALING STAGE_OUT WHATEVER; do holds_node yes "|9|$state|"; done
for state in COMPLETING COMPLETED CANCELLED 'CANCELLED by 1000' FAILED TIMEOUT NODE_FAIL OUT_OF_MEMORY PREEMPTED DEADLINE BOOT_FAIL REVOKED PENDING CONFIGURING REQUEUED; do
    holds_node no "|9|${state%% *}|"
done
holds_node yes 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)'
holds_node yes 'squeue: warning: something\n|9|RUNNING|'
holds_node yes '|10|COMPLETED|\n|9|RUNNING|\n|11|FAILED|'
holds_node no 'squeue: warning: something\n|9|NODE_FAIL|'
holds_node no '|10|RUNNING|'
holds_node no 'slurm_load_jobs error: Invalid job id specified'
rm held
cp own.before own
printf '%100s\n' x | tr ' ' p >partition
SBATCH_WAIT=1 SBATCH_ARRAY_INX=1-3 resizes slurm:10 1 6
cancelled $'-- 11\n-- 18'
holds "^--partition=p{99}x\$" added.words
echo main >partition
mv own.before own
rm added
printf '19\n' >id # somebody else's by now
resizes slurm:10 1 6
cancelled '-- 11'

# --- a job that Slurm has queued again ------------------------------------------------------------
# Each question to scontrol takes a line of `states`; the last one stays.
cat >bin/scontrol <<'SH'
#!/bin/sh
[ "$*" = "show job -o 41" ] || { echo "scontrol: $*" >&2; exit 9; }
echo "JobId=41 JobName=JobState=FAILED UserId=me(7) $(head -n 1 states) BatchFlag=1"
[ "$(wc -l <states)" -eq 1 ] || sed -i 1d states
SH
chmod +x bin/scontrol
rm -f down banner held
echo '41|41|PENDING|1|2||BeginTime|nereus app-%j' >own
again='JobState=PENDING Reason=BeginTime Restarts=1 ExitCode=0:15'
echo "$again" >states
accepted "$NEREUS" job list
holds '^ *app-41 +queued again by Slurm \(job 41\) *$' out
failed '^nereus job status: the job is queued again by Slurm \(job 41\): it answers when it is started$' "$NEREUS" job status app-41
failed '^nereus job resize: the job is queued again by Slurm' "$NEREUS" job resize app-41 4
printf '%s\n' "$again" "$again" 'JobState=COMPLETING Restarts=1 ExitCode=0:0' 'JobState=COMPLETED Restarts=1 ExitCode=0:0' >states
accepted "$NEREUS" job wait app-41 --end
[ "$(cat out)" = 'the job has ended' ] || fail "the end: $(cat out)"
holds '^nereus job wait: note: the job is queued again by Slurm \(job 41\)' err
for end in 'FAILED|3:0|3' 'CANCELLED|0:15|143' 'TIMEOUT|0:0|1' 'PREEMPTED Requeue=1|0:0|1'; do
    IFS='|' read -r state code status <<<"$end"
    printf '%s\n' "$again" "JobState=$state Restarts=1 ExitCode=$code" >states
    "$NEREUS" job wait app-41 --end >out 2>err
    [ $? -eq "$status" ] || fail "the status of $end"
    holds "the job has ended with status $status \(Slurm: ${state% *}\)$" err
done
printf '%s\n' "$again" 'JobState=PREEMPTED Requeue=0 Restarts=1 ExitCode=0:0' >states # as Slurm 24.11.5 shows a good end after a preemption
accepted "$NEREUS" job wait app-41 --end
echo "$again" >states
failed 'no job' "$NEREUS" job wait other --end
"$NEREUS" job wait app-41 --end --limit 1s >out 2>err && fail "no limit"
echo "JobState=PENDING Reason=Resources Restarts=0 ExitCode=0:0" >states
accepted "$NEREUS" job list --format csv
holds '^app-41,queued by Slurm \(job 41\),' out

# --- no Slurm -------------------------------------------------------------------------------------
rm bin/squeue
! env PATH="$PWD/bin" "$NEREUS" slurm broker --once --dry-run >out 2>err || fail "no squeue"
holds '^nereus slurm broker: .*squeue' err
finish
