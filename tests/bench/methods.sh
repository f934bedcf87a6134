#!/bin/bash
# methods.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="The reconfiguration time (RT, from the trace) of every method and pair of sizes, on nodes of one process each: virtual
ones of this host, or the hosts of tests/hosts. Beside it the floor: mpiexec -n k of an empty MPI program."
own_options="  --hosts       on several hosts (network namespaces; needs root, else skipped)
  --pairs LIST  of sizes (1:2,2:4,1:4,4:2,4:1,2:2)
  --bytes LIST  of registered data (0,8000000)
  --methods RE  only methods that match this extended regular expression, and plain merge to compare with"
hosts="" pairs=1:2,2:4,1:4,4:2,4:1,2:2 bytes=0,8000000 methods=.
. "$here/sampling.sh"

# ---- cases ---------------------------------------------------------------------------------------

# Methods that can go from NS to NT, without -async.
synchronous() { # NS NT
    local process strategy
    for process in baseline baseline-intra; do
        for strategy in "${strategies[@]}"; do echo "$process$strategy"; done
    done
    if [ "$1" -lt "$2" ]; then
        for strategy in "${strategies[@]}"; do echo "merge$strategy"; done
    elif [ "$1" -gt "$2" ]; then
        printf '%s\n' merge merge-zs merge-ts
        for strategy in "${strategies[@]/#-single/}"; do echo "merge$strategy-ss"; done | uniq
    fi
}

asynchronous() {
    case $1 in
        *-zs | *-ts | *-ss) echo "${1%-*}-async-${1##*-}" ;;
        *) echo "$1-async" ;;
    esac
}

# How many processes a method starts.
started() { # METHOD NS NT
    case $1 in
        baseline* | *-ss) echo "$3" ;;
        *) echo $(($3 > $2 ? $3 - $2 : 0)) ;;
    esac
}

cases() {
    local pair ns nt size method each
    for pair in ${pairs//,/ }; do
        ns=${pair%:*} nt=${pair#*:}
        for size in ${bytes//,/ }; do
            for method in $(synchronous "$ns" "$nt"); do
                for each in "$method" "$(asynchronous "$method")"; do
                    [[ $each = merge || $each =~ $methods ]] && echo "$each $ns $nt $size"
                done
            done
        done
        for method in $(synchronous "$ns" "$nt"); do
            echo "empty $(started "$method" "$ns" "$nt") 0 0"
        done
    done | grep -v '^empty 0 ' | awk '!seen[$0]++'
}

# ---- one sample ----------------------------------------------------------------------------------

nodes=(a b c d e f)
if [ "${1-}" = _on_hosts ]; then # called again, by `hosts with`
    hosts=1
    shift
    nodes=(0 1 2 3 4 5)
fi

# The machine: six nodes of one process each.
write_machine() {
    local node
    for node in "${nodes[@]}"; do
        if [ -n "$hosts" ]; then echo "host$node:1"; else echo "localhost/$node:1"; fi
    done
}

start() { # ARGS...
    if [ -n "$hosts" ]; then
        NEREUS_MPIEXEC=$bin/nereus-mpiexec timeout -k 3 60 \
            "$here/../hosts/hosts" run "$(paste -sd, "$work/machine")" "$@"
    else
        timeout -k 3 60 "$bin/nereus-mpiexec" "$@"
    fi
}

measure() { # CASE
    local method ns nt bytes line
    read -r method ns nt bytes <<<"$1"
    if [ "$method" = empty ]; then
        line=$(seconds start -n "$ns" "$tests/empty") && echo "wall_s $line"
        return
    fi
    local processes=$ns before=()
    # ts ends whole worlds: the job has grown to its size before, by one world a node.
    case $method in *-ts) processes=$nt before=(merge-diffusive/coll "$ns") ;; esac
    rm -f "$work/trace"
    NEREUS_TRACE=$work/trace NEREUS_HOSTFILE=$work/machine \
        start -n "$processes" "$tests/bench-job" "$method/coll" "$nt" "$bytes" "${before[@]}" >&2 || return
    line=$(last_reconfiguration "$ns" "$nt" <"$work/trace") || { cat "$work/trace" >&2; return 1; }
    echo "rt_s $(number rt_s <<<"$line")"
}

# ---- table ---------------------------------------------------------------------------------------

where() {
    if [ -n "$hosts" ]; then echo "six hosts (network namespaces of one machine)"; else echo "six virtual nodes of one host"; fi
}

# one_table BYTES PAIR...: a row a method, a column a pair. Prints nothing if there are no rows.
one_table() {
    local bytes=$1
    shift
    medians | awk -F, -v bytes="$bytes" -v pairs="$*" -v cores="$(nproc)" '
        function ms(key) { return sprintf("%.1f", 1e3 * median[key]) }
        function cell(method, pair,   key, plain) {
            key = method " " pair; plain = "merge " pair
            if (!(key in median)) return "-"
            if (!(plain in median)) return ms(key)
            return sprintf("%s (%.2f)", ms(key), median[key] / median[plain])
        }
        function synchronous(method) { sub(/-async/, "", method); return method }
        function async(method,   kind) {
            if (match(method, /-[zts]s$/)) { kind = substr(method, RSTART); method = substr(method, 1, RSTART - 1) }
            return method "-async" kind
        }
        function floor_row(title, of,   line, i, k, ns, nt) {
            line = "| " title " |"
            for (i = 1; i <= columns; i++) {
                split(pair[i], p, ":"); ns = p[1]; nt = p[2]
                k = of == "baseline" ? nt : nt > ns ? nt - ns : 0
                line = line (("empty " k " 0") in median ? sprintf(" %s (k = %d) | |", ms("empty " k " 0"), k) : " - | |")
            }
            print line
        }
        BEGIN { columns = split(pairs, pair, " ") }
        {
            split($1, word, " ")
            key = word[1] " " word[2] " " word[3]
            if (word[1] == "empty") { median[key] = $3; next }
            if (word[4] != bytes) next
            for (i = 1; i <= columns && pair[i] != word[2] ":" word[3]; i++) ;
            if (i > columns) next
            median[key] = $3
            if (!(synchronous(word[1]) in seen)) { seen[synchronous(word[1])] = 1; row[++rows] = synchronous(word[1]) }
            if (least == "" || $4 < least) least = $4
            if ($4 > most) most = $4
        }
        END {
            if (!rows) exit
            printf "%s bytes; medians of %s, in ms; in brackets the ratio to plain merge.\n\n", bytes,
                   least == most ? least : least " to " most
            line = "| method |"; rule = "| --- |"
            for (i = 1; i <= columns; i++) {
                title = pair[i]; sub(":", " -> ", title)
                line = line " " title " | async |"; rule = rule " --- | --- |"
            }
            print line; print rule
            for (r = 1; r <= rows; r++) {
                line = "| " row[r] " |"
                for (i = 1; i <= columns; i++) {
                    p2 = pair[i]; sub(":", " ", p2)
                    line = line " " cell(row[r], p2) " | " cell(async(row[r]), p2) " |"
                }
                print line
            }
            floor_row("*empty, the NT - NS of merge*", "merge")
            floor_row("*empty, the NT of baseline*", "baseline")
            print ""
        }'
}

table() {
    local size
    echo "Reconfiguration time on $(where); $(nproc) cores in all, which the processes share. async: the"
    echo "application computes meanwhile, in iterations of 1 ms. ts comes after a growth by merge-diffusive, which is not counted. empty:"
    echo "\`mpiexec -n k\` of an empty MPI program."
    echo
    for size in ${bytes//,/ }; do
        # shellcheck disable=SC2046 # words
        one_table "$size" $(tr ',' '\n' <<<"$pairs" | awk -F: '$1 < $2')
        # shellcheck disable=SC2046
        one_table "$size" $(tr ',' '\n' <<<"$pairs" | awk -F: '$1 >= $2')
    done
}

# Once more, with hosts around it.
words=()
for word in "$@"; do [ "$word" = --hosts ] || words+=("$word"); done
if [ ${#words[@]} -lt $# ] && [ $# -gt 1 ]; then
    exec env NEREUS_HOSTS_STATE="${TMPDIR:-/tmp}/nereus-bench-hosts-$$" \
        "$here/../hosts/hosts" with 6 "${BASH_SOURCE[0]}" _on_hosts "${words[@]}"
fi
read_options "methods${hosts:+-hosts}" "$@"
write_machine >"$work/machine"
sample_all < <(cases)
finish
