#!/bin/bash
# solver-threads.sh MPIEXEC SOLVER WORD...: conjugate gradient with two threads a process gives the
# same residuals as with one, also when it changes its size. Status 77: the compiler had no OpenMP.
set -u
mpiexec=$1 solver=$2
shift 2
readelf -d "$solver" 2>/dev/null | grep -q 'libg*omp' ||
    { echo "solver-threads.sh: not run: $solver has no threads (the compiler has no OpenMP)"; exit 77; }
results() { grep -oE '[0-9]+ iterations, residual [^,]*, largest error [^,]*'; }
one=$(OMP_NUM_THREADS=1 "$mpiexec" -n 1 "$solver" "$@" | results) || exit
two=$(OMP_NUM_THREADS=2 NEREUS_CORES_PER_PROCESS=2 "$mpiexec" -n 1 "$solver" "$@" | results) || exit
echo "one thread:  $one"
echo "two threads: $two"
[ -n "$one" ] && [ "$one" = "$two" ]
