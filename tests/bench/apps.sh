#!/bin/bash
# apps.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What malleability costs an application that is never resized: nereus-cg and nereus-jacobi beside the same files compiled
without it, one right after the other, begun with another one each time. Seconds are those of the loop; each process is bound as
mpiexec leaves it, in both alike."
own_options="  --processes LIST  (1,2)
  --iterations N    (400)
  --grid LIST       of conjugate gradient (48,48,48)
  --unknowns N      of Jacobi (2000)"
processes=1,2 iterations=400 grid=48,48,48 unknowns=2000
. "$here/sampling.sh"

own_option() {
    case $1 in
        --processes) processes=$2 ;;
        --iterations) iterations=$2 ;;
        --grid) grid=$2 ;;
        --unknowns) unknowns=$2 ;;
        *) return 1 ;;
    esac
}

fingerprint() {
    cat "$bin"/nereus-{cg,jacobi}{,-plain} "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local number name
    for number in ${processes//,/ }; do
        for name in cg jacobi; do echo "$name $number"; done
    done
}

loop_seconds() { # PROGRAM PROCESSES ARGS...
    local name=$1 number=$2
    shift 2
    timeout -k 3 60 "$bin/nereus-mpiexec" -n "$number" "$bin/$name" "$@" --tolerance 0 --iterations "$iterations" |
        awk '/ processes, .* s$/ { print $(NF - 1) }'
}

# Three runs, begun with another one each time; their ratios are one sample. nereus_init asks MPI for threads, which also changes how MPI
# waits (MPICH 5.0.2 lets others run between two looks then, and only then): "threads" is the plain program with that level.
measure() { # "NAME PROCESSES"
    local name number arguments kind turn
    local -A seconds=()
    read -r name number <<<"$1"
    arguments=(--unknowns "$unknowns")
    [ "$name" = cg ] && arguments=(--grid "$grid")
    for turn in 0 1 2; do
        kind=$(((round + turn) % 3))
        case $kind in
            0) seconds[plain]=$(loop_seconds "nereus-$name-plain" "$number" "${arguments[@]}") ;;
            1) seconds[malleable]=$(loop_seconds "nereus-$name" "$number" "${arguments[@]}") ;;
            2) seconds[threads]=$(MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE \
                loop_seconds "nereus-$name-plain" "$number" "${arguments[@]}") ;;
        esac
    done
    [ -n "${seconds[plain]}" ] && [ -n "${seconds[malleable]}" ] && [ -n "${seconds[threads]}" ] || return 1
    awk -v plain="${seconds[plain]}" -v malleable="${seconds[malleable]}" -v threads="${seconds[threads]}" 'BEGIN {
        print "plain_s", plain; print "threads_s", threads; print "malleable_s", malleable
        printf "ratio %.6f\nratio_threads %.6f\n", malleable / plain, malleable / threads }'
}

table() {
    echo "$iterations iterations, conjugate gradient on a grid of $grid, Jacobi with $unknowns unknowns; $(nproc) cores. Medians; threads: the plain"
    echo "program with MPI_THREAD_MULTIPLE. Ratios are those of the runs one after the other, with their quartiles in brackets."
    echo
    echo "| program | processes | plain [s] | threads [s] | malleable [s] | malleable / plain | malleable / threads | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, -v samples="$samples" '
        { median[$1, $2] = $3; count[$1] = $4; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function ratio(key, quantity,   line, n, v, command) {
            command = "grep -F \"," key "," quantity ",\" \"" samples "\" | cut -d, -f4 | sort -g"
            while ((command | getline line) > 0) v[++n] = line
            close(command)
            return sprintf("%.4f (%.4f to %.4f)", median[key, quantity], v[int((n + 3) / 4)], v[int((3 * n + 3) / 4)])
        }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]
                split(key, word, " ")
                printf "| nereus-%s | %d | %.4f | %.4f | %.4f | %s | %s | %d |\n", word[1], word[2], median[key, "plain_s"],
                    median[key, "threads_s"], median[key, "malleable_s"], ratio(key, "ratio"), ratio(key, "ratio_threads"), count[key]
            }
        }'
}

read_options apps "$@"
export NEREUS_BIND=none
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE
sample_all < <(cases)
finish
