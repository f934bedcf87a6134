#!/bin/bash
# flat.sh MPIEXEC RESIZE BARE RECONFIGURATIONS [SEED]
# One job of so many random reconfigurations, of random methods and sizes between 1 and 6, all data
# checked after each; then a bare loop of the same spawns. What ranks, guards, the launcher's proxy
# and mpiexec hold on to may grow as much as in the bare loop, and no more; no System V segment and
# no file in /dev/shm stays.
set -u
mpiexec=$1 resize=$2 bare=$3 count=$4 seed=${5:-$(date +%N | sed 's/^0*//')}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'localhost/%s:1\n' a b c d e f >"$folder/machine"
# What an earlier job has left is not this one's, even if a process here has been given the same
# number as its maker had.
tail -n +2 /proc/sysvipc/shm >"$folder/before"
echo "seed $seed: to walk the same way again, $0 ${*:1:4} $seed"

NEREUS_HOSTFILE=$folder/machine NEREUS_TEST_LOG=$folder/walk "$mpiexec" -n 2 "$resize" "walk=$seed" "until=$count" last=3 \
    pause=0.0005 >"$folder/out" 2>"$folder/err"
status=$?
tail -1 "$folder/out"
if [ $status -ne 0 ] || ! grep -q "$count reconfigurations, .*wrong 0" "$folder/out"; then
    echo "the walk failed with status $status; its last steps:"
    tail -5 "$folder/out"
    grep -v 'cancelled' "$folder/err" | tail -20
    exit 1
fi
grep '^spawn' "$folder/walk" >"$folder/spawns"
NEREUS_TEST_LOG=$folder/bare "$mpiexec" -n 1 "$bare" "$folder/spawns" || exit

# Left behind by one of the walk's processes?
awk -v folder="$folder" 'FILENAME == folder "/before" { earlier[$2]; next }
     FILENAME == folder "/walk" { if ($1 == "pid") own_pids[$2]; next }
     FNR > 1 && ($5 in own_pids) && !($2 in earlier) { print "System V segment " $2 " is left: " $0; left = 1 }
     END { exit left }' "$folder/before" "$folder/walk" /proc/sysvipc/shm || exit
while read -r _ file; do
    [ ! -e "$file" ] || { echo "$file is left"; exit 1; }
done < <(grep '^shm' "$folder/walk" | sort -u)

awk -v folder="$folder" -v count="$count" '
    FNR == 1 { file++ }
    $1 == "job" {
        key = $3
        if (!((file, key) in seen)) { seen[file, key]; first_n[file, key] = $4; first_kb[file, key] = $6; first_fd[file, key] = $8 }
        n[file, key] = $4; kb[file, key] = $6; fd[file, key] = $8
    }
    # Growth per reconfiguration of the processes that lived longest: at most that of the bare loop,
    # whose samples are spawns.
    $1 == "process" && $4 > longest[file] { longest[file] = $4; rank_kb[file] = $6; rank_fd[file] = $8; threads[file] = $10; comms[file] = $12 }
    END {
        wrong = 0
        printf "%-18s %10s %22s %22s\n", "", "processes", "kB, walk / bare", "descriptors, walk / bare"
        for (k = split("nereus-supervise mpiexec hydra_pmi_proxy nereus-guard", keys, " "); k > 0; k--) {
            key = keys[k]
            grown_kb = kb[1, key] - first_kb[1, key]; bare_kb = kb[2, key] - first_kb[2, key]
            grown_fd = fd[1, key] - first_fd[1, key]; bare_fd = fd[2, key] - first_fd[2, key]
            if (key == "nereus-guard") bare_kb = bare_fd = 0
            printf "%-18s %4d -> %3d %10d / %9d %10d / %9d\n", key, first_n[1, key], n[1, key], grown_kb, bare_kb, grown_fd, bare_fd
            if (n[1, key] != first_n[1, key]) { print "the number of " key " processes has changed"; wrong = 1 }
            if (grown_kb > 1.25 * bare_kb + 1000) { print key " has grown more than in the bare loop"; wrong = 1 }
            # A guard is given the descriptors that its proxy has.
            if (key != "nereus-guard" && grown_fd > 1.25 * bare_fd + 16) { print key " holds more descriptors than in the bare loop"; wrong = 1 }
        }
        printf "rank that lived longest: %d samples; a reconfiguration: %.1f kB, %.2f descriptors, %.2f threads, %.2f communicators; bare loop, %d spawns: %.1f kB, %.2f, %.2f, %.2f\n",
               longest[1], rank_kb[1], rank_fd[1], threads[1], comms[1], longest[2], rank_kb[2], rank_fd[2], threads[2], comms[2]
        if (longest[1] < 12) { print "no process lived long enough to be judged"; wrong = 1 }
        # A reconfiguration of several groups connects several times where the bare loop merges
        # once; and some memory is taken only once (buffers of the network, heap between blocks of
        # other sizes), which a short life cannot tell from growth.
        once_kb = 4096
        if (rank_kb[1] > 3 * rank_kb[2] + 50 + once_kb / longest[1]) { print "the rank has grown more than in the bare loop"; wrong = 1 }
        if (rank_fd[1] > 1.5 * rank_fd[2] + 0.2) { print "the rank holds more descriptors than in the bare loop"; wrong = 1 }
        if (threads[1] > threads[2] + 0.1 || comms[1] > comms[2] + 0.1) { print "threads or communicators have grown"; wrong = 1 }
        exit wrong
    }' "$folder/walk" "$folder/bare" || exit
echo "flat"
