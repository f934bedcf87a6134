#!/bin/bash
# programs.sh MPIEXEC SCHEDULE PLAIN... -- NP MALLEABLE...: runs a program as it was before (PLAIN,
# with its arguments) with one process, and malleable with NP and this NEREUS_SCHEDULE: both must
# have the same answer, bit for bit, after all its changes of size ("any:SCHEDULE": after one at
# least; "none": the second is a plain program, too).
set -u
mpiexec=$1 schedule=${2#any:} changes=$2
shift 2
plain=()
while [ "$1" != -- ]; do
    plain+=("$1")
    shift
done
np=$2
shift 2
expected=$("$mpiexec" -n 1 "${plain[@]}") || exit 1
[ "$changes" = none ] || export NEREUS_SCHEDULE=$schedule
got=$("$mpiexec" -n "$np" "$@") || exit 1
echo "$expected"
echo "$got"
read -r _ one _ <<<"$expected"
read -r _ other _ _ _ _ _ count <<<"$got"
if [ -z "$one" ] || [ "$one" != "$other" ]; then
    echo "the answers differ"
    exit 1
fi
points=${schedule//[^@]/}
case $changes in
any:*) [ "${count:-0}" -gt 0 ] ;;
none) [ -z "$count" ] ;;
*) [ "$count" = ${#points} ] ;;
esac && exit 0
echo "$count changes of size were carried out of $changes"
exit 1
