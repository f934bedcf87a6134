# nereus validate from runs that were kept: nothing is run, no MPI is needed, and each report has
# the same figures.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
accepted "$NEREUS" profile fit "$data/samples.csv" --output small.json
echo 'node0:4' >nodes

# Two of three methods have runs: 1 -> 3 on four cores, and of another size, that is passed over.
# The last line is cut off.
header=cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,statistic,n,kind,pair,oversubscribed,old_processes,new_processes,time_s
run() { echo "small,4,$1,$2,$3,0.004,0.002,30008,$4,,,single,1,reconfiguration,,0,0,0,"; }
{
    echo $header
    for rt in 0.20 0.25 0.30; do run 1 3 merge/coll $rt; run 1 3 baseline/coll 0.4; done
    echo 'small,4,1,3,merge/coll,,,0,,,,single,1,spawn,,0,1,2,0.15' # of a job that was cut short
    run 1 3 merge/coll 0.35
    run 1 3 baseline/coll 0.4
    run 3 8 merge/coll 0.5
    printf 'small,4,1,3,merge/coll,0.004,0.0'
} >kept.csv
cp kept.csv before.csv
j="$NEREUS validate --profile small.json --held-out --samples $data/samples.csv --hostfile nodes --pairs 1:3 --bytes-variable 30001
    --methods merge/coll,baseline/coll --repeats 4 --results kept.csv"
accepted $j --report judgement --format csv
cp out judgement.csv
holds '^within,RT,all,2,8,' judgement.csv
holds '^within,step,spawn,1,1,' judgement.csv
holds '^(within|all),RT,merge/coll,1,4,' judgement.csv
{ head -n -1 before.csv; echo "# cut off: $(tail -n 1 before.csv)"; } >expected.csv
cmp -s expected.csv kept.csv || fail "what is kept has changed by more than the line that was cut off"

# The floor's errors of merge: the medians of the others are 0.30, 0.30, 0.25, 0.25; relative 0.5,
# 0.2, 1/6, 2/7.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["quantity"] == "RT" && $c["name"] == "merge/coll" { n++; if (($c["floor_error_median"] - (0.2 + 2 / 7) / 2) ^ 2 > 1e-12) print "floor: " $0 }
    END { if (n != 1) print n " rows of merge" }' judgement.csv >report
[ -s report ] && fail "$(cat report)"

# Regrets: merge takes 0.275 s, baseline 0.4 s; whatever is chosen, always merge has none.
accepted $j --report regrets --format csv
holds '^within,system,always merge,1,1,0,0$' out
holds '^within,system,noise floor,1,,0,0$' out
accepted $j --report choices --format csv
holds '^within,system,1,3,[0-9]+,2,merge/coll,merge/coll,0,0,0$' out
accepted $j --format json
holds '"held_out": true' out
holds '"floor_error_median": 0.24285' out
accepted $j
holds '8 of the runs are from kept.csv' out
holds '^within +RT +merge/coll +1 +4 ' out
holds '^within +system +noise floor ' out
# A budget that ends says what was not reached; here nothing is left to run, and both have runs.
grep -q 'not reached\|could not be measured' out && fail "nothing was left to run: $(cat out)"
# What cannot be started is refused before anything is: in words, and without a table.
failed '^nereus validate: --pairs 1:100000: a job of 100000: on [0-9]+ cores at most [0-9]+ processes \(64 a core\) are started unless more slots are declared: ask for fewer' \
    env -u NEREUS_SLOTS "$NEREUS" validate --profile small.json --pairs 1:100000 --methods merge/coll --repeats 1
finish
