# The set-up scripts answer bad arguments with one sentence and a non-zero status.
set -u
failed=0
refuses() { # TEXT COMMAND...
    local text=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "accepted: $*"
        failed=1
    elif [[ $output != *"$text"* ]]; then
        echo "$*: expected a sentence with '$text', got: $output"
        failed=1
    fi
}
refuses "unknown argument install" "$NEREUS_SOURCE_DIR/setup" install
refuses "usage: ./setup" "$NEREUS_SOURCE_DIR/setup"
refuses "--all belongs to test" "$NEREUS_SOURCE_DIR/setup" build --all
refuses "unknown option --fast" "$NEREUS_SOURCE_DIR/src/mpi/find-mpi" --fast here
refuses "usage: find-mpi" "$NEREUS_SOURCE_DIR/src/mpi/find-mpi"
refuses "usage: find-libraries" "$NEREUS_SOURCE_DIR/src/cmake/find-libraries"
for which in abi intel openmpi; do
    refuses "find-mpi --mpi $which $PWD/mpi-$which" \
        cmake -S "$NEREUS_SOURCE_DIR" -B "$which" --preset "$which" -DNEREUS_MPI_FOLDER="$PWD/mpi-$which"
done
"$NEREUS_SOURCE_DIR/setup" --help | grep -q "usage: ./setup" || failed=1
exit $failed
