# docs/policies.md: the commands of "In a running job"; the same with the synthetic application.
# docs/tour.md: a job that is asked.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
# In builds with sanitizers: the library that counts MPI calls comes before theirs.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}verify_asan_link_order=0"
ln -s "$NEREUS_SOURCE_DIR/docs" docs

awk '$0 == "```sh" { inside = 1; next } /^```/ { if (inside) exit } inside' "$NEREUS_SOURCE_DIR/docs/policies.md" >commands
[ "$(wc -l <commands)" -eq 2 ] || fail "not two commands: $(cat commands)"
accepted sh -e commands
holds '^200 iterations, ' out
holds '^[0-9]+ decisions, ' out

# Late by all means: it grows to all that there is; long iterations leave no doubt that it pays.
cat >app.ini <<'INI'
[stage0]
type = pi
time_s = 0.002
[group0]
processes = 1
iterations = 40
INI
sed 's/^sooner = .*/finish = 1ms/; s/^interval = .*/interval = 10/; s/^spawn = .*/spawn = 1us/; s/^remove.*//; s/^latency.*/latency = 0.001us/; s/^byte.*//' \
    docs/policy/here.ini >late.ini
accepted "$NEREUS" run --policy late.ini --monitor job.jsonl app.ini --limit 60s
accepted "$NEREUS" policy explain policy.jsonl
holds 'core:1 becomes core:2' out
grep -q '"event":"reconfiguration".*"nt":2,.*"resized"' job.jsonl || fail "no change: $(grep reconfiguration job.jsonl)"

# The job and the questions of docs/tour.md. Nobody waits for the job's end.
awk '/^## / { inside = /another size$/ } inside && /^```/ { shell = ($0 == "```sh") && !blocks++; next } inside && shell' \
    "$NEREUS_SOURCE_DIR/docs/tour.md" >asks
[ "$(wc -l <asks)" -eq 5 ] || fail "not five commands: $(cat asks)"
mkdir -m 700 runtime
export XDG_RUNTIME_DIR=$PWD/runtime
sed -i '1s/ --iterations 250 / --iterations 100000 /; 1s/ &$/ >job.out 2>\&1 \&/; $a kill -TERM %1; wait' asks
timeout -k 3 60 bash asks >out 2>err
holds '^resized from 2 to 4 processes in ' out
holds '^resized from 4 to 2 processes in ' out
holds '^solver +computing +2 ' out
finish
