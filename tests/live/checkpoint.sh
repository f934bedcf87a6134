#!/bin/bash
# checkpoint.sh CASE MPIEXEC KINDS RESIZE NEREUS: jobs that write checkpoints and go on from them as
# other processes; kinds.c checks every element. NEREUS: the command.
set -u
case=$1 mpiexec=$2 kinds=$3 another=$4 nereus=$5 failures=0
folder=$(mktemp -d -p /dev/shm) || exit # where fsync, of some hundred files, takes no time
trap 'umount "$folder/small" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit
export NEREUS_CHECKPOINT=$folder/saved NEREUS_TRACE=$folder/trace

fail() {
    echo "FAILED: $case: $*: $(tail -n 5 err)"
    failures=1
}
said() { grep -qE -e "$1" err || fail "not said: $1"; }
# write NP WORDS...; alone FOLDER WORDS... (nereus-supervise, which would refuse it at once, sees
# nothing of the folder); restart CHECKPOINT NP WORDS...; refused CHECKPOINT NP SENTENCE PROGRAM
# WORDS...
write() {
    timeout -k 3 60 "$mpiexec" -n "$1" "$kinds" "${@:2}" >out 2>err || fail "writing ends with $?"
}
alone() {
    env -u NEREUS_CHECKPOINT timeout -k 3 60 "$mpiexec" -n 2 env NEREUS_CHECKPOINT="$1" "$kinds" "${@:2}" >out 2>err || fail "a program with '$1' ends with $?"
}
restart() {
    NEREUS_RESTART=$folder/$1 timeout -k 3 60 "$mpiexec" -n "$2" "$kinds" "${@:3}" >out 2>err || fail "restart from $1 ends with $?"
}
refused() {
    NEREUS_RESTART=$folder/$1 timeout -k 3 60 "$mpiexec" -n "$2" "${@:4}" >out 2>err && fail "$1 is not refused"
    said "$3"
}
events() { grep -c "\"event\":\"$1\"" trace; }
data=(n=1009 lists=1 seed=5 mover=1)

case $case in
    kinds) # a schedule goes on where it was
        for sizes in "3 2 1" "2 3 4" "1 3 2" "4 1 3"; do
            read -r a b c <<<"$sizes"
            rm -rf saved
            write "$a" "${data[@]}" last=5 checkpoint=4 restarts=0 schedule=2@9:merge/coll,3@10:merge/coll
            restart saved/checkpoint-1 "$b" "${data[@]}" last=8 checkpoint=7 expect="$b" restarts=1
            said "goes on from '.*/checkpoint-1', which $a process.* after point 3, with $b process"
            restart saved "$c" "${data[@]}" last=14 expect=3 restarts=2
        done
        [ "$(events checkpoint)" -eq 8 ] && [ "$(events restart)" -eq 8 ] ||
            fail "$(events checkpoint) checkpoints and $(events restart) restarts are traced"
        ;;
    few) # fewer elements than processes, and none
        for n in 0 1 2; do
            rm -rf saved
            write 3 n=$n last=5 checkpoint=4
            restart saved 4 n=$n last=8
            restart saved 1 n=$n last=8
        done
        rm -rf saved # the same, written while the program goes on
        NEREUS_CHECKPOINT_EVERY=20ms write 3 n=0 last=20 pause=0.01
        restart saved 2 n=0 last=30
        ;;
    ranges) # in an order of their own, weighted, with zombies, of processes that came and left
        export NEREUS_HOSTFILE=$folder/hosts
        printf 'localhost/%s:1\n' a b c d e f >hosts
        schedule=schedule=4@2:merge/p2p-keep,2@5:merge-zs/coll-keep
        write 3 "${data[@]}" last=14 checkpoint=4 $schedule
        restart saved 2 "${data[@]}" last=14 checkpoint=8 $schedule expect=2
        said "which 4 processes had written after point 3, with 2 processes"
        restart saved 3 "${data[@]}" last=14
        rm -rf saved
        write 2 "${data[@]}" last=9 checkpoint=6 powers=1,3 schedule=4@2:merge-hypercube/p2p-keep,3@4:baseline/p2p-weighted
        restart saved 2 "${data[@]}" last=9
        rm -rf saved
        write 3 "${data[@]}" last=9 checkpoint=5 schedule=2@3:merge-zs/coll
        restart saved 3 "${data[@]}" last=9 expect=3
        ;;
    unread) # what a program has received and not registered is written as it came
        write 3 "${data[@]}" last=5 checkpoint=4
        restart saved 2 "${data[@]}" unread=1
        [ -e saved/checkpoint-2 ] || fail "no second checkpoint"
        restart saved/checkpoint-2 4 "${data[@]}" last=8 restarts=2
        ;;
    damaged)
        write 2 "${data[@]}" last=3 checkpoint=2
        restart saved 2 "${data[@]}" last=5 checkpoint=4
        cp -r saved whole
        newest=saved/checkpoint-2
        again() { # WHY SENTENCE
            # The program alone looks for the checkpoint: nereus-supervise sees nothing of it.
            timeout -k 3 60 "$mpiexec" -n 3 env NEREUS_RESTART="$folder/saved/checkpoint-2" "$kinds" "${data[@]}" last=6 >out 2>err ||
                fail "a restart from a checkpoint with $1 ends with $?"
            said "checkpoint-2' cannot be used, and the one before it, 'checkpoint-1', is taken: .*$2"
            rm -rf saved
            cp -r whole saved
        }
        for file in x.bin options.mover.bin strings.bin strings.index iteration.bin state.bin csr.bin; do
            printf '\377' | dd of=$newest/$file bs=1 seek=3 conv=notrunc status=none
            again "a byte of $file" "damaged"
        done
        truncate -s -1 $newest/x.bin
        again "a short file" "x.bin"
        rm $newest/vector.bin
        again "a missing file" "vector.bin"
        rm $newest/manifest.json
        again "no manifest" "manifest.json"
        head -c 100 whole/checkpoint-2/manifest.json >$newest/manifest.json
        again "a torn manifest" "manifest.json"
        rm $newest/vector.bin
        restart saved 2 "${data[@]}" last=6
        said "^nereus-mpiexec: the newest checkpoint cannot be used, and .*/checkpoint-1 is taken: .*vector.bin"
        rm -rf saved
        cp -r whole saved
        rm saved/checkpoint-1/x.bin saved/checkpoint-2/x.bin
        timeout -k 3 60 "$mpiexec" -n 2 env NEREUS_RESTART="$folder/saved/checkpoint-2" "$kinds" >out 2>err && fail "two damaged checkpoints are not refused"
        said "^nereus: .*checkpoint-1.*x.bin"
        ! grep -q "can go on from" err || fail "a command is offered that has just failed"
        ;;
    refused)
        write 2 last=3 checkpoint=2
        refused nowhere 2 "there is no checkpoint in '$folder/nowhere'" "$kinds"
        refused saved 2 "is of another program: '.*kinds', and this is '.*${another##*/}'" "$another"
        refused saved 1 "goes on from" "$kinds" n=77 # and then its data do not fit: kinds.c looks at the sentences
        cp -r saved typed
        sed -i 's/"type": *"MPI_DOUBLE"/"type": "MPI_INT64_T"/' typed/checkpoint-*/manifest.json
        refused typed 2 "is of MPI_INT64_T in the checkpoint, and cannot be registered as MPI_DOUBLE" "$kinds"
        refused saved 2 "has no data that the program moves itself, and this process has an options.mover" "$kinds" mover=1
        rm -rf saved
        write 2 mover=1 last=3 checkpoint=2
        refused saved 2 "has data that the program moves itself, and this process has no options.mover" "$kinds"
        refused saved 2 "has no function .file. in options.mover" "$kinds" mover=2
        rm -rf saved
        write 2 mover=2 last=3 checkpoint=2 says="has no function \`file' in options.mover"
        write 2 bytes=fail last=3 checkpoint=2 says="does not know how many bytes"
        [ -z "$(ls -d saved/checkpoint-* 2>/dev/null)" ] || fail "refused checkpoints are there"
        NEREUS_CHECKPOINT='' write 2 last=3 checkpoint=2 says="no folder for checkpoints"
        alone /proc/nowhere last=3 checkpoint=2 says="/proc/nowhere"
        NEREUS_CHECKPOINT=/proc/nowhere timeout -k 3 60 "$mpiexec" -n 2 "$kinds" >out 2>err && fail "a folder that cannot be made is not refused"
        said "the folder for checkpoints '/proc/nowhere' cannot be made"
        for every in never -1 auto; do
            NEREUS_CHECKPOINT_EVERY=$every timeout -k 3 60 "$mpiexec" -n 2 "$kinds" >out 2>err && fail "an interval of $every is not refused"
            said "NEREUS_CHECKPOINT_EVERY|NEREUS_MTBF"
        done
        NEREUS_CHECKPOINT='' NEREUS_CHECKPOINT_EVERY=1 timeout -k 3 60 "$mpiexec" -n 2 "$kinds" >out 2>err && fail "an interval without a folder is not refused"
        said "NEREUS_CHECKPOINT_EVERY is '1', and there is no folder"
        ;;
    busy) # the folder of another job that runs; when that has ended, it is free
        mkdir saved
        coproc holder { python3 -c 'import fcntl, sys
lock = open("saved/lock", "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
print("process 1 of host other", file=lock, flush=True)
print("locked", flush=True)
sys.stdin.read()'; }
        read -r _ <&"${holder[0]}"
        NEREUS_CHECKPOINT_EVERY=1s timeout -k 3 60 "$mpiexec" -n 2 "$kinds" >out 2>err && fail "the folder of another job is not refused"
        said "^nereus-mpiexec: another job writes its checkpoints into '$folder/saved'"
        alone "$folder/saved" last=3 checkpoint=2 says="another job writes its checkpoints into '$folder/saved' (process 1 of host other)"
        eval "exec ${holder[1]}>&-"
        wait
        write 2 last=3 checkpoint=2
        ;;
    disk) # a disk that is full, and one that cannot be written
        mkdir small
        if ! mount -t tmpfs -o size=4m tmpfs small 2>err; then
            echo "no file system can be mounted here: $(cat err)"
            exit 77
        fi
        export NEREUS_CHECKPOINT=$folder/small/saved
        write 2 n=1009 last=3 checkpoint=2
        write 2 n=30011 last=3 checkpoint=2 says="No space left on device"
        NEREUS_CHECKPOINT_EVERY=1us write 2 n=30011 last=25 schedule=3@6:merge/coll expect=3 outcome=resized
        [ "$(grep -c 'no checkpoint was written, and the job goes on: .*No space left on device' err)" -eq 1 ] || fail "not said once"
        [ "$(ls -d small/saved/checkpoint-*)" = small/saved/checkpoint-1 ] || fail "what is left: $(ls small/saved)"
        restart small/saved 3 n=1009 last=5
        mount -o remount,ro small
        alone "$NEREUS_CHECKPOINT" n=1009 last=3 checkpoint=2 says="Read-only file system"
        NEREUS_CHECKPOINT_EVERY=1us alone "$NEREUS_CHECKPOINT" n=1009 last=60 pause=0.002
        said "no checkpoint was written, and the job goes on: .*Read-only file system"
        ;;
    interval) # a checkpoint is due at every point, and requests come at any of them
        for row in "1us 6" "auto 2"; do # auto pauses for as long as writing takes
            read -r every least <<<"$row"
            rm -rf saved trace
            NEREUS_CHECKPOINT_EVERY=$every NEREUS_MTBF=1us write 2 "${data[@]}" seed=3 asks=6 pause=0.001 outcome=resized
            grep "request refused: .*\(pending\|under way\|checkpoint\)" err && fail "a request was refused"
            [ "$(grep '"event":"reconfiguration"' trace | grep -c '"outcome":"resized"')" -ge 6 ] || fail "requests were lost"
            [ "$(events checkpoint)" -ge "$least" ] || fail "$(events checkpoint) checkpoints, $every"
        done
        points=$(sed -n 's/.*"points": *\([0-9]*\).*/\1/p' "$(ls -d saved/checkpoint-* | sort -V | tail -n 1)/manifest.json")
        restart saved 3 "${data[@]}" seed=3 last=$((points + 20))
        ;;
    overlapped) # written by a thread: data as it was at the point; what moves data, and the end of the job, waits for it
        for overlap in on off; do
            rm -rf saved trace
            NEREUS_CHECKPOINT_OVERLAP=$overlap NEREUS_CHECKPOINT_EVERY=1us write 3 "${data[@]}" last=30 pause=0.005 schedule=2@9:merge/coll,3@15:restart/file
            # The application is held up for less than the time until a checkpoint is whole, or for all of it
            grep '"event":"checkpoint"' trace | tr ',' '\n' | sed -n 's/"\(took\|held\)_s"://p' | paste - - |
                awk -v on=$overlap '{ n++; if ($2 < $1) less++ } END { exit !(n > 0 && (on == "on" ? less > 0 : !less)) }' ||
                fail "overlap $overlap: $(grep '"event":"checkpoint"' trace)"
            restart saved 2 "${data[@]}" last=40
        done
        # Rank 0's setting counts where others have another one
        rm -rf saved
        printf '#!/bin/sh\n[ "$PMI_RANK" = 0 ] && export NEREUS_CHECKPOINT_OVERLAP=off\nexec "$@"\n' >differs
        chmod +x differs
        NEREUS_CHECKPOINT_EVERY=1us NEREUS_CHECKPOINT=saved timeout -k 3 60 "$mpiexec" -n 3 ./differs "$kinds" "${data[@]}" last=12 >out 2>err ||
            fail "processes with different settings end with $?"
        timeout -k 3 60 "$mpiexec" -n 2 env NEREUS_CHECKPOINT_OVERLAP=maybe "$kinds" >out 2>err && fail "maybe is not refused"
        said "NEREUS_CHECKPOINT_OVERLAP is 'maybe' and must be on or off"
        ;;
    planned) # changes of size by restarts, between others; a request, with a trace as the plan says
        write 3 "${data[@]}" last=12 schedule=2@3:restart/file,4@5:restart,1@7:restart/file,1@9:restart expect=1 restarts=4 outcome=resized
        write 2 "${data[@]}" last=12 schedule=4@2:merge/coll-keep,3@4:restart/file,2@6:merge-zs/coll,3@8:restart,4@10:baseline/p2p expect=4 restarts=2
        said "from '.*/checkpoint-[0-9]*', which 2 processes had written after point 8, with 3 processes"
        write 4 "${data[@]}" last=9 schedule=2@2:merge-launch-ss/coll,1@4:restart,3@6:restart expect=3 restarts=2 outcome=resized
        timeout -k 3 60 "$mpiexec" -n 2 "$another" data=all ask=4@3 method=restart/file last=9 until=1 expect=4 outcome=resized >out 2>err ||
            fail "a request ends with $?"
        "$nereus" job trace --check trace >out 2>err || fail "the trace is not as planned: $(cat out)"
        [ "$(grep '"event":"reconfiguration"' trace | grep '"method":"restart' | grep -c '"outcome":"resized"')" -eq 9 ] || fail "restarts are missing in the trace"
        for step in decide write agree end start read commit; do
            [ "$(grep '"method":"restart' trace | grep -c "\"kind\":\"$step\"")" -ge 9 ] || fail "the step $step is missing in the trace"
        done
        ;;
    survived) # a process is killed after a change of size, and after a restart: all goes on from the newest checkpoint
        for schedule in 4@20:merge/coll 2@20:restart/file; do
            rm -rf saved killed
            NEREUS_ON_FAILURE=restart NEREUS_CHECKPOINT_EVERY=1us write 3 "${data[@]}" last=60 pause=0.005 checkpoint=2 schedule=$schedule \
                kill=1@1+20000 killed="$folder/killed" expect="${schedule%@*}"
            [ -s killed ] || fail "nobody was killed"
            said "^nereus-mpiexec: .*killed by signal 9.*goes on as [34] processes from .*|^nereus-mpiexec: .*goes on as 2 processes from"
        done
        ;;
    again) # lost after it has read, and before it has written another: from the same one, as often as is allowed
        write 2 "${data[@]}" last=4 checkpoint=2
        NEREUS_ON_FAILURE=restart NEREUS_RESTARTS_MAX=3 NEREUS_RESTART=$folder/saved timeout -k 3 60 "$mpiexec" -n 2 "$kinds" "${data[@]}" last=9 \
            dies=5 >out 2>err
        [ "$(grep -c 'the job goes on as 2 processes from .*/checkpoint-1 (points 1); 2 points are repeated$' err)" -eq 3 ] || fail "not three times from the same checkpoint"
        said "killed by signal 9.*; the job does not go on, as it has been restarted 3 times .--restarts.$"
        # A folder that has been moved: the job goes on there, at the interval that it had
        rm -rf saved
        NEREUS_CHECKPOINT_EVERY=1us write 2 "${data[@]}" last=9 checkpoint=2
        mv saved moved
        before=$(ls -t moved | grep -m 1 '^checkpoint-')
        (unset NEREUS_CHECKPOINT && restart moved 3 "${data[@]}" last=40 pause=0.005; exit $failures) || failures=1
        [ ! -e saved ] || fail "the folder where it was written is made again"
        [ "$(ls -t moved | grep -m 1 '^checkpoint-')" != "$before" ] || fail "nothing is written into the folder that is named"
        cp -r moved copy
        before=$(ls moved)
        (unset NEREUS_CHECKPOINT && restart copy 2 "${data[@]}" last=60; exit $failures) || failures=1
        [ "$(ls moved)" = "$before" ] || fail "the folder that was copied has changed: $(ls moved)"
        ;;
    smaller) # a machine that has no room any more for a size of the schedule: that change is refused
        schedule=schedule=4@4:merge/coll,3@5:merge-launch/coll,4@6:restart/file,1@8
        write 2 "${data[@]}" last=3 checkpoint=2 $schedule
        NEREUS_SLOTS=2 restart saved 2 "${data[@]}" last=9 $schedule expect=1 outcome=resized
        [ "$(grep -c "cancelled.*the wanted number of processes [34]: only 2 slots" err)" -eq 3 ] || fail "not three changes are refused"
        ;;
    mover) # data that the program moves itself, and a rank that is lost while the size changes
        program=${kinds%kinds}mover
        for fails in prepare:+2 read:+2; do # there is no checkpoint before it
            rm -rf saved
            timeout -k 3 60 "$mpiexec" -n 2 "$program" restart/file $fails >out 2>err && fail "$fails: the job goes on"
            said "could not (make room for|read) its own data .options.mover. in rank 2"
        done
        for fails in "" write:0 write:1; do
            rm -rf saved
            timeout -k 3 60 "$mpiexec" -n 2 "$program" restart/file $fails >out 2>err || fail "restart/file $fails ends with $?"
            grep -q "^3 processes, $((3 - ${#fails} / 6)) reconfigurations, .* wrong 0" out || fail "$fails: $(cat out)"
        done
        rm -rf saved
        timeout -k 3 60 "$mpiexec" -n 1 "${mpiexec%nereus-mpiexec}nereus-heat-plain" 41 30 120 >plain 2>err || fail "heat ends with $?"
        NEREUS_SCHEDULE=4@10:merge/coll,1@100:merge/coll,3@110:merge/coll \
            NEREUS_FAULT=die-redistribute:1@2 NEREUS_ON_FAILURE=restart NEREUS_CHECKPOINT_EVERY=1us timeout -k 3 60 "$mpiexec" -n 2 \
            sh -c 'test -z "$NEREUS_RESTARTS" || unset NEREUS_FAULT; exec "$@"' sh "${mpiexec%nereus-mpiexec}nereus-tiles" 41 30 120 >out 2>err ||
            fail "tiles end with $?"
        said "^nereus-mpiexec: .*killed by signal 9.*; the job goes on as 4 processes from "
        read -r _ one _ <plain
        grep -q "^answer $one processes 3, changes of size 3$" out || fail "$(cat out) instead of $one"
        ;;
    unspawnable) # where no process can be spawned, auto restarts if there is a folder; what starts none is as ever
        NEREUS_SPAWN=no write 2 "${data[@]}" last=8 schedule=3@3,1@5 expect=1 restarts=1 outcome=resized
        NEREUS_SPAWN=no NEREUS_CHECKPOINT='' write 2 "${data[@]}" last=6 schedule=3@3 expect=2 restarts=0 outcome=failed
        said "no new processes can come in: NEREUS_SPAWN is no; with a folder for checkpoints .--checkpoint DIR. the method restart/file"
        NEREUS_SPAWN=no write 2 "${data[@]}" last=6 schedule=3@3:merge/coll expect=2 restarts=0 outcome=failed
        said "no new processes can come in: NEREUS_SPAWN is no; the method restart/file needs none"
        NEREUS_SPAWN=maybe timeout -k 3 60 "$mpiexec" -n 2 "$kinds" >out 2>err && fail "NEREUS_SPAWN=maybe is not refused"
        said "NEREUS_SPAWN is 'maybe' and must be yes or no"
        ;;
    impossible) # a restart that cannot be: the job goes on as it was
        for schedule in 3@3:restart/file 2@3:restart; do
            NEREUS_CHECKPOINT='' write 2 "${data[@]}" last=6 schedule=$schedule expect=2 restarts=0 outcome=failed
            said "cancelled.*there is no folder for checkpoints"
        done
        timeout -k 3 60 "$mpiexec" -n 2 env -u NEREUS_LAUNCHER "$kinds" "${data[@]}" last=6 schedule=3@3:restart expect=2 outcome=failed >out 2>err ||
            fail "a job without nereus-supervise ends with $?"
        said "cancelled.*has to be started with nereus-mpiexec"
        write 2 mover=2 last=6 schedule=3@3:restart expect=2 outcome=failed
        said "cancelled.*moves data itself"
        for step in write agree; do
            rm -rf saved
            NEREUS_FAULT=$step:1@1 write 2 "${data[@]}" last=8 schedule=3@3:restart,1@5:restart expect=1 restarts=1 outcome=resized
            said "cancelled"
        done
        # After the agreement nothing can be taken back; what was written is whole.
        rm -rf saved
        NEREUS_FAULT=end:1@1 timeout -k 3 60 "$mpiexec" -n 2 "$kinds" "${data[@]}" last=8 schedule=3@3:restart >out 2>err &&
            fail "a job that fails as it ends has status 0"
        restart saved 3 "${data[@]}" last=8 expect=3 restarts=1
        ;;
    *)
        echo "no case is called $case"
        failures=2
        ;;
esac
exit $failures
