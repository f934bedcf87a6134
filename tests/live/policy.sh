#!/bin/bash
# policy.sh NEREUS MPIEXEC RESIZE: a running job under a policy: it follows a file; it takes what
# reaches a goal; classes are found on their nodes; each decision is logged; a policy file that is
# wrong is refused at the start. Sizes decide, not times.
set -u
nereus=$1 mpiexec=$2 resize=$3
# In builds with sanitizers: the library that counts MPI calls comes before theirs.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}verify_asan_link_order=0"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}
printf '[policy]\ninterval = 2\nlog = %s\n%s\n[costs]\nspawn = 10ms\n[class here]\ncores_per_node = 3\n' "$work/log" \
    "policy = follow
follow = $work/asked" >"$work/follow.ini"
sed '/^\[costs\]/,/^spawn/d' "$work/follow.ini" >"$work/priceless.ini"
sed 's/^policy = .*/policy = flex-efficiency/; s/^follow = .*/finish = 1ms/' "$work/follow.ini" >"$work/late.ini"
sed 's/^policy = .*/policy = flex-efficiency/; s/^follow = .*/finish = 1000h/' "$work/follow.ini" >"$work/early.ini"
echo localhost:4 >"$work/hosts"
printf 'localhost/%s\n' a:1 b:2 c:1 >"$work/nodes"
hosts=hosts

# run POLICY PROCESSES WORDS...
run() {
    local policy=$1 processes=$2
    shift 2
    rm -f "$work/log"
    env NEREUS_POLICY="$work/$policy.ini" NEREUS_HOSTFILE="$work/$hosts" NEREUS_STATE="$work/state.json" timeout -k 3 60 "$mpiexec" -n "$processes" "$resize" last=4 \
        method=merge/coll "$@" >"$work/said" 2>&1
}
# explained REGEX: what was decided can be read
explained() {
    "$nereus" policy explain "$work/log" --all >"$work/explained" 2>&1 || fail "policy explain: $(cat "$work/explained")"
    grep -q "$1" "$work/explained" || fail "no '$1': $(head -c 600 "$work/explained")"
}

echo 3 >"$work/asked"
run follow 2 until=1 expect=3 outcome=resized || fail "follow: $(cat "$work/said")"
explained 'here:2 becomes here:3'
NEREUS_PROFILE=/nowhere/profile.json run priceless 2 until=1 expect=3 outcome=resized || fail "follow without costs: $(cat "$work/said")"
grep -q 'is not asked any more' "$work/said" && fail "follow needs costs: $(cat "$work/said")"
echo 1 >"$work/asked"
run follow 2 until=1 expect=1 outcome=resized || fail "follow: $(cat "$work/said")"
echo 4 >"$work/asked"
run follow 2 last=6 expect=2 || fail "follow: $(cat "$work/said")"
explained 'refused: 4 processes are asked for, and there is room for 3'

# The program's own function, and a file that options.policy names, before NEREUS_POLICY; also by a
# new rank 0.
sed 's/^policy = .*/policy = user/; s/^follow = .*//' "$work/follow.ini" >"$work/user.ini"
for method in merge baseline; do
    run follow 2 policy="$work/user.ini" wants=3 until=1 last=100 expect=3 outcome=resized method=$method/coll || fail "user: $(cat "$work/said")"
    explained 'the program wants 3 after [1-9]'
    explained 'here:2 becomes here:3'
    [ "$(wc -l <"$work/log")" -gt 1 ] || fail "a new rank 0 does not ask: $(cat "$work/said")"
done
run user 2 wants=4 last=6 expect=2 || fail "user: $(cat "$work/said")"
explained 'refused: the layout does not hold'
run user 1 && fail "the policy user without a function"
grep -q 'the policy user asks a function of the program, and options.decide is none' "$work/said" || fail "said: $(cat "$work/said")"

# Late by all means: it takes all that there are; 100,000 iterations of 10 ms leave no doubt that this pays.
run late 2 until=1 expect=3 outcome=resized pause=0.01 iterations=100000 || fail "late: $(cat "$work/said")"
explained 'ends soonest, though late'
# Early by all means: one process would be enough, but takes as many core-seconds, and the change on top.
run early 2 last=6 expect=2 iterations=100000 || fail "early: $(cat "$work/said")"
explained 'what fewer processes save does not pay for the change'

# A recorded shape: the second half has nine times the work of the first, so that 90 iterations of
# at least 10 ms are not the 0.9 s that they seem to be: 40 of them and 50 x 9.
{ cat "$work/early.ini"; printf '[shape]\nwork = 1 9\n'; } | sed 's/^interval = .*/interval = 10/' >"$work/shape.ini"
run shape 2 last=14 expect=2 pause=0.01 iterations=100 || fail "shape: $(cat "$work/said")"
python3 -c 'import json, sys; sys.exit(not json.loads(open(sys.argv[1]).readline())["stay_end_s"] >= 4.9)' "$work/log" ||
    fail "shape: $(cut -c 1-300 "$work/log")"

# Without a number of iterations no goal can be kept: said once, and the job goes on as it is.
run late 2 last=9 expect=2 || fail "unknown: $(cat "$work/said")"
[ "$(grep -c 'is not asked any more: the job does not say how many iterations it has' "$work/said")" -eq 1 ] || fail "said: $(cat "$work/said")"

# Classes by their nodes: no class takes the nodes of another one.
sed '/^\[class/,$d' "$work/follow.ini" >"$work/classes.ini"
printf '[class %s]\nhosts = localhost/%s\ncores_per_node = 2\n' base a cheap b fast c >>"$work/classes.ini"
echo base:1,cheap:1,fast:1 >"$work/asked"
hosts=nodes
run classes 1 until=1 expect=3 outcome=resized || fail "classes: $(cat "$work/said")"
explained 'base:1 becomes base:1,cheap:1,fast:1'
python3 - "$work/state.json" <<'PY' || fail "nodes: $(cat "$work/state.json")"
import json, sys
state, held = json.load(open(sys.argv[1])), [0, 0, 0]
for segment in state["segments"]:
    held[segment["node"]] += segment["count"]
sys.exit(held != [1, 1, 1])
PY
sed -i 's,localhost/c,localhost/d,' "$work/classes.ini"
run classes 1 expect=1 || fail "a class without nodes: $(cat "$work/said")"
grep -q "is not asked any more: the host 'localhost/d' of \[class fast\] is not in the job's machine" "$work/said" || fail "said: $(cat "$work/said")"
hosts=hosts

# Nodes of two speeds, by the files of docs/results/policy.md: the job takes the same classes as the
# modelled run, and each process gets a part of the data in proportion to the power of its node.
# Fast nodes are dear, so that flex-cost takes one only where slow ones do not suffice;
# flex-efficiency takes one fast process rather than two more. Goals are relative to the job's own
# time.
docs=$(dirname -- "$(readlink -f -- "$0")")/../../docs/policy
printf 'localhost/%s\n' s:2 f:1 >"$work/two"
# modelled POLICY SOONER
modelled() {
    sed "s/^policy = .*/policy = $1/; s/^sooner = .*/sooner = $2/; s,^log = .*,log = $work/log," "$docs/speeds.ini" >"$work/speeds.ini"
    rm -f "$work/log"
    "$nereus" policy run "$work/speeds.ini" --application "$docs/line.ini" --log "$work/log" >"$work/said" 2>&1
}
# chosen POLICY SOONER ALLOCATION SHARES WORDS...: live as modelled
chosen() {
    modelled "$1" "$2" || fail "modelled: $(cat "$work/said")"
    explained "slow:1 becomes $3\$"
    sed -i 's/^interval = .*/interval = 4/' "$work/speeds.ini"
    run speeds 1 until=1 outcome=resized method=open data=line iterations=100000 pause=0.005 speeds=localhost/f:3 "${@:5}" ||
        fail "$1 $2: $(cat "$work/said")"
    explained "slow:1 becomes $3\$"
    [ "$(sed -n 's/^where: rank .* of [23], node \(.*\): \(.*\) % of the elements$/\1=\2/p' "$work/said" | sort | xargs)" = "$4" ] ||
        fail "$1 $2: parts: $(cat "$work/said")"
}
if ! modelled flex-cost 30 && grep -q 'built without GLPK' "$work/said"; then
    echo "left out, as this build has no GLPK: a choice among classes of nodes"
else
    hosts=two
    chosen flex-cost 30 slow:2 "localhost/s=50 localhost/s=50"
    chosen flex-cost 70 slow:2,fast:1 "localhost/f=60 localhost/s=20 localhost/s=20"
    # The first process states a power in another unit: that of the new one is in this unit, too.
    chosen flex-efficiency 70 slow:1,fast:1 "localhost/f=75 localhost/s=25" power=70
    hosts=hosts
fi

printf '[class here]\npower = 0\n' >"$work/wrong.ini"
run wrong 1 && fail "a wrong policy file is taken"
grep -q 'wrong.ini:2: power in \[class here\]' "$work/said" || fail "said: $(cat "$work/said")"
printf '[class a]\n[class b]\n' >"$work/two.ini"
run two 1 && fail "two classes are taken"
grep -q 'a running job finds the nodes of 2 classes by the key hosts' "$work/said" || fail "said: $(cat "$work/said")"
