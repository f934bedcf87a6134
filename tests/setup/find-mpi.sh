# find-mpi with stub MPIs: what it rejects, which settings it chooses, when it probes again.
set -u
find_mpi=$NEREUS_SOURCE_DIR/src/mpi/find-mpi
unset CC MPI_HOME
failed=0
check() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" || { echo "failed: $what"; failed=1; }
}

# stub_mpi NAME BODY: an MPI whose mpicc makes a program that tells a version, and whose mpiexec runs BODY.
stub_mpi() {
    mkdir -p "$1/bin"
    cat >"$1/bin/mpicc" <<'MPICC'
#!/bin/bash
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\nprintf "MPICH Version: 9.9\\nMPICH Device: ch4:ucx ofi\\n"\n' >"$2"
chmod +x "$2"
MPICC
    printf '#!/bin/bash\necho run >>"%s/runs"\n%s\n' "$PWD" "$2" >"$1/bin/mpiexec"
    chmod +x "$1/bin/mpicc" "$1/bin/mpiexec"
}
runs() { wc -l <runs; }

stub_mpi fails 'exit 15'
MPI_HOME=$PWD/fails "$find_mpi" --offline a >out
check "an MPI whose spawn fails is rejected" grep -q "^MPI_HOME: .*fails in a spawn (status 15): not used" out

stub_mpi hangs 'exec sleep 100'
MPI_HOME=$PWD/hangs NEREUS_PROBE_SECONDS=1 "$find_mpi" --offline b >out
check "an MPI that hangs is rejected" grep -q "^MPI_HOME: .*hangs in a spawn (stopped after 1 s): not used" out

stub_mpi "with a space" true
echo 'exit 1' >"with a space/bin/mpicc"
MPI_HOME="$PWD/with a space" "$find_mpi" --offline spaced >out
check "a wrapper that takes no space" grep -q "^MPI_HOME: .*/mpicc cannot compile in a folder whose path has a space: .*: not used" out

MPI_HOME=/nonexistent "$find_mpi" --offline c >out
check "one that is named and not used ends it" [ $? -eq 3 ]
check "what to do is said" grep -q "^The MPI that MPI_HOME names (/nonexistent) is not used, .*: unset MPI_HOME" out
check "a folder without an MPI is rejected" grep -q "^MPI_HOME: there is no /nonexistent/bin/mpicc .*: not used" out

# shellcheck disable=SC2016 # for the stub launcher to expand
stub_mpi works 'case $MPIR_CVAR_CH4_NETMOD in ofi) p=0.5 ;; *) p=7.5 ;; esac; echo "spawn_ms=90.5 pingpong_us=$p bandwidth_us=130"'
export MPI_HOME=$PWD/works
"$find_mpi" d >out
check "MPI_HOME is taken" grep -qx "NEREUS_MPI_SOURCE=MPI_HOME" d/mpi.env
check "its own launcher is taken" grep -qx "NEREUS_MPIEXEC=$PWD/works/bin/mpiexec" d/mpi.env
check "its version is told" grep -qx "NEREUS_MPI_VERSION=MPICH 9.9 (ch4:ucx ofi)" d/mpi.env
check "the faster network module is taken" grep -qx "env MPIR_CVAR_CH4_NETMOD=ofi" d/mpi.env
check "what each module was tried with is told" [ "$(sed -n 's/^module //p' d/mpi.env | sort | paste -sd,)" = "ofi FI_PROVIDER=tcp,ucx UCX_TLS=^sysv" ]
before=$(runs)
"$find_mpi" d >out
check "nothing is probed twice" [ "$(runs)" -eq "$before" ]
check "the answer is told again" grep -q "^MPICH 9.9 (ch4:ucx ofi) from MPI_HOME" out
touch -d "2001-01-01" works/bin/mpicc
"$find_mpi" d >out
check "a changed mpicc is probed again" [ "$(runs)" -gt "$before" ]

unset MPI_HOME
CC="$PWD/works/bin/mpicc -O3" "$find_mpi" e >out
check "CC is taken when it is an mpicc" grep -qx "NEREUS_MPI_SOURCE=CC" e/mpi.env
PATH=$PWD/works/bin:$PATH "$find_mpi" f >out
check "an mpicc on PATH is taken" grep -qx "NEREUS_MPI_SOURCE=PATH" f/mpi.env
CC=$PWD/fails/bin/mpicc PATH=$PWD/works/bin:$PATH "$find_mpi" g >out
check "after a rejection the next candidate is tried" grep -qx "NEREUS_MPI_SOURCE=PATH" g/mpi.env
CC=$PWD/works/bin/mpicc MPI_HOME=$PWD/fails "$find_mpi" g >out
check "none takes the place of the one that is named" [ $? -eq 3 -a ! -e g/mpi.env ]
CC=$PWD/fails/bin/mpicc "$find_mpi" --mpi "$PWD/works" g >out
check "--mpi comes first" grep -qx "NEREUS_MPI_HOME=$PWD/works" g/mpi.env
"$find_mpi" g >out
check "--mpi is kept" grep -q "^MPICH 9.9 .* from --mpi" out
CC=$PWD/works/bin/mpicc "$find_mpi" --mpi auto g >out
check "until another one, or none, is named" grep -qx "NEREUS_MPI_SOURCE=CC" g/mpi.env
"$find_mpi" --mpi "$PWD/fails" g >out
check "one that is not used is not kept" [ ! -e g/wanted ]
"$find_mpi" --mpi lam g >out 2>&1
check "a name that it does not know is refused" [ $? -eq 2 ]

# Intel's spawns with I_MPI_SPAWN alone, and has its libfabric beside it or in a folder of its own.
stub_mpi intel 'case $I_MPI_SPAWN in on) echo "spawn_ms=90.5 pingpong_us=7 bandwidth_us=130" ;; *) exit 139 ;; esac'
sed -i 's/MPICH Version.*ofi/Intel(R) MPI Library 2021.18.1 for Linux* OS/' intel/bin/mpicc
"$find_mpi" --mpi "$PWD/intel" i >out
check "Intel MPI is told its settings" grep -qx "env I_MPI_SPAWN=on" i/mpi.env
check "and not to use collectives in shared memory" grep -qx "env I_MPI_COLL_INTRANODE=pt2pt" i/mpi.env
check "its name is told" grep -qx "NEREUS_MPI_VERSION=Intel MPI 2021.18.1" i/mpi.env
check "for what it builds is told" grep -q "I_MPI_SPAWN=on.*; by Intel's own mpi.h, for Intel MPI alone (--mpi abi: for MPICH, too)$" out

# Open MPI's launcher is another one, which has to be told.
stub_mpi openmpi 'case $OMPI_MCA_pml in ob1) echo "spawn_ms=150 pingpong_us=1 bandwidth_us=130" ;; *) exit 1 ;; esac'
sed -i 's/MPICH Version.*ofi/Open MPI v5.0.11, package: Open MPI user@localhost Distribution/' openmpi/bin/mpicc
"$find_mpi" --mpi "$PWD/openmpi" o >out
check "Open MPI is told its settings" grep -qx "env NEREUS_PROCESS_MANAGER=prrte" o/mpi.env
check "its name is told, too" grep -qx "NEREUS_MPI_VERSION=Open MPI 5.0.11" o/mpi.env
exit $failed
