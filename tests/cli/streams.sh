# Exit 0 only when everything was written: full disks and closed streams. A reader that has gone is
# no error, and nothing is said of it.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
root=$NEREUS_SOURCE_DIR sam=$NEREUS_BINARY_DIR/bin/nereus-sam mpiexec=$NEREUS_BINARY_DIR/bin/nereus-mpiexec
p=$data/profile.json small='nodes:4 cores:20'

# unwritten NAME COMMAND...: what NAME (a regular expression) says once where standard output is
# full or closed; silent in a pipe that is closed.
unwritten() {
    local name=$1 status
    shift
    "$@" >/dev/full 2>err && fail "status 0 with a full standard output: $*"
    [ "$(grep -cE "^$name: standard output could not be written: No space left on device$" err)" -eq 1 ] ||
        fail "not one sentence of $* about a full disk: $(head -c 600 err)"
    "$@" >&- 2>err && fail "status 0 with a closed standard output: $*"
    holds "^$name: standard output could not be written: " err
    "$@" 2>err.open >out
    status=$?
    { "$@" 2>err; echo $? >status; } | true
    [ "$(cat status)" -eq "$status" ] || fail "status $(cat status) instead of $status where nobody reads: $*"
    [ "$(wc -l <err)" -eq "$(wc -l <err.open)" ] || fail "where nobody reads: $*: $(head -c 600 err)"
}

unwritten nereus "$NEREUS" --help
unwritten nereus "$NEREUS" --version
unwritten 'nereus predict' "$NEREUS" help predict
unwritten 'nereus job' "$NEREUS" job --help
for format in text csv json; do
    unwritten 'nereus predict' "$NEREUS" predict --profile "$p" --ns 3 --nt 7 --format $format
    unwritten 'nereus map' "$NEREUS" map --profile "$p" --ns 1:30 --nt 1:30 --format $format
    unwritten 'nereus study report' "$NEREUS" study report "$data/results.jsonl" --format $format
    unwritten 'nereus job trace' "$NEREUS" job trace "$data/trace.jsonl" --format $format
    unwritten 'nereus job top' "$NEREUS" job top --once "$data/monitor-jobs.jsonl" --format $format
    unwritten 'nereus study compare' "$NEREUS" study compare "$data/repeats.csv" --format $format
    unwritten 'nereus simulate' "$NEREUS" simulate "$data/workloads/mixed.csv" --nodes 4 --cores-per-node 20 --synthetic "$small" --format $format
    unwritten 'nereus policy run' "$NEREUS" policy run "$root/docs/policy/arcos.ini" --application "$root/docs/policy/jacobi.ini" --policy none --format $format
done
unwritten 'nereus advise' "$NEREUS" advise --profile "$p" --ns 3 --t-iter 0.2s --iterations-after 97
unwritten 'nereus plan' "$NEREUS" plan --profile "$p" --ns 3 --nt 7 --method merge
unwritten 'nereus job trace' "$NEREUS" job trace "$data/trace.jsonl" --format chrome
unwritten 'nereus profile show' "$NEREUS" profile show "$p"
unwritten 'nereus profile diff' "$NEREUS" profile diff "$p" "$p"
unwritten 'nereus convert' "$NEREUS" convert "$data/elastisim/jobs.json" --platform "$data/elastisim/platform.xml"
unwritten 'nereus policy run' "$NEREUS" policy run --keys
if [ "$NEREUS_HAVE_MPI" = 1 ]; then
    unwritten nereus-sam "$sam" --help
    unwritten nereus-sam "$sam" --keys
    unwritten nereus-sam "$sam" --check "$root/sam/examples/chain.ini"
    "$mpiexec" --help >/dev/full 2>err && fail "nereus-mpiexec --help with a full standard output"
    holds 'No space left on device' err
    { "$mpiexec" --help 2>err; echo $? >status; } | true
    [ "$(cat status)" -eq 0 ] && [ ! -s err ] || fail "nereus-mpiexec --help where nobody reads: $(cat status err)"
fi
for command in "predict --profile $p --ns 3 --nt 7" --help; do
    "$NEREUS" $command >out 2>&- || fail "status $? with a closed standard error: $command"
    [ -s out ] || fail "no output with a closed standard error: $command"
    "$NEREUS" $command >out 2>err <&- || fail "status $? with a closed standard input: $command"
done
rm -f out err err.open status

# fit says what it found before it writes: if that fails, no profile is left.
"$NEREUS" profile fit "$data/samples.csv" --output p.json >/dev/full 2>err && fail "fit with a full standard output"
"$NEREUS" profile fit "$data/samples.csv" --output p.json >&- 2>err && fail "fit with a closed standard output"
only ''
# What takes its time ends its work, read or not.
"$NEREUS" profile fit "$data/samples.csv" --output p.json | true
[ -s p.json ] || fail "no profile where nobody reads"

# A full disk for files.
for name in p.json picture.svg picture.png picture.pdf picture.html log.csv; do ln -sf /dev/full $name; done
"$NEREUS" convert "$data/elastisim/jobs.json" --platform "$data/elastisim/platform.xml" --output log.csv 2>err && fail "convert to a full disk"
holds 'No space left on device' err
formats="svg png pdf html"
has cairo "PNG and PDF on a full disk" || formats="svg html"
for ending in $formats; do
    "$NEREUS" map --profile "$p" --ns 1:30 --nt 1:30 --output picture.$ending >out 2>err && fail "a picture on a full disk: $ending"
    holds 'No space left on device' err
done
"$NEREUS" profile fit "$data/samples.csv" --output p.json >out 2>err && fail "fit into /dev/full"
holds '^nereus profile fit: .*No space left on device' err
finish
