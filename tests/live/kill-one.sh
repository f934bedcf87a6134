#!/bin/bash
# kill-one.sh NAME COMMAND...: runs a job, and kills its first process of that program (an end of its path) after two seconds, when
# others are asleep or computing. Ends as the job ends.
set -u
name=$1
shift
NEREUS_TEST_KILL=yes "$@" &
job=$!
sleep 2
for file in /proc/[0-9]*/environ; do
    grep -qz '^NEREUS_TEST_KILL=yes$' "$file" 2>/dev/null && grep -qz "^NEREUS_TEST_JOB=$NEREUS_TEST_JOB\$" "$file" || continue
    pid=${file#/proc/}
    pid=${pid%/environ}
    case $(readlink "/proc/$pid/exe") in
    */$name)
        kill -9 "$pid"
        echo "killed $pid, a $name"
        break
        ;;
    esac
done
wait $job
