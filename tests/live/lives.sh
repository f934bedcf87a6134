#!/bin/bash
# lives.sh CASE MPIEXEC PROGRAM: jobs of lives.c in this folder that are begun from a checkpoint, or
# interrupted.
set -u
mpiexec=$2 program=$3
fail() {
    cat said
    echo "lives.sh: $*"
    exit 1
}
# runs STATUS SAYS WORDS...
runs() {
    local expected=$1 says=$2 status
    shift 2
    "$@" >said 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$expected" ] || fail "status $status, expected $expected: $*"
    grep -Eq "$says" said || fail "nothing is said that matches '$says': $*"
}
await() { # COMMAND...: of the job
    until "$@" 2>/dev/null; do
        kill -0 $job || fail "this does not come: $*"
        sleep 0.05
    done
}

case $1 in
    by-hand) # a folder, a checkpoint in it, by option and by variable; a job that goes on again is in its third life
        runs 0 '^life 0 ends well as 2' "$mpiexec" -n 2 "$program" write,step,write
        runs 0 '^life 1 ends well as 3' "$mpiexec" --restart checkpoints -n 3 "$program" size=9 from=2,size=3,write
        runs 0 '^life 1 ends well as 1' "$mpiexec" --restart=checkpoints/checkpoint-1 -n 1 "$program" size=9 from=1
        runs 0 '^life 1 ends well as 1' env NEREUS_RESTART="$PWD/checkpoints/checkpoint-2" "$mpiexec" -n 1 "$program" size=9 from=2
        runs 0 '^life 3 ends well as 1' "$mpiexec" --on-failure restart --restart checkpoints -n 1 "$program" a b from=3,kill=0,step from=3
        echo '{' >checkpoints/checkpoint-3/manifest.json
        runs 2 "^nereus-mpiexec: .*checkpoint-3/manifest.json.*; checkpoints/checkpoint-2 is whole$" "$mpiexec" \
            --restart checkpoints/checkpoint-3 -n 1 "$program" size=9
        runs 0 '^life 1 ends well as 1' "$mpiexec" --restart checkpoints -n 1 "$program" size=9 from=2
        ;;
    requeued) # by Slurm, before there was a checkpoint, and afterwards
        export SLURM_RESTART_COUNT=1 NEREUS_CHECKPOINT=checkpoints
        runs 0 'Slurm has requeued the job, which begins anew: there is no checkpoint of it' "$mpiexec" --on-failure restart -n 2 "$program" from=0,write
        runs 0 'requeued the job, which goes on from .*/checkpoints/checkpoint-1 .points 1.$' "$mpiexec" --on-failure restart -n 2 "$program" \
            size=9 from=1,size=2
        runs 0 '^life 0 ends well' "$mpiexec" -n 2 "$program" from=0
        SLURM_RESTART_COUNT=0 runs 0 '^life 0 ends well' "$mpiexec" --on-failure restart -n 2 "$program" from=0
        ;;
    limit) # Slurm's signal: a checkpoint that was only read is no reason to be queued again, and one that was written is. Preempted without one
        mkdir bin
        cat >bin/scontrol <<'END'
#!/bin/sh
echo "$*" >>orders
[ "$1" != show ] || echo "JobId=7 EndTime=$(date -d '+4 seconds' +%Y-%m-%dT%H:%M:%S) BatchFlag=1 PreemptTime=${preempted-None} "
END
        cat >wrapper <<'END'
#!/bin/sh
echo $PPID $$ >wrapped
"$@"
END
        chmod +x bin/scontrol wrapper
        export PATH="$PWD/bin:$PATH" SLURM_JOB_ID=7 NEREUS_CHECKPOINT=checkpoints
        after_signal() { # STATUS SAYS SCRIPT
            rm -f orders wrapped
            : >said # those of the job before say "ready", too
            "$mpiexec" --on-failure restart -n 1 ./wrapper "$program" "$3",say=ready,slow >said 2>&1 </dev/null &
            job=$!
            await grep -q '^ready$' said
            read -r guard wrapper <wrapped
            kill -USR1 "$guard" "$wrapper" # as Slurm signals all processes of a step
            await grep -Eq "$2" said
            if [ "$1" -eq 0 ]; then
                grep -q . "/proc/$wrapper/cmdline" || fail "the signal has ended a script around the program"
            else
                await grep -q '^requeue 7$' orders
            fi
            kill -TERM $job
            wait $job
            [ "$(grep -c '^requeue 7$' orders)" -eq "$1" ] || fail "orders to Slurm: $(cat orders)"
        }
        after_signal 1 'has not become ready in time; the job goes on from .*/checkpoint-1 .points 0. when Slurm starts it again; 2 points are repeated$' write
        NEREUS_RESTART=checkpoints after_signal 0 'no checkpoint has become ready since the job was started: it is not queued again' from=1,read
        rm orders
        preempted=2026-11-28T12:00:00 "$mpiexec" --on-failure restart -n 1 "$program" exit=5 >said 2>&1 </dev/null &
        job=$!
        await grep -q '^requeue 7$' orders
        kill -TERM $job
        wait $job
        grep -q '; the job is started again from the beginning by Slurm, as no checkpoint had been written$' said || fail "what becomes of it"
        # Only where its end is that of the batch script: in another one Slurm may still have to
        # queue it again.
        for script in '"$@"' 'exec "$@"'; do
            : >orders
            SLURM_RESTART_COUNT=1 sh -c "SLURM_TASK_PID=\$\$; export SLURM_TASK_PID; $script; :" sh "$mpiexec" --on-failure restart -n 1 "$program" \
                from=0 >said 2>&1 </dev/null || fail "a job that was requeued"
            [ "$(grep -c '^update JobId=7 Requeue=0$' orders)" -eq "$([ "$script" = '"$@"' ]; echo $?)" ] || fail "orders to Slurm: $(cat orders)"
        done
        ;;
    interrupted-*) # in the second life, which has the process id of the first
        "$mpiexec" --on-failure restart -n 2 "$program" write,kill=1,step write,say=ready,slow >said 2>&1 </dev/null &
        job=$!
        await grep -q '^ready$' said # the file is there before nereus-mpiexec knows of it
        kill "-${1#*-}" $job
        wait $job
        status=$?
        [ "$status" -eq $((128 + $(kill -l "${1#*-}"))) ] || fail "status $status"
        grep -q '^nereus-mpiexec: the job was interrupted by signal ' said || fail "not said that it was interrupted"
        grep -q '^nereus-mpiexec: the job can go on from .*/checkpoint-2 .points [0-9]*.: nereus-mpiexec --on-failure restart --restart ' said ||
            fail "not said how it goes on"
        [ "$(grep -c '^nereus-mpiexec: ' said)" -eq 4 ] || fail "more is said than the note on --checkpoint, the loss, the interrupt and the checkpoint"
        ;;
    damaged) # between two lives
        runs 0 'goes on as 2 processes from .*/checkpoint-1 .points 0., as .*checkpoint-2/manifest.json.*; [0-9]* points are repeated$' "$mpiexec" --on-failure restart -n 2 "$program" write,step,write,damage,kill=1,step \
            from=1,size=2
        ;;
    another) # an earlier job has left the only one before
        runs 0 '^life 0 ends well' "$mpiexec" -n 2 "$program" write
        sed -i 's/"written_s": [0-9.e+]*/"written_s": 1/; s/"job": "[0-9a-f]*"/"job": "0000000000000001"/' checkpoints/checkpoint-1/manifest.json
        "$mpiexec" --restart checkpoints -n 1 "$program" x from=1 >said 2>&1 </dev/null || fail "the earlier checkpoint cannot be read"
        echo x >>checkpoints/checkpoint-1/state.bin
        runs 2 'no other checkpoint in checkpoints is whole$' "$mpiexec" --restart checkpoints/checkpoint-1 -n 1 "$program" size=9
        truncate -s 0 checkpoints/checkpoint-1/state.bin
        runs 137 'no checkpoint before that to try' "$mpiexec" --on-failure restart -n 2 "$program" write,kill=1,step from=2,kill=1,step \
            from=2,kill=1,step size=9
        ;;
esac
