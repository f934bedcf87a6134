# docs/jobs.md, "Monitoring": its first commands, a job that is monitored and shown.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
# In builds with sanitizers: the library that counts MPI calls comes before theirs.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}verify_asan_link_order=0"

awk '/^## / { here = $0 == "## Monitoring" } here && $0 == "```sh" { inside = 1; next } /^```/ { if (inside) exit } inside' \
    "$NEREUS_SOURCE_DIR/docs/jobs.md" >commands
[ "$(wc -l <commands)" -eq 2 ] || fail "not two commands: $(cat commands)"
accepted sh -e commands
holds '^Job [0-9a-f]{16} \(ended\): 2 processes on 1 host, point 200, 0 reconfigurations$' out
holds '^Iteration .* s \([0-9]+ in .* s\), imbalance .* %$' out
holds '^ *allgather ' out
grep -q '"event":"monitor","version":1,' job.jsonl || fail "no first line: $(head -n 1 job.jsonl)"

# Exact counts where the program's are known: Jacobi gathers its unknowns, and sums up a residual of
# two doubles, in each iteration.
"$NEREUS" job top --format json job.jsonl >top.json
python3 - top.json <<'PY' || fail "$(cat top.json)"
import json, sys
job = json.load(open(sys.argv[1]))
calls = {m["kind"]: m for m in job["mpi"]}
n = 2 * job["iterations"]
assert calls["allgather"]["calls"] == n and calls["allgather"]["bytes"] == n * 2400, calls
PY

# NEREUS_CHECK finds its mistakes at the same time: both libraries see the calls.
NEREUS_CHECK=1 NEREUS_MONITOR=check.jsonl accepted nereus-mpiexec -n 2 nereus-jacobi --unknowns 50 --iterations 9 --tolerance 0
accepted "$NEREUS" job top --once check.jsonl
holds '^ *allgather ' out
finish
