#!/bin/bash
# stress-resizes.sh BUILD [JOBS [SEED [FIRST]]]: so many random jobs (1000). Each is drawn from SEED
# and its number: 1 to 4 processes (seldom 6), data of all kinds (kinds.c), any methods, settings
# and network module; in one of ten a process ends at a random moment, by SIGKILL or _exit.
#
# Interrupted (Ctrl-C), the same command goes on where it was. With FIRST it runs the jobs FIRST,
# FIRST + 1, ... anew and records nothing: so one job is run again. Status 1: some job has lost
# data, has hung, has ended with status 0 after a loss, or has failed although nobody was killed.
set -u
. "$(dirname "$(readlink -f "$0")")/job_processes.sh"
build=$(readlink -f "${1:?give the build folder}") jobs=${2:-1000} seed=${3:-$$} first=${4-}
own_limit_s=20 # without progress, while the job has the machine for itself
cores=$(nproc)
folder=$build/stress-resizes/$seed
[ -z "$first" ] || folder=$(mktemp -d)
mkdir -p "$folder" || exit
results=$folder/results
[ -n "$first" ] || first=1
touch "$results"
unset NEREUS_PROFILE
export XDG_CONFIG_HOME=/nonexistent # no profile of this machine: what `auto` chooses would depend on it

# ---- drawing a job -------------------------------------------------------------------------------

one_in() { ((RANDOM % $1 == 0)); }
# pick WORD...: sets `picked` to one of them. No function of these is called in a subshell, where
# RANDOM begins anew.
pick() {
    local words=("$@")
    picked=${words[RANDOM % $#]}
}

# draw NUMBER: sets np, words (of kinds.c) and settings (of the environment).
draw() {
    RANDOM=$(printf '%s %s' "$seed" "$1" | cksum | cut -d' ' -f1)
    local changes=$((1 + RANDOM % 5))
    np=$((1 + RANDOM % 4))
    words=("seed=$((RANDOM * 32768 + RANDOM))")
    pick 4 4 4 4 4 4 4 4 4 4 6 && words+=("largest=$picked")
    pick 0 1 3 17 101 101 257 1009 4001 && words+=("n=$picked")
    pick 0 1 && words+=("lists=$picked")
    pick 0 0 1 && words+=("mover=$picked")
    pick 0.0001 0.0005 0.002 && words+=("pause=$picked")
    if one_in 3; then # a schedule; what it has not done at its end is cancelled
        pick 30 300 900
        words+=("walk=$changes" "last=$picked")
    else
        words+=("asks=$changes" most=3000)
        one_in 2 && words+=(layouts=1)
    fi
    one_in 3 && words+=("powers=1,3,2")
    draw_settings
    one_in 8 && draw_kill "$changes" # some die too late
    one_in 6 && draw_faults
}

draw_settings() {
    settings=(MPIR_CVAR_CH4_NETMOD=ucx)
    one_in 3 && settings=(MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp)
    pick "" "" six pairs uneven
    [ -z "$picked" ] || settings+=("NEREUS_HOSTFILE=$build/tests/machines/$picked")
    pick "" "" port bridge
    [ -z "$picked" ] || settings+=("NEREUS_CONNECT=$picked")
    one_in 6 && settings+=(NEREUS_BATCH=2)
    one_in 6 && settings+=(NEREUS_TEST_EVERY=3)
    one_in 6 && settings+=(NEREUS_KEEP_BUFFERS=1000000)
    one_in 8 && settings+=(NEREUS_SHARED=messages)
    one_in 8 && settings+=(NEREUS_CHECK=1 ASAN_OPTIONS=verify_asan_link_order=0)
    one_in 8 && settings+=(NEREUS_MONITOR_EVERY=5)
    one_in 12 && settings+=(NEREUS_BALANCE=20)
    one_in 8 && settings+=(NEREUS_BIND=none)
}

# Steps that fail once, each of which is taken back.
draw_faults() {
    local faults="" rank
    for rank in 0 1 2; do
        pick wake spawn launch synchronise join connect reorder merge split gather allocate redistribute agree reserve cuts thread
        one_in 2 && faults+=",$picked:$((RANDOM % 4))@$((1 + RANDOM % 4))"
    done
    [ -z "$faults" ] || settings+=("NEREUS_FAULT=${faults#,}")
}

# Moments from microseconds to half a second, as many in each power of ten.
draw_kill() {
    local moment=new delay=$((10 ** (1 + RANDOM % 5) * (1 + RANDOM % 5)))
    one_in 3 || moment=$((RANDOM % 12))@$((RANDOM % $1))
    pick "" "" :0 :3
    words+=("kill=$moment+$delay$picked")
}

command_of() { # the job as a command, without the files of this script
    echo "${settings[*]} $build/bin/nereus-mpiexec -n $np $build/tests/bin/kinds ${words[*]}"
}

# ---- running it ----------------------------------------------------------------------------------

# Seconds on a core and in the queue for one, of each thread of the job.
times_of_job() {
    awk '{ print FILENAME, $1, $2 }' $(job_processes | sed 's|.*|/proc/&/task/*/schedstat|') /dev/null 2>/dev/null
}

# own_time BEFORE AFTER SECONDS: of these, what the job would have needed without others on the
# machine: all of them where no thread waited for a core, or else its share of the cores.
own_time() {
    awk -v seconds="$3" -v cores="$cores" '
        FNR == NR { run[$1] = $2; queue[$1] = $3; next }
        { all += $2 - run[$1]; if ($3 - queue[$1] > most) most = $3 - queue[$1] }
        END { own = seconds - most / 1e9; share = all / 1e9 / cores; if (own < share) own = share
              print own < seconds ? own : seconds }' <(echo "$1") <(echo "$2")
}

# watch PID: until that job ends, or has made no progress for too long (1).
watch() {
    local steps="" before="" after now own=0 since=$EPOCHREALTIME next=0
    while kill -0 "$1" 2>/dev/null; do
        sleep 0.05
        ((SECONDS >= next)) || continue
        next=$((SECONDS + 2)) now=$EPOCHREALTIME after=$(times_of_job)
        if [ "$(od -An -td8 "$folder/progress" 2>/dev/null)" != "$steps" ]; then
            steps=$(od -An -td8 "$folder/progress" 2>/dev/null) own=0
        else
            own=$(awk "BEGIN { print $own + $(own_time "$before" "$after" "$(awk "BEGIN { print $now - $since }")") }")
        fi
        before=$after since=$now
        awk "BEGIN { exit $own >= $own_limit_s }" || return 1
    done
    return 0
}

# Ends what is left of the job. @return 1: something was
clean_up() {
    local pid left _
    for _ in $(seq 60); do
        left=$(job_processes)
        [ -z "$left" ] && return 0
        sleep 0.05
    done
    for pid in $left; do
        echo "left behind: $pid $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)" >>"$folder/output"
        kill -9 "$pid" 2>/dev/null
    done
    return 1
}

# run_job NUMBER: sets verdict, changes, killed and seconds.
run_job() {
    local begun=$EPOCHREALTIME status left=0 hangs=0
    draw "$1"
    export NEREUS_TEST_JOB="stress-$$-$1-$RANDOM"
    rm -f "$folder/progress" "$folder/killed" "$folder/output"
    env "${settings[@]}" "$build/bin/nereus-mpiexec" -n "$np" "$build/tests/bin/kinds" "${words[@]}" "progress=$folder/progress" \
        "killed=$folder/killed" </dev/null >"$folder/output" 2>&1 &
    running=$!
    if ! watch "$running"; then
        hangs=1
        job_stacks kinds nereus-guard nereus-guard-join nereus-supervise >>"$folder/output" 2>&1
        kill -TERM "$running" 2>/dev/null
    fi
    [ $hangs = 1 ] || wait "$running"
    status=$?
    clean_up || left=1
    [ $hangs = 0 ] || wait "$running"
    running=""
    killed=$(cat "$folder/killed" 2>/dev/null)
    killed=${killed:-nobody}
    changes=$(sed -n 's/^kinds: .* processes, \([0-9]*\) changes, .*/\1/p' "$folder/output" | tail -1)
    changes=${changes:-$(grep -c '^point .* -> ' "$folder/output")}
    seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $begun }")
    judge "$status" $hangs $left
    [[ $verdict == right || $verdict == ended ]] || cp "$folder/output" "$folder/$1.txt"
}

# judge STATUS HANGS LEFT: sets verdict. A process that is lost before it has joined may end the job
# or not; a member ends it.
judge() {
    local output=$folder/output complaint=""
    # Where a process is lost, others complain of calls that fail.
    [ "$killed" = nobody ] || complaint="(an? (element|string|list|sparse|replicated)|strings are|length of|index of|value of|ranges|data )"
    if [ "$2" = 1 ]; then
        verdict=hangs
    elif [ "$3" = 1 ]; then
        verdict="left-behind"
    elif grep -Eq "^kinds: process .*: $complaint" "$output"; then
        verdict=wrong
    elif [ "$1" = 0 ]; then
        verdict=right
        grep -q '^kinds: .* processes, .* latest request' "$output" || verdict=silent
        [ "$killed" != member ] || verdict="status-0-after-a-loss"
    elif [ "$killed" = nobody ]; then
        verdict=failed
    else
        verdict=ended
        grep -q '^nereus-mpiexec: ' "$output" || verdict=unsaid
    fi
}

# ---- all of them ---------------------------------------------------------------------------------

count_of() { # COLUMN REGEX: lines of the results
    awk -v column="$1" -v regex="^($2)\$" '$column ~ regex' "$results" | wc -l
}

summary() {
    local number verdict
    echo "$(wc -l <"$results") jobs, $(awk '{ sum += $3 } END { print sum + 0 }' "$results") changes, $(count_of 4 'member|joining|leaving') killed" \
         "($(count_of 4 member) members of the job, $(count_of 4 joining) joining, $(count_of 4 leaving) leaving):" \
         "wrong $(count_of 2 'wrong|silent'), hangs $(count_of 2 hangs), status 0 after a loss $(count_of 2 status-0-after-a-loss)," \
         "failed $(count_of 2 'failed|unsaid'), processes left behind $(count_of 2 left-behind)"
    while read -r number verdict _; do
        draw "$number"
        echo "$verdict: $(readlink -f "$0") $build 1 $seed $number"
        echo "    $(command_of)"
        echo "    output: $folder/$number.txt"
    done < <(awk '$2 != "right" && $2 != "ended"' "$results")
}

# left COUNT: minutes that so many jobs take, as those of this call have taken.
time_left() {
    awk "BEGIN { printf \"%.0f\", $1 * ($EPOCHREALTIME - $started) / $2 / 60 }"
}

leave() {
    [ -z "${running-}" ] || { kill -TERM "$running" 2>/dev/null; clean_up; }
    echo "interrupted; the same command goes on"
    summary
    exit 130
}

echo "seed $seed, results in $folder"
trap leave INT TERM
started=$EPOCHREALTIME ran=0
last=$((first + jobs - 1))
for ((number = first + $(wc -l <"$results"); number <= last; number++)); do
    run_job "$number"
    echo "$number $verdict $changes $killed $seconds" >>"$results"
    ran=$((ran + 1))
    echo "job $number of $last: $verdict, $np processes, $changes changes, killed: $killed, $seconds s; $(time_left $((last - number)) $ran) min left"
done
summary
awk '$2 != "right" && $2 != "ended" { bad = 1 } END { exit bad }' "$results" || exit
[ "$folder" = "$build/stress-resizes/$seed" ] || rm -rf "$folder"
