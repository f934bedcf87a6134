#!/bin/bash
# refused.sh MPIEXEC KINDS: an MPI on which one-sided calls do not work refuses rma before it spawns; on the others it is carried out.
set -u
said=$("$1" -n 1 "$2" n=2503 method=merge/rma schedule=2@2 until=1 expect=2 outcome=resized 2>&1)
status=$?
echo "$said"
case $said in
    *"'rma' is not carried out on this MPI: Intel MPI "*) [ "$status" -ne 0 ] ;;
    *) [ "$status" -eq 0 ] ;;
esac
