# nereus doctor: says the same in both formats, leaves nothing behind, and fails when a spawn does not work.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

# In a /dev/shm of its own, where that can be had: jobs that run beside this test have files there,
# too. Without tidying up some 18 stay.
export NEREUS
cat >own <<'SH'
mount -t tmpfs tmpfs /dev/shm && touch private && "$NEREUS" doctor <&-
status=$?
ls /dev/shm >shared
exit $status
SH
unshare --mount sh own >out 2>err
status=$?
if [ -e private ]; then
    [ "$status" -eq 0 ] || fail "status $status: nereus doctor: $(head -c 600 err)"
    [ -s shared ] && fail "files were left in /dev/shm: $(cat shared)"
else
    accepted "$NEREUS" doctor <&-
fi
rm -f own private shared
cp out text
for title in 'cores' 'rate between nodes' 'memory' '/dev/shm' 'other process. memory' 'open files' 'library' 'mpiexec' 'thread level' 'network module' 'port names' \
    'spawn of 2 processes' 'merge of the two worlds' 'disconnect' 'groups that leave' 'System V segments' \
    'spawns that a host survives' 'mpiexec -bind-to core' 'mpiexec -map-by core' 'plain spawn of a missing program' \
    'plain spawn, dies before MPI_Init' 'plain spawn on an unknown host' 'SIGKILL to a rank' \
    'launch' 'asynchronous methods' 'connections' 'binding' 'new processes' 'launch: an unknown host' 'libnereus: dies after MPI_Init' \
    'SIGKILL to a spawned process' 'exit status through mpiexec'; do
    holds "^  (ok|note|FAIL|-) +$title " text
done
# What Nereus itself promises, whatever the MPI does.
holds '^  ok +spawn of 2 processes +works' text
holds '^  ok +libnereus: a missing program +reported' text
holds '^  ok +libnereus: dies before MPI_Init +reported' text
holds '^  ok +launch: a missing program +reported' text
holds '^  ok +launch: dies before MPI_Init +reported' text
holds '^  ok +launch +works: one process more in [0-9]+ ms; by MPI_Comm_spawn in [0-9]+ ms' text
holds '^  ok +asynchronous methods +work: one process more in [0-9]+ ms' text
holds '^  ok +connections +through a bridge [0-9.]+ ms, through a port [0-9.]+ ms' text
holds '^  ok +exit status through nereus-mpiexec +5,' text
holds '^  ok +new processes +start what nereus-mpiexec was given, with its wrapper' text
# The table says the same as the findings; launching survives no less than spawning.
sed -n '/^what becomes of a job/,/^$/p' text >table
[ "$(wc -l <table)" -eq 8 ] || fail "the table has other rows: $(cat table)"
holds '^  the program is missing +(goes on|hangs|ends) +goes on +goes on$' table
holds '^  it dies after MPI_Init, before it has joined +not tried +(goes on|ends) +goes on$' table
holds '^  its host is not known +(goes on|hangs|ends) +(goes on|ends) +goes on$' table
holds '^  it is killed when it has joined +not tried +ends +ends$' table
[ "$failures" -eq 0 ] || grep -A1 '^  \(note\|FAIL\) ' text
rm table
holds 'Programs can be resized here' text
only text

accepted "$NEREUS" doctor --quick --format json
holds '"quick": true' out
holds '"passed": true' out
holds '"check": "plain_spawns"' out
grep -A4 '"check": "plain_spawns"' out | grep -q '"state": "skipped"' || fail "--quick does not say what it skipped"
grep -A4 '"fault": "unknown_host"' out | grep -q '"launch": "not tried"' || fail "--quick does not say what it left out"
grep -A4 '"fault": "missing"' out | grep -q '"launch": "goes on"' || fail "--quick left out what is quick"
grep -q plain_missing out && fail "--quick tried a spawn that may hang"

# An MPI that cannot spawn: a stub launcher in which only jobs without a spawn work; with RESTARTS,
# restarts as well.
mkdir -p broken/bin broken/libexec
cp "$NEREUS" broken/bin/nereus
ln -s "$NEREUS_BINARY_DIR/libexec/nereus" broken/libexec/nereus
ln -s "$NEREUS_BINARY_DIR/lib" broken/lib
cat >broken/bin/nereus-mpiexec <<LAUNCHER
#!/bin/bash
case "\${RESTARTS-} \$* " in *" facts "* | *yes*"restart/file "*) exec "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" "\$@" ;; esac
echo "stub: spawning is not supported" >&2
exit 7
LAUNCHER
chmod +x broken/bin/nereus-mpiexec
# It runs under a control group's limits: half a core, 64 MiB of which 48 are free, 100 processes
# (tests/unit/util/test_limits.c has all forms).
limited() { # FOLDER: a root with such limits
    mkdir -p "$1/proc/self" "$1/sys/fs/cgroup/box"
    echo '0::/box' >"$1/proc/self/cgroup"
    echo '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw' >"$1/proc/self/mountinfo"
    echo '50000 100000' >"$1/sys/fs/cgroup/box/cpu.max"
    echo 67108864 >"$1/sys/fs/cgroup/box/memory.max"
    echo 16777216 >"$1/sys/fs/cgroup/box/memory.current"
    echo 100 >"$1/sys/fs/cgroup/box/pids.max"
    echo 40 >"$1/sys/fs/cgroup/box/pids.current"
}
limited root
NEREUS_TEST_ROOT=$PWD/root LD_LIBRARY_PATH=$NEREUS_BINARY_DIR/lib broken/bin/nereus doctor --quick >out 2>err
status=$?
[ "$status" -eq 1 ] || fail "status $status where no spawn works, expected 1: $(cat err)"
holds '^  FAIL +spawn of 2 processes +does not work: the job ended with status 7 after .*: stub: spawning is not' out
holds '^ +-> this MPI cannot spawn here' out
holds '^  note +restart from files +does not work: the job ended with status 7' out
holds '^Programs cannot be resized here: ' out
RESTARTS=yes LD_LIBRARY_PATH=$NEREUS_BINARY_DIR/lib TMPDIR=$PWD broken/bin/nereus doctor --quick >restarts 2>err
[ $? -eq 1 ] || fail "a machine without spawns passes: $(cat err)"
holds '^  ok +restart from files +works, and is the only method here' restarts
holds '^Programs can be resized here by the method restart/file alone: start them with NEREUS_SPAWN=no nereus-mpiexec --checkpoint DIR' restarts
ls -d nereus-doctor-* 2>/dev/null && fail "the restart leaves files"
rm restarts
holds 'Programs cannot be resized here' out
holds '^  note +cores +1 may be used here of the [0-9]+ of .*, for the time of 0\.5 cores$' out
holds '^ +-> a control group limits the processor time \(.*/sys/fs/cgroup/box/cpu\.max\): calibrate under the limit' out
holds '^  note +memory +64 MiB of the .* of this host, of which 48 MiB are free$' out
holds '^  note +processes of the group +100, of which 60 are free \(.*/box/pids\.max\)$' out
rm -r root

# A launcher that does not work at all, by the variables of a process that srun --mpi=pmi2 has
# started (tests/hosts/step has a real one).
printf '#!/bin/sh\nexit 9\n' >broken/bin/nereus-mpiexec
SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 PMI_JOBID=7.0 LD_LIBRARY_PATH=$NEREUS_BINARY_DIR/lib broken/bin/nereus doctor --quick --format json >out 2>err
status=$?
[ "$status" -eq 1 ] || fail "status $status where no job works, expected 1: $(cat err)"
holds '"passed": false' out
holds '"result": "ended with status 9' out
holds '"result": "run, and merge lets processes sleep and wakes them; no new process can come in, and the job cannot restart itself"' out
rm -r broken

refused "unknown option '--slow'" "$NEREUS" doctor --slow
refused 'is one argument too many' "$NEREUS" doctor now
finish
