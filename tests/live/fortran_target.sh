#!/bin/bash
# fortran_target.sh COMPILER MODULES: a variable to be registered as replicated needs the attribute
# target, or the compiler refuses the call: the library would keep the address of what may be a
# copy.
set -u
compiler=$1 modules=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program DECLARATION VARIABLE: registers it.
compiles() {
    cat >"$work/program.f90" <<TEXT
program registers
    use nereus
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    type(nereus_job) :: job
    integer :: id
    $1
    call nereus_register_replicated(job, 'x', $2, nereus_variable, id)
end program
TEXT
    "$compiler" -fsyntax-only -I"$modules" "$work/program.f90" >"$work/said" 2>&1
}
failed=0
accepts() { compiles "$@" || { echo "refused: $*"; head -12 "$work/said"; failed=1; }; }
refuses() {
    if compiles "$@"; then
        echo "accepted: $*"
        failed=1
    elif ! grep -q "no specific subroutine for the generic .nereus_register_replicated" "$work/said"; then
        echo "refused, but not for its target: $*"
        head -12 "$work/said"
        failed=1
    fi
}
accepts 'integer(int64), target :: x = 0' x
accepts 'real(real64), target :: x(3) = 0' x
accepts 'real(real64), allocatable, target :: x(:)' x
accepts 'real(real64), pointer :: x' x
# What the manual gives for arrays with more dimensions.
accepts 'real(real64), target :: table(3, 2) = 0
    real(real64), pointer, contiguous :: x(:)
    x(1:size(table)) => table' x
refuses 'integer(int64) :: x = 0' x
refuses 'real(real64) :: x(3) = 0' x
refuses 'real(real64), allocatable :: x(:)' x
exit $failed
