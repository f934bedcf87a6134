# Sourced by scripts that run a job: its processes carry a mark in their environment,
# NEREUS_TEST_JOB, also those that a proxy started.
# The script itself and its subshells do not count where it sets the mark after it has started.

# Their process ids, without zombies.
job_processes() {
    local file
    for file in $(grep -lzs "^NEREUS_TEST_JOB=$NEREUS_TEST_JOB\$" /proc/[0-9]*/environ); do
        file=${file#/proc/}
        file=${file%/environ}
        case $(sed 's/.*) //' "/proc/$file/stat" 2>/dev/null) in "" | Z*) ;; *) echo "$file" ;; esac
    done
}

# Their stacks, if there is a debugger: of programs that end in one of these names.
job_stacks() {
    local pid name
    for pid in $(job_processes); do
        for name in "$@"; do
            [[ $(readlink "/proc/$pid/exe") == *"/$name" ]] || continue
            echo "-- $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" | head -c 200)"
            gdb -p "$pid" -batch -ex 'thread apply all bt' 2>/dev/null | grep '^#\|^Thread'
        done
    done
}
