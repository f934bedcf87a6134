#!/bin/bash
# lost.sh COMMAND...: status 0 if the job went on, or was ended with its sentence: both are right
# where MPI may not come back from a call that a dead process had a part in (docs/jobs.md). live-run
# looks for the time, and for what is left.
# Where MPI crashes in it, status and sentence are nereus-mpiexec's all the same. Only when the job
# had come back from the loss, and went on, an end is mpiexec's, or a process', and its status is
# told.
output=$("$@" 2>&1)
status=$?
echo "$output"
if [ "$status" -eq 0 ]; then # then nobody may have said the contrary
    ! grep -q 'the job cannot go on and is ended' <<<"$output"
    exit
fi
said=$(grep "^nereus-mpiexec: " <<<"$output")
ended='the job cannot go on and is ended: ((a|the) launched process|its processes ended while launched ones were joining)'
if [ "$status" -eq 1 ]; then
    grep -Eq "^nereus-mpiexec: $ended" <<<"$said" && [ "$(wc -l <<<"$said")" -eq 1 ]
else
    told="ended with status $status|cannot go on and is ended: process [0-9]+ of the initial world .*"
    grep -Eq "^nereus-mpiexec: the job ($told), when it had just lost new processes: (a|the) launched process" <<<"$said"
fi
