# nereus slurm workload --latencies, with a Slurm of three scripts that runs one job at a time: each
# starts 0.4 s after its nodes are free, and takes 0.4 s or more beyond its work of 1 to 1.9 s. Then
# what is printed goes into a simulation. Takes 70 s, in which it sleeps.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
mkdir bin
cat >bin/sbatch <<'FAKE'
#!/bin/sh
echo "$3" >>scripts
id=$(($(wc -l <scripts) + 100))
echo "$id" >>submitted
echo "$id"
FAKE
# The cluster: the commands' children would end with them.
run_jobs() {
    local done=0
    while [ ! -e ended ]; do
        if [ "$(wc -l <scripts)" -gt "$done" ]; then
            done=$((done + 1))
            sleep 0.4
            sed -n "${done}p" scripts | xargs sed 's/^.*nereus. run /sleep 2.3 \&\& : /' | sh
        else
            sleep 0.02
        fi
    done
}
printf '#!/bin/bash\nsed "s/.*/${!#%%%%|*}|&|&|RUNNING|1|2|host0|None|/" submitted\n' >bin/squeue
printf '#!/bin/sh\n:\n' >bin/scancel
chmod +x bin/*
: >submitted
: >scripts
export PATH=$PWD/bin:$PATH
run_jobs </dev/null >/dev/null 2>&1 &
accepted "$NEREUS" slurm workload --latencies --nodes 4 --output there --format csv
# No upper limit but the next job: a loaded machine may be slow.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { least = $1 == "job" ? 0.3 : 0.4; if (!($at["least_s"] >= least && $at["mean_s"] < 2 && $at["most_s"] >= $at["mean_s"])) exit 1; jobs = jobs $1 $at["jobs"] " " }
    END { if (jobs != "submit5 next8 job13 ") exit 1 }' out || fail "latencies: $(cat out)"
touch ended
wait
finish
