# Repeated measurements of many cases, by turns: to be sourced. Every round takes all cases once, in
# an order of its own, so that whatever the machine does meanwhile hits all alike. Each sample is
# added to a file at once: who is interrupted goes on from there.
#
# The caller sets `program` (what --help prints about it) and may have options of its own:
# `own_options` has a line "  --NAME ..." of each for --help, and the option sets the variable NAME
# (- is _ there). It defines
#   measure CASE     prints lines "QUANTITY VALUE"; a failure is told by the status
#   table            prints the results as Markdown, from $samples
# and calls read_options, sample_all < CASES, finish.

repeats=10 out="" again="" own_options=${own_options-}
bin="" samples="" result="" complaints=""
# Spawn strategies, as in method.h; all but single can respawn (ss).
methods_h=$(dirname -- "${BASH_SOURCE[0]}")/../../model/include/nereus/method.h
mapfile -t strategies < <(echo && sed -n 's/^    X(NEREUS_[A-Z]*, \([a-z]*\), "\1",.*/-\1/p' "$methods_h")

usage() {
    cat <<TEXT
usage: ${0##*/} BUILD_FOLDER [OPTION...]

$program

  --repeats N   samples a case (10)
  --out FOLDER  where samples and table go (BUILD_FOLDER/bench); started again it goes on from the samples there
  --again       forget the samples that are there
$own_options
TEXT
}

refuse() {
    echo "${0##*/}: $*" >&2
    exit 2
}

# own_option OPTION VALUE: sets the variable of one of $own_options.
own_option() {
    local name=${1#--}
    [[ $1 =~ ^--[a-z-]+$ && $'\n'$own_options == *$'\n'"  $1 "* ]] || return 1
    printf -v "${name//-/_}" %s "$2"
}

# read_options NAME WORD...: NAME of the result. An option that is not known here is the caller's.
read_options() {
    local name=$1
    shift
    command="tests/bench/${0##*/} $*"
    case ${1-} in --help | -h | "") usage; exit 0 ;; esac
    build=$(readlink -f -- "$1") bin=$build/bin tests=$build/tests/bin
    shift
    while [ $# -gt 0 ]; do
        case $1 in
            --repeats) repeats=${2-}; shift ;;
            --out) out=${2-}; shift ;;
            --again) again=1 ;;
            --help) usage; exit 0 ;;
            *) own_option "$1" "${2-}" || refuse "what is '$1'? --help lists the options"; shift ;;
        esac
        shift
    done
    [[ $repeats =~ ^[1-9][0-9]*$ ]] || refuse "--repeats is '$repeats' and must be a whole number from 1 on"
    [ -x "$bin/nereus-mpiexec" ] || refuse "no nereus-mpiexec in $bin: build first, with MPI"
    out=${out:-$build/bench}
    mkdir -p "$out"
    out=$(readlink -f -- "$out")
    samples=$out/$name.csv result=$out/$name.md complaints=$out/$name.failures
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
}

# What the samples are of: programs built anew have to be measured anew.
fingerprint() {
    cat "$tests/bench-job" "$tests/overlap-job" "$tests/empty" "$build"/lib*/libnereus*.so | md5sum | cut -c 1-12
}

open_samples() {
    local mark
    mark="# nereus $(fingerprint) on $(hostname), $(nproc) cores"
    [ -z "$again" ] || rm -f "$samples" "$complaints"
    if [ -s "$samples" ] && [ "$(head -n 1 "$samples")" != "$mark" ]; then
        refuse "$samples has samples of another build or machine: --again forgets them, --out FOLDER goes elsewhere"
    fi
    [ -s "$samples" ] || printf '%s\nround,case,quantity,value\n' "$mark" >"$samples"
}

# take ROUND CASE: one sample; its rows are written together, so that half a sample is none.
take() {
    local round=$1 case=$2 status=0 answer
    answer=$(measure "$case" 2>>"$work/log") || status=$?
    if [ "$status" -ne 0 ] || [ -z "$answer" ]; then
        answer="failed $status"
        { echo "--- $case (status $status)"; tail -n 20 "$work/log"; } >>"$complaints"
    fi
    : >"$work/log"
    awk -v round="$round" -v case="$case" '{ printf "%s,%s,%s,%s\n", round, case, $1, $2 }' <<<"$answer" >>"$samples"
}

# progress DONE COUNT TAKEN TEXT: a line that changes on a terminal, elsewhere one every half minute.
said=-30
progress() {
    local left=""
    [ "$3" -gt 2 ] && left=", about $(((SECONDS - began) * ($2 - $1) / $3 / 60 + 1)) min left"
    if [ -t 2 ]; then
        printf '\r\033[K[%d/%d]%s: %s' "$1" "$2" "$left" "$4" >&2
    elif [ $((SECONDS - said)) -ge 30 ]; then
        said=$SECONDS
        echo "[$1/$2]$left: $4" >&2
    fi
}

# sample_all < CASES, one a line, of words without a comma.
sample_all() {
    local cases round count finished=0 taken=0 case
    mapfile -t cases
    printf '%s\n' "${cases[@]}" >"$work/cases"
    open_samples
    count=$((repeats * ${#cases[@]})) began=$SECONDS
    [ "$count" -gt 0 ] || refuse "no case is left to be measured"
    for ((round = 1; round <= repeats; round++)); do
        while read -r case; do
            finished=$((finished + 1))
            grep -qF "$round,$case," <(sed -n "/^$round,/p" "$samples") && continue
            progress $((finished - 1)) "$count" "$taken" "round $round, $case"
            take "$round" "$case" </dev/null
            taken=$((taken + 1))
        done < <(printf '%s\n' "${cases[@]}" | shuf)
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# touch_memory: A virtual machine gets a page from its host when it is first touched, which takes
# several times as long as a page fault of its own; what is measured first would pay for it. Half of
# what is free, 8 GB at most, is touched (tail keeps it) and given back.
touch_memory() {
    local bytes
    bytes=$(awk '$1 == "MemAvailable:" { b = $2 * 512; printf "%d", b < 8e9 ? b : 8e9 }' /proc/meminfo)
    head -c "$bytes" /dev/zero | tail -c "$bytes" >/dev/null
}

# Command, machine and date, the table, and a word about samples that failed.
finish() {
    local failures
    failures=$(grep -c ',failed,' "$samples")
    { measured_by; table; failed_samples; } >"$result.new"
    mv "$result.new" "$result"
    cat "$result"
    echo "samples: $samples" >&2
    echo "table: $result" >&2
    [ "$failures" -eq 0 ] || { echo "${0##*/}: $failures samples failed; see $complaints" >&2; exit 1; }
}

measured_by() {
    printf '`%s` (%s, %s; %s, %d cores)\n\n' "$(sed "s|$build|build/${build##*/}|" <<<"$command")" \
        "$(git -C "${BASH_SOURCE[0]%/*}" describe --always --dirty 2>/dev/null)" "$(date +%F)" "$(hostname)" "$(nproc)"
}

failed_samples() {
    awk -F, '$3 == "failed" { n[$2]++ } END { for (c in n) printf "- %s: %d\n", c, n[c] }' "$samples" | sort >"$work/failed"
    [ -s "$work/failed" ] || return 0
    printf '\nSamples that failed, by case:\n\n'
    cat "$work/failed"
}

# medians: "CASE,QUANTITY,MEDIAN,SAMPLES,LEAST,MOST", a line for each, in the order of the cases.
medians() {
    grep -v -e '^#' -e ',failed,' "$samples" | tail -n +2 | sort -t, -k2,2 -k3,3 -k4,4g | awk -F, '
        function give() { if (n) printf "%s,%.9g,%d,%s,%s\n", key, n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2, n, v[1], v[n] }
        { if ($2 "," $3 != key) { give(); key = $2 "," $3; n = 0 } v[++n] = $4 }
        END { give() }' | awk -F, '
        FNR == NR { line[$1] = line[$1] $0 "\n"; next }
        { printf "%s", line[$1] }' - "$work/cases"
}

# ---- what is measured ----------------------------------------------------------------------------

# seconds COMMAND...: how long it takes.
seconds() {
    local begin end
    begin=$(date +%s%N)
    "$@" >&2 || return
    end=$(date +%s%N)
    awk -v ns=$((end - begin)) 'BEGIN { printf "%.6f\n", ns * 1e-9 }'
}

# last_reconfiguration NS NT < TRACE: the line of the last one, if it was carried out between these sizes.
last_reconfiguration() {
    grep '"event":"reconfiguration"' | tail -n 1 | grep "\"ns\":$1,\"nt\":$2,.*\"outcome\":\"resized\""
}

# number KEY < LINE
number() {
    sed -n "s/.*\"$1\":\\([-0-9.e+]*\\).*/\\1/p"
}
