# What nereus-sam does without mpiexec and without MPI: --keys, --check, --processes, and what it refuses.
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
examples=$NEREUS_SOURCE_DIR/sam/examples

# refused SENTENCE ARGS...: one line on stderr that holds SENTENCE, nothing on stdout, not status 0
refused() {
    local sentence=$1
    shift
    if nereus-sam "$@" >out 2>err; then complain "status 0: $*"; fi
    [ -s out ] && complain "output of: $*"
    [ "$(wc -l <err)" = 1 ] || complain "not one sentence but: $(cat err)"
    grep -qF -- "$sentence" err || complain "expected '$sentence', got '$(cat err)'"
}

nereus-sam --keys >keys || complain "--keys"
for key in Total_Stages Iters constant_percent Spawn_Strategy; do
    grep -q "\<$key\>" keys || complain "--keys does not know $key"
done
[ "$(nereus-sam --processes "$examples/minimal.ini")" = 2 ] || complain "--processes"
nereus-sam --check "$examples/chain.ini" >checked || complain "--check"
grep -qF "processes: 2 -[merge/coll]-> 4 -[merge/p2p]-> 1 -[baseline/p2p]-> 3" checked || complain "$(cat checked)"
# No MPI: with a netmod that does not exist any MPI_Init would fail.
MPIR_CVAR_CH4_NETMOD=none nereus-sam --check "$examples/minimal.ini" >out || complain "--check needs MPI"

# In words: what an iteration does and how the job changes. A new file says so of itself.
nereus-sam --check "$examples/two-to-four.ini" >words || complain "--check"
while read -r line; do grep -qF -- "$line" words || complain "--check does not say '$line': $(cat words)"; done <<'WORDS'
[stage0] each process computes pi for 20 ms x its group's factor
[stage1] all gather a vector of 78.12 KiB
[group0] 20 iterations on 2 processes, factor 0.5
then a change from 2 to 4 processes by baseline/coll
[group1] 20 iterations on 4 processes, factor 0.28
WORDS
rm -f new.ini
nereus-sam --init new.ini >out || complain "--init"
"$NEREUS" run --check new.ini >words || complain "the new file is refused"
grep -qF 'then a change from 1 to 2 processes by merge/coll' words || complain "new: $(cat words)"
# Every key is in it.
nereus-sam --keys | sed -n 's/^  \([A-Za-z_]*\)\(, also \(.*\)\)\?$/\1 \3/p' | tr -d , >keys
while read -r names; do
    grep -qE "^(# )?($(echo "$names" | sed 's/ *$//; s/ /|/g')) = " new.ini || complain "a new file has no $names"
done <keys
refused "new.ini cannot be written: File exists" --init new.ini
"$NEREUS" run --check --init new.ini 2>err && complain "--check --init"
grep -q '^nereus run: --check and --init are two commands' err || complain "$(cat err)"

printf '[stage0]\ntype = pi\ntime_s = 1\n[group0]\nIterz = 3\n' >app.ini
for option in --check --processes; do
    refused "app.ini:5: unknown key 'Iterz' in [group0]; did you mean 'Iters'?" $option app.ini
    refused "nowhere.ini" $option nowhere.ini
    refused "folder" $option .
done
mkdir -p some && refused "some" --check some
head -c 3000 /dev/zero >zeros.ini && refused "zeros.ini" --check zeros.ini
: >empty.ini && refused "empty.ini" --check empty.ini
# Usage: argp prints its own lines.
nereus-sam >out 2>err && complain "no argument"
grep -q "no configuration given" err || complain "$(cat err)"
nereus-sam --format xml app.ini >out 2>err && complain "--format xml"
grep -q "text or json, not 'xml'" err || complain "$(cat err)"
exit $failed
