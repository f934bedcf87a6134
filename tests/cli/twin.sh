# nereus twin: the stages of real programs, whose twin runs; and what it says of programs that cannot be watched.
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
holds '^# 40 iterations of ' jacobi.ini
holds '^processes = 2$' jacobi.ini
accepted "$NEREUS" run jacobi.ini
holds '^ +0 +2 +40 ' out

# A malleable program, its points as marks: what the library does in a point is not the application's. The twin changes its size.
accepted "$NEREUS" twin --output cg.ini --iterations 5 --iterations-after 4 --bytes-variable 1000 --nt 1 --method merge/p2p -- nereus-mpiexec -n 2 nereus-cg \
    --grid 6,6,6 --iterations 20 --tolerance 0
[ "$(grep -c '^type = allreduce$' cg.ini) $(grep -c '^type = allgather$' cg.ini)" = "2 1" ] || fail "stages: $(cat cg.ini)"
# Watched with one process, too: how much faster it is; constant bytes as they are registered.
holds '^iteration: .*, 1 process\)' out
holds '^registered: [1-9][0-9]* \+ [1-9][0-9]* bytes \(constant \+ variable\)$' out
registered=$(sed -n 's/^registered: \([0-9]*\) .*/\1/p' out)
holds "^constant_bytes = $registered\$" cg.ini
holds '^variable_bytes = 1000$' cg.ini
awk -F ' = ' '$1 == "FactorS" { f = $2 } END { exit !(f > 0.1 && f < 10) }' cg.ini || fail "FactorS: $(cat cg.ini)"
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
    holds '^without a core: [0-9.e-]+ ms of an iteration in the mean, which are not computing$' out
else
    echo "skipped: this kernel does not say how long a thread waited for a core"
fi

# A command of several lines, longer than a line may be.
accepted "$NEREUS" twin --output long.ini -- sh -c "# $(printf %200s)
"'nereus-mpiexec -n 2 nereus-jacobi-plain --unknowns 100 --iterations 20 --tolerance 0'
accepted "$NEREUS" run --check long.ini

# Neighbours exchange borders of 100 doubles; one process has none.
accepted "$NEREUS" twin --output heat.ini -- nereus-mpiexec -n 2 nereus-heat-plain 40 100 30
holds '^type = (neighbours|point-to-point)$' heat.ini
holds '^bytes = 800$' heat.ini
leftovers=$(find tmp -name 'nereus-twin-*')
[ -z "$leftovers" ] || fail "left behind: $leftovers"

# Refused: one sentence, and no file.
failed '^nereus twin: the program left no record: it must call MPI_Init and MPI_Finalize' "$NEREUS" twin --output none.ini -- true
failed '^nereus twin: no iteration repeats in the [0-9]+ calls of MPI: let the program run for more iterations' \
    "$NEREUS" twin --output none.ini -- sh -c 'nereus-mpiexec -n 2 nereus-heat-plain 40 100 1 >answer'
failed '^nereus twin: the program ended with status 3$' "$NEREUS" twin --output none.ini -- sh -c 'exit 3'
misused "--iterations-after is with another size: give --nt, too" "$NEREUS" twin --iterations-after 3 -- true
misused "--method is how to get to another size: give --nt, too" "$NEREUS" twin --method merge/coll -- true
[ ! -e none.ini ] || fail "a file was written: $(cat none.ini)"
finish
