# nereus slurm broker when it is killed in the middle of a resize and started anew, when Slurm's
# controller, a node or a job goes away, on a full disk, and with a long queue. Stubs of Slurm's
# commands keep jobs in `own` and nodes in `hosts`; a stub of a job answers on its socket. Each
# stops at a point when a file pause.POINT is there, and says so by at.POINT.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/slurm_stubs.sh
. "$NEREUS_SOURCE_DIR/tests/cli/slurm_stubs.sh"
cat >bin/pause <<'SH'
#!/bin/sh
[ -e "pause.$1" ] && : >"at.$1"
while [ -e "pause.$1" ]; do sleep 0.02; done
SH
# A node with one of `own` is allocated.
cat >bin/sinfo <<'SH'
#!/bin/sh
for format; do :; done
awk -F'|' -v mark="${format%%|*}" 'FILENAME == "own" { held[$6] = 1; next } { print mark "|" $1 "|" ($2 == "idle" && ($1 in held) ? "alloc" : $2) "|" $3 }' own hosts
SH
# It starts at once where a node is idle, or waits.
cat >bin/sbatch <<'SH'
#!/bin/bash
echo "sbatch $$" >>calls
for word; do case $word in --comment=*) comment=${word#*=} ;; esac; done
[ ! -e down ] || { echo "sbatch: error: Unable to contact slurm controller (connect failure)" >&2; exit 1; }
exec 9>>lock && flock 9
id=$(($(cat last) + 1))
host=$([ -e pause.start ] || sinfo "x|" | awk -F'|' '$3 == "idle" { print $2; exit }')
echo $id >last
echo "$id|$id|$([ -n "$host" ] && echo RUNNING || echo PENDING)|1|2|${host:-n/a}|$([ -n "$host" ] && echo None || echo Resources)|$comment" >>own
pause sbatch
echo $id
SH
cat >bin/scontrol <<'SH'
#!/bin/bash
[ "$2" = update ] || exit 1
echo "scontrol $*" >>calls
pause scontrol
exec 9>>lock && flock 9
sed -i 's/^50|50|RUNNING|2|4/50|50|RUNNING|1|2/' own
SH
cat >bin/scancel <<'SH'
#!/bin/bash
echo "scancel $2" >>calls
pause scancel
[ ! -e down ] || { echo "scancel: error: Unable to contact slurm controller (connect failure)" >&2; exit 1; }
exec 9>>lock && flock 9
host=$(sed -n "s/^$2|[^|]*|RUNNING|1|2|\([^|]*\)|.*/\1/p" own)
if [ -n "$host" ] && [ -s queue ] && grep -q "^$host|idle" hosts; then # the first that waits gets it
    sed -i 1d queue
    sed -i "s/^$host|idle/$host|alloc/" hosts
fi
sed -i "/^$2|/d" own
SH
chmod +x bin/*
mkdir -m 700 runtime/nereus
cat >job.py <<'PY'
import json, os, socket, threading, time
nodes = [{"name": "host0", "cores": 2, "processes": 2}]
number, outcome, change = 0, None, threading.RLock()
def pause(point):
    if os.path.exists("pause." + point):
        open("at." + point, "w").close()
    while os.path.exists("pause." + point):
        time.sleep(0.02)
def size():
    return sum(node["processes"] for node in nodes)
def started():
    return {line.split("|")[0] for line in open("own") if "|RUNNING|" in line}
def show():
    with open("held.new", "w") as held:
        held.write("".join(sorted("%s %s\n" % (node["name"], node.get("allocation", "")) for node in nodes)))
    os.rename("held.new", "held.now")
def carry_out(asked):
    global nodes
    before, end = size(), "resized"
    if asked["do"] == "offer":
        new = []
        for text in asked["nodes"]:
            place, allocation = text.split("@")
            new.append({"name": place.split(":")[0], "cores": 2, "processes": 2, "allocation": allocation})
        if {node["allocation"][6:] for node in new} <= started():
            nodes = nodes + new
        else:
            end = "failed" # as a launch there does
    elif asked["do"] == "release":
        if not set(asked["nodes"]) <= {node["name"] for node in nodes}:
            return None
        nodes = [node for node in nodes if node["name"] not in asked["nodes"]]
    else: # on the nodes that there are: the last ones become empty, or are filled
        wanted = [max(0, min(2, asked["size"] - 2 * i)) for i in range(len(nodes))]
        if all(n == node["processes"] or node.get("allocation", "slurm:9")[6:] in started() for n, node in zip(wanted, nodes)):
            nodes = [{**node, "processes": n} for n, node in zip(wanted, nodes)]
        else:
            end = "failed"
    show()
    return {"answer": "outcome", "request": number, "outcome": end, "ns": before, "nt": size()}
def answer(asked):
    global number, outcome
    if asked["do"] == "status":
        return {"answer": "status", "job": "solver", "host": "host0", "state": "computing", "size": size(), "points_left": 1000, "t_iter_s": 1.2 / size(),
                "sizes": {"minimum": 2, "maximum": 8, "multiple_of": 2}, "nodes": nodes, "nodes_all": len(nodes)}
    if asked["do"] == "wait":
        pause("outcome")
        return outcome
    pause("answer")
    with change:
        number += 1
        carried_out = carry_out(asked)
        if carried_out is None:
            return {"answer": "refused", "reason": "a node is not in the job's machine"}
        outcome = carried_out
        return {"answer": "accepted", "request": number, "ns": outcome["ns"], "nt": outcome["nt"]}
def serve(client):
    try:
        for line in client.makefile():
            client.sendall((json.dumps({"protocol": 1, **answer(json.loads(line))}) + "\n").encode())
    except OSError: # the client is killed; what it has asked for is carried out
        pass
show()
listener = socket.socket(socket.AF_UNIX)
listener.bind("solver.new")
listener.listen(64)
os.rename("solver.new", "runtime/nereus/solver")
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
PY

# --- acting ---------------------------------------------------------------------------------------

# begins ROW [STATE...]: no job but the solver, of 2 to 8 processes, on host0; host1 and the
# following ones have these states.
begins() {
    local i=1 state
    row=$1
    shift
    rm -f pause.* at.* held.now runtime/nereus/solver
    for state in queue squeue.calls calls log err; do : >$state; done
    echo "host0|idle|2" >hosts
    for state; do echo "host$((i++))|$state|2" >>hosts; done
    echo '9|9|RUNNING|1|2|host0|None|nereus solver' >own
    echo 40 >last
    python3 job.py &
    job=$!
    until [ -S runtime/nereus/solver ]; do kill -0 $job || break; sleep 0.05; done
}
job_ends() {
    { kill $job && wait $job; } 2>/dev/null
}
machine="nodes:4 cores:2 latency:2us bandwidth:10GB/s spawn:0.1s"
broker_starts() { # what it prints goes on in `log`, as that of one before
    "$NEREUS" slurm broker --every 0.05s --deadline 60s --synthetic "$machine" >>log 2>>err &
    broker=$!
}
broker_ends() {
    kill -TERM $broker
    wait $broker
    [ $? -eq 143 ] || fail "$row: the broker: $(tail -n 5 err)"
    job_ends
}
descendants() {
    local child
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        echo "$child"
        descendants "$child"
    done
}
# The broker and all that it has started are killed, as where their host is lost; goes_on: what has
# stopped at a point, the job or nobody.
broker_is_killed() {
    kill -STOP $broker
    # shellcheck disable=SC2046 # a list
    kill -KILL $(descendants $broker) $broker 2>/dev/null
    { wait $broker; } 2>/dev/null
}
goes_on() { rm -f "pause.$1" "at.$1"; }
# until_true WHAT COMMAND...: it takes a few looks of the broker at the queue, however fast those
# are; after many the row has failed.
until_true() {
    local what=$1 looks
    shift
    looks=$(wc -l <squeue.calls)
    until "$@"; do
        [ "$(wc -l <squeue.calls)" -lt $((looks + 200)) ] && kill -0 $broker 2>/dev/null ||
            { fail "$row: $what: $(paste -sd' ' own) $(tail -n 5 log err calls)"; return 1; }
        sleep 0.05
    done
}
comes_to() { until_true "nobody comes to $1" test -e "at.$1"; }
# The job holds just these hosts, each but the first with an allocation; Slurm has no other one that
# was added.
holds_hosts() {
    [ "$(cut -d' ' -f1 held.now | paste -sd' ')" = "$*" ] &&
        [ "$(awk -F'|' '/nereus-added/ { print $6 " slurm:" $1 }' own | sort)" = "$(grep slurm: held.now)" ]
}
settles() { until_true "the job does not get to $*" holds_hosts "$@"; }
logged() { until_true "no '$1' in the log" grep -Eq -- "$1" log; }
starts() { sed -i "s/^$1|$1|PENDING|1|2|n.a|Resources/$1|$1|RUNNING|1|2|$2|None/" own; }
somebody_waits() { echo '8|N/A|1|2|Resources' >queue; }
has_looked() { [ "$(wc -l <squeue.calls)" -ge "$1" ]; }
passes_looks() { until_true "it does not look" has_looked $(($(wc -l <squeue.calls) + ${1:-8})); }
left_over='"said":"ended 1 Slurm job that an earlier resize had left; unchanged'

# --- killed ---------------------------------------------------------------------------------------

begins "killed while allocations wait, which start later" idle idle
touch pause.start
broker_starts
until_true "no sbatch" grep -q '^42|' own
broker_is_killed
goes_on start
starts 41 host1
starts 42 host2
broker_starts
settles host0 host1 host2
logged '"busy":true,"left_over":2.*"actions":\[\]'
logged '"said":"ended 2 Slurm jobs that an earlier resize had left; unchanged'
logged '"said":"asked Slurm for 2 further nodes .*; Slurm job 44 gives host2; accepted as request 1: .*; resized from 2 to 6 processes"'
broker_ends

# Twice: the second one ends what the first one has left, and is killed with that.
begins "killed in sbatch, and in scancel" idle
touch pause.sbatch
broker_starts
comes_to sbatch
broker_is_killed
goes_on sbatch
touch pause.scancel
broker_starts
comes_to scancel
broker_is_killed
goes_on scancel
broker_starts
settles host0 host1
[ "$(cut -d' ' -f1 calls | paste -sd' ')" = "sbatch scancel scancel sbatch" ] || fail "$row: $(cat calls)"
broker_ends

# The request is the job's by then.
for point in answer outcome; do
    begins "killed between the request to grow and the job's $point" idle
    touch pause.$point
    broker_starts
    comes_to $point
    broker_is_killed
    goes_on $point
    broker_starts
    settles host0 host1
    broker_ends
done

# For the job's answer, for its outcome, and with that known: nobody waits any more for the node,
# which goes back all the same.
for point in answer outcome scancel; do
    begins "killed in a shrink, at its $point" idle idle
    broker_starts
    settles host0 host1 host2
    touch pause.$point
    somebody_waits
    comes_to $point
    broker_is_killed
    goes_on $point
    until [ "$(wc -l <held.now)" -eq 2 ]; do kill -0 $job || break; sleep 0.05; done
    : >queue
    sed -i 's/^host2|idle/host2|alloc/' hosts
    broker_starts
    settles host0 host1
    logged "$left_over"
    broker_ends
done

# The command that grows the job lives on, and is the only one to end what it has asked for.
begins "only the broker killed, its command stopped" idle
touch pause.answer
broker_starts
comes_to answer
command=$(descendants $broker)
kill -STOP "$command"
{ kill -KILL $broker && wait $broker; } 2>/dev/null
broker_starts
logged 'another nereus job resize --slurm of the job .solver. is under way'
goes_on answer
kill -CONT "$command"
settles host0 host1
[ "$(cut -d' ' -f1 calls)" = sbatch ] || fail "$row: $(cat calls)"
[ "$(grep -c 'is under way' log)" -eq 1 ] || fail "$row: it is said again and again: $(cat log)"
broker_ends
begins "only the broker killed: its command gives up" idle
touch pause.start
broker_starts
until_true "no sbatch" grep -q '^41|' own
{ kill -KILL $broker && wait $broker; } 2>/dev/null
goes_on start
broker_starts
settles host0 host1
broker_ends

# What a user has offered is known to nobody but the command that was killed: it has noted it. By
# hand, as the broker counts no such node.
for point in outcome scontrol; do
    begins "killed before a part of an offered allocation is given back, at $point" alloc alloc
    echo '50|50|RUNNING|2|4|host1|None|(null)' >>own
    accepted "$NEREUS" job offer solver host1:2@slurm:50 host2:2@slurm:50 --size 6
    touch pause.$point
    "$NEREUS" job resize solver 4 --slurm >out 2>&1 &
    broker=$!
    comes_to $point
    broker_is_killed
    goes_on $point
    accepted "$NEREUS" job resize solver 4 --slurm
    [ "$(cat out)" = $'Slurm job 50 keeps host1\nunchanged: the job has that size already' ] || fail "$row: $(cat out)"
    [ "$(tail -n 1 calls)" = "scontrol -- update JobId=50 NodeList=host1" ] || fail "$row: $(cat calls)"
    [ "$(ls -A runtime/nereus)" = solver ] || fail "$row: $(ls -A runtime/nereus)"
    job_ends
done

# --- Slurm, nodes and jobs that go away -----------------------------------------------------------

begins "slurmctld started anew while an allocation waits, and while a node goes back" idle idle
touch pause.start down
broker_starts
until_true "no word of Slurm" grep -q 'Unable to contact slurm controller .*: asked again until it answers' err
rm down
until_true "no sbatch" grep -q '^42|' own
touch down
passes_looks 3
starts 41 host1
starts 42 host2
rm down
settles host0 host1 host2
touch pause.outcome
somebody_waits
comes_to outcome
touch down
goes_on outcome
passes_looks 3
rm down
settles host0 host1
[ "$(grep -c 'Unable to contact' err)" -eq 1 ] || fail "$row: not one note: $(cat err)"
logged '"said":"accepted as request 2: from 6 to 4 processes; Slurm job 42 is ended; resized'
! grep -q '"carried_out":false' log || fail "$row: $(cat log)"
broker_ends

# One is drained, and the other one goes down: Slurm ends what was there, for which it takes a long
# time, and the job is started again without.
begins "nodes drained and down" idle idle
broker_starts
settles host0 host1 host2
sed -i 's/^host1|idle/host1|drng/; s/^host2|idle/host2|down*/' hosts
sed -i 's/^42|42|RUNNING/42|42|COMPLETING/' own
passes_looks
logged '"processes":6,"nodes":2,"busy":false,"left_over":0'
somebody_waits
logged 'Slurm job 41 is ended'
passes_looks
[ "$(grep -c sbatch calls)" -eq 2 ] || fail "$row: a node out of service was asked for: $(cat calls)"
broker_ends
begins "a node goes down while the job has no processes there" idle idle
broker_starts
settles host0 host1 host2
broker_is_killed
accepted "$NEREUS" job resize solver 4
sed -i '/^42|/d' own
sed -i 's/^host2|idle/host2|down/' hosts
echo 'host3|idle|2' >>hosts
broker_starts
settles host0 host1 host3
logged '"said":"the Slurm job of host2 has ended; '
broker_ends

# Nobody waits until the deadline for a node that this job can take no more; another broker's look is as good.
begins "the job cancelled while an allocation waits" idle
touch pause.start
broker_starts
until_true "no sbatch" grep -q '^41|' own
job_ends
sed -i '/^9|/d' own
until_true "the allocation is left" test ! -s own
logged '"carried_out":false,"said":".*Slurm job 9, the job.s own, has ended'
passes_looks
broker_ends

# The wall clock goes back by two hours while allocations wait, and forth by four in a shrink (an
# hour may begin meanwhile). $1: the library for it.
if [ -n "${1-}" ]; then
    begins "the clock stepped" idle idle
    touch pause.start
    echo 0 >step
    export NEREUS_TEST_CLOCK=$PWD/step LD_PRELOAD=$1
    broker_starts
    unset LD_PRELOAD
    until_true "no sbatch" grep -q '^42|' own
    echo -7200 >step
    passes_looks 3
    starts 41 host1
    starts 42 host2
    settles host0 host1 host2
    touch pause.outcome
    somebody_waits
    comes_to outcome
    echo 7200 >step
    goes_on outcome
    settles host0 host1
    logged 'accepted as request 2: from 6 to 4 processes; Slurm job 42 is ended; resized'
    ! grep -q '"carried_out":false' log || fail "$row: $(cat log)"
    [ "$(grep -o '"time":"[^"]*T[0-9]*' log | uniq | wc -l)" -ge 3 ] || fail "$row: its clock is not stepped: $(cat log)"
    broker_ends
fi

# The job answers on another host only: an srun queries it, and ends neither with the command that it
# has started nor by SIGTERM. How that has ended counts, and not what srun says when it is ended.
cat >bin/srun <<'SH'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift
[ ! -e short ] || set -- "${@/--deadline=60/--deadline=1}"
XDG_RUNTIME_DIR=$PWD/runtime "$@"
status=$?
case " $* " in *" status "*) exit $status ;; esac
echo >>hung
trap 'echo "srun: forcing job termination" >&2' TERM
while :; do sleep 0.1; done
SH
chmod +x bin/srun
begins "an srun that hangs after the outcome" idle
rm -f hung short
mkdir -p -m 700 elsewhere
XDG_RUNTIME_DIR=$PWD/elsewhere broker_starts
settles host0 host1
logged '"carried_out":true,"said":"asked Slurm for .*; resized from 2 to 4 processes"'
holds 'note: srun had not ended 5 s after its last word, and was stopped' err
touch pause.start short
echo 'host2|idle|2' >>hosts
until_true "no second resize" grep -q '"carried_out":false' log
logged '"carried_out":false,"said":"srun ended with status 1: nereus job resize: '
[ "$(wc -l <hung)" -ge 2 ] || fail "$row: srun has not hung: $(cat log)"
broker_ends

# --- the log --------------------------------------------------------------------------------------

begins "a full disk" idle
"$NEREUS" slurm broker --every 0.05s --deadline 60s --synthetic "$machine" >/dev/full 2>/dev/full &
broker=$!
settles host0 host1
somebody_waits
settles host0
broker_ends
# It has room for 9 bytes, and then for all: an end of line, and what is the case now.
begins "a full disk that is emptied" alloc
truncate -s $((1024 * 1024 - 9)) log
(
    trap '' XFSZ
    ulimit -f 1024
    exec "$NEREUS" slurm broker --every 0.05s --deadline 60s --synthetic "$machine" >>log 2>err
) &
broker=$!
until_true "nothing fails" grep -q 'standard output could not be written: File too large' err
passes_looks
: >log
logged '"job":"solver"'
[ "$(head -n 1 log)" = "" ] || fail "$row: it goes on within a line: $(cat log)"
[ "$(grep -c 'could not be written' err)" -eq 1 ] || fail "$row: $(cat err)"
broker_ends

# --- a long queue ---------------------------------------------------------------------------------

begins "200 jobs wait" idle
broker_starts
settles host0 host1
seq -f '%g|N/A|1|2|Priority' 200 >queue
settles host0
logged '"waiting_nodes":\[1(,1){198}\]'
passes_looks
[ "$(grep -c sbatch calls)" -eq 1 ] || fail "$row: the job has grown: $(cat calls)"
broker_ends
# The first answers come when 16 are asked; j7 hangs until 60 others have answered, and says nothing.
begins "200 malleable jobs" idle
cat >bin/srun <<'SH'
#!/bin/sh
waits() { until [ "$(grep -c "^$1" asks)" -ge $2 ]; do sleep 0.05; done; }
for job; do :; done
echo "+ $job" >>asks
case $job in j7) waits - 60 ;; j? | j1[0-6]) waits + 16 ;; esac
[ $job = j7 ] || sed "s/NAME/$job/" state
echo "- $job" >>asks
SH
chmod +x bin/srun
echo '{"protocol":1,"answer":"status","job":"NAME","host":"host0","state":"computing","size":2,"points_left":1000,"t_iter_s":0.6,"sizes":{"minimum":2,"maximum":4}}' >state
for i in $(seq 200); do
    echo "$((1000 + i))|$((1000 + i))|RUNNING|1|2|a$i|None|nereus j$i" >>own
    printf '%s|idle|2\n' "a$i" "b$i" >>hosts
done
accepted "$NEREUS" slurm broker --once --dry-run
python3 - <<'PY' || fail "$row: $(cut -c1-600 out)"
import json
said = json.load(open("out"))
assert len(said["jobs"]) == 200 and said["silent"] == ["j7"] and said["idle_nodes"] == 201
assert len({a["job"] for a in said["actions"]}) == 200 and sum(a["to_nodes"] - a["from_nodes"] for a in said["actions"]) == 201
asks, most, now = [line.split() for line in open("asks")], 0, 0
answered = [job for sign, job in asks if sign == "-"]
for sign, job in asks:
    now += 1 if sign == "+" else -1
    most = max(most, now)
assert most == 16 and now == 0 and answered.index("j7") >= 60, (most, now, answered)
PY
job_ends
finish
