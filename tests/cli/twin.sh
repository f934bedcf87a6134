# nereus twin: the stages of real programs, whose twin runs; and what it says of programs that cannot be watched.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
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
accepted "$NEREUS" twin --output cg.ini --iterations 5 --bytes-variable 1000 --nt 1 --method merge/p2p -- nereus-mpiexec -n 2 nereus-cg \
    --grid 6,6,6 --iterations 20 --tolerance 0
[ "$(grep -c '^type = allreduce$' cg.ini) $(grep -c '^type = allgather$' cg.ini)" = "2 1" ] || fail "stages: $(cat cg.ini)"
accepted "$NEREUS" run cg.ini
holds ' resized .* merge/p2p' out

# Neighbours exchange borders of 100 doubles; one process has none.
accepted "$NEREUS" twin --output heat.ini -- nereus-mpiexec -n 2 nereus-heat-plain 40 100 30
holds '^type = (neighbours|point-to-point)$' heat.ini
holds '^bytes = 800$' heat.ini
leftovers=$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'nereus-twin-*' -newer jacobi.ini)
[ -z "$leftovers" ] || fail "left behind: $leftovers"

# Refused: one sentence, and no file.
failed '^nereus twin: the program left no record: it must call MPI_Init and MPI_Finalize' "$NEREUS" twin --output none.ini -- true
failed '^nereus twin: no iteration repeats in the [0-9]+ calls of MPI: let the program run for more iterations' \
    "$NEREUS" twin --output none.ini -- sh -c 'nereus-mpiexec -n 2 nereus-heat-plain 40 100 1 >answer'
failed '^nereus twin: the program ended with status 3$' "$NEREUS" twin --output none.ini -- sh -c 'exit 3'
misused "--method is how to get to another size: give --nt, too" "$NEREUS" twin --method merge/coll -- true
[ ! -e none.ini ] || fail "a file was written: $(cat none.ini)"
finish
