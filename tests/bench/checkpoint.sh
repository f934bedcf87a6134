#!/bin/bash
# checkpoint.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="A checkpoint and a restart beside the same bytes by dd, by pwrite through the page cache and by MPI-IO (ROMIO); how long a checkpoint
that is overlapped holds the application up; copies in memory. Files are in a folder of BUILD_FOLDER, so on its disk."
own_options="  --processes LIST  (2,4)
  --sizes LIST      bytes (64000000,1000000000)
  --seconds N       of iterations with overlapped checkpoints (12)"
processes=2,4 sizes=64000000,1000000000 seconds=12
. "$here/sampling.sh"

fingerprint() {
    cat "$bin/bench-checkpoint" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local number bytes
    for number in ${processes//,/ }; do
        for bytes in ${sizes//,/ }; do echo "$number $bytes"; done
    done
}

# timed WHAT COMMAND...: prints WHAT and the seconds of the command.
timed() {
    local began=$EPOCHREALTIME
    "${@:2}" 2>/dev/null || return
    awk -v what="$1" -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s %.6f\n", what, b - a }'
}

job() { # PROCESSES BYTES
    timeout -k 3 120 "$bin/nereus-mpiexec" -n "$1" "$bin/bench-checkpoint" "$2" "$seconds" "$disk"
}

measure() { # "PROCESSES BYTES"
    local number bytes
    read -r number bytes <<<"$1"
    rm -rf "$disk"
    mkdir -p "$disk"
    rm -f "$work/trace"
    timed dd-write dd if=/dev/zero of="$disk/dd" bs=1M count="$bytes" iflag=count_bytes conv=fsync || return
    timed dd-read dd if="$disk/dd" of=/dev/null bs=1M || return
    rm "$disk/dd"
    NEREUS_CHECKPOINT=$disk/saved NEREUS_CHECKPOINT_EVERY=1us NEREUS_TRACE=$work/trace job "$number" "$bytes" || return
    grep '"event":"checkpoint"' "$work/trace" | sed 's/.*"took_s":\([^,]*\),"held_s":\([^,]*\),.*/\1 \2/' | awk '$1 > $2 + 1e-4 {
        if (n++) { printf "overlap-held %.6f\noverlap-took %.6f\n", $2, $1; exit } else printf "overlap-held-new %.6f\n", $2 }'
    # From the disk: the page cache gives the checkpoints up; dd reads the older one, the restart the newer one
    for file in "$disk"/saved/checkpoint-*/bytes.bin; do dd if="$file" iflag=nocache count=0 2>/dev/null || return; done
    timed dd-disk dd if="$(ls -dt "$disk"/saved/checkpoint-*/bytes.bin | tail -n 1)" of=/dev/null bs=1M || return
    NEREUS_RESTART=$disk/saved NEREUS_CHECKPOINT="" job "$number" "$bytes" || return
    NEREUS_RESTART=$disk/saved NEREUS_CHECKPOINT="" job "$number" "$bytes" | sed 's/restart/restart-cached/'
}

table() {
    echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg); medians in seconds. Held up: by a checkpoint that is overlapped, the first one and later ones."
    echo
    echo "| processes, bytes | dd conv=fsync | checkpoint | pwrite, fsync | MPI_File_write_at_all, sync | held up, first; later | overlapped in all | copy into new; touched memory | /dev/shm | restart, dd: from the disk | restart, dd: from the cache | pread into new memory | MPI_File_read_at_all |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '{ v[$1, $2] = sprintf("%.3f", $3); if (!($1 in seen)) { seen[$1]; row[++rows] = $1 } }
        END { for (r = 1; r <= rows; r++) { c = row[r]; split(c, w, " ")
            printf "| %s, %s | %s | %s | %s | %s | %s; %s | %s | %s; %s | %s | %s; %s | %s; %s | %s | %s |\n", w[1], w[2], v[c, "dd-write"], v[c, "checkpoint"],
                v[c, "cache"], v[c, "romio"], v[c, "overlap-held-new"], v[c, "overlap-held"], v[c, "overlap-took"], v[c, "copy-new"], v[c, "copy"],
                v[c, "shm"], v[c, "restart"], v[c, "dd-disk"], v[c, "restart-cached"], v[c, "dd-read"], v[c, "cache-read"], v[c, "romio-read"] } }'
}

read_options checkpoint "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY
disk=$build/bench-checkpoint-files
trap 'rm -rf "$disk" "$work"' EXIT
sample_all < <(cases)
finish
