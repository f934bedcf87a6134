#!/bin/bash
# chosen.sh "METHOD METHOD ..." COMMAND...: runs a job and fails unless these are the methods of its
# reconfigurations, by its trace.
set -u
expected=$1
shift
NEREUS_TRACE=$(mktemp) || exit
export NEREUS_TRACE
trap 'rm -f "$NEREUS_TRACE"' EXIT
"$@"
status=$?
found=$(sed -n 's/.*"event":"reconfiguration".*"method":"\([^"]*\)".*/\1/p' "$NEREUS_TRACE" | xargs)
if [ "$found" != "$expected" ]; then
    echo "chosen.sh: by $found, expected $expected"
    exit 1
fi
exit $status
