# nereus plan: the spawn tree as text, JSON and picture, and plans for a million processes.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="$NEREUS plan --profile $data/profile.json"

# The example of Martín-Álvarez et al. (2025), section 4.2: A = 4 2 8 12 3 3 4 4 6 3, two processes
# on the first node.
printf '%s\n' a:4 b:2 c:8 d:12 e:3 f:3 g:4 h:4 i:6 j:3 >hosts
d="$p --hostfile hosts --ns 2 --nt 49"
accepted $d --method merge-diffusive --output tree.svg # and the totals
[ "$(wc -l <out)" -le 8 ] || fail "beside a picture a summary is printed: $(cat out)"
accepted $d --method merge-diffusive
holds '^Spawn tree: 10 groups in 3 levels' out
holds '^  level 1: 2 groups of 2 processes, started by sources 0 to 1; 2 -> 6' out
holds '^  level 2: 6 groups of 3 to 12 processes, started by sources 0 to 1 and groups 0 to 1; 6 -> 40' out
holds '^    groups 4 to 5: 3 processes each, on e to f' out
holds '^  level 3: 2 groups of 3 to 6 processes, started by sources 0 to 1; 40 -> 49' out
holds '^  \|  \+- group 5: 3 processes on f, level 2, by its rank 1' out
holds '^  \+- group 9: 3 processes on j, level 3, by source 1' out
[ "$(grep -c '+- group' out)" -eq 10 ] || fail 'not every group is in the tree once'
holds '^Connections: 4 rounds' out
holds '^  round 2: 3..4 -> 0..1; group 2 waits' out
holds 'spawn of level 2 x 6' out
holds 'connect in round 1 x 5' out
head -c 200 tree.svg | grep -q '<svg' || fail 'tree.svg is no SVG'
[ "$(wc -c <tree.svg)" -gt 5000 ] || fail 'tree.svg holds no tree'
if has cairo "the tree as PDF and PNG"; then
    for ending in pdf png; do
        accepted $d --method merge-diffusive --output "tree.$ending"
        [ "$(wc -c <"tree.$ending")" -gt 5000 ] || fail "tree.$ending holds no tree"
    done
    head -c 4 tree.pdf | grep -q '%PDF' || fail 'tree.pdf is no PDF'
    head -c 4 tree.png | grep -q PNG || fail 'tree.png is no PNG'
fi
rm -f tree.svg tree.pdf tree.png

# JSON has the same: ten groups, three levels, four rounds, and who starts whom.
accepted $d --method merge-diffusive --format json
[ "$(grep -c '"parent_rank"' out)" -eq 10 ] || fail 'not every group is in the JSON once'
[ "$(grep -c '"started_by"' out)" -eq 3 ] || fail 'not three levels in the JSON'
[ "$(grep -c '"first_from"' out)" -eq 4 ] || fail 'not four rounds in the JSON'
holds '"times": 1' out
tr -d ' \n' <out | grep -q '"processes":3,"first_node":"f","last_node":"f","parent_group":0,"parent_rank":1}' ||
    fail 'group 5 is not as the text has it'

# Other ways to start, each with what is special about it.
accepted $d --method merge-multiple
holds '^  level 1: 47 groups of 1 process, started by source 0; 2 -> 49' out
holds 'spawn of level 1, 47 times' out
accepted $d --method baseline-launch-async
holds 'launch of level 1 \(thread\) x 10|launch of level 1 x 10' out
accepted $p --ns 4 --nt 32 --method merge-hypercube
holds '^Spawn tree: 7 groups in 2 levels' out
accepted $p --ns 12 --nt 8 --method merge-ss
holds '^merge-ss \(carried out as baseline-diffusive(/coll)?\): 12 -> 8' out
accepted $p --ns 12 --nt 8 --method merge-ts --state per-node
holds '^ *[0-9]+  terminate ' out
accepted $p --ns 4 --nt 32 --method merge --format json
tr -d ' \n' <out | grep -q '"tree":null' || fail 'a tree without groups'

# Pictures that cannot be: no file is left.
refused '\.svg, \.pdf, \.png or \.html' $d --method merge-diffusive --output tree.gif
cp "$data/profile.json" p.svg
refused '--output ./p.svg is p.svg, which is read' $NEREUS plan --profile p.svg --hostfile hosts --ns 2 --nt 49 --method merge-diffusive --output ./p.svg
cmp p.svg "$data/profile.json" || fail 'a refused plan changed the profile'
rm p.svg
refused 'nowhere' $d --method merge-diffusive --output nowhere/tree.svg
refused 'equal size \(Martín-Álvarez et al. \(2025\), sections 4.1' $d --method merge-hypercube
refused 'merge-zs.*fewer targets' $d --method merge-zs
only hosts

# --- a million processes on 10,000 nodes of two sizes ---------------------------------------------

awk 'BEGIN { for (i = 0; i < 10000; i++) printf "n%05d:%d\n", i, i % 2 ? 136 : 64 }' >hosts
accepted "$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output six-nodes.json
p="$NEREUS plan --profile six-nodes.json --hostfile hosts --ns 88 --nt 1000000"
[ "$(awk -F: '{ sum += $2 } END { print sum }' hosts)" -eq 1000000 ] || fail 'the hosts have not a million cores'

# In 100 MB of address space beside what the program takes before it begins; each takes 0.1 to 4 s
# where nothing else runs, and what grows with the square of the nodes or the processes does not end
# within the limit.
# Sanitizers reserve terabytes: there the limit is left out. The allocator reserves 64 MB for each thread
# that finds its arena busy, by chance.
export MALLOC_ARENA_MAX=1
small() {
    if ldd "$NEREUS" | grep -qE 'lib(a|t)san'; then
        echo "no limit on memory: built with a sanitizer"
        accepted timeout -k 3 150 "$@"
    else
        (ulimit -v $((base + 102400)) && exec timeout -k 3 60 "$@") >out 2>err || fail "status $?: $*: $(head -c 600 err)"
    fi
}
"$NEREUS" --version >/dev/null
# What the program and its libraries map: the least limit, in steps of 8 MiB, with which it says its version.
base=8192
until (ulimit -v $base && "$NEREUS" --version) >/dev/null 2>&1 || [ $base -gt 1000000 ]; do base=$((base + 8192)); done

small $p --method merge-diffusive/coll --summary
holds '^merge-diffusive/coll: 88 -> 1000000 processes' out
holds '^spawned 999912, woken 0, leaving 0' out
holds '^groups 9999, levels 3, rounds of connections 14' out
holds '^RT [0-9.]+ s \(90 %: ' out
holds '^extrapolated: spawn: measured with 1 to 120 targets, not 1000000' out
[ "$(wc -l <out)" -le 8 ] || fail 'a summary of many lines'
small $p --method merge-diffusive/coll --summary --format json
holds '"groups": 9999' out
holds '"extrapolated": "spawn: measured' out
small $p --method merge-diffusive/coll --output tree.svg
small $p --method merge-diffusive/coll
[ "$(wc -l <out)" -le 110 ] || fail "$(wc -l <out) lines for 9999 groups"
holds '^  level 2: 8864 groups of 64 to 136 processes, started by sources 0 to 87 and groups 0 to 87' out
[ "$(wc -c <tree.svg)" -lt 300000 ] || fail 'the picture of a large tree is large'
small $p --method merge-multiple --summary
holds '^groups 999912, levels 1, rounds of connections 20' out
# A group a process: those of a node are one row, of the JSON too.
small $p --method merge-multiple --format json
[ "$(grep -c '"first_group"' out)" -lt 10010 ] || fail "$(grep -c '"first_group"' out) rows for 10000 nodes"
small $p --method baseline-launch-async/p2p --summary
holds 'prior: launch as spawn' out
refused 'equal size .*\(Martín-Álvarez et al. \(2025\), sections 4.1 and 4.6' $p --method merge-hypercube/coll --summary

# All methods, with a state of a world a node, one process on each node in turn, and as a resize
# that is to be undone.
p="$NEREUS predict --profile $data/profile.json --hostfile hosts --methods all --format csv"
small $p --ns 500000 --nt 1000000
[ "$(wc -l <out)" -gt 20 ] || fail "few methods: $(cat out)"
small $p --ns 1000000 --nt 500000 --state per-node --layout spread
grep -q 'merge-zs' out || fail "no shrink to a layout: $(cat out)"
small $NEREUS predict --profile six-nodes.json --hostfile hosts --ns 88 --nt 1000000 --later-shrink 88
small $NEREUS map --profile six-nodes.json --hostfile hosts --ns 88,1000000 --nt 88,999999,1000000 --format csv
[ "$(wc -l <out)" -eq 7 ] || fail "$(cat out)"
small $NEREUS map --profile six-nodes.json --hostfile hosts --ns 20 --nt 1:1000000:1000 --format csv
[ "$(wc -l <out)" -eq 1001 ] || fail "$(wc -l <out) rows"
small $NEREUS map --profile "$data/profile.json" --nodes 200000 --cores-per-node 4 --ns 4 --nt 700000 \
    --methods merge-diffusive --format csv
grep -q '^4,700000,1,merge-diffusive,' out || fail "$(cat out)"

# Sizes that nobody named: some of a million.
small $NEREUS advise --profile six-nodes.json --hostfile hosts --ns 500000
holds '^best +1000000 ' out
holds '499 of 500 sizes from 2000 to 1000000' out
holds '\-\-nt 2000:1000000:2000 \(too many sizes to try each\)' out
finish
