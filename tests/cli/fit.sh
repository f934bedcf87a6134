# nereus profile fit: samples in, profile out; a refused one leaves nothing behind.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
cp "$data/samples.csv" samples.csv

accepted "$NEREUS" profile fit samples.csv --output p.json
holds '^cluster small, 4 cores per node: 16 samples' out
holds '^methods:.* baseline( |$)' out
holds '^methods:.* merge( |$)' out
only p.json samples.csv
holds '"version": 1,' p.json
accepted "$NEREUS" predict --profile p.json --ns 3 --nt 7

# The same from two files, in any order of the lines: one profile.
(head -1 samples.csv; tail -8 samples.csv) >two.csv
head -9 samples.csv >one.csv
accepted "$NEREUS" profile fit two.csv one.csv -o q.json
accepted "$NEREUS" predict --profile p.json --ns 3 --nt 7 --format csv
cp out expected
accepted "$NEREUS" predict --profile q.json --ns 3 --nt 7 --format csv
same expected out 1e-3
rm one.csv two.csv q.json expected

# Two clusters are refused, unless one is named.
sed 's/^small/large/; s/,4,/,8,/' samples.csv >large.csv
refused '2 clusters.*--cluster' "$NEREUS" profile fit samples.csv large.csv --output x.json
refused "'huge'|huge" "$NEREUS" profile fit samples.csv large.csv --output x.json --cluster huge
accepted "$NEREUS" profile fit samples.csv large.csv --output l.json --cluster large
holds '^cluster large, 8 cores' out
rm l.json large.csv

# Broken samples: file, line and what is wrong. An old profile survives untouched.
cp p.json before.json
sed '5s/0.281/fast/' samples.csv >broken.csv
refused 'broken.csv:5:.*rt_s.*fast' "$NEREUS" profile fit broken.csv --output p.json
sed '4s/merge/merg/' samples.csv >broken.csv
refused "broken.csv:4:.*merg.*did you mean" "$NEREUS" profile fit broken.csv --output p.json
sed '3s/,1,4,/,0,4,/' samples.csv >broken.csv
refused 'broken.csv:3:.*ns' "$NEREUS" profile fit broken.csv --output p.json
sed '3s/0.352/-0.352/' samples.csv >broken.csv
refused 'broken.csv:3:.*rt_s' "$NEREUS" profile fit broken.csv --output p.json
head -1 samples.csv >broken.csv
refused 'broken.csv' "$NEREUS" profile fit broken.csv --output p.json
: >broken.csv
refused 'broken.csv.*empty' "$NEREUS" profile fit broken.csv --output p.json
head -c 50 samples.csv >broken.csv # in the header line
refused 'broken.csv:1:' "$NEREUS" profile fit broken.csv --output p.json
printf 'PK\003\004\000\000' >broken.csv
refused 'broken.csv' "$NEREUS" profile fit broken.csv --output p.json
rm broken.csv
mkdir folder
refused 'folder.*(directory|folder)' "$NEREUS" profile fit folder --output p.json
refused 'missing.csv' "$NEREUS" profile fit missing.csv --output p.json
refused 'samples.csv is given twice' "$NEREUS" profile fit samples.csv samples.csv --output p.json
refused 'samples.csv is given twice' "$NEREUS" profile fit samples.csv ./samples.csv --output p.json
ln samples.csv hard.csv
refused 'is the samples file' "$NEREUS" profile fit samples.csv --output ./samples.csv
refused 'is the samples file' "$NEREUS" profile fit samples.csv --output hard.csv
rm hard.csv
# Nodes of two sorts under one name: the others count as what they are, with file and line of the first.
sed '4,5s/^small,4,/small,8,/' samples.csv >mixed.csv
(head -1 samples.csv; sed -n '3p' samples.csv | sed 's/^small,4,/small,2,/') >two.csv
accepted "$NEREUS" profile fit mixed.csv --output mixed.json
holds "mixed.csv:4: 8 cores per node where most rows of cluster 'small' have 4: 2 such rows count as measured" err
holds '"cores_per_node": 4,' mixed.json
accepted "$NEREUS" profile fit samples.csv two.csv --output mixed.json
holds "two.csv:2: 2 cores per node where most rows .* have 4: 1 such row counts" err
accepted "$NEREUS" profile fit samples.csv --output mixed.json
[ -s err ] && fail "a note about nodes of one sort: $(cat err)"
rm mixed.csv two.csv mixed.json

# How many nodes there were: said here, or by a calibration in a comment; where nobody says it and
# rows are of more processes than cores, a note.
(head -1 samples.csv | sed 's/$/,oversubscribed/'; tail -n +2 samples.csv | sed 's/$/,0/; 2s/0$/1/; 3s/0$/1/') >above.csv
accepted "$NEREUS" profile fit above.csv --output above.json
holds '^nereus profile fit: note: 2 samples are oversubscribed .* nothing says how many nodes there were: .*--nodes N here, or to predict$' err
grep -q '"nodes"' above.json && fail "nobody said how many nodes there were"
accepted "$NEREUS" profile fit above.csv --nodes 3 --output above.json
[ -s err ] && fail "--nodes 3 was said: $(cat err)"
holds '^cluster small, 4 cores per node, 3 nodes: 16 samples' out
holds '^ "nodes": 3,' above.json
accepted "$NEREUS" predict --profile above.json --ns 3 --nt 13 --methods merge
holds_whole "^Assumed: .*--nodes 3 \(the profile's\)"
holds '^warning: more processes than cores' out
said='# nereus calibrate: {"cluster": "small", "host": "n7", "date": "2023-05-17T08:09:10Z", "mpi": "M 4", "launcher": "ssh", "cores_per_node": 4, "nodes": '
sed "1a${said}1}" above.csv >told.csv
echo "${said/small/large}2}" >>told.csv
accepted "$NEREUS" profile fit told.csv --output above.json
[ -s err ] && fail "a note about a file that tells: $(cat err)"
holds '^cluster small, 4 cores per node, 1 node: 16 samples' out
for key in '"nodes": 1' '"host": "n7"' '"date": "2023-05-17T08:09:10Z"' '"mpi": "M 4"' '"launcher": "ssh"'; do holds "^ $key,\$" above.json; done
echo "${said}2}" >>told.csv # later on more of them
accepted "$NEREUS" profile fit told.csv --output above.json
holds '^nereus profile fit: note: some samples were measured on 1 node, and the profile is of 2, as the last calibration: --nodes N says' err
holds '^ "nodes": 2,' above.json
accepted "$NEREUS" profile fit told.csv --nodes 5 --output above.json
[ -s err ] && fail "--nodes 5 was said: $(cat err)"
holds '^ "nodes": 5,' above.json
# Of a calibration reconfigurations on nodes of one core are no slip: it divides a host into them.
# Other rows are.
sed '3s/^small,4,/small,1,/' told.csv >virtual.csv
accepted "$NEREUS" profile fit virtual.csv --nodes 1 --output above.json
[ -s err ] && fail "a note about virtual nodes: $(cat err)"
sed -i '4s/^small,4,/small,2,/' virtual.csv
accepted "$NEREUS" profile fit virtual.csv --nodes 1 --output above.json
holds "virtual.csv:4: 2 cores per node where most rows .* have 4: 1 such row counts" err
sed -i '2s/4, "nodes"/4, nodes/' virtual.csv
failed "virtual.csv:2: what stands behind '# nereus calibrate: ' is no JSON object" "$NEREUS" profile fit virtual.csv --output above.json
misused '--nodes must be' "$NEREUS" profile fit above.csv --nodes 0 --output above.json
misused '--nodes must be at most 1048576, not 9999999' "$NEREUS" profile fit above.csv --nodes 9999999 --output above.json
rm above.csv above.json told.csv virtual.csv

# Steps without a basis are named: no start of processes was measured.
(head -1 samples.csv; grep '^small,4,\(8,4\|12,3\|4,2\),merge' samples.csv) >shrinks.csv
accepted "$NEREUS" profile fit shrinks.csv --output shrinks.json
holds '^  spawn +no basis: methods that need it are refused$' out
holds '^  write +no basis: restarts take priors$' out
holds '^  split +[0-9] terms from' out
refused "no basis for the step 'spawn'" "$NEREUS" predict --profile shrinks.json --ns 4 --nt 6 --methods merge
accepted "$NEREUS" profile fit samples.csv --output shrinks.json
grep -q '^  spawn.*no basis' out && fail "spawn has a basis: $(cat out)"
rm shrinks.csv shrinks.json

# What is there and no profile stays: notes, other samples, other JSON, also behind a link. A
# profile, of any version, and an empty file may go.
echo 'my notes' >notes.txt
echo '{"version": 1, "pairs": []}' >other.json
cp samples.csv others.csv
ln -s notes.txt link.json
for file in notes.txt other.json others.csv link.json; do
    cp $file kept
    refused "'$file' is there and no profile" "$NEREUS" profile fit samples.csv --output $file
    cmp -s $file kept || fail "a refused fit changed $file"
done
sed 's/"version": 1,/"version": 99,/' p.json >old.json
: >empty.json
for file in old.json empty.json; do
    accepted "$NEREUS" profile fit samples.csv --output $file
    cmp -s $file p.json || fail "$file is not the profile"
done
rm notes.txt other.json others.csv link.json kept old.json empty.json
cmp -s p.json before.json || fail "a refused fit changed the profile"
cmp -s samples.csv "$data/samples.csv" || fail "a refused fit changed the samples"

# Places that cannot be written.
refused 'folder' "$NEREUS" profile fit samples.csv --output folder
failed 'before.json: no samples, as it is no CSV' "$NEREUS" profile fit before.json --output q.json
refused 'nowhere/p.json' "$NEREUS" profile fit samples.csv --output nowhere/p.json
refused 'p.json' "$NEREUS" profile fit samples.csv --output p.json/x.json
rmdir folder
only before.json p.json samples.csv
# What asynchronous reconfigurations tell.
accepted "$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output async.json
for row in 'RT async +3 terms from +45 rows' 'RT single +4 terms' 'RT shrink +2 terms' 'omega +4 terms from +105 rows'; do
    holds "^  $row" out
done
rm async.json
# Redistributions between nodes were measured on the nodes that their processes fill.
accepted "$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/redistribution_uji8.csv" --cluster uji8-eth --output eth.json
for nodes in 8 9; do
    accepted "$NEREUS" predict --profile eth.json --ns 40 --nt 160 --nodes $nodes --bytes-variable 100GB --methods merge
    [ $nodes -eq 8 ] || holds '^9 nodes are assumed, and the profile was measured on 8$' out
    [ "$(grep -c 'are assumed' out)" -eq $((nodes - 8)) ] || fail "$nodes nodes: $(cat out)"
done
rm eth.json
# The unattributed time of a shrink has the shrink's name.
{
    echo 'cluster,cores_per_node,ns,nt,method,bytes,rt_s,kind,oversubscribed,old_processes,new_processes,time_s'
    for i in 1 2 3 4; do
        for step in decide split gather agree commit sleep; do
            echo "synthetic,4,4,2,merge/coll,0,,$step,0,4,0,0.000$((i + 30))"
        done
        echo "synthetic,4,4,2,merge/coll,0,0.0051,,0,,,"
    done
} >shrinks.csv
accepted "$NEREUS" profile fit shrinks.csv --output shrinks.json
holds '^  unattributed 0\.003[0-9]* s from    4 rows \(shrink\)$' out
finish
