#!/bin/sh
# started.sh MPIEXEC STARTED: what new processes start (started.c), through a link, wrappers, and
# options of mpiexec.
mpiexec=$1 program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir sub
ln -s "$program" job
printf '#!/bin/sh\ncd sub\nexport WRAPPED="by $PWD"\n../job "$@"\n' >wrapper # stays beside the program
chmod +x wrapper
fail() {
    echo "started.sh: $1"
    exit 1
}
long=$(printf '%5000s' x) large=$(printf '%100000s' x)
SECRET="value-$$-of-nobody" LARGE="$large
$(printf '\377')"
export SECRET LARGE
# shellcheck disable=SC2016
"$mpiexec" -n 1 sh -c 'export WRAPPED=yes; exec ./job "$@"' sh "$long" "" 'a
b' '"q" %41 '"'" "$(printf '\303\251\377')" "$large" || fail 'exported by a shell that becomes the program'
"$mpiexec" -genvnone -genv WRAPPED no -wdir "$work/sub" -n 1 ../job a || fail 'options of mpiexec'
# shellcheck disable=SC2016
env 'BASH_FUNC_go%%=() { exec "$@"; }' "$mpiexec" -n 1 bash -c 'go ./job "$@"' bash a || fail 'a function that bash exports'
"$mpiexec" -n 1 env -u LARGE ./wrapper a || fail 'a wrapper that stays'
