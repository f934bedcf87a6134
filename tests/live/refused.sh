#!/bin/bash
# refused.sh MPIEXEC KINDS WORD METHOD: what an MPI cannot do (WORD, as rma) is refused by name,
# with the reason and before anything is spawned; on the others METHOD is carried out.
set -u
said=$("$1" -n 1 "$2" n=2503 "method=$4" schedule=2@2 until=1 expect=2 outcome=resized 2>&1)
status=$?
echo "$said"
case $said in
    *"'$3' is not carried out on this MPI: "*"; use "*) [ "$status" -ne 0 ] ;;
    *) [ "$status" -eq 0 ] ;;
esac
