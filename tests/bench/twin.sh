#!/bin/bash
# twin.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="Programs and their twins (nereus twin): the program is watched, its twin is watched by the same means, then the program again: a
sample is twin / program of neighbours, and program / program, which shows what such a ratio is worth on the machine at hand.
Of cases with a change of size: whole time and RT of the program and of the twin that was made of it."
own_options="  --programs LIST   (even,uneven,jacobi: conjugate gradient with a balanced and an unbalanced Matrix Market file, Jacobi;
                    with --foreign also cpi,cco)
  --processes LIST  (1,2)
  --sizes LIST      side of the square of the matrices; Jacobi has ten times as many unknowns (100,160)
  --iterations N    (300)
  --changes LIST    NS:NT of cases with a change of size (1:2,2:1)
  --methods LIST    (merge/coll,merge/p2p,merge/rma,baseline/coll)
  --quantile Q      of the iterations, that times are; below the median on a machine that others use, too (0.5)
  --foreign PYTHON  with mpi4py and its folder demo beside it (bash tests/cli/foreign.sh install FOLDER)"
programs=even,uneven,jacobi processes=1,2 sizes=100,160 iterations=300 changes=1:2,2:1
methods=merge/coll,merge/p2p,merge/rma,baseline/coll quantile=0.5 foreign=""
. "$here/sampling.sh"

fingerprint() {
    cat "$bin"/nereus{,-sam,-cg,-jacobi} "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local name size number method
    for name in ${programs//,/ }; do
        for size in ${sizes//,/ }; do
            case $name in cpi | cco) [ "$size" = "${sizes%%,*}" ] || continue ;; esac
            for number in ${processes//,/ }; do echo "$name $size $number"; done
            case $name in cpi | cco) continue ;; esac
            for number in ${changes//,/ }; do
                for method in ${methods//,/ }; do echo "$name $size $number $method"; done
            done
        done
    done
}

# command_of NAME SIZE PROCESSES ITERATIONS: into the array `command`
command_of() {
    command=("$bin/nereus-mpiexec" -n "$3")
    case $1 in
        even | uneven)
            [ -s "$work/$1-$2.mtx" ] || "$here/../live/matrix-market.sh" "$2" "$([ "$1" = uneven ] || echo even)" >"$work/$1-$2.mtx"
            command+=("$bin/nereus-cg" --matrix "$work/$1-$2.mtx" --tolerance 0 --iterations "$4") ;;
        jacobi) command+=("$bin/nereus-jacobi" --unknowns $((10 * $2)) --tolerance 0 --iterations "$4") ;;
        cpi) command+=("$foreign" "${foreign%/*}/../demo/profiling/cpi.py") ;;
        cco) # asks for numbers of intervals
            command=(sh -c "{ yes 100000 | head -n 40; echo 0; } | \"\$0\" \"\$@\"" "${command[@]}" "$foreign" "${foreign%/*}/../demo/compute-pi/cpi-cco.py") ;;
    esac
}

# watch FILE.ini COMMAND...: makes the twin; prints the iteration [ms], and each stage that computes [ms]
watch() {
    local file=$1
    shift
    timeout -k 3 120 "$bin/nereus" twin --output "$file" --quantile "$quantile" "${twin_options[@]}" -- "$@" >"$work/said" || return
    # A prompt of the program may stand before it on the line.
    awk 'sub(/^(.* )?iteration: /, "") && !n++ { print $1 } /^  compute / { print $2 }' "$work/said" | tr '\n' ' '
}

# Neighbours are compared: twin with the program behind it, and the program before with the one
# behind. Stages that take less than a twentieth of an iteration are summed up only.
compare_iterations() { # NAME SIZE PROCESSES
    local command before twin after
    local -a twin_options=()
    command_of "$1" "$2" "$3" "$iterations"
    before=$(watch "$work/a.ini" "${command[@]}") || return
    twin=$(watch "$work/b.ini" "$bin/nereus-mpiexec" -n "$3" "$bin/nereus-sam" "$work/a.ini") || return
    after=$(watch "$work/c.ini" "${command[@]}") || return
    printf '%s\n' "$before" "$twin" "$after" | awk '
        { iteration[NR] = $1; for (i = 2; i <= NF; i++) { sum[NR] += $i; if ($i > $1 / 20) stage[NR, ++stages[NR]] = $i } }
        END {
            if (NR != 3 || iteration[3] <= 0) exit 1
            print "program_ms", iteration[3]
            print "twin_ms", iteration[2]
            printf "iteration %.6f\niteration_again %.6f\n", iteration[2] / iteration[3], iteration[1] / iteration[3]
            if (sum[3] > 0) printf "computing %.6f\ncomputing_again %.6f\n", sum[2] / sum[3], sum[1] / sum[3]
            for (i = 1; stages[2] == stages[3] && i <= stages[3]; i++) printf "stage%d %.6f\n", i, stage[2, i] / stage[3, i]
        }'
}

# The whole time of a program that may be replaced meanwhile is that of its job, less that of a job
# with one iteration.
compare_changes() { # NAME SIZE NS:NT METHOD
    local name=$1 size=$2 ns=${3%:*} nt=${3#*:} method=$4 command full least
    local -a twin_options=(--nt "$nt" --method "$method" --iterations "$iterations" --iterations-after "$iterations")
    command_of "$name" "$size" "$ns" "$iterations"
    watch "$work/a.ini" "${command[@]}" >/dev/null || return
    command_of "$name" "$size" "$ns" $((2 * iterations))
    rm -f "$work"/{o,t}.trace
    full=$(NEREUS_SCHEDULE=$nt@$iterations:$method NEREUS_TRACE=$work/o.trace seconds timeout -k 3 120 "${command[@]}") || return
    command_of "$name" "$size" "$ns" 1
    least=$(seconds timeout -k 3 120 "${command[@]}") || return
    NEREUS_TRACE=$work/t.trace timeout -k 3 120 "$bin/nereus-mpiexec" -n "$ns" "$bin/nereus-sam" --results "$work/t.json" "$work/a.ini" >&2 || return
    awk -v full="$full" -v least="$least" -v rt="$(last_reconfiguration "$ns" "$nt" <"$work/o.trace" | number rt_s)" \
        -v twin="$(sed -n 's/^ *"t_ex_s": *\([-0-9.e+]*\).*/\1/p' "$work/t.json")" -v twin_rt="$(last_reconfiguration "$ns" "$nt" <"$work/t.trace" | number rt_s)" 'BEGIN {
        if (!(rt > 0 && twin_rt > 0 && twin > 0)) exit 1
        print "whole_s", full - least; print "twin_whole_s", twin; printf "whole %.6f\n", twin / (full - least)
        print "rt_s", rt; print "twin_rt_s", twin_rt; printf "rt %.6f\n", twin_rt / rt }'
}

measure() {
    local word
    read -ra word <<<"$1"
    if [ ${#word[@]} -eq 3 ]; then compare_iterations "${word[@]}"; else compare_changes "${word[@]}"; fi
}

table() {
    echo "$iterations iterations, of which the $quantile quantile counts; $(nproc) cores. Medians of samples; ratios are those of neighbours, twin / program."
    echo
    echo "| program | processes | program [ms] | twin [ms] | iteration | computing | its stages | program / program | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        split($1, word, " ") == 3 { v[$1, $2] = $3; if (!($1 in n)) { row[++rows] = $1; n[$1] = $4 } }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]; split(key, word, " "); list = ""
                for (i = 1; (key, "stage" i) in v; i++) list = list (i > 1 ? ", " : "") sprintf("%.3f", v[key, "stage" i])
                printf "| %s %s | %s | %.4g | %.4g | %.3f | %.3f | %s | %.3f | %d |\n", word[1], word[2], word[3], v[key, "program_ms"],
                    v[key, "twin_ms"], v[key, "iteration"], v[key, "computing"], list, v[key, "iteration_again"], n[key]
            }
        }'
    echo
    echo "With one change of size after the first half of $((2 * iterations)) iterations:"
    echo
    echo "| program | change | method | whole [s] | twin [s] | ratio | RT [ms] | twin [ms] | ratio | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        split($1, word, " ") == 4 { v[$1, $2] = $3; if (!($1 in n)) { row[++rows] = $1; n[$1] = $4 } }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]; split(key, word, " ")
                printf "| %s %s | %s | `%s` | %.3f | %.3f | %.3f | %.1f | %.1f | %.3f | %d |\n", word[1], word[2], word[3], word[4],
                    v[key, "whole_s"], v[key, "twin_whole_s"], v[key, "whole"], 1e3 * v[key, "rt_s"], 1e3 * v[key, "twin_rt_s"], v[key, "rt"], n[key]
            }
        }'
}

read_options twin "$@"
[ -z "$foreign" ] || MPI4PY_LIBMPI=$(ldd "$bin/nereus-sam" | awk '$1 ~ /^libmpi\.so/ { print $3 }')
export MPI4PY_LIBMPI
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY
sample_all < <(cases)
finish
