# What nereus run does with the programs that it starts, tried with stubs of mpiexec and nereus-sam:
# no MPI needed.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
export LD_LIBRARY_PATH="$NEREUS_BINARY_DIR/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export NEREUS_TEST_MARK="children-$$"
mkdir bin
cp "$NEREUS" bin/nereus
cat >bin/nereus-sam <<'SH'
#!/bin/sh
case $* in
"--processes -- good.ini") echo 3 ;;
"--processes -- bad.ini") echo "nereus-sam: bad.ini:7: unknown key 'Prozs' in [group0]; did you mean 'Procs'?" >&2; exit 1 ;;
"--processes -- odd.ini") echo three ;;
*) echo "unexpected: $*" >&2; exit 99 ;;
esac
SH
# The job: whatever the file job says, with the arguments that mpiexec got.
cat >bin/nereus-mpiexec <<'SH'
#!/bin/sh
printf '%s\n' "$*" >arguments
. ./job
SH
chmod +x bin/nereus-sam bin/nereus-mpiexec
n=$PWD/bin/nereus

# Processes that carry the mark and are neither this script nor one of its own.
left() {
    for file in $(grep -lzs "^NEREUS_TEST_MARK=$NEREUS_TEST_MARK\$" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        pid=${pid%/environ}
        [ "$pid" = $$ ] && continue
        case $(ps -o stat=,args= -p "$pid" 2>/dev/null) in "" | Z*) ;; *sleep*77*) echo "$pid" ;; esac
    done
}
# At once: the command waits for all that it has started.
nothing_left() {
    pids=$(left)
    [ -z "$pids" ] && return
    fail "processes were left: $1: $(ps -o pid=,args= -p $pids)"
    kill -9 $pids
}
# until_there FILE: the job has come so far that it makes this file.
until_there() {
    for _ in $(seq 300); do
        [ -e "$1" ] && return
        sleep 0.1
    done
    fail "the job did not make $1"
}

echo 'echo to stdout; echo to stderr >&2' >job
accepted "$n" run good.ini
holds '^to stdout$' out
holds '^to stderr$' err
[ "$(cat arguments)" = "-n 3 $PWD/bin/nereus-sam --format text -- good.ini" ] || fail "arguments: $(cat arguments)"
accepted "$n" run -n 5 good.ini --format json --results r.json
[ "$(cat arguments)" = "-n 5 $PWD/bin/nereus-sam --results r.json --format json -- good.ini" ] ||
    fail "arguments: $(cat arguments)"
# A program with its arguments, under a policy.
echo 'env | grep "^NEREUS_[PBMJ][A-Z]*=[a-z0-9]" | sort >environment' >job
cp bin/nereus-sam prog
accepted "$n" run -n 2 --policy p.ini --balance 5 --monitor m.jsonl --job j -- ./prog --flag x
[ "$(cat arguments)" = "-n 2 ./prog --flag x" ] || fail "arguments: $(cat arguments)"
for variable in BALANCE=5 JOB=j MONITOR=m.jsonl POLICY=p.ini; do holds "^NEREUS_$variable$" environment; done
accepted "$n" run nereus-sam
[ "$(cat arguments)" = "-n 1 $PWD/bin/nereus-sam" ] || fail "arguments: $(cat arguments)"
misused "'good.ini' is no program that can be executed" "$n" run good.ini more
misused '--results, --format, --check and --init belong to an APP.ini' "$n" run --results r.json ./prog
rm arguments
refused "^nereus run: bad.ini:7: unknown key 'Prozs' in \[group0\]; did you mean 'Procs'" "$n" run bad.ini
refused "number of processes that nereus-sam gave must be a whole number.*three" "$n" run odd.ini
[ -e arguments ] && fail "a refused file was run"

# status EXPECTED 'SENTENCE' COMMAND...
status() {
    local expected=$1 pattern=$2 found
    shift 2
    "$@" >out 2>err
    found=$?
    [ "$found" -eq "$expected" ] || fail "status $found, expected $expected: $*: $(cat err)"
    holds "$pattern" err
}
echo 'exit 5' >job
status 5 '^nereus run: the job ended with status 5$' "$n" run good.ini
echo 'kill -9 $$' >job
status 137 'was killed by signal 9' "$n" run good.ini
# A job that does not end, one that does not care for signals, in a session of its own.
echo 'sleep 77 & setsid sleep 77 & sleep 77' >job
status 143 'was stopped after 0.3 s' "$n" run good.ini --limit 300ms
nothing_left 'time limit'
# Where it has not come so far as to be deaf, it gets more time.
echo 'trap "" TERM INT; : >ready; setsid sleep 77 & sleep 77; sleep 77; sleep 77' >job
for limit in 0.3 3 30; do
    rm -f ready
    "$n" run good.ini --limit ${limit}s >out 2>err
    found=$?
    [ ! -e ready ] || break
done
[ "$found" -eq 137 ] || fail "deaf to signals: status $found, expected 137: $(cat err)"
holds "was stopped after $limit s" err
nothing_left 'deaf to signals'
# A job that ends well but leaves something behind.
echo 'setsid sleep 77 >/dev/null 2>&1 & exit 0' >job
status 1 'outlived it' "$n" run good.ini
nothing_left 'orphans'
# Signals are handed on, waited for, and end the command.
for signal in TERM INT HUP; do
    echo 'trap "sleep 0.3; echo tidy >tidied; exit 3" TERM INT HUP; setsid sleep 77 & sleep 77 & : >ready; wait' >job
    rm -f tidied arguments ready
    env --default-signal=INT,HUP "$n" run good.ini >out 2>err &
    pid=$!
    until_there ready
    kill -$signal $pid
    wait $pid
    found=$?
    [ "$found" -eq 3 ] || fail "SIG$signal: status $found, expected the job's 3"
    [ -e tidied ] || fail "SIG$signal: the job was not waited for"
    holds 'was interrupted' err
    nothing_left "SIG$signal"
done
# What a job leaves in /dev/shm goes with it, however it ends; what another job has open stays.
shm=/dev/shm/mpich_test_$$
exec 7<>${shm}_beside
for job in 'exit 5' 'sleep 77' 'exit 0'; do
    echo "echo mine >${shm}_left; exec 8<>${shm}_left; $job" >job
    "$n" run good.ini --limit 300ms >out 2>err
    [ -e ${shm}_left ] && fail "a job ('$job') left a file in /dev/shm"
done
rm -f arguments ready
echo "echo mine >${shm}_left; sleep 77 8<>${shm}_left & echo beside >${shm}_new; exec 9<>${shm}_new; : >ready; wait" >job
"$n" run good.ini >out 2>err &
pid=$!
until_there ready
exec 6<>${shm}_new
kill -TERM $pid
wait $pid
[ -e ${shm}_left ] && fail "an interrupted job left a file in /dev/shm"
for file in beside new; do [ -e ${shm}_$file ] || fail "${shm}_$file is gone, and it is still open"; done
exec 6>&- 7>&-
rm -f ${shm}_*
# A machine on which nothing works: each essential measurement is tried once, the reason is told
# once, and that is all.
mkdir -p libexec/nereus
cp bin/nereus-sam libexec/nereus/nereus-calibrate
cp bin/nereus-sam libexec/nereus/nereus-calibrate-job
echo 'echo . >>tries; echo "Abort($$): no fabric here:" >&2; exit 6' >job
"$n" calibrate --budget 300s --cores-per-node 2 --output broken.json >out 2>err && fail "a calibration of nothing ended well"
holds 'nothing could be measured: the last of the jobs ended with status 6: Abort\([0-9]+\): no fabric here; nereus doctor says what works' err
[ "$(grep -c 'no fabric here' err)" -eq 2 ] || fail "not told once and at the end: $(cat err)"
[ "$(wc -l <tries)" -eq 22 ] || fail "$(wc -l <tries) jobs were tried, expected the 22 essential ones"
# A job that does not end is stopped soon after the budget: after as much as was expected of it.
: >begun
echo 'echo . >>begun; sleep 77' >job
"$n" calibrate --budget 1500ms --cores-per-node 2 --output broken.json >out 2>err && fail "a calibration of nothing ended well"
holds 'budget of 1\.5 s' err
[ "$(wc -l <begun)" -le 1 ] || fail "$(wc -l <begun) jobs were begun, expected the one that took all of the budget"
ls broken.* >/dev/null 2>&1 && fail "a refused calibration left $(ls broken.*)"
nothing_left 'a calibration that hangs'
rm -rf libexec tries begun
# Programs that are missing.
rm bin/nereus-sam
refused 'nereus-sam' "$n" run good.ini
rm bin/nereus-mpiexec
refused 'nereus-mpiexec' "$n" run good.ini
refused 'nereus-mpiexec' "$n" validate --profile "$data/profile.json"
finish
