#!/bin/bash
# goals.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="Does a policy reach its goal in a running job? Jacobi begins on one process and may have as many as there are cores; the policy
flex-efficiency is to make it end a percentage sooner than it would alone. The job without a policy runs right before, the same again
behind it: a sample is the time with the policy over the mean of both, and the one over the other, which is the noise."
own_options="  --goals LIST      percent sooner (15,25,35)
  --unknowns N      of Jacobi (4000)
  --iterations N    (800)
  --interval N      iterations from one decision to the next (40)"
goals=15,25,35 unknowns=4000 iterations=800 interval=40
. "$here/sampling.sh"
repeats=5

fingerprint() {
    cat "$bin/nereus-jacobi" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

solve() { # [NAME=VALUE]: seconds of the loop, and changes of size
    env "$@" timeout -k 3 120 "$bin/nereus-mpiexec" -n 1 "$bin/nereus-jacobi" --unknowns "$unknowns" --iterations "$iterations" --tolerance 0 --tell-end |
        sed -n 's/.* \([0-9]*\) reconfigurations*, from iteration 0 on \([0-9.]*\) s, .*/\2 \1/p'
}

# The costs are stated, as a profile of another minute would bring its own error.
measure() { # PERCENT
    cat >"$work/goal.ini" <<INI
[policy]
policy = flex-efficiency
sooner = $1
interval = $interval
[costs]
spawn = 80ms
remove = 5ms
latency = 1us
byte = 0.0005us
[class core]
cores_per_node = $(nproc)
INI
    { solve; solve "NEREUS_POLICY=$work/goal.ini"; solve; } | awk '
        { s[NR] = $1; if (NR == 2) changes = $2 }
        END {
            if (NR != 3) exit 1
            alone = (s[1] + s[3]) / 2
            printf "alone_s %.4f\npolicy_s %.4f\nsooner %.2f\nagain %.2f\nchanges %d\n", alone, s[2], 100 * (1 - s[2] / alone), 100 * (s[3] / s[1] - 1), changes
        }'
}

table() {
    echo "nereus-jacobi, $unknowns unknowns, $iterations iterations, from 1 process to as many as $(nproc) cores hold. Medians; in brackets least and most."
    echo
    echo "| goal, % sooner | alone [s] | with the policy [s] | % sooner | alone again, % longer | changes | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        { v[$1, $2] = $3; low[$1, $2] = $5; high[$1, $2] = $6; if (!($1 in n)) { row[++rows] = $1; n[$1] = $4 } }
        function shown(q, digits) { return sprintf("%." digits "f (%." digits "f to %." digits "f)", v[key, q], low[key, q], high[key, q]) }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]
                printf "| %s | %s | %s | %s | %s | %s | %d |\n", key, shown("alone_s", 2), shown("policy_s", 2), shown("sooner", 1), shown("again", 1), shown("changes", 0), n[key]
            }
        }'
}

read_options goals "$@"
unset NEREUS_HOSTFILE NEREUS_SLOTS NEREUS_TRACE NEREUS_STATE NEREUS_MONITOR NEREUS_MONITOR_EVERY NEREUS_BALANCE NEREUS_POLICY
sample_all < <(printf '%s\n' ${goals//,/ })
finish
