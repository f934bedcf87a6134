# nereus twin: two programs that nobody here wrote, examples of mpi4py from the Python package
# index, are watched as they are, and their twins run. The first run installs them into a folder of
# the build; where the index cannot be reached, the test is skipped.
#   foreign.sh install FOLDER    only installs FOLDER/bin/python and FOLDER/demo, for
#                                tests/bench/twin.sh --foreign FOLDER/bin/python
readonly PACKAGE=mpi4py==4.1.2

# install FOLDER: prints why not
install() {
    local folder=$1 sources
    [ -e "$folder/.complete" ] && return
    rm -rf "$folder"
    sources=$(mktemp -d)
    {
        python3 -m venv "$folder" &&
            "$folder/bin/pip" install -q --no-input --retries 1 --only-binary :all: $PACKAGE numpy &&
            "$folder/bin/pip" download -q --no-input --retries 1 --no-deps --no-binary mpi4py -d "$sources" $PACKAGE &&
            tar -xzf "$sources"/mpi4py-*.tar.gz -C "$sources" && mv "$sources"/mpi4py-*/demo "$folder/demo" && touch "$folder/.complete"
    } >"$sources/log" 2>&1 || tail -n 1 "$sources/log"
    rm -rf "$sources"
    [ -e "$folder/.complete" ]
}
if [ "${1-}" = install ]; then
    install "${2:?}"
    exit
fi

# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
why=$(install "$NEREUS_BINARY_DIR/foreign") || skip "$PACKAGE and numpy cannot be installed from the package index: $why"
python=$NEREUS_BINARY_DIR/foreign/bin/python demo=$NEREUS_BINARY_DIR/foreign/demo
MPI4PY_LIBMPI=$(ldd "$NEREUS_BINARY_DIR/bin/nereus-sam" | awk '$1 ~ /^libmpi\.so/ { print $3 }')
export MPI4PY_LIBMPI

# The calls of an iteration, which may be cut anywhere, and whether it computes.
calls_of() {
    grep -q '^type = pi$' "$1" && sed -n 's/^type = //p' "$1" | grep -v '^pi$' | sort | xargs
}
# twin NAME PROCESSES CALLS COMMAND...: an iteration has these calls; its twin runs, and has the same ones.
twin() {
    local name=$1 number=$2 calls=$3
    shift 3
    accepted "$NEREUS" twin --output "$name.ini" -- "$@"
    holds '^iteration: .* \(mean of ([89]|[12][0-9]), ' out
    cp out "$name.said"
    [ "$(calls_of "$name.ini")" = "$calls" ] || fail "$name, $number processes: $(cat out)"
    holds "^processes = $number\$" "$name.ini"
    accepted "$NEREUS" twin --output again.ini -- nereus-mpiexec -n "$number" nereus-sam "$name.ini"
    [ "$(calls_of again.ini)" = "$calls" ] || fail "the twin of $name, $number processes: $(cat out)"
}
for number in 1 2; do
    # Ten times: an interval count is broadcast, pi is summed up, a barrier, a sleep.
    twin cpi $number 'barrier broadcast reduce' nereus-mpiexec -n $number "$python" "$demo/profiling/cpi.py"
    holds '^not seen: why a process slept for ' cpi.said
    # It asks for numbers of intervals: rank 0 prints pi, the others wait for the next number.
    twin cco $number 'broadcast reduce' sh -c \
        '{ yes 20000 | head -n 30; echo 0; } | nereus-mpiexec -n '$number' "$0" "$1" >answer' "$python" "$demo/compute-pi/cpi-cco.py"
    [ "$(grep -c 'pi is approximately 3.14159265' answer)" -eq 30 ] || fail "$(tail -3 answer)"
done
finish
