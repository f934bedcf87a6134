# Sourced by the tests that run in a Slurm of their own. Each has a function `inside`, which runs on
# the front, in an empty folder that is removed, with the arguments of the script; here is what they
# share. Nothing waits for a time: each wait ends with a state, or with the test's limit.

fail() {
    echo "$(basename "$0"): FAILED: $*: $(head -c 1500 said 2>/dev/null)"
    squeue -a 2>/dev/null
    scontrol -o show job 2>/dev/null
    tail -n 5 ./*.out 2>/dev/null
    tail -n 30 "${SLURM_CONF%/*}"/slurm*.log 2>/dev/null
    exit 1
}

idle_are() { # N: nodes
    until [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" -eq "$1" ]; do sleep 0.2; done
}

# Until the job answers; what it says is in `said`.
answers() { # JOB
    until "$nereus" job status "$1" >said 2>&1 && ! grep -q 'under way' said; do
        [ -n "$(squeue -h)" ] || fail "the job has ended"
        sleep 0.2
    done
}

# Until it has ended well: it answers no more, and Slurm has no job.
ends() { # JOB
    until [ -z "$(squeue -h)" ]; do sleep 0.2; done
    ! "$nereus" job status "$1" >said 2>&1 || fail "it answers after its end"
    [ -z "$(ls -A nereus)" ] || fail "left: $(ls -A nereus)"
}

# slurm_case HOSTS ARGUMENT...: `inside ARGUMENT...` on the front of a Slurm of so many hosts; 77
# where there is none.
slurm_case() {
    local hosts=$1 folder status
    shift
    if [ "${NEREUS_IN_SLURM-}" = 1 ]; then
        inside "$@"
        exit 0
    fi
    folder=$(mktemp -d) || exit 1
    export XDG_RUNTIME_DIR=$folder NEREUS_IN_SLURM=1
    (cd "$folder" && "$here/hosts" with "$hosts" "$here/slurm" "$here/$(basename "$0")" "$@" </dev/null)
    status=$?
    rm -rf "$folder"
    exit "$status"
}
