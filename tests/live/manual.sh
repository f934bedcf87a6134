#!/bin/bash
# manual.sh MPIEXEC PROGRAM: the complete program of docs/application.md, as it stands there, writes
# checkpoints by an option of the command line, and goes on from the older one as another number of
# processes.
set -u
mpiexec=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export NEREUS_SCHEDULE=3@10:merge/coll # as there
cd "$folder" || exit
fail() {
    echo "FAILED: $*: $(cat out err)"
    exit 1
}
for _ in {1..50}; do # twenty points may be over before the processes have agreed on one
    timeout -k 3 60 "$mpiexec" --checkpoint saved,1us -n 2 "$program" >out 2>err || fail "it ends with $?"
    [ -n "$(ls -A saved 2>/dev/null)" ] && break
done
grep -q '^iteration 20: sum 20000 on 3 processes$' out || fail "another sum"
older=$(ls -d saved/checkpoint-* | sort -V | head -n 1)
timeout -k 3 60 "$mpiexec" --restart "$older" -n 1 "$program" >out 2>err || fail "the restart ends with $?"
grep -q "goes on from '.*/$older'" err || fail "no restart"
grep -q '^iteration 20: sum 20000 on [13] processes$' out || fail "another sum after the restart"
