#!/bin/bash
# apps.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What malleability costs an application that is never resized: nereus-cg and nereus-jacobi beside the same files compiled
without it. Plain, malleable, malleable, plain, one right after the other: each two are a pair. Seconds are those of the loop, and of a core
in it; each process is bound to a core, in both alike. A sample is two pairs."
own_options="  --processes LIST  (1,2)
  --iterations N    (120)
  --grid LIST       of conjugate gradient (48,48,48)
  --unknowns N      of Jacobi (2000)"
processes=1,2 iterations=120 grid=48,48,48 unknowns=2000
. "$here/sampling.sh"
repeats=30

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

# As nothing is resized here, what nereus-mpiexec and Nereus warn of (-bind-to) is of no matter.
loop_seconds() { # PROGRAM PROCESSES ARGS...: by the clock, and of a core
    local name=$1 number=$2
    shift 2
    timeout -k 3 60 "$bin/nereus-mpiexec" -bind-to core -n "$number" "$bin/$name" "$@" --tolerance 0 --iterations "$iterations" |
        awk '/ processes, .* s CPU$/ { print $(NF - 4), $(NF - 2) }'
}

# Whatever grows or falls evenly meanwhile makes one of the two pairs look worse and the other better.
measure() { # "NAME PROCESSES"
    local name number arguments kind answer=""
    read -r name number <<<"$1"
    arguments=(--unknowns "$unknowns")
    [ "$name" = cg ] && arguments=(--grid "$grid")
    for kind in -plain "" "" -plain; do
        answer+="$(loop_seconds "nereus-$name$kind" "$number" "${arguments[@]}")"$'\n'
    done
    awk 'NF == 2 { s[++n] = $1; c[n] = $2 }
        END {
            if (n != 4) exit 1
            for (i = 1; i <= 4; i++) {
                kind = i == 1 || i == 4 ? "plain" : "malleable"
                print kind "_s", s[i]
                print kind "_cpu_s", c[i]
            }
            printf "ratio_s %.6f\nratio_s %.6f\n", s[2] / s[1], s[3] / s[4]
            printf "ratio_cpu_s %.6f\nratio_cpu_s %.6f\n", c[2] / c[1], c[3] / c[4]
        }' <<<"$answer"
}

# The interval of a median says nothing of the shape of a distribution: of n values the number below the median is binomial, so that it lies
# between the kth from below and the kth from above, k the largest for which fewer than k are below with 5 % at most.
table() {
    echo "$iterations iterations, conjugate gradient on a grid of $grid, Jacobi with $unknowns unknowns; $(nproc) cores, each process bound to one."
    echo "Medians. Ratios are those of pairs, malleable / plain; in brackets the interval in which the median lies with 90 % at least."
    echo
    echo "| program | processes | what | plain [s] | malleable [s] | malleable / plain | pairs | at most 1 % longer |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, -v samples="$samples" '
        { median[$1, $2] = $3; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function place(n,   k, below, term) { # 0: too few values
            term = below = 0.5 ^ n
            for (k = 0; below <= 0.05; k++) { term *= (n - k) / (k + 1); below += term }
            return k
        }
        function say(key, quantity, what,   line, n, v, command, k, low, high, verdict) {
            command = "grep -F \"," key ",ratio_" quantity ",\" \"" samples "\" | cut -d, -f4 | sort -g"
            while ((command | getline line) > 0) v[++n] = line
            close(command)
            k = place(n)
            verdict = "undecided"
            if (k > 0) {
                low = v[k]; high = v[n + 1 - k]
                if (high <= 1.01) verdict = "shown"
                if (low > 1.01) verdict = "refuted"
            }
            split(key, word, " ")
            printf "| nereus-%s | %d | %s | %.4f | %.4f | %.4f (%s) | %d | %s |\n", word[1], word[2], what, median[key, "plain_" quantity],
                median[key, "malleable_" quantity], median[key, "ratio_" quantity],
                (k > 0 ? sprintf("%.4f to %.4f", low, high) : "too few pairs"), n, verdict
        }
        END { for (r = 1; r <= rows; r++) { say(row[r], "s", "time"); say(row[r], "cpu_s", "of a core") } }'
}

read_options apps "$@"
export NEREUS_BIND=none
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE
sample_all < <(cases)
finish
