#!/bin/bash
# faults.sh "STEP STEP ..." COMMAND...: runs a command and fails unless its job cancelled one
# reconfiguration for each of these steps, in this order, and none besides.
set -u
expected=$1
shift
errors=$(mktemp) || exit
trap 'rm -f "$errors"' EXIT
"$@" 2> >(tee "$errors" >&2)
status=$?
wait # for tee
found=$(sed -n "s/.*was cancelled after [0-9.e-]* s, and the job goes on as it was: injected failure of the step '\([a-z]*\)'\$/\1/p" "$errors" | xargs)
if [ "$found" != "$expected" ]; then
    echo "faults.sh: cancelled for: $found"
    echo "faults.sh: expected:       $expected"
    exit 1
fi
[ "$(grep -c 'was cancelled' "$errors")" = "$(wc -w <<<"$expected")" ] || { echo "faults.sh: something else failed too"; exit 1; }
exit $status
