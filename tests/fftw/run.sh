#!/bin/bash
# run.sh MPIEXEC SCHEDULE ROWS COLUMNS: builds sam/programs/spectral.c as a user does, with FFTW of
# build/fftw (install), and compares its answer after these changes of size, bit for bit, with that
# of one process.
set -u
mpiexec=$1
shift
here=$(dirname -- "$(readlink -f -- "$0")")
root=$(readlink -f -- "$here/../..")
bin=$(dirname -- "$mpiexec") fftw=$root/build/fftw
skip() {
    echo "SKIPPED: $*"
    exit 77
}
[ -e "$fftw/.complete" ] || skip "no FFTW with MPI part in $fftw, where tests/fftw/install builds it: $(tail -n 1 "$fftw/log" 2>/dev/null)"
[ "$(readlink -f -- "$(dirname -- "$(cat "$fftw/.complete")")/..")" = "$(readlink -f -- "$bin/../lib/nereus/mpi")" ] ||
    skip "the FFTW in $fftw is for $(cat "$fftw/.complete"), and this build is not"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$bin/nereus-mpicc" -O2 -Wall -Wextra -Werror -ffp-contract=off -I"$fftw/include" "$root"/sam/programs/{spectral,example,digest}.c -o "$work/spectral" \
    -L"$fftw/lib" -Wl,-rpath,"$fftw/lib" -lfftw3_mpi -lfftw3 -lm || exit 1
NEREUS_CHECK=1 "$here/../live/programs.sh" "$mpiexec" "$1" "$work/spectral" "$2" "$3" 40 -- 2 "$work/spectral" "$2" "$3" 40
