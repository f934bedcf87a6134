# find-fortran with stub MPIs: what it rejects and why, what it takes, when it probes again. No
# Fortran compiler needed.
set -u
find_fortran=$NEREUS_SOURCE_DIR/src/mpi/find-fortran
export MPICH_FC=$PWD/compiler
failed=0
check() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" || { echo "failed: $what"; failed=1; }
}
says() { # WHAT REGEX: of the line that was printed last, and the status must be 1, or 0 where the answer begins with "use"
    local expected=1
    [[ $2 == use* ]] && expected=0
    tail -1 out | grep -qE "^$2" || { echo "failed: $1: $(tail -1 out)"; failed=1; }
    [ "$status" -eq $expected ] || { echo "failed: $1: status $status"; failed=1; }
}
printf '#!/bin/sh\necho 12.2.0\n' >compiler
chmod +x compiler

# stub_mpi NAME SOURCE: an MPI whose wrappers make programs that say what the file `said` holds, and
# whose mpiexec runs them.
stub_mpi() {
    mkdir -p "$1/bin" "$1/answer"
    cat >"$1/bin/mpicc" <<MPICC
#!/bin/bash
while [ "\$1" != -o ]; do shift; done
printf '#!/bin/sh\ncat $PWD/said\nexit \$(grep -c wrong $PWD/said)\n' >"\$2"
chmod +x "\$2"
MPICC
    printf '#!/bin/bash\necho run >>%s/runs\nshift 2\nexec "$@"\n' "$PWD" >"$1/bin/mpiexec"
    chmod +x "$1/bin/mpicc" "$1/bin/mpiexec"
    printf 'NEREUS_MPICC=%s\nNEREUS_MPIEXEC=%s\nNEREUS_MPI_HOME=%s\nNEREUS_MPI_SOURCE=%s\nenv A=B\n' "$PWD/$1/bin/mpicc" \
        "$PWD/$1/bin/mpiexec" "$PWD/$1" "$2" >"$1/answer/mpi.env"
}
ask() { # FOLDER
    "$find_fortran" --offline "$1" >out 2>err
    status=$?
}

stub_mpi own MPI_HOME
echo "both sides agree" >said
ask own/answer
says "an MPI without mpifort has none" "none \(there is no $PWD/own/bin/mpifort\)"
cp own/bin/mpicc own/bin/mpifort
"$find_fortran" --again own/answer >out
status=$?
says "its own mpifort is taken" "use mpi, use mpi_f08 by MPI_HOME's own mpifort, $PWD/compiler 12.2.0"
check "the answer is in the file" grep -qx "NEREUS_MPIFORT=$PWD/own/bin/mpifort" own/answer/fortran.env
before=$(wc -l <runs)
ask own/answer
says "the answer is told again" "use mpi"
check "nothing is probed twice" [ "$(wc -l <runs)" -eq "$before" ]
echo "fortran_probe: wrong: MPI_SUM is 3 in Fortran, 4 in C" >said
"$find_fortran" --again own/answer >out
status=$?
says "bindings that do not fit are rejected" "none \(the probe of .* ended with 1: fortran_probe: wrong: MPI_SUM is 3 in Fortran, 4 in C\)"

stub_mpi other PyPI
echo "NEREUS_MPI_VERSION=Open MPI 5.0.11" >>other/answer/mpi.env
ask other/answer
says "Debian's bindings are for MPICH alone" "none \(PyPI's Open MPI 5.0.11 has no modules for $PWD/compiler, and Debian's are MPICH's; --mpi FOLDER takes"

stub_mpi private PyPI
echo "NEREUS_MPI_VERSION=MPICH 5.0.2 (ch4:ucx ofi)" >>private/answer/mpi.env
ask private/answer
says "nothing is downloaded offline" "none \(Debian's bindings were not downloaded \(--offline\)\)"
MPICH_FC=$PWD/nowhere "$find_fortran" --again private/answer >out
status=$?
says "without a compiler there is no Fortran" "none \($PWD/nowhere is not installed\)"
ask nowhere
check "without an MPI it says how it is used" grep -q "^usage: find-fortran" err
exit $failed
