#!/bin/bash
# stress-restarts.sh BUILD [JOBS [SEED [FIRST]]]: so many random jobs (200) that write checkpoints
# and lose processes of theirs: ranks, guards, proxies or mpiexec, one to three at random moments
# (SIGKILL). Each must go on from its newest checkpoint and end with the right data (kinds.c checks
# every element), unless none had been written yet. With FIRST it runs the jobs FIRST, FIRST + 1,
# ... Status 1: one did not.
# NEREUS_ON_FAILURE=continue (Open MPI): only ranks are killed, and the job goes on with those that
# are left, or is started anew.
set -u
. "$(dirname "$(readlink -f "$0")")/job_processes.sh"
build=$(readlink -f "${1:?give the build folder}") jobs=${2:-200} seed=${3:-$$} first=${4:-1}
limit_s=120
on_failure=${NEREUS_ON_FAILURE:-restart}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset NEREUS_PROFILE
export XDG_CONFIG_HOME=/nonexistent # no profile of this machine: what `auto` chooses would depend on it

# draw NUMBER: sets np, every (ms between checkpoints), words (of kinds.c), delays (ms until a
# process is killed) and victim (which process).
draw() {
    local i methods=(merge/coll merge/p2p-keep merge-launch/coll baseline/p2p restart/file restart/file) schedule="" point=1 method
    [ "$on_failure" = restart ] || methods=(merge/coll merge/p2p-keep baseline/p2p restart/file)
    RANDOM=$(printf '%s %s' "$seed" "$1" | cksum | cut -d' ' -f1)
    np=$((1 + RANDOM % 4)) every=$((20 + RANDOM % 300)) delays=()
    words=("seed=$RANDOM" "n=$((RANDOM % 2000))" "lists=$((RANDOM % 2))" last=300 pause=0.004)
    for ((i = RANDOM % 4; i > 0; i--)); do
        point=$((point + 10 + RANDOM % 80))
        method=${methods[RANDOM % ${#methods[@]}]}
        schedule+=",$((1 + RANDOM % 4))@$point:$method"
    done
    [ -z "$schedule" ] || words+=("schedule=${schedule#,}")
    for ((i = 1 + RANDOM % 3; i > 0; i--)); do delays+=($((RANDOM % 1500))); done
    victim=$RANDOM
}

# Kills one process of the job, but not nereus-supervise, which is the job.
kill_one() {
    local processes=() pid
    for pid in $(job_processes); do
        case $on_failure:$(readlink "/proc/$pid/exe") in
            continue:*/kinds) processes+=("$pid") ;;
            continue:* | *nereus-supervise | *bash | *timeout | *:) ;;
            *) processes+=("$pid") ;;
        esac
    done
    [ ${#processes[@]} -gt 0 ] || return
    pid=${processes[victim % ${#processes[@]}]}
    basename "$(readlink "/proc/$pid/exe")" >>"$folder/killed"
    kill -9 "$pid" 2>/dev/null
}

# Does each restart begin from the newest checkpoint that the trace knows?
goes_back() {
    awk -F'"point":|"points":' '
        /"event":"checkpoint"/ { split($2, number, /[,}]/); newest = number[1] }
        /"event":"restart"/ { split($2, number, /[,}]/); if (number[1] + 0 < newest + 0) back = 1; newest = number[1] }
        END { exit !back }' "$folder/trace" 2>/dev/null
}

# judge STATUS LEFT: prints the verdict.
judge() {
    local output=$folder/output
    if [ "$1" = 124 ] || ! grep -q '^nereus-mpiexec: \|^kinds: .* processes, ' "$output"; then
        echo hangs
    elif [ -n "$2" ]; then
        echo left-behind
    elif [ "$1" = 0 ]; then
        if ! grep -q '^kinds: .* processes, ' "$output"; then
            echo silent
        elif goes_back && ! grep -q 'as it was lost 2 times while it read ' "$output"; then
            echo older # only two losses while it is read lead back to the one before
        else
            echo right
        fi
    elif grep -q 'no checkpoint had been written' "$output"; then
        echo too-early
    else
        echo failed
    fi
}

run_job() { # NUMBER
    local job delay status left _
    draw "$1"
    rm -rf "${folder:?}"/*
    export NEREUS_TEST_JOB="restarts-$$-$1"
    NEREUS_TRACE=$folder/trace timeout -k 3 $limit_s "$build/bin/nereus-mpiexec" --checkpoint "$folder/saved,${every}ms" --on-failure "$on_failure" -n "$np" \
        "$build/tests/bin/kinds" "${words[@]}" </dev/null >"$folder/output" 2>&1 &
    job=$!
    for delay in "${delays[@]}"; do
        sleep "$(awk "BEGIN { print $delay / 1000 }")"
        kill_one
    done
    wait $job
    status=$?
    for _ in $(seq 60); do
        left=$(job_processes)
        [ -z "$left" ] && break
        sleep 0.05
    done
    verdict=$(judge $status "$left")
    [ -z "$left" ] || kill -9 $left
    [ "$verdict" = right ] || [ "$verdict" = too-early ] || {
        echo "$verdict (status $status): $0 $build 1 $seed $1: ${words[*]} -n $np, every $every ms, killed $(paste -sd, "$folder/killed")"
        cat "$folder/output"
    }
}

declare -A count=([right]=0 [too-early]=0)
restarts=0 in_place=0 started=$SECONDS
for ((number = first; number < first + jobs; number++)); do
    run_job $number
    count[$verdict]=$((${count[$verdict]-0} + 1))
    restarts=$((restarts + $(grep -c '^nereus-mpiexec: .*the job goes on as' "$folder/output")))
    in_place=$((in_place + $(grep -c '^nereus-mpiexec: .*, without a new start;' "$folder/output")))
    ran=$((number - first + 1))
    ((ran % 10)) || echo "$ran of $jobs, about $(((SECONDS - started) * (jobs - ran) / ran / 60)) min left" >&2
done
result=""
for verdict in "${!count[@]}"; do result+=", $verdict ${count[$verdict]}"; done
echo "$jobs jobs went on $restarts times after a loss, $in_place of them without a new start: ${result#, }"
[ $((${count[right]} + ${count[too-early]})) -eq "$jobs" ]
