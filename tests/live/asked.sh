#!/bin/bash
# asked.sh CASE NEREUS-MPIEXEC NEREUS RESIZE: a running job is asked from outside (docs/jobs.md).
# Nothing here waits for a time:
# the job goes on until it has changed its size so often, or its deadline is over.
set -u
. "$(dirname "$(readlink -f "$0")")/job_processes.sh"
case=$1 mpiexec=$2 nereus=$3 program=$4
XDG_RUNTIME_DIR=$(mktemp -d) || exit 1
export XDG_RUNTIME_DIR
stubs=$(dirname "$(readlink -f "$0")")/stub
trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
cd "$XDG_RUNTIME_DIR" || exit 1
failures=0

fail() {
    echo "asked.sh: FAILED: $*"
    failures=$((failures + 1))
}
holds() { # REGEX FILE
    grep -Eq -- "$1" "$2" || fail "no '$1' in $2: $(head -c 800 "$2")"
}
start() { # WORD...: the job, and once it answers this returns
    "$mpiexec" --job "$case" -n 2 "$program" "$@" >job.out 2>&1 </dev/null &
    job=$!
    until "$nereus" job status "$case" >status.out 2>status.err && ! grep -q 'under way' status.out; do
        kill -0 $job 2>/dev/null || { fail "the job has ended: $(cat job.out)"; exit 1; }
        sleep 0.05
    done
}
asked() { # COMMAND WORD...: its status in $status, what it says in out and err
    local command=$1
    shift
    "$nereus" job "$command" "$case" "$@" >out 2>err
    status=$?
}
finish() { # the job ends well, and nothing is left of it
    wait $job || fail "the job has ended with $?"
    holds 'wrong 0$' job.out
    [ -z "$(ls -A nereus)" ] || fail "left: $(ls -A nereus)"
    [ "$failures" -eq 0 ] || { cat job.out; exit 1; }
    echo "all checks passed"
}
number() { # KEY FILE: of its last line
    tail -1 "$2" | grep -oE "\"$1\": ?[0-9.e-]+" | head -1 | sed 's/.*: *//'
}

# Rank 0 becomes another process twice; the name stays, and so does who waits.
moves() {
    export NEREUS_TRACE=$PWD/trace.jsonl
    start data=line last=1 until=3 pause=0.002 expect=2
    local first then
    first=$(sed -n 's/.*rank 0 is process \([0-9]*\) .*/\1/p' status.out)
    holds '^size: 2 processes' status.out
    "$nereus" job wait "$case" --end >end.out 2>&1 &
    local waits=$!
    "$nereus" job wait "$case" --end >/dev/null 2>&1 &
    local dies=$! pid
    for pid in $waits $dies; do # connected, so that they hear of the end
        until readlink "/proc/$pid/fd/"* | grep -q '^socket:'; do
            kill -0 $pid || { fail "nereus job wait has ended: $(cat end.out)"; exit 1; }
            sleep 0.05
        done
    done
    asked resize 3 --method merge/coll
    [ $status -eq 0 ] || fail "resize by merge: $(cat err)"
    holds '^accepted as request 1: from 2 to 3 processes$' out
    holds '^resized from 2 to 3 processes in [0-9.e-]+ s$' out
    kill -9 $dies
    asked resize 4 --method baseline/coll --deadline 60s --format json
    [ $status -eq 0 ] || fail "resize by baseline: $(cat out err)"
    tail -1 out >outcome.json
    holds '"answer":"outcome","request":2,.*"ns":3,"nt":4,"outcome":"resized"' outcome.json
    holds '"rt_traced":true' outcome.json
    grep '"event":"reconfiguration"' trace.jsonl | tail -1 >traced.json
    [ "$(number rt_s outcome.json)" = "$(number rt_s traced.json)" ] || fail "RT $(number rt_s outcome.json), in the trace $(number rt_s traced.json)"
    "$nereus" job status "$case" --format json >status.json || fail "no status after the move"
    then=$(number pid status.json)
    [ "$then" != "$first" ] || fail "rank 0 is still process $first"
    holds '"size":4' status.json
    holds '"reconfigurations":2' status.json
    "$nereus" job list --format csv >jobs.csv || fail "nereus job list: $?"
    holds "^$case,computing,4," jobs.csv
    asked wait --request 1
    holds '^resized from 2 to 3 processes' out
    asked resize 2 --method baseline/coll --no-wait
    [ $status -eq 0 ] || fail "the third: $(cat err)"
    wait $waits || fail "who waits for the end was not told: $(cat end.out)"
    holds '^the job has ended$' end.out
    finish
}

# A new rank 0 cannot take the name over: later ones leave it, as another job may have it by now.
# The name is a folder first, and then a file of another one's, which a socket would replace.
gives_up() {
    export NEREUS_SCHEDULE=3@60:baseline/coll,2@400:baseline/coll
    start data=line last=1 until=2 pause=0.01 hold=60 expect=2
    until grep -q 'resize: holds' job.out; do sleep 0.05; done
    rm "nereus/$case"
    mkdir "nereus/$case"
    touch go
    until grep -q 'does not answer any more' job.out; do
        kill -0 $job 2>/dev/null || { fail "the job has ended: $(cat job.out)"; exit 1; }
        sleep 0.05
    done
    rmdir "nereus/$case"
    echo "of another job" >"nereus/$case"
    wait $job
    holds '^of another job$' "nereus/$case"
    rm "nereus/$case"
    finish
}

# Rank 0's node is given back: a process that stays becomes rank 0, and answers.
returns() {
    printf 'localhost/a:2\nlocalhost/b:2\n' >hosts
    export NEREUS_HOSTFILE=$PWD/hosts
    start data=line last=1 until=3 pause=0.002 expect=4
    local first
    first=$(sed -n 's/.*rank 0 is process \([0-9]*\) .*/\1/p' status.out)
    asked resize 4 --method merge-multiple/coll
    [ $status -eq 0 ] || fail "growing: $(cat err)"
    asked status
    holds '^nodes: localhost/a: 2, localhost/b: 2$' out
    asked release localhost/a localhost/b
    holds 'refused: without the nodes .* no process would be left' err
    asked release localhost/a --method merge/coll
    [ $status -eq 0 ] || fail "giving localhost/a back: $(cat err)"
    holds '^resized from 4 to 2 processes in .*; free now: localhost/a$' out
    asked wait --request 2 --format json # who asks the new rank 0 is told, too
    holds '"freed":\[\{"name":"localhost/a","cores":2\}\]' out
    asked status
    holds '^nodes: localhost/b: 2$' out
    holds '^free now: localhost/a$' out
    ! grep -q "process $first " out || fail "rank 0 is still process $first"
    asked wait --request 1 # its numbers have moved along
    holds '^resized from 2 to 4 processes in ' out
    asked resize 4 --method merge/coll
    holds 'refused: .* only 2 slots are declared' err
    asked offer localhost/a:2 --size 4 --method merge/coll
    [ $status -eq 0 ] || fail "growing again: $(cat err)"
    holds '^accepted as request 3: ' out
    finish
}

# The machine gains nodes, with a size or without, and loses them; what fails leaves it as it was.
gains() {
    printf 'localhost/a:2\n' >hosts
    export NEREUS_HOSTFILE=$PWD/hosts NEREUS_STATE=$PWD/state.json NEREUS_FAULT=allocate:2@1
    start data=line last=1 until=6 pause=0.002 expect=1
    asked resize 4
    holds 'refused: .* only 2 slots are declared' err
    asked offer localhost/a:2
    holds "refused: the job's machine has the node 'localhost/a' already" err
    asked offer localhost/b:2 --size 4 --method merge/coll
    [ $status -eq 1 ] || fail "an injected failure: $status"
    holds 'request 1 failed: .*injected' err
    asked status
    holds '^nodes: localhost/a: 2$' out
    ! grep -q localhost/b state.json || fail "the state has a node that was not gained"
    asked offer localhost/b:2
    [ $status -eq 0 ] || fail "an offer: $(cat err)"
    holds '^unchanged: the machine has gained localhost/b \(2 nodes\)$' out
    asked status
    holds '^nodes: localhost/a: 2, localhost/b: 0$' out
    grep -q '"name": "localhost/b"' state.json || fail "the state lacks localhost/b"
    asked resize 4 --method merge-multiple/coll
    [ $status -eq 0 ] || fail "growing there: $(cat err)"
    asked offer localhost/c:1 --allocation slurm:77 --size 5 --method merge-diffusive/coll
    holds "refused: the node 'localhost/c' is in an allocation of its own \(slurm:77\)" err
    asked release localhost/b --method merge/coll --format json
    holds '"freed":\[\{"name":"localhost/b","cores":2\}\]' out
    asked status
    holds '^nodes: localhost/a: 2$' out
    asked offer localhost/b:1 --size 3
    [ $status -eq 0 ] || fail "growing with an offer: $(cat err)"
    asked release localhost/b --keep
    [ $status -eq 0 ] || fail "giving it back for now: $(cat err)"
    holds '^resized from 3 to 2 processes in [0-9.e-]+ s$' out
    asked release localhost/b
    holds '^unchanged: free now: localhost/b \(1 node\)$' out
    asked release localhost/a
    holds 'refused: without the nodes .* no process would be left' err
    # What a request has freed is told as long as its outcome is, also by another rank 0.
    asked wait --request 4 --format json
    holds '"freed":\[\{"name":"localhost/b","cores":2\}\]' out
    # ... and while the machine changes.
    : >asks
    while [ -e asks ]; do "$nereus" job wait "$case" --request 4 --format json; done >told 2>/dev/null &
    local asker=$!
    asked offer localhost/b:2
    [ $status -eq 0 ] || fail "offered again: $(cat err)"
    until grep -q '"answer":"outcome"' told; do sleep 0.05; done
    asked resize 2 --method baseline/coll
    [ $status -eq 0 ] || fail "starting anew: $(cat err)"
    rm asks
    wait $asker
    holds '"answer":"outcome","request":4,' told
    ! grep '"answer":"outcome"' told | grep -qv '"freed":\[{"name":"localhost/b","cores":2}\]' || fail "not told: $(tail -3 told)"
    asked wait --request 4 --format json
    holds '"request":4,.*"freed":\[\{"name":"localhost/b","cores":2\}\]' out
    asked wait --request 7 --format json
    holds '"request":7,.*"freed":\[\{"name":"localhost/b","cores":1\}\]' out
    asked wait --request 9 --format json
    ! grep -q '"freed"' out || fail "a request that frees nothing: $(cat out)"
    asked resize 1 --method merge/coll
    [ $status -eq 0 ] || fail "shrinking: $(cat err)"
    finish
}

# A resource manager that speaks PMIx (tests/live/manager.c) gives nodes, and gets them back.
managed() {
    printf 'localhost/a:2\n' >hosts
    export NEREUS_HOSTFILE=$PWD/hosts TMPDIR=$PWD # PMIx leaves there where the manager answers
    start data=line last=1 until=3 pause=0.002 expect=3 sizes=1:4
    rm_asked() { # WORD...: the status of nereus-pmix; what the manager was asked meanwhile in requests
        local before
        before=$(wc -l <manager.out)
        "$NEREUS_TEST_PMIX" "$@" >out 2>err
        status=$?
        tail -n +$((before + 1)) manager.out >requests
    }
    : >manager.out
    rm_asked grow "$case" 1
    holds '^nereus-pmix: no PMIx server of a resource manager' err
    "$NEREUS_TEST_MANAGER" >manager.out 2>&1 &
    local manager=$!
    until grep -q ready manager.out; do kill -0 $manager || exit 1; sleep 0.05; done
    rm_asked grow "$case" 1 4
    [ $status -eq 1 ] || fail "a manager that refuses: $status"
    holds '^nereus-pmix: the resource manager refuses \(NEW\): OUT-OF-RESOURCE$' err
    echo 'localhost/b:2' >answer
    rm_asked grow "$case" 1 5
    [ $status -eq 1 ] || fail "a size that the job does not take: $status"
    holds '^nereus-pmix: not done: the application takes' err
    [ "$(cat requests)" = "NEW pmix.alloc.reqid=$case pmix.alloc.nnodes=1
RELEASE pmix.alloc.nlist=localhost/b" ] || fail "not given back: $(cat requests)"
    rm_asked grow "$case" 1 4
    [ $status -eq 0 ] || fail "growing: $(cat err)"
    holds '^the resource manager gives localhost/b \(allocation 7\)$' out
    holds '^resized from 2 to 4 processes in ' out
    rm_asked release "$case" localhost/b
    [ $status -eq 0 ] || fail "giving it back: $(cat err)"
    holds '^resized from 4 to 2 processes in .*; free now: localhost/b$' out
    [ "$(cat requests)" = "RELEASE pmix.alloc.nlist=localhost/b" ] || fail "asked for $(cat requests)"
    printf 'localhost/b,localhost/c\n1,2\n' >answer # cores apart, in an allocation that there is
    rm_asked grow --extend 7 "$case" localhost/b,localhost/c
    [ $status -eq 0 ] || fail "without a size: $(cat err)"
    holds '^EXTEND pmix.alloc.reqid=.* pmix.alloc.nlist=localhost/b,localhost/c pmix.alloc.id=7$' requests
    asked status
    holds '^nodes: localhost/a: 2, localhost/b: 0, localhost/c: 0$' out
    rm answer
    rm_asked release "$case" localhost/c
    holds 'does not use localhost/c, but the resource manager keeps it' err
    echo >answer # an allocation whose nodes are not named
    rm_asked grow "$case" 1
    holds "^nereus-pmix: allocation '7' is granted, but not as NODE:CORES" err
    holds '^RELEASE pmix.alloc.id=7$' requests
    rm_asked grow "$case" localhost/d:1 # the names that it was asked for
    [ $status -eq 0 ] || fail "named nodes: $(cat err)"
    rm_asked grow "$case" localhost/e:1 many
    [ $status -eq 2 ] && [ ! -s requests ] || fail "a wrong size: $status, $(cat err requests)"
    rm_asked grow "$case"
    [ $status -eq 2 ] || fail "a word too few: $status"
    touch mute
    "$NEREUS_TEST_PMIX" grow "$case" 1 >out 2>err &
    local asker=$!
    until [ "$(tail -1 manager.out)" = "NEW pmix.alloc.reqid=$case pmix.alloc.nnodes=1" ]; do
        kill -0 $asker 2>/dev/null || { fail "nereus-pmix has ended: $(cat out err)"; break; }
        sleep 0.05
    done
    kill -9 $manager
    wait $asker && fail "a manager that ends: $(cat out)"
    holds "^nereus-pmix: the resource manager's PMIx server has gone" err
    asked resize 3 --method merge/coll
    [ $status -eq 0 ] || fail "on the nodes that it was given: $(cat err)"
    finish
}

# A node in an allocation of its own: the launcher starts there, by an srun that stands for Slurm's.
allocated() {
    mkdir bin
    cat >bin/srun <<'TEXT'
#!/bin/bash
echo "job ${SLURM_JOB_ID-none} ${SLURM_NODELIST-} $*" >>"$SRUN_LOG"
[ "${SLURM_JOB_ID-}" = 77 ] || { echo "srun: Invalid job id" >&2; exit 1; }
while [[ $1 == -* ]]; do [[ $1 == --*=* ]] && shift || shift 2; done
SLURM_NODEID=0 exec "$@"
TEXT
    chmod +x bin/srun
    printf 'localhost/a:2\n' >hosts
    export NEREUS_HOSTFILE=$PWD/hosts PATH=$PWD/bin:$PATH SRUN_LOG=$PWD/srun.log NEREUS_SPAWN_TIMEOUT=20
    start data=line last=1 until=3 pause=0.002 expect=1
    asked offer localhost/b:2 --allocation slurm:76 --size 4 --method merge-launch/coll
    [ $status -eq 1 ] || fail "an allocation that there is not: $status"
    holds 'request 1 failed: ' err
    asked status
    holds '^nodes: localhost/a: 2$' out
    asked offer localhost/b:2@slurm:77 --size 4 --method auto
    [ $status -eq 0 ] || fail "the allocation: $(cat err; cat srun.log)"
    holds '^job 77 ' srun.log
    asked status
    holds '^nodes: localhost/a: 2, localhost/b: 2 in slurm:77$' out
    asked release localhost/b --method merge/coll --format json
    holds '"freed":\[\{"name":"localhost/b","cores":2,"allocation":"slurm:77"\}\]' out
    asked resize 1 --method merge/coll
    [ $status -eq 0 ] || fail "shrinking: $(cat err)"
    finish
}

# Rank 0 falls asleep by a layout (tests/live/by_node.c), and says so: its world has processes on
# another node.
asleep() {
    printf 'localhost/a:2\nlocalhost/b:2\n' >hosts
    export NEREUS_HOSTFILE=$PWD/hosts NEREUS_STATE=$PWD/state.json NEREUS_TEST_WAITS_FOR=$PWD/begin
    "$mpiexec" --job "$case" -n 4 "$program" localhost/b:2=merge-zs/coll >job.out 2>&1 </dev/null &
    job=$!
    until "$nereus" job status "$case" >status.out 2>&1; do
        kill -0 $job 2>/dev/null || { fail "the job has ended: $(cat job.out)"; exit 1; }
        sleep 0.05
    done
    timeout 100 python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(b"{\"protocol\":1,\"do\":\"end\"}\n")
open(sys.argv[2], "w").close(); print(s.recv(4096).decode())' "nereus/$case" begin >out
    holds '"answer":"moved"' out
    wait $job || fail "the job has ended with $?: $(cat job.out)"
    holds 'stage 1: localhost/a has 0' job.out
    [ "$failures" -eq 0 ] || exit 1
    echo "all checks passed"
}

# What cannot be done is refused with a reason, and the job goes on.
refuses() {
    start data=thin last=1 until=1 pause=0.002 expect=4 sizes=2:8:2
    asked resize 6
    holds "refused: on 6 processes parts of the grid 'thin' would be thinner than its halo\$" err
    asked resize 3
    [ $status -eq 1 ] || fail "3 processes: status $status"
    holds 'refused: the application takes 2 to 8 processes, multiples of 2, not 3 \(it would take 2 or 4\)$' err
    asked resize 99 --format json
    [ $status -eq 1 ] || fail "99 processes: status $status"
    holds '"answer":"refused",.*"near":\[8\]' out
    asked resize 4 --method merge/coal
    holds 'refused: .*coal' err
    asked release nowhere
    holds "refused: the node 'nowhere' cannot be released" err
    asked offer node5
    holds "'node5' is no offer: it takes NODE:CORES" err
    asked offer node5:2@pbs:7
    holds "refused: .*'pbs:7' is no allocation" err
    asked offer node5:2 --size 3
    holds 'refused: the application takes 2 to 8 processes, multiples of 2, not 3' err
    asked wait
    holds 'refused: nothing has been asked' err
    asked resize 2
    holds '^(nereus job resize: request 1 )?unchanged: the job has that size already$' out
    printf 'rubbish\n' | timeout 100 python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(sys.stdin.buffer.read()); print(s.recv(4096).decode())' "nereus/$case" >out
    holds '"answer":"invalid"' out
    "$mpiexec" --job "$case" -n 1 "$program" last=1 >twice.out 2>&1 </dev/null && fail "two jobs have one name"
    holds "answers as '$case' already" twice.out
    first=$("$nereus" job status "$case" --format json | sed -n 's/.*"pid":\([0-9]*\).*/\1/p')
    kill -STOP "$first"
    "$nereus" job list --format csv >jobs.csv
    kill -CONT "$first"
    holds "^$case,silent,," jobs.csv
    asked resize 4
    [ $status -eq 0 ] || fail "4 processes: $(cat err)"
    finish
}

# Points that come seldom: it answers all the same, and a request is given up at its deadline.
seldom() {
    start last=1 until=1 pause=0.5 expect=4
    asked resize 4 --deadline 0.2s
    [ $status -eq 1 ] || fail "after its deadline: status $status: $(cat out)"
    holds 'request 1 given-up: (no malleability point came before|it was not begun by) its deadline' err
    asked status
    holds '^size: 2 processes' out
    asked resize 4 --deadline 60s
    [ $status -eq 0 ] || fail "before its deadline: $(cat err)"
    finish
}

# A launcher that starts nothing and does not end: the request fails soon after its deadline, after
# answer_timeout_s (7 s) and not spawn_timeout_s (60 s), and nothing is left of it.
# A deadline before which the request does not begin says nothing.
hangs() {
    export NEREUS_TEST_PIDS=$PWD/pids
    NEREUS_LAUNCH_COMMAND=$stubs/hangs start data=line last=1 until=1 pause=0.002 expect=3
    asked resize 4 --method merge-launch/coll --deadline 3s
    while grep -q 'given-up' err; do asked resize 4 --method merge-launch/coll --deadline 3s; done
    [ $status -eq 1 ] || fail "a launcher that hangs: status $status: $(cat out)"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one sentence: $(cat err)"
    holds 'failed: launched processes were not ready within the time limit of 7 s .*, or the request.s deadline' err
    while xargs -n 1 kill -0 <pids 2>/dev/null; do sleep 0.05; done
    asked status
    holds '^size: 2 processes' out
    asked resize 3 --method merge/coll
    [ $status -eq 0 ] || fail "the next one: $(cat err)"
    finish
}

# The wall clock goes forth by an hour, and a request is not given up; it goes back by two, and
# checkpoints are written on.
clock() {
    export NEREUS_CHECKPOINT=$PWD/saved NEREUS_CHECKPOINT_EVERY=50ms NEREUS_TEST_CLOCK=$PWD/step
    echo 0 >step
    LD_PRELOAD=$NEREUS_TEST_CLOCK_STEP start last=1 until=2 hold=3 pause=0.02 expect=2
    until grep -q 'resize: holds' job.out; do sleep 0.05; done
    asked resize 4 --deadline 60s --no-wait
    [ $status -eq 0 ] || fail "a request: $(cat err)"
    echo 3600 >step
    touch go
    asked wait
    [ $status -eq 0 ] || fail "given up: $(cat out err)"
    echo -3600 >step
    newest() { ls saved | sed -n 's/^checkpoint-\([0-9]*\)$/\1/p' | sort -n | tail -n 1; }
    local before
    before=$(newest)
    until [ "$(newest)" -ge $((before + 3)) ]; do # by the wall clock there would be none for two hours
        kill -0 $job || { fail "the job has ended: $(cat job.out)"; exit 1; }
        sleep 0.05
    done
    asked resize 2
    finish
}

# A process is lost while a request waits for a point: the request is lost with what came after the
# checkpoint, and only that is said.
loses() {
    export NEREUS_CHECKPOINT=$PWD/saved NEREUS_CHECKPOINT_EVERY=50ms NEREUS_ON_FAILURE=continue
    start last=200 hold=60 ask=4@60 pause=0.01 expect=4 # its own request is the first one
    until grep -q 'resize: holds' job.out; do sleep 0.05; done
    local first pid
    first=$(sed -n 's/.*rank 0 is process \([0-9]*\) .*/\1/p' status.out)
    for pid in $(job_processes); do
        [ "$pid" != "$first" ] && [[ $(readlink "/proc/$pid/exe") == */resize ]] && kill -9 "$pid"
    done
    asked resize 3 --method merge/coll --no-wait
    [ $status -eq 0 ] || fail "a request that waits: $(cat err)"
    touch go
    asked wait --request 1
    [ $status -eq 1 ] || fail "the outcome of the request: $status, $(cat out)"
    holds 'request 1 failed: the job has gone back to a checkpoint meanwhile: ask again$' err
    finish
    holds 'the job goes on as 2 processes from .*, without a new start' job.out
    holds ' 4 processes, 2 reconfigurations, ' job.out
}

# Without XDG_RUNTIME_DIR, where somebody has made /tmp/nereus-UID first, and has taken it away when
# the job is asked. In a /tmp of its own.
taken() {
    if [ "${NEREUS_TAKEN-}" != 1 ]; then
        unshare -m true 2>/dev/null || { echo "SKIPPED: no mounts of one's own (needs root)"; exit 77; }
        NEREUS_TAKEN=1 unshare -m bash -c 'mount -t tmpfs none /tmp && exec "$@"' bash "$0" "$case" "$mpiexec" "$nereus" "$program"
        exit
    fi
    local known
    known=/tmp/nereus-$(id -u)
    unset XDG_RUNTIME_DIR
    mkdir -m 700 "$known" && chown 65534 "$known" || fail "no folder of another user"
    start data=line last=1 until=1 pause=0.002 expect=1
    rmdir "$known"
    "$nereus" job list >out 2>err
    holds "^$case  *computing" out
    asked resize 1
    [ $status -eq 0 ] || fail "1 process: $(cat err)"
    finish
    [ ! -e "$known" ] && [ "$(find /tmp -maxdepth 1 -name "nereus-$(id -u)-*" -perm 700 -empty | wc -l)" -eq 1 ] || fail "where it answered: $(ls -l /tmp)"
    [ "$failures" -eq 0 ]
}

"$case"
