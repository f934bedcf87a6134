# nereus calibrate --program: what a program takes to start is measured, fitted and predicted;
# programs that cannot be measured are named.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

NEREUS_TEST_MARK=start-up-$$
export NEREUS_TEST_MARK
# A library is loaded before that of a sanitizer.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
bin=$NEREUS_BINARY_DIR/bin

# The budget is spent by jobs, of one second each (NEREUS_TEST_JOB_S): enough for all essential cells.
slow="$NEREUS_BINARY_DIR/tests/bin/start-slowly 1 0.5"
NEREUS_TEST_JOB_S=1 accepted "$NEREUS" calibrate --budget 30s --slots 3 --output p.json --seed 3 --program "$slow"
holds '^start-ups of the program +2 +2 ' out
# So are restarts, whose checkpoints are removed.
[ "$(nproc)" -gt 3 ] || holds "^restart, checkpoints in $PWD: a process writes [0-9.]+ GB/s .*; fsync [0-9.]+ ms .*; start of one [0-9.]+ ms" out
only p.csv p.json
none_left
# It sleeps for a second before MPI_Init, and for half of one until nereus_init, on any machine.
# Both are told to one process, which may hear of the first late. The row of joining comes first.
awk -F, -v program="$slow" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["pair"] == program && $at["kind"] == "program-join" { joins++; join_s = $at["time_s"] }
    $at["pair"] == program && $at["kind"] == "program-start" {
        starts++
        if ($at["time_s"] < 1 || $at["time_s"] + join_s < 1.5) { print; bad = 1 }
    }
    END { exit bad || starts < 2 || joins != starts }' p.csv || fail "rows of the program: $(grep program- p.csv)"
holds "\"command\": \"$slow\"" p.json
accepted "$NEREUS" profile fit p.csv --output q.json
cmp p.json q.json || fail "fit makes another profile than calibrate of the same samples"
holds "^  start-up of $slow: [0-9.]+ s and [0-9.]+ s from MPI_Init to nereus_init, from [0-9]+ rows" out

# 1.5 s, less or more by what the own program scatters; a shrink starts nothing.
accepted "$NEREUS" predict --profile p.json --ns 1 --nt 2 --methods merge/coll
paste -sd' ' out | tr -s ' ' >joined # lines are cut where they are too long
holds "start-up of $slow: [0-9.]+ s, as part of RT" joined
awk '/start-up of/ { for (i = 1; i < NF; i++) if ($(i + 1) == "s," && $(i + 2) == "as") s = $i } END { exit !(s >= 0.5 && s <= 15) }' joined ||
    fail "the start-up of 1.5 s is predicted as: $(grep start-up joined)"
rm joined
accepted "$NEREUS" predict --profile p.json --ns 1 --nt 2 --methods merge/coll --format json
holds '"start_up_s": [0-9.]+' out
accepted "$NEREUS" plan --profile p.json --ns 1 --nt 2 --method merge/coll
holds '^- +start-up +- +- +[0-9.]+ ' out
paste -sd' ' out | tr -s ' ' >joined
holds "start-up: '$slow' starts that much slower" joined
rm joined
accepted "$NEREUS" predict --profile p.json --ns 2 --nt 1 --methods merge/coll
grep -q '^start-up' out && fail "a shrink starts nothing: $(grep start-up out)"
rm q.json

# no_start 'SENTENCE' COMMAND: the calibration says once why, goes on without, and ends with 1; the
# samples tell nothing of it. Other essential cells are measured already, so that this one comes
# first.
no_start() {
    local before
    before=$(grep -c program- p.csv)
    NEREUS_TEST_JOB_S=1 "$NEREUS" calibrate --budget 2s --slots 3 --output p.json --program "$2" >out 2>err
    [ $? -eq 1 ] || fail "status other than 1 of calibrate --program '$2'"
    holds "^nereus calibrate: the start-up of '.*' was not measured: .*$1" err
    [ "$(grep -c '^not measured: start-up' out)" -eq 1 ] || fail "not one line about '$2': $(cat out)"
    holds '^profile: p.json$' out
    [ "$(grep -c program- p.csv)" -eq "$before" ] || fail "rows of a program that did not start: $(grep program- p.csv)"
    only p.csv p.json
    none_left
}
no_start "'/bin/true' on .* ended with status 0 before it reached MPI" /bin/true
no_start "'./no-such-program' cannot be started on .*: No such file or directory" ./no-such-program
no_start "was killed by signal 9" "sh -c 'kill -9 \$\$'"
no_start 'is no command: quotes must be closed' "a 'b"
holds "\"command\": \"$slow\"" p.json

# one_start COMMAND: a program without libnereus has a row of its start, and none of joining.
one_start() {
    accepted timeout -k 3 40 "$bin/nereus-mpiexec" -n 1 "$NEREUS_BINARY_DIR/libexec/nereus/nereus-calibrate" program \
        --program "$1" --output rows.csv
    [ "$(grep -c 'program-start,' rows.csv)" -eq 1 ] || fail "no row of '$1': $(cat rows.csv)"
    grep 'program-join' rows.csv && fail "'$1' has no libnereus and does not join"
    rm rows.csv
    none_left
}
one_start "sh -c 'echo a script >&2; exec $NEREUS_BINARY_DIR/tests/bin/bare-loop'"
module=$(find "$NEREUS_BINARY_DIR" -name 'libmpi-module.so' | head -1)
if command -v python3 >/dev/null; then
    one_start "python3 -c 'import ctypes; ctypes.CDLL(\"$module\").start()'"
else
    echo "skipped: there is no python3 to load a module"
fi
[ ! -x "$bin/nereus-jacobi-fortran-plain" ] || one_start "$bin/nereus-jacobi-fortran-plain"
finish
