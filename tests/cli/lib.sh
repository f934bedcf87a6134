# Sourced by the scripts of this folder: they run in an empty folder of their own, with $NEREUS (the command).
set -u
failures=0
# In builds with sanitizers: leaks that are those of other libraries.
export LSAN_OPTIONS="${LSAN_OPTIONS-suppressions=$NEREUS_SOURCE_DIR/tests/lsan.supp:print_suppressions=0}"
data=$NEREUS_SOURCE_DIR/tests/cli/data

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Ends a script: its exit status is that of all its checks.
finish() {
    [ "$failures" -eq 0 ] && echo "all checks passed"
    exit $((failures > 0))
}

# skip WHY: the test cannot be made here; ctest counts it as skipped.
skip() {
    echo "SKIPPED: $*"
    exit 77
}

# has LIBRARY WHAT: is it in this build? If not, says which checks are left out.
has() {
    [[ " $NEREUS_LIBRARIES " == *" $1 "* ]] && return 0
    echo "left out, as this build has no $1: $2"
    return 1
}

# refused 'REGEX' COMMAND...: ends with 1 or 2, prints nothing to standard output and one sentence to standard
# error, which starts with 'nereus' and matches the regular expression.
refused() {
    local pattern=$1 status
    shift
    "$@" >refused.out 2>refused.err
    status=$?
    refused_with=$status
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "status $status, expected 1 or 2: $*"
    [ -s refused.out ] && fail "standard output of a refused command: $*: $(head -c 200 refused.out)"
    [ "$(wc -l <refused.err)" -eq 1 ] || fail "not one sentence: $*: $(head -c 600 refused.err)"
    grep -Eq '^nereus( [a-z-]+){0,2}: ' refused.err || fail "does not name the command: $*: $(cat refused.err)"
    grep -Eq -- "$pattern" refused.err || fail "no '$pattern' in the sentence of $*: $(cat refused.err)"
    rm -f refused.out refused.err
}

# misused 'REGEX' COMMAND...: the same, with 2: what the command line says is not understood.
misused() {
    refused "$@"
    shift
    [ "$refused_with" -eq 2 ] || fail "status $refused_with, expected 2: $*"
}

# failed 'REGEX' COMMAND...: the same, with 1: it is understood, but a file, a machine or a size
# stands against it.
failed() {
    refused "$@"
    shift
    [ "$refused_with" -eq 1 ] || fail "status $refused_with, expected 1: $*"
}

# accepted COMMAND...: ends with 0; its output is in the files out and err.
accepted() {
    "$@" >out 2>err || fail "status $?: $*: $(head -c 600 err)"
}

# holds 'REGEX' FILE
holds() {
    grep -Eq -- "$1" "$2" || fail "no '$1' in $2: $(head -c 1500 "$2")"
}

# holds_whole 'REGEX' [FILE]: text for people (out), with the lines joined that were broken for their
# width.
holds_whole() {
    awk '/^  [^ ]/ { sub(/^ /, ""); printf "%s", $0; next } { printf "%s%s", (NR > 1 ? "\n" : ""), $0 } END { print "" }' "${2-out}" >whole
    holds "$1" whole
    awk 'length($0) > 100 { exit 1 }' "${2-out}" || fail "wider than 100 columns: $(awk 'length($0) > 100' "${2-out}")"
    rm whole
}

# only FILE...: the folder holds nothing else (nothing half written was left).
only() {
    local expected found
    expected=$(printf '%s\n' "$@" | sort)
    found=$(ls -A | grep -vxE 'out|err' | sort)
    [ "$found" = "$expected" ] || fail "the folder holds '$found', expected '$expected'"
}

# same EXPECTED ACTUAL [RELATIVE [ABSOLUTE]]: the same text, numbers within a tolerance (same-numbers.awk).
same() {
    awk -v relative="${3:-1e-6}" -v absolute="${4:-1e-12}" -f "$NEREUS_SOURCE_DIR/tests/cli/same-numbers.awk" "$1" "$2" ||
        fail "$2 differs from $1"
}

# Processes of jobs that a script started: they carry its mark, which it has set and exported
# (NEREUS_TEST_MARK).
left_over() {
    local file
    for file in $(grep -lzs "^NEREUS_TEST_MARK=$NEREUS_TEST_MARK\$" /proc/[0-9]*/environ); do
        tr '\0' ' ' 2>/dev/null <"${file%environ}cmdline" | grep -Eq 'mpiexec|hydra|nereus-(calibrate|guard|sam|supervise)' &&
            echo "$file"
    done
}
none_left() { # 30 s at most
    local _
    for _ in $(seq 600); do
        [ -z "$(left_over)" ] && return
        sleep 0.05
    done
    fail "processes were left: $(left_over)"
}

# near NAME VALUE EXPECTED RELATIVE: the value is a number as near as that.
near() {
    awk -v a="$2" -v b="$3" -v r="$4" 'BEGIN { d = a - b; if (d < 0) d = -d; if (b < 0) b = -b; exit !(a != "" && d <= r * b) }' ||
        fail "$1 is '$2', expected $3"
}
