#!/bin/bash
# apps.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What malleability costs an application that is never resized: nereus-cg and nereus-jacobi beside the same files compiled
without it. Plain, plain, malleable, malleable, plain, plain, one right after the other: neighbours are a pair. Seconds are those of the loop,
and of a core in it; each process is bound to a core, in both alike. A sample is two pairs malleable / plain and two plain / plain, which show
what such a ratio is worth on the machine at hand."
own_options="  --programs LIST   (cg,jacobi)
  --processes LIST  (1,2)
  --iterations N    (120)
  --grid LIST       of conjugate gradient (48,48,48)
  --unknowns N      of Jacobi (2000)
  --monitor EVERY   what monitoring costs, with intervals of EVERY (NEREUS_MONITOR_EVERY): pairs are monitored / not monitored"
programs=cg,jacobi processes=1,2 iterations=120 grid=48,48,48 unknowns=2000 monitor=
. "$here/sampling.sh"
repeats=30

fingerprint() {
    cat "$bin"/nereus-{cg,jacobi}{,-plain} "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

cases() {
    local number name
    for number in ${processes//,/ }; do
        for name in ${programs//,/ }; do echo "$name $number"; done
    done
}

# As nothing is resized here, -bind-to does no harm, which nereus-mpiexec refuses.
loop_seconds() { # PROGRAM PROCESSES ARGS...: by the clock, and of a core
    local name=$1 number=$2
    shift 2
    if [ -n "$monitor" ]; then # both are malleable
        if [ "$name" = "${name%-plain}" ]; then
            local -x NEREUS_MONITOR=/dev/null NEREUS_MONITOR_EVERY=$monitor
        fi
        name=${name%-plain}
    fi
    NEREUS_MPIEXEC_UNCHECKED=1 timeout -k 3 60 "$bin/nereus-mpiexec" -bind-to core -n "$number" "$bin/$name" "$@" --tolerance 0 --iterations "$iterations" |
        awk '/ processes, .* s CPU$/ { print $(NF - 4), $(NF - 2) }'
}

# Whatever grows or falls evenly meanwhile makes one of the two pairs look worse and the other better.
measure() { # "NAME PROCESSES"
    local name number arguments kind answer=""
    read -r name number <<<"$1"
    arguments=(--unknowns "$unknowns")
    [ "$name" = cg ] && arguments=(--grid "$grid")
    for kind in -plain -plain "" "" -plain -plain; do
        answer+="$(loop_seconds "nereus-$name$kind" "$number" "${arguments[@]}")"$'\n'
    done
    awk 'NF == 2 { s[++n] = $1; c[n] = $2 }
        END {
            if (n != 6) exit 1
            for (i = 1; i <= 6; i++) {
                kind = i == 3 || i == 4 ? "malleable" : "plain"
                print kind "_s", s[i]
                print kind "_cpu_s", c[i]
            }
            printf "ratio_s %.6f\nratio_s %.6f\n", s[3] / s[2], s[4] / s[5]
            printf "ratio_cpu_s %.6f\nratio_cpu_s %.6f\n", c[3] / c[2], c[4] / c[5]
            printf "again_s %.6f\nagain_s %.6f\n", s[1] / s[2], s[6] / s[5]
            printf "again_cpu_s %.6f\nagain_cpu_s %.6f\n", c[1] / c[2], c[6] / c[5]
        }' <<<"$answer"
}

# The interval of a median says nothing of the shape of a distribution: of n values the number below
# the median is binomial, so that it lies between the kth from below and the kth from above, k the
# largest for which fewer than k are below with 5 % at most.
table() {
    echo "$iterations iterations, conjugate gradient on a grid of $grid, Jacobi with $unknowns unknowns; $(nproc) cores, each process bound to one."
    [ -z "$monitor" ] || echo "Here \"malleable\" is monitored, in intervals of $monitor, and \"plain\" is the malleable program that is not."
    echo "Medians. Ratios are those of pairs, malleable / plain; in brackets the interval in which the median lies with 90 % at least."
    echo
    echo "| program | processes | what | plain [s] | malleable [s] | malleable / plain | plain / plain | pairs | malleable at most 1 % longer |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, -v samples="$samples" '
        { median[$1, $2] = $3; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function place(n,   k, below, term) { # 0: too few values
            term = below = 0.5 ^ n
            for (k = 0; below <= 0.05; k++) { term *= (n - k) / (k + 1); below += term }
            return k
        }
        function read_sorted(key, name,   line, n, command) { # into v
            command = "grep -F \"," key "," name ",\" \"" samples "\" | cut -d, -f4 | sort -g"
            while ((command | getline line) > 0) v[++n] = line
            close(command)
            return n
        }
        function interval(n,   k) {
            k = place(n)
            low = k > 0 ? v[k] : 0
            high = k > 0 ? v[n + 1 - k] : 0
            return k > 0 ? sprintf("%.4f to %.4f", low, high) : "too few pairs"
        }
        function say(key, quantity, what,   n, control, word, verdict, ratio) {
            n = read_sorted(key, "again_" quantity)
            control = sprintf("%.4f (%s)", median[key, "again_" quantity], interval(n))
            n = read_sorted(key, "ratio_" quantity)
            ratio = sprintf("%.4f (%s)", median[key, "ratio_" quantity], interval(n))
            verdict = "undecided"
            if (high > 0 && high <= 1.01) verdict = "shown"
            if (low > 1.01) verdict = "refuted"
            split(key, word, " ")
            printf "| nereus-%s | %d | %s | %.4f | %.4f | %s | %s | %d | %s |\n", word[1], word[2], what, median[key, "plain_" quantity],
                median[key, "malleable_" quantity], ratio, control, n, verdict
        }
        END { for (r = 1; r <= rows; r++) { say(row[r], "s", "time"); say(row[r], "cpu_s", "of a core") } }'
}

read_options apps "$@"
export NEREUS_BIND=none
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY
sample_all < <(cases)
finish
