#!/bin/bash
# once.sh PATTERN COMMAND...: runs a command and fails unless exactly one line of what it prints
# matches (grep -E). Ends as the command ends.
set -u
pattern=$1
shift
output=$(mktemp) || exit
trap 'rm -f "$output"' EXIT
"$@" >"$output" 2>&1
status=$?
cat "$output"
count=$(grep -Ec -- "$pattern" "$output")
[ "$count" -eq 1 ] || { echo "once.sh: $count lines match '$pattern', expected one"; exit 1; }
exit "$status"
