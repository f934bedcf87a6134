#!/bin/bash
# auto.sh NEREUS MPIEXEC RESIZE: a request that names no method is answered by the model, where
# there is a profile of this machine: which method is cheap in synthetic samples is taken, the trace
# says why, and what it cost becomes a sample.
set -u
nereus=$1 mpiexec=$2 resize=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

# As many cores as the samples have, whatever this machine has.
echo "localhost:8" >"$work/hosts"

# profile NAME MERGE BASELINE SINGLE [ASYNC]: a machine on which these take so many seconds from 2
# to 4 processes; ASYNC: merge-async, which overlaps with iterations of 1 ms
profile() {
    {
        echo "cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,statistic,n"
        for size in 1,2 2,4 2,3 3,4 1,4; do
            echo "synthetic,8,$size,merge,,,0,$2,,,median,5"
            echo "synthetic,8,$size,baseline,,,0,$3,,,median,5"
            echo "synthetic,8,$size,merge-single,,,0,$4,,,median,5"
            [ $# -lt 5 ] || echo "synthetic,8,$size,merge-async,0.001,0.0005,0,$5,$5,$(awk "BEGIN { print 1000 * $5 }"),median,5"
        done
    } >"$work/$1.csv"
    "$nereus" profile fit "$work/$1.csv" --output "$work/$1.json" >/dev/null 2>"$work/$1.said" || fail "fit: $(cat "$work/$1.said")"
}

# run PROFILE METHOD...: from 2 to 4 processes with this profile
run() {
    local profile=$1
    shift
    rm -f "$work/trace"
    env NEREUS_PROFILE="$profile" NEREUS_TRACE="$work/trace" NEREUS_HOSTFILE="$work/hosts" "$@" "$mpiexec" -n 2 "$resize" last=8 method=open \
        schedule=4@3 expect=4 outcome=resized >"$work/said" 2>&1 || fail "the job: $(cat "$work/said")"
}
# chosen METHOD BY REASON: what the trace says of the choice, and that this method was carried out
chosen() {
    grep -q "\"event\":\"choice\",.*\"nt\":4,\"method\":\"$1\",\"by\":\"$2\",\"reason\":\"[^\"]*$3" "$work/trace" ||
        fail "$1 by $2 ($3) was expected: $(grep choice "$work/trace"; cat "$work/said")"
    grep -q "\"event\":\"reconfiguration\",.*\"method\":\"$1\",\"outcome\":\"resized\"" "$work/trace" ||
        fail "$1 was not carried out: $(grep reconfiguration "$work/trace")"
}

profile baseline 0.9 0.1 0.5
profile single 0.9 0.5 0.1
profile merge 0.1 0.9 0.5
for cheap in baseline single merge; do
    run "$work/$cheap.json"
    case $cheap in single) method=merge-single/coll ;; *) method=$cheap/coll ;; esac
    chosen "$method" model "$cheap.json"
    grep -q '"predicted_rt_s":0.1' "$work/trace" || fail "the prediction is missing: $(grep choice "$work/trace")"
done

# An overlap of more iterations than the 3 that the job has had, of 1 ms or, beside other work, much
# more; it does not say how many are left: the overlap might come too late.
profile async 500 900 900 100
run "$work/async.json"
chosen merge/coll model async.json

# Measured iterations decide, too: the trace has their time, and the law for the other size.
grep -q '"t_iter_ns_s":[0-9.e-]*,"t_iter_nt_s":[0-9.e-]*,"scaling":"strong"' "$work/trace" ||
    fail "no iteration time: $(grep choice "$work/trace")"

# By energy: zombies keep the second node, which the slower respawn gives back. What an idle node
# draws decides.
printf 'localhost/a:2\nlocalhost/b:2\n' >"$work/two"
{
    echo "cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,statistic,n"
    for method in merge,0.1 baseline,0.5; do
        for size in 4,2 2,1 3,2 4,3 4,1; do
            echo "synthetic,2,$size,${method%,*},,,0,${method#*,},,,median,5"
        done
    done
} >"$work/shrink.csv"
"$nereus" profile fit "$work/shrink.csv" --output "$work/shrink.json" >/dev/null 2>"$work/said" || fail "fit: $(cat "$work/said")"
shrinks() {
    local method=$1
    shift
    rm -f "$work/trace"
    env NEREUS_PROFILE="$work/shrink.json" NEREUS_TRACE="$work/trace" NEREUS_HOSTFILE="$work/two" "$@" "$mpiexec" -n 4 "$resize" last=8 \
        pause=0.001 iterations=100000 method=open schedule=2@3 expect=2 outcome=resized >"$work/said" 2>&1 || fail "$*: $(cat "$work/said")"
    grep -q "\"event\":\"choice\",.*\"nt\":2,\"method\":\"$method\",\"by\":\"model\"" "$work/trace" ||
        fail "$*: $method was expected: $(grep choice "$work/trace"; cat "$work/said")"
}
shrinks merge/coll NEREUS_NODE_POWER=400
grep '"event":"choice",.*"goal":"application",' "$work/trace" | grep -qv predicted_energy_j || fail "the goal: $(grep choice "$work/trace")"
shrinks merge/coll NEREUS_GOAL=energy NEREUS_NODE_POWER=400
grep -q '"event":"choice",.*"goal":"energy",.*"predicted_energy_j":[1-9]' "$work/trace" || fail "the energy: $(grep choice "$work/trace")"
shrinks baseline/coll NEREUS_GOAL=energy NEREUS_NODE_POWER=400 NEREUS_IDLE_POWER=300
# refused SENTENCE SETTING...: the job does not start
refused() {
    local sentence=$1
    shift
    env "$@" "$mpiexec" -n 1 "$resize" last=2 >"$work/said" 2>&1 && fail "$*: it runs"
    grep -q "$sentence" "$work/said" || fail "$*: $(cat "$work/said")"
}
refused "the goal energy needs NEREUS_NODE_POWER (options.node_power_w), the watts of a node that computes, above 0" NEREUS_GOAL=energy
refused "NEREUS_RESIZE_POWER must be a number of at least 0, not '0.4kW'" NEREUS_GOAL=energy NEREUS_NODE_POWER=400 NEREUS_RESIZE_POWER=0.4kW
refused "NEREUS_GOAL is 'power' and must be application, system, node-hours or energy" NEREUS_GOAL=power

# Who becomes rank 0 when the one before has left goes on with the iteration times that this has measured.
grep -Ev ',(baseline|merge-single),' "$work/merge.csv" >"$work/stays.csv" # by baseline nobody would stay
"$nereus" profile fit "$work/stays.csv" --output "$work/stays.json" >/dev/null 2>"$work/said" || fail "fit: $(cat "$work/said")"
rm -f "$work/trace"
env NEREUS_PROFILE="$work/stays.json" NEREUS_TRACE="$work/trace" NEREUS_HOSTFILE="$work/two" "$mpiexec" -n 2 "$resize" last=210 pause=0.001 \
    method=open schedule=4@3:merge-multiple/coll,4@200 release=localhost/a@6 expect=4 outcome=resized >"$work/said" 2>&1 ||
    fail "rank 0 leaves: $(cat "$work/said")"
grep '"event":"choice",.*"nt":4,' "$work/trace" | grep -q '"scaling":"measured"' || fail "forgotten: $(grep choice "$work/trace")"

# Without a profile, or with one that cannot be read: the rule, and why.
run "" XDG_CONFIG_HOME="$work/none"
chosen merge-launch/coll rule "no profile of this machine"
echo '{' >"$work/broken.json"
run "$work/broken.json"
chosen merge-launch/coll rule "broken.json"
grep -q 'nereus: methods are not chosen by the model: .*broken.json' "$work/said" || fail "nothing was said: $(cat "$work/said")"

# What it cost is a sample, which nereus profile fit takes; a second job appends its row.
run "$work/merge.json" NEREUS_LEARN="$work/learnt.csv"
run "$work/baseline.json" NEREUS_LEARN="$work/learnt.csv"
[ "$(grep -c ',merge/coll,' "$work/learnt.csv") $(grep -c ',baseline/coll,' "$work/learnt.csv") $(wc -l <"$work/learnt.csv")" = "1 1 3" ] ||
    fail "learnt: $(cat "$work/learnt.csv")"
"$nereus" profile fit "$work/learnt.csv" --output "$work/learnt.json" >/dev/null 2>"$work/said" || fail "fit of what was learnt: $(cat "$work/said")"

# Below the header line of a calibration of one core per process; a file with other columns is left
# as it is.
{ echo; head -n 1 "$work/learnt.csv" | sed 's/,cores_per_process$//'; } >"$work/shared.csv" # a blank line is none
sed 1d "$work/learnt.csv" | sed 's/,1$//' >>"$work/shared.csv"
run "$work/merge.json" NEREUS_LEARN="$work/shared.csv"
[ "$(wc -l <"$work/shared.csv")" -eq 5 ] || fail "shared: $(cat "$work/said" "$work/shared.csv")"
"$nereus" profile fit "$work/shared.csv" --output "$work/learnt.json" >/dev/null 2>"$work/said" || fail "fit of what was learnt: $(cat "$work/said")"
run "$work/merge.json" NEREUS_LEARN="$work/shared.csv" NEREUS_CORES_PER_PROCESS=2
grep -q "nothing can be learnt in '.*shared.csv': its header line has no column cores_per_process" "$work/said" || fail "two cores: $(cat "$work/said")"
cp "$work/merge.csv" "$work/other.csv"
run "$work/merge.json" NEREUS_LEARN="$work/other.csv"
cmp "$work/merge.csv" "$work/other.csv" || fail "other columns: $(cat "$work/other.csv")"
grep -q "nothing can be learnt in '.*other.csv': its header line is another one than that of samples" "$work/said" || fail "other columns: $(cat "$work/said")"
