#!/bin/bash
# data.sh BUILD_FOLDER [OPTION...]: see --help.
set -u
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program="How long data takes from 2 to 4 processes and back, by each method, beside the same bytes moved by bare calls among the
same processes in the same job: isend/irecv (p2p, rma), alltoallv (coll), memcpy (shared); what each overlap does to it and to the
application; and how many bytes the distribution keep moves."
own_options="  --sizes LIST  bytes (1000000,64000000,1000000000)
  --data LIST   p2p,coll,rma,shared
  --overlaps LIST  beside sync (waitsources,waittargets,thread); none: -
  --large-repeats N  samples of sizes from 500 MB on (3)
  --kept LIST   changes of size for keep (2:4,4:2,3:5,5:3); none: -"
sizes=1000000,64000000,1000000000 data=p2p,coll,rma,shared overlaps=waitsources,waittargets,thread large_repeats=3
kept=2:4,4:2,3:5,5:3
. "$here/sampling.sh"

# "DATA BYTES FLOOR", of sizes that are large or not.
cases() { # large|small
    local each size floor
    for each in ${data//,/ }; do
        case $each in coll) floor=coll ;; shared) floor=copy ;; *) floor=p2p ;; esac
        for size in ${sizes//,/ }; do
            [ "$([ "$size" -ge 500000000 ] && echo large || echo small)" = "$1" ] && echo "$each $size $floor"
        done
    done
}

# "keep NS NT DISTRIBUTION": counts, which are the same each time.
kept_cases() {
    local each
    for each in ${kept//,/ }; do
        printf "keep ${each/:/ } %s\n" block keep
    done
}

# of the last change between two sizes by a method: what its trace says, of steps of one kind in
# all, or of the whole
step_s() { # KIND NS NT METHOD
    awk -v kind="\"kind\":\"$1\"," -v sizes="\"ns\":$2,\"nt\":$3,\"method\":\"$4\"," '
        index($0, "\"event\":\"step\"") && index($0, kind) && index($0, sizes) {
            match($0, /"reconfiguration":[0-9]+/); now = substr($0, RSTART, RLENGTH)
            if (now != last) { sum = 0; last = now }
            match($0, /"time_s":[-0-9.e+]+/); sum += substr($0, RSTART + 9, RLENGTH - 9)
        }
        END { printf "%.9f\n", sum }' "$work/trace"
}

of_change() { # KEY NS NT METHOD
    grep '"event":"reconfiguration"' "$work/trace" | grep "\"ns\":$2,\"nt\":$3,\"method\":\"$4\"," | tail -n 1 | number "$1"
}

# The method as the trace names it.
named() { # PROCESSES DATA OVERLAP
    if [ "$3" = sync ]; then echo "$1/$2"; else echo "$1/$2-$3"; fi
}

change() { # NAME NS NT METHOD
    echo "$1_rt_s $(of_change rt_s "$2" "$3" "$4")"
    echo "$1_moved_s $(step_s redistribute "$2" "$3" "$4")"
    echo "$1_allocate_s $(step_s allocate "$2" "$3" "$4")"
}

measure_keep() { # NS NT DISTRIBUTION
    local bytes=1000 method=merge/p2p # so few that all ways to cut them can be tried
    [ "$3" = block ] || method+=-$3
    NEREUS_TRACE=$work/trace timeout -k 3 60 "$bin/nereus-mpiexec" -n "$1" "$tests/bench-job" "$method" "$2" "$bytes" >&2 || return
    echo "bytes $bytes"
    echo "moved_bytes $(grep '"outcome":"resized"' "$work/trace" | number moved_bytes)"
}

measure() { # CASE
    local words overlap
    read -r -a words <<<"$1"
    rm -f "$work/trace"
    if [ "${words[0]}" = keep ]; then
        measure_keep "${words[@]:1}"
        return
    fi
    NEREUS_TRACE=$work/trace timeout -k 3 150 "$bin/nereus-mpiexec" -n 2 "$tests/data-job" "${words[@]}" ${overlaps//,/ } || return
    for overlap in sync ${overlaps//,/ }; do
        change "${overlap}_expand" 2 4 "$(named merge "${words[0]}" "$overlap")"
        # With more sources than cores a shrink overlaps nothing.
        [ "$overlap" != sync ] && [ "$(nproc)" -lt 4 ] || change "${overlap}_shrink" 4 2 "$(named merge-zs "${words[0]}" "$overlap")"
    done
}

sync_table() {
    echo "Four processes on $(nproc) cores. Medians. moved: the steps allocate and redistribute of the library, without overlap. fresh, touched:"
    echo "the same bytes between the same processes by bare calls (memcpy: as many bytes as each target gets, in all targets at the"
    echo "same time), into pages that were never used and that were. Ratios: moved over each. Faults: page faults of all processes, in"
    echo "the library's whole change and in the bare calls: fewer in the library where malloc gives parts that were freed before."
    echo
    echo "| data | bytes | | moved [ms] | floor, fresh [ms] | ratio | floor, touched [ms] | ratio | faults | fresh | touched | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | grep -v '^keep ' | awk -F, '
        { median[$1, $2] = $3; count[$1] = $4; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function line(key, way, name,    moved, fresh, touched, word) {
            split(key, word, " ")
            moved = median[key, "sync_" way "_moved_s"] + median[key, "sync_" way "_allocate_s"]
            fresh = median[key, "floor_" way "_fresh_s"]; touched = median[key, "floor_" way "_touched_s"]
            if (fresh > 0 && touched > 0)
                printf "| %s | %s | %s | %.3f | %.3f | %.2f | %.3f | %.2f | %d | %d | %d | %d |\n", word[1], word[2], name,
                       1e3 * moved, 1e3 * fresh, moved / fresh, 1e3 * touched, moved / touched, median[key, way "_faults"],
                       median[key, "floor_" way "_fresh_faults"], median[key, "floor_" way "_touched_faults"], count[key]
        }
        END { for (r = 1; r <= rows; r++) { line(row[r], "expand", "2 -> 4"); line(row[r], "shrink", "4 -> 2") } }'
}

overlap_table() {
    echo "The same data, constant, with each overlap, beside iterations that compute (2 ms on 2 processes, as much work in all on 4) and"
    echo "end with a barrier; processes are woken, not started. moved: the steps allocate and redistribute, which overlaps put beside the"
    echo "iterations; floor: with fresh pages, without an application. RT: from the decision until the last target goes on; alpha: RT"
    echo "over that of sync. alone, beside: an iteration on rank 0; omega: their ratio. It: iterations meanwhile. T_ex: of the K"
    echo "iterations from the decision on, those beside the change and the change as measured, the others at their time alone with the"
    echo "new size (mean over the overlaps); K is the most iterations that any overlap of the case needs."
    echo
    echo "| data | bytes | | overlap | moved [ms] | / floor | RT [ms] | alpha | alone [ms] | beside [ms] | omega | It | K | T_ex [ms] | samples |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    medians | grep -v '^keep ' | awk -F, -v list="sync,$overlaps" '
        { median[$1, $2] = $3; count[$1] = $4; if (!($1 in seen)) { seen[$1] = 1; row[++rows] = $1 } }
        function value(key, way, overlap, quantity) { return median[key, overlap "_" way "_" quantity] }
        function alone_of(key, way,    i, sum) { # with the other size, too, one time for all overlaps
            for (i = 1; i <= overlaps; i++) sum += value(key, way, overlap[i], "alone_s")
            return sum / overlaps
        }
        function line(key, way, each, name, most,    word, moved, beside, alone, other) {
            split(key, word, " ")
            moved = value(key, way, each, "moved_s") + value(key, way, each, "allocate_s")
            alone = value(key, way, each, "alone_s"); beside = value(key, way, each, "beside_s")
            other = alone_of(key, way == "expand" ? "shrink" : "expand")
            printf "| %s | %s | %s | %s | %.3f | %.2f | %.1f | %.2f | %.3f | %s | %s | %.0f | %d | %.1f | %d |\n", word[1], word[2], name,
                   each, 1e3 * moved, moved / median[key, "floor_" way "_fresh_s"], 1e3 * value(key, way, each, "rt_s"),
                   value(key, way, each, "rt_s") / value(key, way, "sync", "rt_s"), 1e3 * alone,
                   (beside > 0 ? sprintf("%.3f", 1e3 * beside) : "-"), (beside > 0 ? sprintf("%.2f", beside / alone) : "-"),
                   value(key, way, each, "it"), most,
                   1e3 * (value(key, way, each, "window_s") + (most - value(key, way, each, "it")) * other), count[key]
        }
        function lines(key, way, name,    i, most) {
            most = 0
            for (i = 1; i <= overlaps; i++)
                if (value(key, way, overlap[i], "it") > most) most = value(key, way, overlap[i], "it")
            for (i = 1; i <= overlaps; i++)
                if (value(key, way, overlap[i], "rt_s") > 0 && median[key, "floor_" way "_fresh_s"] > 0)
                    line(key, way, overlap[i], name, most)
        }
        END {
            overlaps = split(list, overlap, ",")
            for (r = 1; r <= rows; r++) { lines(row[r], "expand", "2 -> 4"); lines(row[r], "shrink", "4 -> 2") }
        }'
}

# least: the most that contiguous ranges of the allowed lengths can leave in place, over all cuts
# and all orders of the targets: by the set of targets that have got theirs (bits) and where the
# last of these ranges ends.
keep_table() {
    echo "Bytes moved by merge of an array of so many bytes. keep: contiguous ranges of 0.95 to 1.05 n / NT, in any order of the ranks."
    echo "least: what has to move then, whichever order and cuts are chosen (all tried)."
    echo
    echo "| NS -> NT | bytes | block | keep | least |"
    echo "| --- | --- | --- | --- | --- |"
    medians | grep '^keep ' | awk -F, '
        { split($1, word, " "); pair = word[2] " " word[3]; if (!(pair in seen)) { seen[pair] = 1; row[++rows] = pair } }
        $2 == "moved_bytes" { moved[pair, word[4]] = $3 }
        $2 == "bytes" { bytes[pair] = $3 }
        function share(n, processes, rank) { return int(n / processes) + (rank < n % processes) }
        function stays(rank, first, end,    a, b) { # of what this rank had
            if (rank >= sources) return 0
            a = first > had[rank] ? first : had[rank]; b = end < had[rank + 1] ? end : had[rank + 1]
            return b > a ? b - a : 0
        }
        function least(n, ns, nt,    most, set, at, rank, bit, end, low, high, kept) {
            sources = ns; had[0] = 0
            for (rank = 0; rank < ns; rank++) had[rank + 1] = had[rank] + share(n, ns, rank)
            low = int(0.95 * n / nt); high = 1.05 * n / nt; if (high > int(high)) high = int(high) + 1
            most[0, 0] = 0
            for (set = 0; set < 2 ^ nt - 1; set++)
                for (at = 0; at < n; at++) {
                    if (!((set, at) in most)) continue
                    for (rank = 0; rank < nt; rank++) {
                        bit = 2 ^ rank
                        if (int(set / bit) % 2) continue
                        for (end = at + low; end <= at + high && end <= n; end++) {
                            kept = most[set, at] + stays(rank, at, end)
                            if (!((set + bit, end) in most) || kept > most[set + bit, end]) most[set + bit, end] = kept
                        }
                    }
                }
            return n - most[2 ^ nt - 1, n]
        }
        END {
            for (r = 1; r <= rows; r++) {
                split(row[r], size, " ")
                printf "| %d -> %d | %d | %d | %d | %d |\n", size[1], size[2], bytes[row[r]], moved[row[r], "block"],
                       moved[row[r], "keep"], least(bytes[row[r]], size[1], size[2])
            }
        }'
}

table() {
    local all
    all=$( (cases small; cases large; kept_cases) )
    printf '%s\n' "$all" >"$work/cases"
    sync_table
    [ -z "$overlaps" ] || { echo; overlap_table; }
    [ -z "$kept" ] || { echo; keep_table; }
}

# sample CASES REPEATS: nothing if there is no case.
sample() {
    [ -n "$1" ] || return 0
    repeats=$2
    sample_all <<<"$1"
    again="" # what was measured before is forgotten once
}

read_options data "$@"
overlaps=${overlaps#-} kept=${kept#-}
unset NEREUS_HOSTFILE NEREUS_SLOTS
wanted=$repeats
sample "$(kept_cases)" 1
sample "$(cases small)" "$wanted"
[ -z "$(cases large)" ] || touch_memory
sample "$(cases large)" "$((large_repeats < wanted ? large_repeats : wanted))"
finish
