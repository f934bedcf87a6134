#!/bin/bash
# lost.sh COMMAND...: status 0 if the job went on, or was ended with its sentence: both are right where MPI may not come back
# from a call that a dead process had a part in (docs/launch.md). live-run looks for the time, and for what is left.
# NEREUS_TEST_MAY_CRASH: a source may have crashed in it, too.
output=$("$@" 2>&1)
status=$?
echo "$output"
[ -n "${NEREUS_TEST_MAY_CRASH-}" ] && grep -q '^nereus-mpiexec: mpiexec ended with status 11: ' <<<"$output" && exit 0
if [ "$status" -eq 0 ]; then # then nobody may have said the contrary
    ! grep -q 'the job cannot go on and is ended' <<<"$output"
    exit
fi
said=$(grep -cE "^nereus-mpiexec: the job (cannot go on and is ended: |ended with status [0-9]+, when it had just lost new processes: )(a|the) launched process" <<<"$output")
[ "$said" -eq 1 ]
