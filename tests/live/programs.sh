#!/bin/bash
# programs.sh MPIEXEC CHANGES PLAIN... -- NP MALLEABLE...: runs a program as it was before (PLAIN, with its arguments) with one process, and
# malleable with NP: both must have the same answer, bit for bit, after so many changes of size ("any": one at least; "none": the second is a
# plain program, too).
set -u
mpiexec=$1 changes=$2
shift 2
plain=()
while [ "$1" != -- ]; do
    plain+=("$1")
    shift
done
np=$2
shift 2
expected=$("$mpiexec" -n 1 "${plain[@]}") || exit 1
got=$("$mpiexec" -n "$np" "$@") || exit 1
echo "$expected"
echo "$got"
read -r _ one _ <<<"$expected"
read -r _ other _ _ _ _ _ count <<<"$got"
if [ -z "$one" ] || [ "$one" != "$other" ]; then
    echo "the answers differ"
    exit 1
fi
case $changes in
any) [ "${count:-0}" -gt 0 ] ;;
none) [ -z "$count" ] ;;
*) [ "$count" = "$changes" ] ;;
esac && exit 0
echo "$count changes of size were carried out, expected $changes"
exit 1
