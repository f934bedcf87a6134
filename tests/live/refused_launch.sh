#!/bin/bash
# refused_launch.sh MPIEXEC WRAPPER RESIZE: an mpiexec whose srun was refused waits for ever: the
# resize is given up with srun's last line, the job goes on, and what mpiexec prints while it is
# ended is no part of the output: neither if all were refused, nor if one is ended because another
# was refused.
set -u
said=$(mktemp -d) || exit
trap 'rm -rf "$said"' EXIT
fail() {
    echo "FAILED: $*: $(cat "$said/output")"
    exit 1
}
refuses=$(dirname "$(readlink -f "$0")")/stub/refuses
for first in '' "$said/first"; do
    NEREUS_TEST_FIRST=$first NEREUS_LAUNCH_COMMAND="$1 -launcher slurm -launcher-exec $refuses" "$2" -n 2 "$3" last=8 \
        method=merge-launch/coll schedule=4@2 expect=2 outcome=failed >"$said/output" 2>&1 || fail "status $?"
    grep -q '^nereus: the reconfiguration from 2 to 4 .* was cancelled .*: srun: error: Unable to create step for job 7: Requested nodes are busy$' \
        "$said/output" || fail "no reason"
    grep -q '^srun: Job 7 step creation temporarily disabled, retrying$' "$said/output" || fail "srun's words are lost"
    grep -q '^\[mpiexec@' "$said/output" && fail "mpiexec's words"
done
exit 0
