#!/bin/bash
# bound-apart.sh MPIEXEC RESIZE: two processes that a launcher has bound to a core each have two
# cores together, not one.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
mpiexec=$1 resize=$2
mapfile -t cores < <(taskset -pc $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
[ "${#cores[@]}" -ge 2 ] || { echo "bound-apart.sh: skipped: only one processor may be used here"; exit 77; }
words="last=6 method=merge/coll schedule=3@2 expect=3"
# shellcheck disable=SC2086
exec "$here/says.sh" "warning: 3 processes on 2 cores" "$mpiexec" -n 1 taskset -c "${cores[0]}" "$resize" $words : \
    -n 1 taskset -c "${cores[1]}" "$resize" $words
