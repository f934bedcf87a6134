#!/bin/bash
# overlap.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="Iterations beside a thread that waits, two ranks on two cores. The loops compute, read memory, or call MPI_Allreduce;
beside them is nothing, a thread that naps or spins, or an asynchronous merge from 2 to 4 processes."
own_options="  --loops LIST   compute,memory,collective
  --beside RE    only what matches this extended regular expression (nap, spin, methods)"
loops=compute,memory,collective beside=. late_s=0.5
. "$here/sampling.sh"

# "LOOP nap", "LOOP spin", "LOOP METHOD now", "LOOP METHOD late": new processes are late_s late, so
# that there is time to see who waits. "METHOD": what alpha compares with; without an application
# beside it the loop does not matter.
cases() {
    local strategy loop each
    for strategy in "${strategies[@]}"; do
        [[ merge$strategy-async =~ $beside ]] && echo "merge$strategy"
    done
    for loop in ${loops//,/ }; do
        for each in nap spin; do
            [[ $each =~ $beside ]] && echo "$loop $each"
        done
        for strategy in "${strategies[@]}"; do
            [[ merge$strategy-async =~ $beside ]] && printf "$loop merge$strategy-async %s\n" now late
        done
    done
}

measure() { # CASE
    local words line
    read -r -a words <<<"$1"
    case $1 in
        *" late") words[2]=4 words[3]=$late_s ;;
        *" now") words[2]=4 ;;
        merge*) words=(compute "$1" 4) ;;
    esac
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$bin/nereus-mpiexec" -n 2 "$tests/overlap-job" "${words[@]}" || return
    [ ${#words[@]} -gt 2 ] || return 0
    line=$(last_reconfiguration 2 4 <"$work/trace") || { cat "$work/trace" >&2; return 1; }
    awk -v rt="$(number rt_s <<<"$line")" -v it="$(number iterations <<<"$line")" -v cpu="$(number thread_cpu_s <<<"$line")" \
        -v all="$(number thread_s <<<"$line")" -v method="${words[1]}" 'BEGIN {
            print "rt_s", rt
            print "iterations", it
            if (all > 0) { print "thread_s", all; print "share", cpu / all }
            exit all + 0 == 0 && method ~ /async/ && method !~ /launch/ # those have a thread
        }'
}

table() {
    local loop
    echo "Two ranks, one a core ($(nproc) cores). Medians of so many samples by turns; iterations of about 1 ms. share: CPU time over time"
    echo "of the auxiliary thread, of the busiest rank. \"late\": the new processes sleep for $late_s s before they join. \"now\": they start"
    echo "on the same cores, which omega shows. omega: iteration beside it over iteration alone, of the slower rank; It: iterations until"
    echo "the job has its new size; alpha: RT over that of the synchronous method."
    echo
    echo "| loop | beside it | alone [ms] | beside [ms] | omega | share | RT [ms] | alpha | It | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | awk -F, '
        function has(quantity) { return (key, quantity) in median }
        function show(quantity, format, factor) { return has(quantity) ? sprintf(format, factor * median[key, quantity]) : "-" }
        { median[$1, $2] = $3; count[$1] = $4; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        END {
            for (r = 1; r <= rows; r++) {
                key = row[r]
                if (split(key, word, " ") < 2) continue
                sync = word[2]; sub(/-async/, "", sync)
                alpha = word[3] == "now" && has("rt_s") && (sync, "rt_s") in median \
                    ? sprintf("%.2f", median[key, "rt_s"] / median[sync, "rt_s"]) : "-"
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |\n", word[1], word[2] (word[3] == "late" ? ", late" : ""),
                    show("alone_s", "%.3f", 1e3), show("beside_s", "%.3f", 1e3), show("omega", "%.3f", 1), show("share", "%.1f %%", 100),
                    show("rt_s", "%.1f", 1e3), alpha, show("iterations", "%.0f", 1), count[key]
            }
        }'
}

[ "$(nproc)" -ge 2 ] || { echo "SKIPPED: this process may use one core only, so that two ranks cannot have one each"; exit 77; }
read_options overlap "$@"
export NEREUS_BIND=core
unset NEREUS_HOSTFILE NEREUS_SLOTS
sample_all < <(cases)
finish
