#!/bin/bash
# trace.sh MPIEXEC RESIZE CHECK NEREUS NP RESIZE-WORD... -- CHECK-WORD...
# Runs resize with a trace and a state file in a folder of its own, then looks at both with
# check-trace (which knows no host file:
# without CHECK-WORDs not), and at the trace with nereus job trace --check, which makes the plans
# from what the trace says.
set -u
mpiexec=$1 resize=$2 check=$3 nereus=$4 np=$5
shift 5
words=()
while [ "$1" != -- ]; do
    words+=("$1")
    shift
done
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
NEREUS_TRACE=$folder/trace.jsonl NEREUS_STATE=$folder/state.json "$mpiexec" -n "$np" "$resize" "${words[@]}" || exit
{ [ $# -eq 0 ] || "$check" "$folder/trace.jsonl" "$folder/state.json" "$np" "$@"; } && "$nereus" job trace --check "$folder/trace.jsonl" || {
    cat "$folder/trace.jsonl" "$folder/state.json"
    exit 1
}
