#!/bin/bash
# startup.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="What an expansion by merge consists of. Cases \"steps\": the critical path by kinds of step, from the trace, of plain and of parallel
strategies, on nodes of one process: virtual ones of this host (1), and 2 to 4 network namespaces (needs root, else this host alone).
Cases \"start\": the start of a new process by its phases, from stamps of a preloaded library (startup_stamps.c), of bare MPI_Comm_spawn and of Nereus."
own_options="  --cases RE    only cases that match this extended regular expression
  --with SETTINGS  one more case of start for each word, Nereus with this variable; : is a comma, as in 'UCX_TLS=^sysv:tcp UCX_POSIX_RX_BUFS_GROW=264'"
cases=. with="" hosts=""
. "$here/sampling.sh"

# "steps HOSTS METHOD NS NT", "start WHO NS NT"
cases() {
    local method pair who
    {
        for pair in "1 1 2" "1 2 4" "1 1 4" ${hosts:+"2 1 2" "3 1 3" "4 2 4" "4 1 4"}; do
            for method in merge merge-hypercube merge-diffusive merge-launch; do echo "steps ${pair%% *} $method ${pair#* }"; done
        done
        for pair in "1 2" "2 4"; do
            for who in bare nereus $with; do echo "start $who $pair"; done
        done
    } | grep -E -- "$cases"
}

start() { # HOSTS ARGS...
    local count=$1
    shift
    if [ "$count" = 1 ]; then
        timeout -k 3 60 "$bin/nereus-mpiexec" "$@"
    else
        NEREUS_MPIEXEC=$bin/nereus-mpiexec timeout -k 3 60 "$here/../hosts/hosts" run "$(paste -sd, "$work/hosts$count")" "$@"
    fi
}

# ---- one sample ----------------------------------------------------------------------------------

# steps HOSTS METHOD NS NT: seconds of the critical path for each kind of step, and RT
steps() {
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace NEREUS_HOSTFILE=$work/hosts$1 start "$1" -n "$3" "$tests/bench-job" "$2/coll" "$4" 0 >&2 || return
    last_reconfiguration "$3" "$4" <"$work/trace" >/dev/null || { cat "$work/trace" >&2; return 1; }
    "$bin/nereus" job trace --format csv "$work/trace" | awk -F, '
        $8 == "RT" { rt = $17 }
        $8 == "waits" || $8 == "not-attributed" { s["rest"] += $17 }
        $7 == "" { next }
        $8 == "connect" && $9 > 0 { $8 = "connect-groups" }
        { s[$8] += $18 }
        END { print "RT", rt; for (kind in s) print kind, s[kind] }'
}

# Seconds, CPU seconds and page faults of each phase of a start, means of the new processes, and the
# wait for the launcher in all.
# A phase ends where the next one begins: the call of MPI_Comm_spawn, execvp of the guard, execvp of
# the program, its first constructor, MPI_Init, UCX, the connection, the end of MPI_Init.
phases() { # RT < STAMPS
    awk -v rt="$1" '
        function add(what, from, to) {
            wall[what] += at[pid, to] - at[pid, from]
            cpu[what] += busy[pid, to] - busy[pid, from]
            faults[what] += fault[pid, to] - fault[pid, from]
        }
        { name = $2; sub(/_thread/, "", name); at[$1, name] = $3; busy[$1, name] = $4; fault[$1, name] = $5; wait[$1, name] = $6 }
        name == "spawn" && !began { began = $3 }
        name == "ucp_init_version" { program[$1] }
        name == "execvp" { started[$1] = $3 }
        END {
            for (pid in started) if (pid in program) { count++; own += started[pid] } else { guards++; guard += started[pid] }
            if (!count) exit 1
            for (pid in program) {
                init = (pid, "PMPI_Init") in at ? "PMPI_Init" : "MPI_Init"
                add("load", "execvp", "begin"); add("prepare", "begin", init); add("mpi", init, "ucp_init_version")
                add("ucx", "ucp_init_version", "ucp_worker_create-end"); add("connect", "ucp_worker_create-end", init "-end")
                if (at[pid, init "-end"] > end) end = at[pid, init "-end"]
                waited += wait[pid, init "-end"]
            }
            first = guards ? guard / guards : own / count
            print "launcher_s", first - began; print "guard_s", own / count - first; print "rest_s", rt - (end - began); print "RT_s", rt
            print "waited_s", waited / count
            for (what in wall) { print what "_s", wall[what] / count; print what "_cpu", cpu[what] / count; print what "_faults", faults[what] / count }
        }'
}

# started WHO NS NT
started() {
    local variables=() program=(bench-job merge/coll)
    rm -f "$work/trace" "$work/stamps"
    case $1 in bare) program=(bare merge) ;; *=*) variables=("${1//:/,}") ;; esac
    env STARTUP_STAMPS="$work/stamps" LD_PRELOAD="$tests/libstartup-stamps.so" NEREUS_TRACE="$work/trace" "${variables[@]}" \
        timeout -k 3 60 "$bin/nereus-mpiexec" -n "$2" "$tests/${program[0]}" "${program[1]}" "$3" 0 >"$work/rt" || return
    [ "$1" = bare ] || last_reconfiguration "$2" "$3" <"$work/trace" | number rt_s >"$work/rt"
    phases "$(cat "$work/rt")" <"$work/stamps" || { cat "$work/stamps" >&2; return 1; }
}

measure() { # CASE
    local words
    read -r -a words <<<"$1"
    case ${words[0]} in steps) steps "${words[@]:1}" ;; start) started "${words[@]:1}" ;; esac
}

# ---- tables --------------------------------------------------------------------------------------

# A row for each case, a column for each kind of step.
step_table() {
    medians | awk -F, -v kinds="decide launch spawn join synchronise connect-groups reorder connect merge agree commit rest RT" '
        { split($1, word, " ") }
        word[1] == "steps" {
            where = word[4] " -> " word[5] ", " (word[2] == 1 ? "one host" : word[2] " hosts")
            if (!((where, word[3]) in seen)) { seen[where, word[3]]; column[++columns] = where SUBSEP word[3] }
            median[where, word[3], $2] = $3
        }
        END {
            if (!columns) exit
            n = split(kinds, kind, " ")
            line = "| method | NS -> NT |"; rule = "| --- | --- |"
            for (k = 1; k <= n; k++) { line = line " " kind[k] " |"; rule = rule " --- |" }
            print line; print rule
            for (c = 1; c <= columns; c++) {
                split(column[c], part, SUBSEP)
                line = "| " part[2] " | " part[1] " |"
                for (k = 1; k <= n; k++) {
                    key = part[1] SUBSEP part[2] SUBSEP kind[k]
                    line = line (key in median ? sprintf(" %.1f", 1e3 * median[key]) : " -")
                    if (kind[k] == "RT") line = line sprintf(" (%.2f)", median[key] / median[part[1], "merge", "RT"])
                    line = line " |"
                }
                print line
            }
            print ""
        }'
}

# A row for each phase, a column for each case.
start_table() {
    medians | awk -F, -v phases="launcher guard load prepare mpi ucx connect rest RT" '
        { split($1, word, " ") }
        word[1] == "start" {
            name = word[2] ", " word[3] " -> " word[4]
            if (!(name in seen)) { seen[name]; column[++columns] = name }
            median[name, $2] = $3
        }
        END {
            if (!columns) exit
            n = split(phases, phase, " ")
            line = "| phase |"; rule = "| --- |"
            for (c = 1; c <= columns; c++) { line = line " " column[c] " |"; rule = rule " --- |" }
            print line; print rule
            for (p = 1; p <= n; p++) {
                line = "| " phase[p] " |"
                for (c = 1; c <= columns; c++) {
                    line = line sprintf(" %.1f", 1e3 * median[column[c], phase[p] "_s"])
                    if ((column[c], phase[p] "_cpu") in median)
                        line = line sprintf(" (%.1f; %d)", 1e3 * median[column[c], phase[p] "_cpu"], median[column[c], phase[p] "_faults"])
                    line = line " |"
                }
                print line
            }
            line = "| *waits for the launcher* |"
            for (c = 1; c <= columns; c++) line = line sprintf(" %.1f |", 1e3 * median[column[c], "waited_s"])
            print line
        }'
}

table() {
    echo "Expansions by merge without data on nodes of one process; ms, medians of $repeats by turns. Steps are parts of the critical path;"
    echo "rest: waits, and what no step explains; in brackets RT over that of merge."
    echo
    step_table
    echo "The start of a new process, means over the new ones, of bare MPI_Comm_spawn and of Nereus (merge); in brackets its CPU time and page faults."
    echo
    start_table
}

if [ "${1-}" = _on_hosts ]; then # called again, by `hosts with`
    hosts=1
    shift
elif [ $# -gt 0 ] && "$here/../hosts/hosts" with 1 true >/dev/null 2>&1; then
    exec env NEREUS_HOSTS_STATE="${TMPDIR:-/tmp}/nereus-bench-hosts-$$" "$here/../hosts/hosts" with 4 "${BASH_SOURCE[0]}" _on_hosts "$@"
fi
read_options startup "$@"
printf 'localhost/%s:1\n' a b c d >"$work/hosts1"
for count in 2 3 4; do printf 'host%d:1\n' $(seq 0 $((count - 1))) >"$work/hosts$count"; done
sample_all < <(cases)
finish
