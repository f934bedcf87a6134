# shellcheck shell=bash
# What `hosts` promises of itself: it isolates, finds what is left, and leaves nothing, however it ends.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
hosts=$here/hosts
export NEREUS_HOSTS_STATE=$1
failed=0
wrong() {
    echo "wrong: $*"
    failed=1
}
is_up() { [ -e "$NEREUS_HOSTS_STATE/ready" ]; }
shows() { "$hosts" ps | grep -q "$1"; }
# wait_until COMMAND...: for 30 s at most
wait_until() {
    local i
    for ((i = 0; i < 600; i++)); do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}
start_time() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
gone() { [ "$(start_time "$1")" != "$2" ]; }
# Without what is left of the time for which an address is lent.
this_machine() { ip -o address | sed 's/_lft [0-9]*sec//g'; ip -o link; cat /etc/hosts /proc/sys/kernel/hostname; cut -d' ' -f2 /proc/self/mounts; }

without_root() {
    local output status
    [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || return 0
    # By descriptor: that user may not come to the folder of the check-out.
    output=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$BASH" /dev/fd/3 with 2 true 2>&1 3<"$hosts")
    status=$?
    [ "$status" -eq 77 ] && [[ $output == "SKIPPED: "*root* ]] || wrong "without root: status $status, '$output'"
}

isolates() {
    local before
    before=$(this_machine)
    "$hosts" up 3 >/dev/null || { wrong "up"; return; }
    [ "$(this_machine)" = "$before" ] || wrong "this machine was changed by up"
    [ "$("$hosts" on host1 cat /proc/sys/kernel/hostname)" = host1 ] || wrong "the name of host1"
    "$hosts" on host2 touch /dev/shm/mine
    [ ! -e /dev/shm/mine ] && [ -z "$("$hosts" on host1 ls /dev/shm)" ] || wrong "/dev/shm is shared"
    # The connection is refused, as no process listens on that port: the name resolves, and the host
    # is reached.
    "$hosts" on host0 env LC_ALL=C "$BASH" -c 'echo >/dev/tcp/host2/9' 2>&1 | grep -q refused || wrong "host0 does not reach host2"
    "$hosts" check 1 | grep -q "host2 file /dev/shm/mine" || wrong "check did not find the file"
    "$hosts" on host2 rm /dev/shm/mine
    "$hosts" on host0 "$BASH" -c 'sleep 41 & exit'
    "$hosts" check 1 | grep -q "host0 .*sleep 41" || wrong "check did not find the process"
    wait_until shows "host0 .* S sleep 41" || wrong "ps did not show the process"
    "$hosts" with 2 true 2>/dev/null && wrong "hosts that are up were started again"
    "$hosts" down || wrong "down"
    [ "$(this_machine)" = "$before" ] || wrong "this machine was changed by down"
}

reaps_orphans() {
    # The sleep is an orphan of host1, and has ended within 30 s; then no process is left, and no zombie.
    "$hosts" with 2 "$BASH" -c '"$0" on host1 "$BASH" -c "sleep 0.2 & exit"
        for _ in $(seq 300); do [ -z "$("$0" ps)" ] && break; sleep 0.1; done; "$0" ps; "$0" check' "$hosts" |
        grep . && wrong "a dead process was left"
}

ends_after() { # SIGNAL STATUS
    local runner pid start status
    env --default-signal=INT "$hosts" with 3 sleep 42 & # a shell starts what is in the background without INT
    runner=$!
    wait_until is_up || { wrong "with did not start"; return; }
    read -r pid start <"$NEREUS_HOSTS_STATE/front"
    kill "-$1" "$runner"
    wait "$runner" 2>/dev/null
    status=$?
    [ "$status" -eq "$2" ] || wrong "status $status after SIG$1"
    wait_until gone "$pid" "$start" || wrong "the hosts are still there after SIG$1"
    [ "$1" = KILL ] || [ ! -e "$NEREUS_HOSTS_STATE" ] || wrong "files are left after SIG$1"
}

passes_status_on() {
    "$hosts" with 2 "$BASH" -c 'exit 3'
    [ $? -eq 3 ] || wrong "the status of the command is not passed on"
    [ ! -e "$NEREUS_HOSTS_STATE" ] || wrong "files are left after a failure"
}

# An id in an old file may be somebody else's process by now.
spares_others() {
    mkdir -p "$NEREUS_HOSTS_STATE"
    sleep 43 &
    echo "$! 1" >"$NEREUS_HOSTS_STATE/front"
    "$hosts" down
    kill -0 "$!" || wrong "a process of somebody else was ended"
    kill "$!"
    [ ! -e "$NEREUS_HOSTS_STATE" ] || wrong "old files are left"
}

# Where the root of the caller is not that of its mount namespace: hosts and commands on them see
# the caller's.
works_in_chroot() {
    local folder
    folder=$(mktemp -d) || exit 1
    # shellcheck disable=SC2016 # for the other shell
    unshare --mount -- "$BASH" -c 'mount --rbind / "$1" && mount -t tmpfs tmpfs "$1/mnt" && touch "$1/mnt/inside" &&
        exec chroot "$1" "$0" with 1 "$0" on host0 test -e /mnt/inside' "$hosts" "$folder" || wrong "in a chroot"
    rmdir "$folder"
}

without_root
"$hosts" with 2 true
status=$?
[ "$status" -eq 0 ] || exit "$status" # skipped, or no use in going on
isolates
reaps_orphans
passes_status_on
ends_after INT 130
ends_after TERM 143
ends_after KILL 137
spares_others
works_in_chroot
"$hosts" down
exit "$failed"
