# Clusters of unequal nodes: the host file says what cores each has, in a fit and in a prediction.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
nasp=$NEREUS_SOURCE_DIR/tests/unit/data
cp "$nasp/parallel_nasp.csv" "$nasp/nasp.hosts" .

accepted "$NEREUS" profile fit parallel_nasp.csv --hostfile nasp.hosts --output nasp.json
holds '^cluster nasp, 16 unequal nodes with 416 cores: 75 samples, 75 whole reconfigurations$' out
holds '^methods: baseline-diffusive merge merge-ts merge-diffusive$' out
[ -s err ] && fail "a note about samples that say all: $(cat err)"
holds '^ "machines": \[' nasp.json

# The same by a column, relative to the folder of the samples, and by the comment.
mkdir from
sed '1s/$/,hostfile/; 2,$s/$/,nasp.hosts/' parallel_nasp.csv >from/column.csv
(echo '# nereus calibrate: {"cluster": "nasp", "hostfile": "nasp.hosts"}'; cat parallel_nasp.csv) >from/comment.csv
cp nasp.hosts from
for file in from/column.csv from/comment.csv; do
    accepted "$NEREUS" profile fit $file --output other.json
    cmp -s nasp.json other.json || fail "$file gives another profile"
done
accepted "$NEREUS" profile fit from/column.csv --hostfile nasp.hosts --output other.json
holds 'note: --hostfile nasp.hosts is not used: each row says by cores_per_node or hostfile on what nodes it was measured$' err

# Nothing says what the nodes are, or two things do; another host file.
failed "parallel_nasp.csv:2: column 'cores_per_node' is empty: write the cores of a node, or name the host file" \
    "$NEREUS" profile fit parallel_nasp.csv --output x.json
sed '3s/^nasp,,/nasp,20,/' from/column.csv >from/both.csv
failed "both.csv:3: column 'hostfile': 'nasp.hosts' is not needed where cores_per_node says what the nodes are" \
    "$NEREUS" profile fit from/both.csv --output x.json
head -4 nasp.hosts >four.hosts
failed 'parallel_nasp.csv:[0-9]+: 208 processes, and the nodes of the host file have 104 cores: name the host file of these rows' \
    "$NEREUS" profile fit parallel_nasp.csv --hostfile four.hosts --output x.json
failed "no.hosts" "$NEREUS" profile fit parallel_nasp.csv --hostfile no.hosts --output x.json
sed '3s/per-node/per-core/' parallel_nasp.csv >state.csv
failed "state.csv:3: column 'state': 'per-core' is not initial or per-node" \
    "$NEREUS" profile fit state.csv --hostfile nasp.hosts --output x.json
misused '--hostfile says what nodes there are: leave --nodes out' \
    "$NEREUS" profile fit parallel_nasp.csv --hostfile nasp.hosts --nodes 16 --output x.json
[ -e x.json ] && fail "a refused fit wrote a profile"

# A shrink by merge from a world on each node to whole nodes was one by termination.
sed 's/,merge-ts,/,merge,/' parallel_nasp.csv >plain.csv
accepted "$NEREUS" profile fit plain.csv --hostfile nasp.hosts --output other.json
cmp -s nasp.json other.json || fail "the column state says that worlds ended"

# Cases, each with its state: what was measured is looked up, on these nodes only.
printf 'ns,nt,state\n52,104,per-node\n208,104,per-node\n208,104,initial\n' >cases.csv
accepted "$NEREUS" predict --profile nasp.json --hostfile nasp.hosts --cases cases.csv --format csv
holds '^52,104,[^,]*,merge,1.91017,.*,measured,' out
holds '^208,104,[^,]*,merge-ts,0.471426,.*,measured,' out
[ "$(grep -c '^208,104,[^,]*,merge-ts,' out)" -eq 1 ] || fail "ts from one world: $(cat out)"
(sed -n '3,4p' nasp.hosts; sed '3,4d' nasp.hosts) >turned.hosts # the same sizes in the same order
accepted "$NEREUS" predict --profile nasp.json --hostfile turned.hosts --ns 52 --nt 104 --methods merge --format csv
holds '^52,104,[^,]*,merge,1.91017,.*,measured,' out
(sed -n '2p' nasp.hosts; sed '2d' nasp.hosts) >swapped.hosts
accepted "$NEREUS" predict --profile nasp.json --hostfile swapped.hosts --ns 52 --nt 104 --methods merge --format csv
holds '^52,104,[^,]*,merge,.*,modelled,' out
sed 's/:.*/:64/' nasp.hosts >wide.hosts
accepted "$NEREUS" predict --profile nasp.json --hostfile wide.hosts --ns 52 --nt 104 --methods merge --format csv
holds '^52,104,[^,]*,merge,.*,extrapolated,.*measured on nodes of 32 cores, not 64' out
accepted "$NEREUS" predict --profile nasp.json --cores-per-node 32 --ns 64 --nt 128 --methods merge-diffusive --format csv
holds '^64,128,[^,]*,merge-diffusive,.*,modelled,' out

# Without a host file: which nodes has the job?
for command in 'predict --ns 52 --nt 104' 'plan --ns 52 --nt 104 --method merge' 'map --ns 20:104 --nt 20:104'; do
    failed "the profile of 'nasp' is of unequal nodes \(16 nodes of 20 to 32 cores\), and nothing says which of them the job has: name them in a host file \(--hostfile\)" \
        "$NEREUS" $command --profile nasp.json
done

# Data by computing power: priced at the bounds of these powers, and no longer as equal blocks.
ask() { accepted "$NEREUS" predict --profile nasp.json --hostfile nasp.hosts --ns 52 --nt 104 --bytes-constant 64GB --format csv "$@"; }
rt() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["rt_s"] }' out; }
ask --methods merge/coll-weighted
holds 'weighted priced as equal blocks' out
blocks=$(rt)
ask --methods merge/coll-weighted --powers 7
grep -q 'weighted priced' out && fail "powers were given: $(cat out)"
[ "$(rt)" = "$blocks" ] || fail "equal powers are equal blocks: $blocks, not $(rt)"
ask --methods merge/coll-weighted --powers '20*1,32*1.6' # the nodes of 32 cores are faster, too
awk -v a="$(rt)" -v b="$blocks" 'BEGIN { exit !(a > 1.01 * b) }' || fail "larger parts take longer: $blocks, $(rt)"
ask --methods merge/coll --powers '20*1,32*1.6'
[ "$(rt)" = "$blocks" ] || fail "blocks have no powers: $blocks, not $(rt)"
for list in 0 1,,2 '0*1' 1x '2*' '70000*1' 1,-2; do
    failed "--powers: '.*' is no power above 0, and no COUNT\*POWER of at most 65536 ranks in all: write a list as 20\*1,32\*1.4" \
        "$NEREUS" predict --profile nasp.json --hostfile nasp.hosts --ns 52 --nt 104 --powers "$list"
done

# Fields of a grid: priced by their boxes, which on many processes move nearly all.
ask --methods merge/coll --grid 600x600x600
awk -v a="$(rt)" -v b="$blocks" 'BEGIN { exit !(a != b) }' || fail "boxes are no blocks: $blocks, $(rt)"
for grid in 0x5 5x x5 1x1x1x1x1 axb 5x-1 99999999999999999999x2; do
    failed "--grid: '.*' is no grid: write 1 to 4 sizes from 1 on, as 512x512x256" \
        "$NEREUS" predict --profile nasp.json --hostfile nasp.hosts --ns 52 --nt 104 --grid "$grid"
done

# Profiles with broken lists.
sed 's/^   32,$/   0,/' nasp.json >broken.json
failed 'broken.json: machines\[0\].*has a node whose cores are no whole number from 1 on' \
    "$NEREUS" predict --profile broken.json --hostfile nasp.hosts --ns 52 --nt 104
sed '0,/"machine": 1,/s//"machine": 2,/' nasp.json >broken.json
failed 'broken.json: measured\[0\].machine' "$NEREUS" predict --profile broken.json --hostfile nasp.hosts --ns 52 --nt 104

# The examples of docs/formats.md.
grep -Eo '(profile fit|predict) .*(--hostfile|parallel_nasp).*' "$NEREUS_SOURCE_DIR/docs/formats.md" | grep '^profile fit tests\|^predict --profile build/nasp' |
    sed "s,tests/unit/data,$nasp,g; s,build/,./,g" >commands
[ "$(wc -l <commands)" -eq 2 ] || fail "docs/formats.md: $(cat commands)"
while read -r command; do
    accepted "$NEREUS" $command
done <commands
holds 'merge-ts' out
finish
