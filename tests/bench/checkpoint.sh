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
    cat "$tests/bench-checkpoint" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
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
    timeout -k 3 120 "$bin/nereus-mpiexec" -n "$1" "$tests/bench-checkpoint" "$2" "$seconds" "$disk"
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
    # From the disk: the page cache gives the checkpoints up; dd reads the older one, the restart
    # the newer one
    for file in "$disk"/saved/checkpoint-*/bytes.bin; do dd if="$file" iflag=nocache count=0 2>/dev/null || return; done
    timed dd-disk dd if="$(ls -dt "$disk"/saved/checkpoint-*/bytes.bin | tail -n 1)" of=/dev/null bs=1M || return
    NEREUS_RESTART=$disk/saved NEREUS_CHECKPOINT="" job "$number" "$bytes" || return
    NEREUS_RESTART=$disk/saved NEREUS_CHECKPOINT="" job "$number" "$bytes" | sed 's/restart/restart-cached/'
}

# part INTRODUCTION HEADS FIELD...: one table of the medians, a row a case
part() {
    printf '%s\n\n| processes | bytes | %s |\n| --- | ---%s |\n' "$1:" "$2" "$(printf ' | ---%.0s' "${@:3}")"
    awk -F, -v fields="${*:3}" '{ v[$1, $2] = $3; if (!($1 in seen)) { seen[$1]; row[++rows] = $1 } }
        END { n = split(fields, field, " ")
            for (r = 1; r <= rows; r++) {
                split(row[r], w, " ")
                printf "| %s | %s", w[1], w[2]
                for (f = 1; f <= n; f++) printf " | %s", (row[r], field[f]) in v ? sprintf("%.3f", v[row[r], field[f]]) : "-"
                print " |" } }' "$work/medians"
    echo
}

table() {
    medians >"$work/medians"
    printf '%s cores, load %s; medians in seconds.\n\n' "$(nproc)" "$(cut -d' ' -f1 /proc/loadavg)"
    part "To write" "dd conv=fsync | checkpoint | pwrite, fsync | MPI_File_write_at_all, sync | /dev/shm" dd-write checkpoint cache romio shm
    part "An overlapped checkpoint: how long it holds the program up, in all, and its copy into memory" \
        "first one holds up | later one holds up | later one in all | copy into new memory | copy into touched memory" \
        overlap-held-new overlap-held overlap-took copy-new copy
    part "To read" "restart, from the disk | dd, from the disk | restart, from the cache | dd, from the cache | pread into new memory | MPI_File_read_at_all" \
        restart dd-disk restart-cached dd-read cache-read romio-read
}

read_options checkpoint "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY
disk=$build/bench-checkpoint-files
trap 'rm -rf "$disk" "$work"' EXIT
sample_all < <(cases)
finish
