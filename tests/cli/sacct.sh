# What Slurm's sacct prints, as a workload: jobs, times from the first submission, and one note of
# what was left out.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

# jobs FILE [OPTION...]: number, submission, start, end, processors of each job, as simulated on a
# cluster where none waits.
jobs() {
    accepted "$NEREUS" simulate "$@" --nodes 4096 --format csv
    awk -F, 'NR > 1 { print $1, $2, $3, $4, $5 }' out | paste -sd' '
}
read_as() { # EXPECTED FILE [OPTION...]
    local expected=$1 found
    shift
    found=$(jobs "$@")
    [ "$found" = "$expected" ] || fail "$1 is read as '$found', not '$expected': $(cat err)"
}

cat >parsable2 <<'LOG'
JobID|JobName|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|AllocCPUS|State
100|a|2026-02-27T23:59:00|2026-02-27T23:59:00|2026-02-28T00:00:00|2026-02-28T00:10:00|00:10:00|1-00:00:00|1|4|COMPLETED
100.batch|batch|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:10:00|00:10:00||1|4|COMPLETED
100.extern|extern|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:10:00|00:10:00||1|4|COMPLETED
101_1|b|2026-02-28T23:59:00|2026-02-28T23:59:30|2026-03-01T00:00:00|2026-03-01T00:00:40|00:00:40|UNLIMITED|1|1|TIMEOUT
101_[2-9%2]|b|2026-02-28T23:59:00|2026-02-28T23:59:30|Unknown|Unknown|00:00:00|UNLIMITED|1|0|PENDING
102|c|2026-02-28T00:00:00|Unknown|2026-02-28T00:00:05|2026-02-28T00:00:06|00:00:01|00:01:00|2|2K|CANCELLED by 1000
103|d|2026-02-28T00:00:00|2026-02-28T00:00:00|None|2026-02-28T00:00:06|00:00:00|00:01:00|2|0|CANCELLED by 1000
104+0|e|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:00:05|Unknown|03:00:00|Partition_Limit|2|2|RUNNING
105|f|2026-02-28T00:00:00|2026-02-28T00:00:00|2026-02-28T00:00:05|2026-03-02T00:00:05|2-00:00:00|Partition_Limit|2|2|NODE_FAIL
105|f|2026-02-28T00:00:00|2026-03-02T00:02:00|2026-03-02T00:02:00|2026-03-02T00:02:10|00:00:10|Partition_Limit|2|2|COMPLETED
LOG
# 24 h and 30 s from the first one to 101_1, in February; 102 has no time from which it was eligible.
expected="100 0 0 600 4 102 60 60 61 2048 105 60 60 172860 2 -1 86430 86430 86470 1 105 172980 172980 172990 2"
read_as "$expected" parsable2
holds '^nereus simulate: note: parsable2: left out: 2 steps of jobs, 2 jobs that had not run, 1 that had not ended$' err
[ "$(grep -c note: err)" -eq 1 ] || fail "other notes: $(cat err)"
# With '|' at the end of each line, in another order, with other capitals and from standard input.
awk -F'|' '{ print $3 "|" tolower($1) "|" $7 "|" $10 "|" $5 "|" $6 "|" $11 "|" $4 "|" }' parsable2 | sed '1s/jobid/jobid/' >parsable
read_as "$expected" parsable
found=$(jobs - <parsable)
[ "$found" = "$expected" ] || fail "from standard input: $found"
# Components of a heterogeneous job, which Slurm starts together: on 3 nodes the second waits.
cat >components <<'LOG'
JobID|JobIDRaw|Submit|ElapsedRaw|NNodes|State
201+0|201|0|60|2|COMPLETED
201+0.batch|201.batch|0|60|2|COMPLETED
201+1|202|0|60|2|COMPLETED
203+0|203|0|0|2|CANCELLED by 1000
204|204|1|60|1|COMPLETED
LOG
accepted "$NEREUS" simulate components --nodes 3 --format csv
[ "$(awk -F, 'NR > 1 { print $1, $3 }' out | paste -sd' ')" = "201 0 201 60 204 1" ] || fail "components: $(cat out)"
holds '^nereus simulate: note: components: 2 components of heterogeneous jobs .JobID 201\+0.: taken as jobs of their own, which need not start together$' err
# Seconds since 1970; runs in seconds, limits in minutes; commas; names, which may have commas, last.
printf 'JobIDRaw,Submit,Start,End,ElapsedRaw,TimelimitRaw,NCPUS,State,JobName\n7,1000000,1000100,1000160,60,5,8,COMPLETED,a, b and c\n8,1000001.5,1000100,1000160,60,5,8,FAILED,\n' >commas.csv
read_as "7 0 0 60 8 8 1.5 1.5 61.5 8" commas.csv
# The limit is the estimate: by 5 minutes job 9 may not be backfilled before job 8, which waits for job 7.
printf 'JobID|Submit|ElapsedRaw|TimelimitRaw|NNodes\n7|0|60|1|3\n8|1|60|5|4\n9|2|50|5|1\n' >limits
accepted "$NEREUS" simulate limits --nodes 4 --format csv
[ "$(awk -F, 'NR > 1 { print $3 }' out | paste -sd' ')" = "0 60 120" ] || fail "limits: $(cat out)"
sed 's/50|5|1/50|0.9|1/' limits >short
accepted "$NEREUS" simulate short --nodes 4 --format csv
[ "$(awk -F, 'NR > 1 { print $3 }' out | paste -sd' ')" = "0 60 2" ] || fail "short limit: $(cat out)"
# Minutes and seconds with a fraction; days and hours.
printf 'JobID|Submit|Elapsed|Timelimit|ReqNodes\n1|2026-01-01T00:00:00|01:02.500|1-01|1K\n' >durations
read_as "1 0 0 62.5 1024" durations
accepted "$NEREUS" convert durations --to csv --output durations.csv --nodes 1024
holds '^1,0,62.5,1024,90000' durations.csv

# A run time below 0, as where a node's clock was set back: the job is left out, whatever else the
# line says; without another job there is no workload.
{
    printf 'JobID|Submit|Start|End|Elapsed|ElapsedRaw|NCPUS\n'
    printf '%d|0|0|60|00:01:00|-3600|4\n' 1 2 3 4 5 6 7
} >below
"$NEREUS" simulate below --nodes 4 >out 2>err && fail "a log without a job that can run: $(cat out)"
holds "^nereus simulate: the workload has no job that can run on 4 nodes" err
printf '8|0|0|60|00:01:00|60|4\n' >>below
read_as "8 0 0 60 4" below
holds "^nereus simulate: note: below:2: submit time, run time or processors unknown .-1., or below 0: the job is left out$" err
holds "^nereus simulate: note: below: 2 more lines: submit time, run time or processors unknown" err

refused_log() { # SENTENCE LINE...
    local sentence=$1
    shift
    printf '%s\n' "$@" >wrong
    failed "$sentence" "$NEREUS" simulate wrong --nodes 4
}
refused_log "wrong:1: this log of sacct has no column Submit: print it with --format=JobID,Submit," 'JobID|Elapsed|NCPUS' '1|00:10:00|4'
refused_log "wrong:1: this log of sacct has no column Elapsed" 'JobID|Submit|NCPUS' '1|2026-01-01T00:00:00|4'
refused_log "wrong:1: this log of sacct has no column AllocCPUS or NNodes" 'JobID|Submit|Elapsed' '1|2026-01-01T00:00:00|00:10:00'
refused_log "wrong:2: Submit must be a time as 2026-01-31T23:59:00, or seconds since 1970 .*, not '01/02-03:04'" 'JobID|Submit|Elapsed|NCPUS' '1|01/02-03:04|00:10:00|4'
refused_log "wrong:2: Elapsed must be .*hours:minutes:seconds, not 'ten'" 'JobID|Submit|Elapsed|NCPUS' '1|2026-01-01T00:00:00|ten|4'
refused_log "wrong:2: NCPUS must be a number of at least 0, not '4x'" 'JobID|Submit|Elapsed|NCPUS' '1|2026-01-01T00:00:00|00:01:00|4x'
refused_log "wrong:2: 3 values where the header line has 4 columns" 'JobID|Submit|Elapsed|NCPUS' '1|2026-01-01T00:00:00|00:01:00'
refused_log "wrong:2: ElapsedRaw must be a number of at least 0, not '-3600x'" 'JobID|Submit|ElapsedRaw|NCPUS' '1|0|-3600x|4'
refused_log "wrong:2: Submit must be .* or seconds since 1970 .*, not '-60'" 'JobID|Submit|ElapsedRaw|NCPUS' '1|-60|3600|4'
refused_log "wrong: no job is in this workload: it must have a line for each, as sacct prints it, in CSV or" 'JobID|Submit|Elapsed|NCPUS'
finish
