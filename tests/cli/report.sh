# nereus study report: tables of results, the page and the pictures, and results that are none.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
r=$data/results.jsonl
p="--profile $data/profile.json"

# --- tables -------------------------------------------------------------------------------------------------

# Each kind of change with its RT; beside it what predict says.
accepted "$NEREUS" study report "$r" $p --format csv
cat >wanted <<'CSV'
ns,nt,method,constant_bytes,variable_bytes,runs,rt_s,rt_least_s,rt_most_s
3,7,merge/p2p,8000000,1000,1,0.389,0.389,0.389
7,2,merge-async/coll,8000000,1000,1,0.091,0.091,0.091
CSV
cut -d, -f1-9 out >found
same wanted found
predicted=$(sed -n 2p out | cut -d, -f10)
accepted "$NEREUS" predict $p --ns 3 --nt 7 --methods merge/p2p --t-iter 0.0129 --t-iter-nt 0.0064 --bytes-constant 8000000 \
    --bytes-variable 1000 --format csv
echo "$predicted" >found
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["rt_s"] }' out >wanted
same wanted found
# From standard input, too: a pipe is read once.
accepted "$NEREUS" study report "$r" $p --format csv
cp out named
accepted "$NEREUS" study report - $p --format csv <"$r"
cmp out named || fail "from standard input: $(cat out)"
rm named
# Two jobs with the same change are two runs of it.
sed 's/"rt_s":0.389/"rt_s":0.401/' "$r" >second.jsonl
accepted "$NEREUS" study report "$r" second.jsonl $p --format csv
[ "$(sed -n 2p out | cut -d, -f6-9)" = '2,0.395,0.389,0.401' ] || fail "two runs: $(cat out)"

# Every event is a row; all numbers come through.
accepted "$NEREUS" study report "$r" $p --report events --format csv
for count in 'iteration 9' 'stage 14' 'change 2' 'step 8' 'reconfiguration 2'; do
    [ "$(cut -d, -f2 out | grep -cx "${count% *}")" -eq "${count#* }" ] || fail "$count: $(cut -d, -f2 out | sort | uniq -c)"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["event"] == "iteration" && $c["iteration"] == 5 { print $c["group"], $c["overlapped"], $c["processes"], $c["nodes"], $c["start_s"], $c["time_s"] }
    $c["event"] == "stage" && $c["iteration"] == 4 { print $c["stage"], $c["kind"], $c["time_s"] }
    $c["event"] == "step" && $c["kind"] == "spawn" { print $c["reconfiguration"], $c["old_processes"], $c["new_processes"], $c["start_s"], $c["critical_s"], $c["wait_s"] }' out >found
cat >wanted <<'TEXT'
2 1 7 3 0.4466 0.0081
0 pi 0.005025
1 allreduce 0.000838
1 3 4 0.0005 0.282 0.0001
TEXT
same wanted found
accepted "$NEREUS" study report "$r" $p --report events --format json
holds '"event": "change",' out
# Without a profile the results are told all the same.
accepted "$NEREUS" study report "$r"
holds '^ *3 +7 +merge/p2p' out
# All files of a folder, gzipped ones, too; the same runs twice are refused, however they are named.
mkdir runs
cp "$r" runs/first.jsonl
if has zlib "a gzipped file in a folder"; then gzip -nc second.jsonl >runs/second.jsonl.gz; else cp second.jsonl runs/second.jsonl.gz; fi
accepted "$NEREUS" study report runs $p --format csv
[ "$(sed -n 2p out | cut -d, -f6-9)" = '2,0.395,0.389,0.401' ] || fail "a folder of two runs: $(cat out)"
failed 'runs/first.jsonl is given twice: its runs would count double' "$NEREUS" study report runs runs/../runs/first.jsonl
rm -rf wanted found second.jsonl runs

# --- pictures -----------------------------------------------------------------------------------------------

accepted "$NEREUS" study report "$r" $p --output page.svg
awk -f "$NEREUS_SOURCE_DIR/tests/cli/page.awk" page.svg >outside
[ ! -s outside ] || fail "outside of the page: $(head -3 outside)"
for title in 'RT, predicted and measured' 'RT by step' 'Iterations and sizes of made-up.ini'; do
    grep -q ">$title</text>" page.svg || fail "no picture '$title'"
done
# The parts of a bar add up to its RT: 0.3628 + 0.0101 + 0.0161.
holds '<title>spawn: 282 ms</title>' page.svg
holds '<title>not attributed: 16.1 ms</title>' page.svg
holds '<title>3 to 7 by merge/p2p: resized, 392 ms as the application sees it</title>' page.svg
[ "$(grep -c '<title>iteration ' page.svg)" -eq 9 ] || fail "iterations: $(grep '<title>iteration ' page.svg)"
# Mean times of iterations of which several are a mark: 700 of them are at most 300 marks.
{ head -1 "$r"; seq 0 699 | awk '{ printf "{\"event\":\"iteration\",\"group\":0,\"iteration\":%d,\"processes\":2,\"start_s\":%g,\"time_s\":0.01}\n", $1, $1 * 0.01 }'; } >many.jsonl
accepted "$NEREUS" study report many.jsonl $p --output many.svg
marks=$(grep -c '<title>iteration ' many.svg)
[ "$marks" -le 300 ] && [ "$marks" -ge 200 ] || fail "$marks marks of 700 iterations"
if has cairo "the page as PDF and PNG"; then
    for ending in pdf png; do accepted "$NEREUS" study report "$r" $p --output "page.$ending"; done
    [ "$(head -c 4 page.pdf)" = '%PDF' ] || fail 'page.pdf is no PDF'
    head -c 4 page.png | grep -q PNG || fail 'page.png is no PNG'
fi

# The page: each picture in two forms, nothing from elsewhere, light and dark.
accepted "$NEREUS" study report "$r" $p --output page.html
holds 'prefers-color-scheme: dark' page.html
holds 'max-width: 700px' page.html
[ "$(grep -c '^<figure id=' page.html) $(grep -c '^<svg ' page.html)" = '3 6' ] || fail "figures: $(grep -cE '^<(figure|svg) ' page.html)"
[ "$(grep -oE '(https?:|src=|href=|@import|url\([^#])[^ >]*' page.html | sort -u)" = 'http://www.w3.org/2000/svg"' ] ||
    fail 'the page takes something from elsewhere'
[ -z "$(grep -oE ' id="[^"]*"' page.html | sort | uniq -d)" ] || fail "ids: $(grep -oE ' id="[^"]*"' page.html | sort | uniq -d)"
rm -f page.* outside many.*

# --- folders, and names that are cut ------------------------------------------------------------------------

# A folder: all its results, however many they are.
mkdir runs
cp "$r" runs/b.jsonl
cp "$r" runs/a.jsonl
: >runs/notes.txt
"$NEREUS" study report runs/a.jsonl runs/b.jsonl $p --format csv >both
accepted "$NEREUS" study report runs $p --format csv
cmp -s both out || fail "a folder differs from its files: $(diff both out)"
# A long name is cut between two characters.
name=$(printf '\303\251%.0s' $(seq 120))
sed "1s/\"configuration\":\"[^\"]*\"/\"configuration\":\"$name\"/" "$r" >runs/a.jsonl
accepted "$NEREUS" study report runs/a.jsonl $p --output long.svg
iconv -f UTF-8 -t UTF-8 long.svg >/dev/null || fail 'a name was cut inside a character'
rm -r runs both long.svg

# --- what is refused ----------------------------------------------------------------------------------------

failed "'none.jsonl' does not exist" "$NEREUS" study report none.jsonl
failed "trace.jsonl: no results: an event 'run' is missing" "$NEREUS" study report "$data/trace.jsonl"
{ head -2 "$r"; echo 'no JSON'; } >bad.jsonl
failed '^nereus study report: bad.jsonl, line 3: not a JSON object' "$NEREUS" study report bad.jsonl
sed '2s/"group":0/"group":"first"/' "$r" >bad.jsonl
failed '^nereus study report: bad.jsonl, line 2: key group needs a whole number' "$NEREUS" study report bad.jsonl
printf '{\n "version": 1,\n "t_op_s": {"pi": 1e-6, "matrix": null}\n}\n' >run.json
failed '^nereus study report: run.json: the summary of a run, without its iterations: .nereus run --results FILE.jsonl. ' "$NEREUS" study report run.json
mkdir none
failed "^nereus study report: the folder 'none' has no results \(\*.jsonl\)$" "$NEREUS" study report none
rm -r run.json none
head -1 "$r" >bad.jsonl
failed 'the results hold no iteration and no reconfiguration' "$NEREUS" study report bad.jsonl $p --output a.svg
cp "$r" mine.svg
failed 'mine.svg is mine.svg, which is read' "$NEREUS" study report mine.svg --output mine.svg
misused "ends with .svg, .pdf, .png or .html" "$NEREUS" study report "$r" --output page.bmp
misused 'RESULTS.jsonl... is missing' "$NEREUS" study report
rm -f bad.jsonl mine.svg
only
finish
