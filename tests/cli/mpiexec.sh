# nereus-mpiexec's own command line: help, what it refuses, and the environment of the network
# module that is in use.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
mpiexec=$(dirname "$NEREUS")/nereus-mpiexec

for option in --help -help -h; do
    accepted "$mpiexec" $option
    holds '^Usage: nereus-mpiexec \[OPTION...\] PROGRAM' out
    holds 'NEREUS_HOSTFILE' out
    manuals=$(sed -n 's/^The manuals are in \(.*\):$/\1/p' out)
    for manual in $(grep -oE '[a-z-]+\.md' out); do
        [ -f "$manuals/$manual" ] || fail "$option: there is no $manuals/$manual"
    done
    [ -n "$manual" ] || fail "$option names no manual"
    [ -s err ] && fail "$option: standard error: $(head -c 300 err)"
done
accepted "$mpiexec" -n 1 --help

for option in '-bind-to core' '--bind-to core' '-bind-to=core' '-map-by core' '-binding rr' '-n 2 -bind-to core' \
    '-membind numa' '-genv A B -bind-to none' '-genv A=B -bind-to core' '-hosts localhost -prepend-rank -map-by socket'; do
    # shellcheck disable=SC2086
    "$mpiexec" $option -n 1 true >out 2>err </dev/null
    status=$?
    [ "$status" -eq 2 ] || fail "status $status, expected 2: $option"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one sentence: $option: $(head -c 600 err)"
    holds '^nereus-mpiexec: -(bind-to|map-by|membind|binding) is refused, as this MPI ends a job .*leave it out' err
done
"$mpiexec" -n 1 -configfile lines >out 2>err </dev/null
[ $? -eq 2 ] || fail "status other than 2: -configfile"
holds '^nereus-mpiexec: -configfile is refused, .*: give its lines on the command line, with : between them$' err
# A program that ends before it has read the end of its input: Hydra, which hands that on, may end
# by SIGPIPE (src/mpi/README.md).
printf '#!/bin/sh\ncat >/dev/null\nexec "$@"\n' >reading
chmod +x reading
for words in '--job -n 1 true' '-n 1 --job solver true' '--checkpoint -n 1 true' '-n 1 --on-failure end true' '--restarts 1 -n 1 --restarts 2 true' '--restart'; do
    # shellcheck disable=SC2086
    "$mpiexec" $words >out 2>err </dev/null
    [ $? -eq 2 ] || fail "status other than 2: $words"
    holds '^nereus-mpiexec: --(job NAME|checkpoint DIR\[,EVERY\]|on-failure ACTION|restarts N|restart DIR) comes before all options of mpiexec, with a value$' err
done
while IFS='|' read -r words sentence; do
    # shellcheck disable=SC2086
    "$mpiexec" $words -n 1 true >out 2>err </dev/null
    status=$?
    [ "$status" -eq 2 ] || fail "status $status, expected 2: $words"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one sentence: $words: $(head -c 600 err)"
    holds "^nereus-mpiexec: $sentence" err
done <<'TEXT'
--on-failure retry|--on-failure \(NEREUS_ON_FAILURE\) must be continue, restart or end, not 'retry'$
--restarts -1|--restarts N comes before
--restarts=-1|--restarts \(NEREUS_RESTARTS_MAX\) must be at least 0, not -1$
--restarts many|--restarts \(NEREUS_RESTARTS_MAX\) must be a whole number
--checkpoint there,often|the time of --checkpoint \(NEREUS_CHECKPOINT_EVERY\) must be
--checkpoint there,auto|--checkpoint DIR,auto needs the mean time between failures of the job: NEREUS_MTBF, as in 6h$
--checkpoint /nowhere/there,5min|the folder for checkpoints '/nowhere/there' cannot be made: No such file or directory$
--checkpoint reading --on-failure end|the folder for checkpoints '.*/reading' cannot be written: Not a directory$
--job a --restart=/nowhere|there is no checkpoint in '/nowhere' to go on from$
TEXT
NEREUS_PROCESS_MANAGER=hydra "$mpiexec" --on-failure continue -n 1 true >out 2>err </dev/null
[ $? -eq 2 ] || fail "status other than 2: --on-failure continue under Hydra"
holds '^nereus-mpiexec: --on-failure continue \(NEREUS_ON_FAILURE\) needs Open MPI: MPICH and Intel MPI .*; --on-failure restart works on each MPI$' err
NEREUS_CHECKPOINT_OVERLAP=yes "$mpiexec" -n 1 true >out 2>err </dev/null
[ $? -eq 2 ] || fail "status other than 2: NEREUS_CHECKPOINT_OVERLAP=yes"
holds "^nereus-mpiexec: NEREUS_CHECKPOINT_OVERLAP is 'yes' and must be on or off$" err
accepted "$mpiexec" --restarts 3 --checkpoint "a,b,5min" --on-failure=end --job x -n 1 ./reading printenv NEREUS_RESTARTS_MAX NEREUS_CHECKPOINT \
    NEREUS_CHECKPOINT_EVERY NEREUS_ON_FAILURE NEREUS_JOB </dev/null
[ "$(cat out)" = "3"$'\n'"$PWD/a,b"$'\n'"5min"$'\n'"end"$'\n'"x" ] || fail "options in the environment: $(cat out)"
mkdir my-job
accepted "$mpiexec" --checkpoint="$PWD/my-job/a" --on-failure=restart -n 1 ./reading printenv NEREUS_CHECKPOINT </dev/null
[ "$(cat out)" = "$PWD/my-job/a" ] || fail "a value that has the name of another option: $(cat out)"
[ ! -e my-job/a ] || fail "a folder is left where no checkpoint was written"
holds '^nereus-mpiexec: note: --checkpoint names no time' err
# Another MPI: not with a library that was built for this one alone.
grep -q '^    if \[ "1" != 1 \]' "$mpiexec" || {
    NEREUS_MPI=$PWD "$mpiexec" -n 1 true >out 2>err </dev/null
    [ $? -eq 2 ] || fail "status other than 2 with NEREUS_MPI"
    holds '^nereus-mpiexec: NEREUS_MPI: this Nereus was built for .* alone; .* ./setup build --mpi abi$' err
}

# What belongs to the program, or to another option, is not looked at; the doctor tries what is refused.
accepted "$mpiexec" -n 1 ./reading echo -bind-to core --help </dev/null
holds '^-bind-to core --help$' out
accepted "$mpiexec" -genv A -bind-to -n 1 ./reading printenv A </dev/null
holds '^-bind-to$' out
accepted env NEREUS_MPIEXEC_UNCHECKED=1 "$mpiexec" -bind-to core -n 1 ./reading echo bound </dev/null
holds '^bound$' out

# Module by module, what it was probed with; a user's own value stays.
modules=$(sed -n 's/^\[ "${MPIR_CVAR_CH4_NETMOD-}" != \([a-z]*\) .*/\1/p' "$mpiexec")
case $modules in
*ofi*)
    accepted env -u FI_PROVIDER MPIR_CVAR_CH4_NETMOD=ofi "$mpiexec" -n 1 ./reading printenv FI_PROVIDER </dev/null
    holds '^tcp$' out
    accepted env FI_PROVIDER=sockets MPIR_CVAR_CH4_NETMOD=ofi "$mpiexec" -n 1 ./reading printenv FI_PROVIDER </dev/null
    holds '^sockets$' out
    env -u FI_PROVIDER MPIR_CVAR_CH4_NETMOD=ucx "$mpiexec" -n 1 ./reading printenv FI_PROVIDER >out 2>err </dev/null
    [ -s out ] && fail "ucx gets what ofi was probed with: $(cat out)"
    ;;
*) echo "not tried: this MPI has no network modules to choose from" ;;
esac

# A program that cannot be started: one sentence, and the status that a shell gives.
mkdir folder
printf 'no program\n' >data.txt
for row in "127 no-such-program: No such file or directory" "126 ./data.txt: Permission denied" "126 ./folder: Permission denied"; do
    program=${row#* }
    "$mpiexec" -n 2 "${program%%: *}" >out 2>err </dev/null
    status=$?
    [ "$status" -eq "${row%% *}" ] || fail "status $status, expected ${row%% *}: ${program%%: *}: $(head -c 600 err)"
    [ -s out ] && fail "standard output: $(head -c 600 out)"
    [ "$(cat err)" = "nereus-mpiexec: the program cannot be started: $program" ] || fail "not our sentence: $(head -c 900 err)"
done
finish
