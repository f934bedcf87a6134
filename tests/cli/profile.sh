# nereus profile, and which profile is taken where none is named: the places in their order, each
# said, and `-`.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
here=$(uname -n) folder=$XDG_CONFIG_HOME/nereus/profiles
ask="$NEREUS predict --ns 3 --nt 7 --methods merge --format csv"

# Nothing is installed: one sentence with the places and what to do.
failed "no profile: none is named .* no $here.json is in $folder or /etc/nereus/profiles; .nereus calibrate. .*--synthetic" $ask
failed 'no profile' "$NEREUS" map --ns 1 --nt 1:4
failed 'no profile' "$NEREUS" plan --ns 3 --nt 7 --method merge
failed 'no profile' "$NEREUS" advise --ns 3
failed 'no profile' "$NEREUS" validate
[ -e "$XDG_CONFIG_HOME" ] && fail "a question made a folder"
accepted "$NEREUS" profile list
holds 'no profile' err
# Without \$HOME its place is that of the list of users, where this host may have one; a relative one is none.
HOME= XDG_CONFIG_HOME=relative SLURM_CLUSTER_NAME=nowhere failed "no nowhere.json is in $(getent passwd "$(id -u)" | cut -d: -f6)/.config/nereus/profiles or /etc" $ask
HOME=relative XDG_CONFIG_HOME=relative failed "no $here.json is in /etc/nereus/profiles; " $ask

# found 'HOW': the answer of `ask` says so, and is that of the profile itself.
accepted $ask --profile "$data/profile.json"
grep -q 'note: profile' err && fail "what was named is said: $(cat err)"
mv out named
found() {
    accepted $ask
    holds "^nereus predict: note: profile .* \($1\)$" err
    cmp -s out named || fail "$1: another answer"
}
mkdir -p "$folder"
cp "$data/profile.json" "$folder/$here.json"
found 'installed for this host or cluster'
mv "$folder/$here.json" "$folder/abroad.json"
SLURM_CLUSTER_NAME=abroad found 'installed for this host or cluster'
failed 'no profile' $ask
accepted "$NEREUS" profile use abroad
holds "^$folder/abroad.json is taken on '$here' from now on$" out
found 'chosen by .nereus profile use.'
# A name is as good as a file; $NEREUS_PROFILE comes before what is installed.
accepted $ask --profile abroad
cmp -s out named || fail "by its name: another answer"
NEREUS_PROFILE=$data/profile.json found 'named by \$NEREUS_PROFILE'
NEREUS_PROFILE=abroad found 'named by \$NEREUS_PROFILE'
NEREUS_PROFILE=none.json failed "'none.json' does not exist \(named by .NEREUS_PROFILE\)" $ask
failed "profile 'none' does not exist" $ask --profile none

# The list has each, and marks the one that is taken.
cp "$data/profile.json" "$folder/$here.json"
echo '{' >"$folder/broken.json"
accepted "$NEREUS" profile list --format csv
[ "$(head -1 out)" = taken,name,cluster,nodes,cores_per_node,mpi,date,path ] || fail "header: $(head -1 out)"
holds "^here,abroad,.*,MPICH .*,$folder/abroad.json$" out
holds "^,$here,.*,$folder/$here.json$" out
holds "^,broken,,,,,,$folder/broken.json$" out
holds 'broken.json:2:.*not a profile' err
rm "$folder/broken.json"
accepted "$NEREUS" profile show
holds "^$folder/abroad.json \(chosen by .nereus profile use.\)$" out
holds '^  spawn .* terms from ' out
# The usual one again: the choice is gone.
accepted "$NEREUS" profile use "$here"
found 'installed for this host or cluster'
accepted "$NEREUS" profile use "$data/profile.json"
found 'chosen by .nereus profile use.'
accepted "$NEREUS" profile use abroad
rm "$folder/abroad.json"
failed 'abroad.json, which .nereus profile use. has chosen, is gone' $ask
accepted "$NEREUS" profile use "$here"

# Three of one machine, one an MPI: the list tells them apart, by the MPI and the name, and each can be taken.
for mpi in "MPICH 5.0.2 (ch4:ucx ofi)" "Intel MPI 2021.18.1" "Open MPI 5.0.11"; do
    sed "s/\"mpi\": \"[^\"]*\"/\"mpi\": \"$mpi\"/" "$data/profile.json" >"$folder/$here-${mpi%% *}.json"
done
accepted "$NEREUS" profile use "$here-Intel"
accepted "$NEREUS" profile list
cluster=$(sed -n 's/.*"cluster": "\([^"]*\)".*/\1/p' "$data/profile.json")
holds "^here +$here-Intel +$cluster .* Intel MPI 2021.18.1 .*/$here-Intel.json$" out
holds "^ +$here-MPICH +$cluster .* MPICH 5.0.2 \(ch4:ucx ofi\) .*/$here-MPICH.json$" out
holds "^ +$here-Open +$cluster .* Open MPI 5.0.11 .*/$here-Open.json$" out
accepted "$NEREUS" profile show
holds ', with Intel MPI 2021.18.1, launcher ' out
accepted "$NEREUS" profile diff "$here-Intel" "$here-Open" --format csv
holds '^MPI,Intel MPI 2021.18.1,Open MPI 5.0.11,' out
rm "$folder/$here"-*.json
accepted "$NEREUS" profile use "$here"

# What differs.
sed 's/"cores_per_node": 4,/"cores_per_node": 5,/; s/"coefficient": 0.23/"coefficient": 0.46/' "$data/profile.json" >other.json
accepted "$NEREUS" profile diff "$here" "$data/profile.json"
[ "$(tail -n +3 out)" = 'they do not differ' ] || fail "a copy differs: $(cat out)"
accepted "$NEREUS" profile diff "$here" other.json --format csv
holds '^what,a,b,ratio$' out
holds '^cores per node,4,5,1.25$' out
holds '^spawn: full,0.23,0.46,2$' out
# Also parts that have no line of their own; test_profile_diff.c has a row for each key of the file.
sed 's/"spread": 0.061/"spread": 0.122/' "$data/profile.json" >other.json
accepted "$NEREUS" profile diff "$here" other.json --format csv
holds '^spawn: spread,0.061,0.122,2$' out
accepted "$NEREUS" profile diff "$here" other.json
holds '^second: other.json$' out
holds '^spawn: spread +0.061 +0.122 +2$' out
# A measured reconfiguration has its name, and the second one of the same its number.
sed 's/"rt_s": 0.47/"rt_s": 0.94/' "$data/profile.json" >other.json
accepted "$NEREUS" profile diff "$here" other.json
holds '^measured reconfigurations merge 5 -> 9: rt_s +0.47 +0.94 +2$' out
for last in 3 6; do
    python3 -c 'import json, sys
profile = json.load(sys.stdin)
one, last = profile["measured"][0], int(sys.argv[1])
profile["measured"] += [{**one, "ns": 9, "nt": 5, "rt_s": 0.5 * last}, {**one, "n": last}]
print(json.dumps(profile))' $last <"$data/profile.json" >last$last.json
done
accepted "$NEREUS" profile diff last3.json last6.json --format csv
[ "$(tail -n +2 out | cut -d, -f1 | paste -sd,)" = 'measured reconfigurations merge 9 -> 5: rt_s,measured reconfigurations 3: n' ] ||
    fail "reconfigurations: $(cat out)"
rm last3.json last6.json
# From 20 differences on the text is a summary, with coefficients of steps and asynchronous methods.
sed 's/"coefficient": 0[.]/"coefficient": 1./; s/"spread": 0[.]/"spread": 1./' "$data/profile.json" >other.json
accepted "$NEREUS" profile diff "$here" other.json
holds '^spawn: full +0.23 +1.23 ' out
holds '^asynchronous plain: [a-z_]+ +0[.]' out
grep -q spread out && fail "a summary has spreads: $(cat out)"
sed 's/"coefficient": 0.23/"coefficient": 0.230001/' "$data/profile.json" >other.json
accepted "$NEREUS" profile diff "$here" other.json
[ "$(tail -n +3 out)" = 'they differ only after the first 4 digits of numbers' ] || fail "what prints as equal differs: $(cat out)"

# `-`: standard input, once.
accepted $ask --profile - <"$data/profile.json"
cmp -s out named || fail "from standard input: another answer"
accepted "$NEREUS" profile fit - --output fitted.json <"$data/samples.csv"
accepted "$NEREUS" profile fit "$data/samples.csv" --output again.json
cmp fitted.json again.json || fail "samples from standard input give another profile"
failed 'standard input was read before' "$NEREUS" predict --profile - --cases - <"$data/profile.json"

misused "^nereus profile: unknown command 'lsit'; did you mean 'list'" "$NEREUS" profile lsit
misused '^nereus profile use: NAME or PROFILE.json is missing' "$NEREUS" profile use
misused '^nereus profile diff: SECOND.json is missing' "$NEREUS" profile diff a
misused "'a' is one argument too many" "$NEREUS" profile list a
failed "profile 'nobody' does not exist; .nereus profile list. shows" "$NEREUS" profile use nobody
failed "profile 'nobody' does not exist" "$NEREUS" profile diff nobody "$here"
only again.json fitted.json named other.json
finish
