# nereus calibrate: interrupted and gone on with, no row is lost; what it refuses leaves nothing behind.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

NEREUS_TEST_MARK=calibrate-$$
export NEREUS_TEST_MARK

# wait_for_rows FILE N PID: until the file has more than N lines.
wait_for_rows() {
    until [ -e "$1" ] && [ "$(wc -l <"$1")" -gt "$2" ]; do
        kill -0 "$3" 2>/dev/null || { fail "no $2 lines in $1 before the calibration ended"; return; }
        sleep 0.1
    done
}

# interrupted SIGNAL STATUS LINES: starts a long calibration and ends it when p.csv has more than LINES lines.
interrupted() {
    "$NEREUS" calibrate --budget 60s --output p.json --seed 3 >out 2>err <&- &
    local pid=$! status
    wait_for_rows p.csv "$3" $pid
    kill "-$1" $pid
    wait $pid
    status=$?
    [ "$status" -eq "$2" ] || fail "status $status after SIG$1, expected $2: $(cat err)"
    holds 'interrupted.* p\.json .* [0-9]+ rows.* p\.csv' err
    holds '"cores_per_node": [1-9]' p.json
    grep -q '"mpi": ""' p.json && fail "the profile does not say where it is from"
    only p.csv p.json
    none_left
}

columns_are_even() {
    [ "$(awk -F, '/^#/ { next } { print NF }' p.csv | sort -u | wc -l)" -eq 1 ] || fail "lines of different lengths in p.csv"
}

# goes_on FILE: p.csv begins with this.
goes_on() {
    cmp -n "$(stat -c %s "$1")" "$1" p.csv || fail "the rows of the first run have changed"
}

# SIGINT does not reach a background job of a shell without job control: SIGTERM and SIGHUP are
# treated the same.
interrupted TERM 143 20
columns_are_even
rm p.json
cp p.csv first.csv.kept
mv first.csv.kept ../calibrate-first.csv
interrupted HUP 129 "$(wc -l <p.csv)"
goes_on ../calibrate-first.csv
columns_are_even

# The last line cut off in the middle: it is dropped, and the rest is kept.
head -n -1 p.csv >../calibrate-whole.csv
truncate -s -9 p.csv
# The budget is spent by jobs, of one second each (NEREUS_TEST_JOB_S), however long they take here.
NEREUS_TEST_JOB_S=1 accepted "$NEREUS" calibrate --budget 4s --output p.json --seed 3
holds ' [0-9]+ rows in p\.csv' err
holds '^profile: p.json$' out
# It is the one that is taken here from now on, until another one replaces it, which is said.
installed=$XDG_CONFIG_HOME/nereus/profiles/$(uname -n).json
holds "^installed: $installed$" out
cmp p.json "$installed" || fail "another profile is installed"
holds '^messages +2 ' out
holds '^not measured, as the budget was spent: ' out
holds '^[0-9]+ kinds .* 5 %' out
goes_on ../calibrate-whole.csv
columns_are_even
only p.csv p.json
none_left
[ "$(wc -l <p.csv)" -gt "$(wc -l <../calibrate-whole.csv)" ] || fail "nothing was measured"

accepted "$NEREUS" predict --ns 1 --nt 2
holds 'installed for this host or cluster' err

# What fit says of these rows: every line has a name.
accepted "$NEREUS" profile fit p.csv --output q.json
grep -q '(null)' out && fail "a line without a name: $(grep '(null)' out)"
grep -q '^  waits' out && holds '^  waits +.* rows \(shrink' out # jobs shrink again
# The rows say where they are from: fit makes the profile of them that the calibration has made, and
# has nothing to remark.
holds '^# nereus calibrate: \{"cluster": .*"nodes": 1\}$' p.csv
cmp p.json q.json || fail "fit makes another profile than calibrate of the same samples"
holds '^ "nodes": 1,' q.json
[ -s err ] && fail "fit remarks something about a calibration's own rows: $(cat err)"
rm q.json

# Cut off in the middle of a number; and a budget in which nothing can be measured: the profile is made anew.
cp p.csv ../calibrate-whole.csv
half=$(tail -1 p.csv | head -c -4)
printf %s "$half" >>p.csv
rm p.json
accepted "$NEREUS" calibrate --budget 20ms --output p.json --samples p.csv --format json
goes_on ../calibrate-whole.csv
echo "# cut off: $half" >>../calibrate-whole.csv
cmp p.csv ../calibrate-whole.csv || fail "a budget of 20 ms added rows"
holds '"new_rows": 0' out
holds "\"installed\": \"$installed\"" out
holds '"replaced": "that of .*, measured 20.* with .*MPI' out
holds '"half_width": null' out
holds '"not_measured": "the budget was spent"' out
for key in host date mpi launcher machine_kind campaign cores_per_node; do
    holds "\"$key\": [^ ]+" p.json
done
holds '"date": "20[0-9][0-9]-[01][0-9]-[0-3][0-9]T' p.json

# Above the cores, a row says so; within them, it does not.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
         $at["kind"] == "spawn" && $at["bytes"] == "" {
             over = $at["old_processes"] + $at["new_processes"] > $at["cores_per_node"]
             if ($at["oversubscribed"] != over) { print; bad = 1 }
         } END { exit bad }' p.csv || fail "rows are marked oversubscribed, or not, without reason"

# Not even the header was complete. A file that was there before stays.
head -1 p.csv | head -c 33 >q.csv
refused 'too short for any measurement' "$NEREUS" calibrate --budget 1ms --samples q.csv --output q.json
only p.csv p.json q.csv
rm q.csv

# Two at once would mix their rows: the second is refused.
"$NEREUS" calibrate --budget 60s --output q.json --samples p.csv >out 2>err &
pid=$!
wait_for_rows p.csv "$(wc -l <../calibrate-whole.csv)" $pid
refused 'another nereus is writing to p.csv' "$NEREUS" calibrate --budget 1s --samples p.csv
kill $pid
wait $pid
only p.csv p.json q.json
rm q.json
none_left
# Measured with other cores: by numbers of processes alone these rows would count as measured here.
cp p.csv ../calibrate-whole.csv
cores=$(sed -n '3s/^[^,]*,\([0-9]*\),.*/\1/p' p.csv)
refused "p.csv, line 3: measured with $cores cores? a node, and this is a machine with $((cores + 1)); name another file .*--cores-per-node $cores\$" \
    "$NEREUS" calibrate --output q.json --samples p.csv --budget 1s --cores-per-node $((cores + 1))
refused "no checkpoint can be written into '/nowhere/checkpoints' \(--checkpoint, NEREUS_CHECKPOINT\): No such file" \
    "$NEREUS" calibrate --output q.json --samples p.csv --budget 1s --checkpoint /nowhere/checkpoints
NEREUS_CHECKPOINT=p.csv refused "into 'p.csv' .*: Not a directory" "$NEREUS" calibrate --output q.json --samples p.csv --budget 1s
refused "p.csv, line 3: measured on .*, and this is 'elsewhere'; name another file" \
    "$NEREUS" calibrate --output q.json --samples p.csv --budget 1s --cluster elsewhere
cmp p.csv ../calibrate-whole.csv || fail "a refused calibration changed the samples"
only p.csv p.json
rm -f p.csv p.json ../calibrate-first.csv ../calibrate-whole.csv

# Reconfigurations of processes that take two cores each; what is measured without this library takes one.
if [ "$(nproc)" -ge 2 ]; then
    NEREUS_TEST_JOB_S=1 accepted "$NEREUS" calibrate --budget 12s --output p.json --seed 3 --cores-per-process 2
    columns_are_even
    awk -F, '/^#/ { next } NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { each = $c["cores_per_process"]; whole = $c["kind"] == "reconfiguration" && $c["cores_per_node"] > 1
          wholes += whole; if (whole && each != 2 || each > 2 || each < 1 || $c["kind"] == "pingpong" && each != 1) bad = 1 }
        END { exit bad || !wholes }' p.csv || fail "cores of a process in the samples: $(cut -d, -f2-5,14,20 p.csv | head -40)"
    line=$(awk -F, '/reconfiguration/ && $2 > 1 { print NR; exit }' p.csv)
    refused "p.csv, line $line: measured with 2 cores a process, and this is a calibration with 1; name another file .*--cores-per-process 2\$" \
        "$NEREUS" calibrate --output q.json --samples p.csv --budget 1s
    accepted "$NEREUS" predict --profile p.json --ns 1 --nt 2 --t-iter 0.1 --cores-per-process 2
    holds '[^a-z]measured' out
    only p.csv p.json
    rm p.csv p.json
else
    echo "skipped: processes of two cores, as there is one core"
fi
refused 'a node|cores, and each process takes 4096' "$NEREUS" calibrate --budget 1s --cores-per-process 4096

# Inside a Slurm allocation its nodes are the machine; the host file of them is gone at the end.
export SLURM_JOB_NODELIST=$(hostname) SLURM_JOB_CPUS_PER_NODE=3
NEREUS_TEST_JOB_S=1 accepted "$NEREUS" calibrate --budget 3s --output p.json --format json --no-install
holds '"installed": null' out
holds 'nodes are those of the Slurm allocation' err
holds '"cores_per_node": 3' out
only p.csv p.json
SLURM_JOB_CPUS_PER_NODE=few refused "'few' is no list of cores per node" "$NEREUS" calibrate --budget 1s
SLURM_JOB_NODELIST='n[1-' refused "SLURM_JOB_NODELIST 'n\[1-': a bracket is not closed" "$NEREUS" calibrate --budget 1s
only p.csv p.json
rm -f p.csv p.json

# Of two in allocations the second is refused; the host file of the first stays, and one that the
# user has named so.
echo mine >s.csv.hosts
"$NEREUS" calibrate --budget 60s --output p.json --samples s.csv --no-install >out 2>err &
pid=$!
wait_for_rows s.csv 1 $pid
head -50 s.csv.hosts* >../calibrate-hosts
[ "$(ls s.csv.hosts* | wc -l)" -eq 2 ] || fail "not the user's host file and that of a calibration: $(ls)"
SLURM_JOB_CPUS_PER_NODE=4 refused 'another nereus is writing to s.csv' "$NEREUS" calibrate --budget 1s --samples s.csv
head -50 s.csv.hosts* | cmp - ../calibrate-hosts || fail "a refused calibration changed a host file: $(head -50 s.csv.hosts*)"
kill $pid
wait $pid
none_left
only p.json s.csv s.csv.hosts
[ "$(cat s.csv.hosts)" = mine ] || fail "a calibration changed a file of the user"
unset SLURM_JOB_NODELIST SLURM_JOB_CPUS_PER_NODE
rm -f p.json s.csv s.csv.hosts ../calibrate-hosts
# What was refused after the file was locked leaves a short file of the user as it was.
printf 'a,b\n' >other.csv
refused 'no-such-hosts' "$NEREUS" calibrate --hostfile no-such-hosts --samples other.csv
[ "$(cat other.csv)" = 'a,b' ] || fail "a refused calibration removed or changed other.csv"
refused '/dev/null is a device, which keeps nothing: name a file' "$NEREUS" calibrate --samples /dev/null --output p.json
rm other.csv

# What is refused leaves nothing behind.
refused '--budget must be' "$NEREUS" calibrate --budget 0
refused '--budget must be' "$NEREUS" calibrate --budget soon
refused '--precision must be' "$NEREUS" calibrate --precision narrow
refused '--slots must be' "$NEREUS" calibrate --slots 0
refused 'nothing can be measured with 1 slot;' "$NEREUS" calibrate --slots 1
refused "; did you mean '--budget'\?" "$NEREUS" calibrate --buget 3s
refused 'too short for any measurement' "$NEREUS" calibrate --budget 1ms
refused "'nowhere/p.json' cannot be written: No such" "$NEREUS" calibrate --output nowhere/p.json
refused "'.' cannot be written: Is a directory" "$NEREUS" calibrate --output .
echo mine >notes.txt
refused "'notes.txt' is there and no profile" "$NEREUS" calibrate --output notes.txt
[ "$(cat notes.txt)" = mine ] || fail "a refused calibration changed notes.txt"
rm notes.txt
refused 'no-such-hosts' "$NEREUS" calibrate --hostfile no-such-hosts
printf 'localhost/a:1\nno-such-host.invalid:2\n' >nodes
refused "^nereus calibrate: nodes: the host 'no-such-host.invalid' is not known" "$NEREUS" calibrate --hostfile nodes
rm nodes
only
refused '--output z.json and --samples ./z.json are one file' "$NEREUS" calibrate --output z.json --samples ./z.json --budget 1s
ln -s z.json z.csv
refused '--output z.json and --samples z.csv are one file' "$NEREUS" calibrate --output z.json --budget 1s
rm z.csv
only
printf 'a,b\n1,2\n' >other.csv
refused 'other.csv, line 1: these are not the columns' "$NEREUS" calibrate --samples other.csv
[ "$(cat other.csv)" = "$(printf 'a,b\n1,2\n')" ] || fail "a foreign file was changed"
only other.csv
# The job that is measured: each size by a method of its own, on virtual nodes, beside iterations
# that go on. Also when the first world leaves, what was beside an asynchronous reconfiguration is
# in the trace; and when the next one is due before the one before is over, as with iterations that
# are so long.
rm -f ./*
printf 'localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\n' >nodes
NEREUS_HOSTFILE=nodes timeout -k 3 40 "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" -n 1 \
    "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate-job" --iterate 100000 --trace trace \
    --sizes 3:merge-diffusive/coll,1:merge-ts/coll,2:merge-single-async/coll,1:baseline-async/p2p >out 2>err ||
    fail "nereus-calibrate-job: $(cat err)"
[ "$(grep -c '"outcome":"resized"' trace)" -eq 4 ] || fail "not all sizes were reached: $(cat err)"
for step in synchronise connect reorder terminate; do holds "\"kind\":\"$step\"" trace; done
grep -o '"event":"iterations","reconfiguration":[0-9]*' trace | grep -o '[0-9]*$' | paste -sd' ' >numbers
[ "$(cat numbers)" = '3 4' ] || fail "iterations beside reconfigurations $(cat numbers), expected 3 4"
# An asynchronous one counts the same points as the runtime does.
for number in 3 4; do
    counted=$(grep "\"event\":\"iterations\",\"reconfiguration\":$number," trace | grep -o '"iterations":[0-9]*')
    grep "\"event\":\"reconfiguration\",\"reconfiguration\":$number," trace | grep -q "$counted[,}]" ||
        fail "reconfiguration $number: $counted in the job, not in the runtime's line"
done
# Constant data that moves at points: the iterations beside it do not hold the point at which it
# began, which starts a process. The copy of what stays (32 MB) is made in points, 8 MB in each:
# four of them at least.
rm -f ./*
timeout -k 3 40 "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" -n 1 \
    "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate-job" --iterate 200 --bytes 64000000 --constant --trace trace \
    --sizes 2:merge/shared-waitsources >out 2>err || fail "nereus-calibrate-job, constant data: $(cat err)"
number_of() { grep -m 1 "$1" trace | grep -o "\"$2\":[0-9.e-]*" | cut -d: -f2; }
beside='"event":"iterations"'
# All of these iterations are within the step, whatever the machine: the start of the process,
# before it, is in none of them.
awk -v one="$(number_of $beside overlapped_s)" -v n="$(number_of $beside iterations)" \
    -v before="$(number_of '"kind":"redistribute"' start_s)" -v moved="$(number_of '"kind":"redistribute"' time_s)" \
    'BEGIN { exit !(n >= 4 && n * one < moved + before / 2) }' ||
    fail "iterations beside data that moves, and its step: $(grep -E '"event":"iterations"|"kind":"redistribute"' trace)"
# Tasks by hand: a shrink's calls are measured once each, iterations beside processes that start in
# pairs of lengths.
task() {
    processes=$1
    shift
    timeout -k 3 40 "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" -n "$processes" \
        "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate" "$@" --output rows >out 2>err || fail "$*: $(cat err)"
}
task 2 split --to 1 --repeats 2
[ "$(awk -F, 'NR > 1 { print $14, $13, ($NF > 0) }' rows | paste -sd' ')" = 'split 1 1 gather 1 1 split 1 1 gather 1 1' ] ||
    fail "split wrote $(cat rows)"
# One size: as --help says.
for name in data pingpong; do
    task 2 $name --bytes 64
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["bytes"] != 64 { exit 1 } END { exit NR < 2 }' rows ||
        fail "$name --bytes 64 wrote $(cat rows)"
done
for bytes in 4 65 33554432; do
    timeout -k 3 40 "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate" data --bytes $bytes >out 2>err && fail "--bytes $bytes is accepted"
    holds "--bytes $bytes: a power of 2 from 8 to 16777216 is needed$" err
done
# Collectives: each process on a core of its own, else the start of a thread takes some milliseconds.
if [ "$(nproc)" -gt 1 ]; then
    task 2 collective --verbose
    [ "$(sed -nE 's/^nereus-calibrate: process [01] of 2 may run on ([0-9]+)$/\1/p' err | sort -u | wc -l)" -eq 2 ] ||
        fail "two processes have no core each: $(cat err)"
fi
timeout -k 3 40 "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" -n 2 "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate" contention --cores 1 \
    >out 2>err && fail "two processes on one core have none for themselves: $(cat out)"
holds '^nereus-calibrate: contention needs a core for each of 2 processes, not 1 \(--cores, --nodes\)$' err
task 1 contention --background starting --threads 1
[ "$(awk -F, 'NR > 1 && $6 > 0 && $NF > 0 { print $15 }' rows | uniq -c | awk '{ print $1, $2 }' | paste -sd' ')" = \
    '2 compute/starting 2 memory/starting 2 collective/starting' ] || fail "contention wrote $(cat rows)"
# The only thread of the only process exchanges messages with a process: a message to itself would
# be a copy, and wait for nobody. For each of the six rows one process is started, alone, and says
# how many messages it took part in.
task 1 contention --background communicating --threads 1 --verbose
[ "$(grep -cE '^nereus-calibrate: process 0 of 1 may run on [0-9]+$' err)" -eq 1 ] || fail "the first world is not one process: $(cat err)"
[ "$(grep -cE '^nereus-calibrate: partner 0 of 1 of 1 process exchanged [1-9][0-9]* messages$' err)" -eq 6 ] ||
    fail "six rows did not have one partner each: $(cat err)"
[ "$(grep -c '^nereus-calibrate: ' err)" -eq 7 ] || fail "others took part: $(cat err)"
[ "$(grep -c /communicating, rows)" -eq 6 ] || fail "contention wrote $(cat rows)"
# A pair without rank 0 is on two nodes by name: one sentence. Its processes cannot share memory,
# which MPICH is told.
name_space="unshare --uts"
[ "$(id -u)" -eq 0 ] || name_space+=" --map-root-user"
if $name_space true 2>/dev/null; then
    printf '[ "$PMI_RANK" = 3 ] || exec "$@"\nexec %s sh -c "hostname other; exec \\"\\$@\\"" sh "$@"\n' "$name_space" >two-names
    FI_PROVIDER=tcp UCX_TLS=tcp,self MPIR_CVAR_NOLOCAL=1 timeout -k 3 40 "$NEREUS_BINARY_DIR/bin/nereus-mpiexec" -n 4 \
        sh two-names "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate" node --pair same-world/same-node >out 2>err &&
        fail "a pair on two nodes was measured"
    [ "$(grep -c '^nereus-calibrate: same-world/same-node was asked for, but the launcher put both on different nodes$' err)" -eq 1 ] ||
        fail "a pair on two nodes: $(cat err)"
fi
none_left
rm -f ./*
# Under a control group's limit of half a core: it says so, and so does the profile.
mkdir -p root/proc/self root/sys/fs/cgroup
echo '0::/' >root/proc/self/cgroup
echo '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw' >root/proc/self/mountinfo
echo '50000 100000' >root/sys/fs/cgroup/cpu.max
NEREUS_TEST_ROOT=$PWD/root NEREUS_TEST_JOB_S=1 accepted "$NEREUS" calibrate --budget 1s --no-install --output half.json --seed 3
holds '^nereus calibrate: note: a control group allows this host the time of 0\.5 cores \(.*/cpu\.max\): the profile is one of 0\.5 cores' err
holds '"cores_per_node": 1, .*"processors": 0\.5' half.csv
accepted "$NEREUS" profile show half.json
holds '^cluster .*, 1 core per node with the time of 0\.5 cores, 1 node$' out
rm -r root ./half*
finish
