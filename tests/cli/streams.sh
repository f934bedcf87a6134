# Exit 0 only when everything was written: full and closed streams.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="$NEREUS predict --profile $data/profile.json --ns 3 --nt 7"
for command in "$p" "$p --format csv" "$p --format json" "$p --help" "$NEREUS --help" "$NEREUS --version" \
    "$NEREUS plan --profile $data/profile.json --ns 3 --nt 7 --method merge"; do
    $command >/dev/full 2>err && fail "status 0 with a full standard output: $command"
    holds '^nereus( predict| plan)?: standard output could not be written' err
    $command >&- 2>err && fail "status 0 with a closed standard output: $command"
    holds 'standard output could not be written' err
    $command >out 2>&- || fail "status $? with a closed standard error: $command"
    [ -s out ] || fail "no output with a closed standard error: $command"
    $command >out 2>err <&- || fail "status $? with a closed standard input: $command"
done
# fit says what it found before it writes: if that fails, no profile is left.
"$NEREUS" fit "$data/samples.csv" --output p.json >/dev/full 2>err && fail "fit with a full standard output"
"$NEREUS" fit "$data/samples.csv" --output p.json >&- 2>err && fail "fit with a closed standard output"
only ''
# A full disk for the profile itself.
"$NEREUS" fit "$data/samples.csv" --output /dev/full >out 2>err && fail "fit into /dev/full"
holds '^nereus fit: ' err
finish
