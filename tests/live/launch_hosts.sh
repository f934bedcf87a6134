#!/bin/bash
# launch_hosts.sh PROGRAM NETMOD: launched worlds on two hosts of their own, on hosts that are up
# (tests/hosts): a good launch, and a job whose root is killed, after which no process of it may be
# left on any host.
set -u
hosts=$(dirname -- "$(readlink -f -- "$0")")/../hosts/hosts program=$1
export MPIR_CVAR_CH4_NETMOD=$2 FI_PROVIDER=tcp LAUNCH_MODULE_HOSTS=host1,host2
run() { timeout -k 3 60 "$hosts" run host0:2,host1:2,host2:2 -n 2 "$program" "$@" </dev/null; }

run good 3 || { echo "a launch on other hosts ended with $?"; exit 1; }
"$hosts" check || exit 1

run kill source
case $? in 0 | 124) echo "a job whose root was killed ended with $?"; exit 1 ;; esac
for _ in {1..120}; do
    left=$("$hosts" ps | grep -E 'launch-module|nereus-guard|hydra')
    [ -z "$left" ] && exit 0
    sleep 0.25
done
echo "left after the root was killed:"
echo "$left"
exit 1
