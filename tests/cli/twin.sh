# nereus twin: the stages of real programs, whose twin runs; and what it says of programs that
# cannot be watched.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
export TMPDIR=$PWD/tmp
mkdir tmp
# In builds with sanitizers: the library that watches comes before theirs.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}verify_asan_link_order=0"

# Jacobi: the values of all unknowns are gathered, then the residual is summed up (sam/solvers/jacobi.c).
accepted "$NEREUS" twin --output jacobi.ini -- nereus-mpiexec -n 2 nereus-jacobi-plain --unknowns 300 --iterations 40 --tolerance 0
holds '^  allgather +2400 bytes$' out
holds '^  allreduce +16 bytes$' out
holds '^# Twin of: nereus-mpiexec -n 2 nereus-jacobi-plain ' jacobi.ini
holds '^# 4[01] iterations of ' jacobi.ini # the first gather and the last sum may be counted as one
holds '^processes = 2$' jacobi.ini
accepted "$NEREUS" run jacobi.ini
holds '^ +0 +2 +4[01] ' out

# A malleable program, its points as marks: what the library does in a point is not the
# application's. The twin changes its size.
accepted "$NEREUS" twin --output cg.ini --iterations 5 --iterations-after 4 --bytes-variable 1000 --nt 1 --method merge/p2p -- nereus-mpiexec -n 2 nereus-cg \
    --grid 6,6,6 --iterations 20 --tolerance 0
[ "$(grep -c '^type = allreduce$' cg.ini) $(grep -c '^type = allgather$' cg.ini)" = "2 1" ] || fail "stages: $(cat cg.ini)"
# Watched with one process, too: how much faster it is; constant bytes as they are registered.
holds '^iteration: .*, 1 process\)' out
holds '^registered: [1-9][0-9]* \+ [1-9][0-9]* bytes \(constant \+ variable\)$' out
registered=$(sed -n 's/^registered: \([0-9]*\) .*/\1/p' out)
holds "^constant_bytes = $registered\$" cg.ini
holds '^variable_bytes = 1000$' cg.ini
awk -F ' = ' '$1 == "FactorS" { f = $2 } END { exit !(f > 0) }' cg.ini || fail "FactorS: $(cat cg.ini)"
accepted "$NEREUS" run cg.ini
holds ' resized .* merge/p2p' out
accepted "$NEREUS" twin --output quick.ini --quantile 0.25 -- nereus-mpiexec -n 2 nereus-jacobi-plain --unknowns 100 --iterations 20 --tolerance 0
holds '^iteration: .* \(0.25 quantile of ' out
misused '--quantile must be 0 to 1, not 2' "$NEREUS" twin --quantile 2 -- true
# A command without -n: the second size is not known.
accepted "$NEREUS" twin --output none.ini --nt 1 -- sh -c 'nereus-mpiexec -n 2 nereus-heat-plain 40 100 30 >answer'
holds 'the command has no -n 2, so that it was not watched with 1 process: they are taken to be ideally faster' err
rm none.ini

# A program that shares its core with a busy loop: how long it waited for it is said, and is no computing.
if [ -r /proc/thread-self/schedstat ]; then
    core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    setpriv --pdeathsig KILL -- taskset -c "$core" sh -c 'while :; do :; done' &
    busy=$!
    accepted taskset -c "$core" "$NEREUS" twin --output shared.ini -- nereus-mpiexec -n 1 nereus-jacobi-plain --unknowns 1000 --iterations 400 --tolerance 0
    kill $busy
    holds '^without a core: [0-9.e-]+ ms of an iteration in the mean, which are not computing; the twin waits for cores in its own way$' out
else
    echo "skipped: this kernel does not say how long a thread waited for a core"
fi

# A second thread computes half of the products: the twin has one.
if nm -D "$(command -v nereus-cg-plain)" | grep -q GOMP_; then
    accepted env OMP_NUM_THREADS=2 "$NEREUS" twin --output threads.ini -- nereus-mpiexec -n 1 nereus-cg-plain --grid 30,30,30 --iterations 40 --tolerance 0
    holds "^not seen: other threads, which computed [0-9.e-]+ s in a process; the twin has none$" out
else
    echo "left out, as this build has no OpenMP: other threads are named"
fi

# A command of several lines, longer than a line may be.
accepted "$NEREUS" twin --output long.ini -- sh -c "# $(printf %200s)
"'nereus-mpiexec -n 2 nereus-jacobi-plain --unknowns 100 --iterations 20 --tolerance 0'
accepted "$NEREUS" run --check long.ini

# Neighbours exchange borders of 100 doubles; one process has none.
accepted "$NEREUS" twin --output heat.ini -- nereus-mpiexec -n 2 nereus-heat-plain 4000 100 30
holds '^type = (neighbours|point-to-point)$' heat.ini
holds '^bytes = 800$' heat.ini

# The synthetic application as the program: its twin has the messages of each process, lists as
# lists and rows as rows, and what runs every n-th iteration. Neither the machine nor its load
# matters for what is sent.
printf 'processes,stage,from,to,bytes\n3,2,0,1,5000\n3,2,0,2,70\n3,2,2,0,900\n' >source.csv
cat >source.ini <<'END'
[stage0]
type = pi
time_s = 0.0003
[stage1]
type = neighbours
neighbours = 1:4000,-1:100
[stage2]
type = neighbours
neighbours = source.csv
[stage3]
type = allreduce
bytes = 16
[stage4]
type = broadcast
bytes = 3000
every = 10
[group0]
iterations = 60
processes = 3
END
accepted "$NEREUS" run --check source.ini
holds '; messages: 1:4000,-1:100$' out
holds '; every 10 iterations$' out
accepted "$NEREUS" twin --check --output twin.ini -- nereus-mpiexec -n 3 nereus-sam source.ini
holds '^neighbours = -1:100,1:4000$' twin.ini
holds '^neighbours = twin.messages.csv$' twin.ini
stage=$(awk '/^\[stage/ { n = substr($0, 7) + 0 } /twin.messages.csv/ { print n; exit }' twin.ini)
[ "$(grep "^3,$stage," twin.messages.csv | sort)" = "$(sed -n "s/^3,2,/3,$stage,/p" source.csv | sort)" ] || fail "messages: $(cat twin.messages.csv)"
awk '/^type/ { t = $3 } /^every/ { e = $3 } /^\[stage/ { e = 1 } /^bytes = 3000/ && t == "broadcast" { n++; if (e < 8 || e > 12) exit 2 }
    END { exit !(n == 1) }' twin.ini || fail "the broadcast every 10 iterations: $(cat twin.ini)"
holds '^check: 1 run of each$' out
holds '^  iteration \(median\) +[0-9.e-]+ ms +[0-9.e-]+ ms +[+-][0-9.]+ %$' out
holds '^  all iterations +[0-9.e-]+ s +[0-9.e-]+ s +[+-][0-9.]+ %$' out
holds '^  MPI +[0-9.e-]+ % +[0-9.e-]+ % +[+-][0-9.]+ points$' out
# Other sizes have no rows: then the bytes are needed, which a twin has.
sed 's/^processes = 3/processes = 2/' source.ini >two.ini
failed 'two.ini:[0-9]+: \[stage2\]: source.csv has no row for 2 processes: give bytes, too' "$NEREUS" run --check two.ini
sed 's/^processes = 3/processes = 2/' twin.ini >two.ini
accepted "$NEREUS" run --check two.ini
sed 's/^type = allreduce/&\nneighbours = 1:5/' source.ini >other.ini
failed 'other.ini:[0-9]+: \[stage3\] \(allreduce\): neighbours is for stages neighbours and nonblocking' "$NEREUS" run --check other.ini

# Ways to call MPI (tests/live/called.c): the messages, the collectives and the waits that the
# program has are those of the twin, or it says which are not.
watch() { # WAY PROCESSES TYPES...: of the stages that communicate
    accepted "$NEREUS" twin --output "$1.ini" -- nereus-mpiexec -n "$2" called "$1" 60
    [ "$(sed -n 's/^type = //p' "$1.ini" | grep -vx pi | tr '\n' ' ')" = "${*:3} " ] || fail "$1: $(cat "$1.ini")"
}
names() { # WAY FUNCTIONS...: that have no stage
    accepted "$NEREUS" twin --output "$1.ini" -- nereus-mpiexec -n 2 called "$1" 60
    for function in "${@:2}"; do
        holds "^not in the twin: calls in an iteration of (.*, |)$function \\([0-9.e+-]+\\)(,.*|); the twin computes for [0-9.e-]+ s of the [0-9.e-]+ s that they take in all$" out
    done
}
watch persistent 2 neighbours
holds '^neighbours = 1:4000,1:4000$|^neighbours = -1:4000,1:4000$' persistent.ini
watch pairs 4 allreduce
holds '^processes = 2$' pairs.ini
grep -q 'joins; there the parts are blocks' out && fail "pairs are blocks: $(cat out)"
accepted "$NEREUS" run --check pairs.ini
holds 'in parts of 2 processes' out
accepted "$NEREUS" run pairs.ini
watch columns 4 allreduce
holds '^not in the twin: which processes a collective on a part of them joins' out
watch groups 4 neighbours barrier broadcast
holds '^neighbours = 2:4000$' groups.ini
holds '^root = 3$' groups.ini
holds '^not in the twin: 60 collectives of a process over inter-communicators; there they are of its own group$' out
holds '^not in the twin: .* s after them, with calls of MPI_Alltoall \(40\)$' out
grep -qE 'joins; there the parts are blocks|all processes together' out && fail "all in another order are a part: $(cat out)"
accepted "$NEREUS" twin --output working.ini -- nereus-mpiexec -n 2 called working 60
holds '^not in the twin: that work between tests goes on until something arrives' out
watch begun 2 allreduce
holds '^not in the twin: what non-blocking collectives overlap with' out
watch fortran 2 neighbours barrier
watch random 2 barrier
holds '^not in the twin: which process is slowest changes from iteration to iteration' out
if nereus-mpiexec -n 1 called start 0 | grep -q 'no persistent collectives'; then
    echo "left out, as this MPI has no persistent collectives: that they are named"
else
    names start MPI_Barrier_init
    names partitions MPI_Psend_init MPI_Pready
    watch collectives 2 reduce allgather allgather gather gather scatter scatter alltoall alltoall allreduce
    [ "$(grep -c '^bytes = 160$' collectives.ini)" -eq 8 ] || fail "bytes of both processes: $(cat collectives.ini)"
fi
# Roots, and work before and after the iterations, of which computing takes at least as long as it is told to.
watch roots 2 broadcast reduce
[ "$(grep -c '^root = 1$' roots.ini)" -eq 2 ] || fail "roots: $(cat roots.ini)"
accepted "$NEREUS" run --check roots.ini
holds '\] rank 1 broadcasts ' out
accepted "$NEREUS" run roots.ini
sed 's/^type = broadcast/type = allreduce/' roots.ini >other.ini
failed 'other.ini:[0-9]+: \[stage[0-9]+\] \(allreduce\): root is for broadcast, reduce, scatter and gather' "$NEREUS" run --check other.ini
watch turns 2 broadcast barrier
holds '^not in the twin: that roots change from iteration to iteration \(broadcast\); there each is the first one$' out
watch grows 2 allreduce
holds '^not in the twin: that bytes change from iteration to iteration, by most in allreduce \((8|16) to 480\); there they are their mean$' out
accepted "$NEREUS" twin --output sweeps.ini -- nereus-mpiexec -n 2 called sweeps 60
holds '^not in the twin: that processes receive before they send \(a sweep, a pipeline, workers\), for which they may wait' out
watch late 2 allreduce
# The first iteration may be shorter than all in the mean, as which it counts.
awk '$1 == "iteration:" { mean_s = $2 / 1000 } / s before the iterations, / { found = $5 >= 0.3 - mean_s && $10 >= 0.2 }
    END { exit !found }' out || fail "before and after: $(cat out)"
# Processes that are started later have ranks that others have: they leave no record.
watch spawns 2 allreduce
holds '^iteration: .*, 2 processes\)' out
holds '^not in the twin: that the number of processes or their data change while the program runs; there they are those of the start$' out
for method in merge baseline; do
    printf '[general]\nbytes = 8000\n[stage0]\ntype = pi\ntime_s = 0.0003\n[stage1]\ntype = allreduce\nbytes = 16\n[group0]\niterations = 30
processes = 1\n[group1]\niterations = 40\nprocesses = 2\nmethod = %s/coll\n' "$method" >resizes.ini
    accepted "$NEREUS" twin --output "$method.ini" -- nereus-mpiexec -n 1 nereus-sam resizes.ini
    holds '^iteration: .*, 1 process\)' out
    holds '^not in the twin: that the number of processes or their data change while' out
done
# Calls for which there is no stage.
names scans MPI_Scan MPI_Exscan
names makes MPI_Comm_dup MPI_Comm_split MPI_Win_create MPI_File_open MPI_Comm_free
names files MPI_File_write_at MPI_File_write_all MPI_File_read_at MPI_File_iwrite_at
watch writes 2 write allreduce
grep -q '^not in the twin: calls in an iteration' out && fail "the stage write opens its file: $(cat out)"
names windows MPI_Put MPI_Win_fence MPI_Win_lock MPI_Accumulate MPI_Win_unlock MPI_Win_post MPI_Win_start MPI_Get MPI_Win_complete MPI_Win_wait
names neighbours MPI_Neighbor_alltoall MPI_Ineighbor_allgather MPI_Wait
accepted "$NEREUS" twin --output sends.ini -- nereus-mpiexec -n 2 called sends 60
grep -q '^not in the twin: calls in an iteration' out && fail "sends are named: $(cat out)"
record() { # FOLDER PROCESSES COMMAND...: its calls, in rank-N.csv
    mkdir "$1"
    NEREUS_WATCH=$PWD/$1 accepted nereus-mpiexec -n "$2" env LD_PRELOAD="$(dirname "$(readlink -f "$(command -v nereus-mpiexec)")")/../libexec/nereus/libnereus-watch.so" "${@:3}"
}
record polled 2 called polled 60
[ "$(grep -c '^wait,' polled/rank-0.csv) $(grep -c '^wait,' polled/rank-1.csv)" = "60 60" ] || fail "polling is not a wait: $(cut -d, -f1 polled/rank-0.csv | sort | uniq -c)"
# Process 0 sends 2 ms later than process 1, which polls meanwhile.
awk -F, '$1 == "wait" { sum_s += $5 - $4 } END { exit !(sum_s > 0.01) }' polled/rank-1.csv || fail "polling is computing: $(tail -5 polled/rank-1.csv)"
# Over an inter-communicator an array of counts is that of the other group, and read at the root alone.
record between 3 called between 5
for rank in 0 1 2; do
    case $rank in 0) bytes=160 ;; *) bytes=80 ;; esac
    found=$(grep -E '^(allgather|alltoall|gather|scatter),' between/rank-$rank.csv | cut -d, -f1,2 | sort | uniq -c | tr -s ' \n' ' ')
    [ "$found" = " 5 allgather,$bytes 5 alltoall,$bytes 5 gather,160 5 scatter,160 " ] || fail "between groups, rank $rank: $found"
done
# What libnereus calls in nereus_init and in a resize, also in its auxiliary thread, is not the
# program's: the next waits have a stage.
for method in merge merge-async; do
    printf '[general]\nbytes = 8000\n[stage0]\ntype = pi\ntime_s = 0.0003\n[stage1]\ntype = neighbours\nneighbours = 1:100\n[group0]\niterations = 5
processes = 1\n[group1]\niterations = 5\nprocesses = 2\nmethod = %s/rma\n' $method >waits.ini
    record $method 1 nereus-sam waits.ini
    [ "$(grep ^MPI_ $method/rank-0.csv | cut -d, -f1 | tr '\n' ' ')" = "MPI_Init MPI_Finalize " ] || fail "$method: $(cut -d, -f1 $method/rank-0.csv | sort | uniq -c)"
done
sed 's/^type = pi$/&\nprocesses = 2/' pairs.ini >other.ini
failed 'other.ini:[0-9]+: \[stage[0-9]+\] \(pi\): processes is for collectives' "$NEREUS" run --check other.ini

# The least of all iterations is not what the program takes in all, and the command says so.
printf '[stage0]\ntype = pi\ntime_s = 0.0003\nvariation = 1,3\n[stage1]\ntype = allreduce\nbytes = 16\n[group0]\niterations = 40\nprocesses = 2\n' >varies.ini
accepted "$NEREUS" twin --output least.ini --quantile 0 -- nereus-mpiexec -n 2 nereus-sam varies.ini
holds '^computing in all iterations: .* s in the twin, .* s in the program \(-[0-9.]+ %\), as iterations differ' out
failed '^nereus twin: the program ended with status 3$' "$NEREUS" twin --output none.ini -- \
    sh -c 'nereus-mpiexec -n 2 nereus-jacobi-plain --unknowns 100 --iterations 20 --tolerance 0 >answer; exit 3'
leftovers=$(find tmp -name 'nereus-twin-*')
[ -z "$leftovers" ] || fail "left behind: $leftovers"

# Refused: one sentence, and no file.
misused '--repeats is for --check: give that, too' "$NEREUS" twin --repeats 3 -- true
misused '--check compares without a change of size: leave --nt out' "$NEREUS" twin --check --nt 1 -- true
failed '^nereus twin: the program left no record: it must call MPI_Init and MPI_Finalize' "$NEREUS" twin --output none.ini -- true
failed '^nereus twin: no iteration repeats in the [0-9]+ calls of MPI: let the program run for more iterations' \
    "$NEREUS" twin --output none.ini -- sh -c 'nereus-mpiexec -n 2 nereus-heat-plain 40 100 1 >answer'
failed '^nereus twin: the program ended with status 3$' "$NEREUS" twin --output none.ini -- sh -c 'exit 3'
misused "--iterations-after is with another size: give --nt, too" "$NEREUS" twin --iterations-after 3 -- true
misused "--method is how to get to another size: give --nt, too" "$NEREUS" twin --method merge/coll -- true
[ ! -e none.ini ] || fail "a file was written: $(cat none.ini)"
finish
