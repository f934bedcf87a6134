# nereus map: the figures of nereus predict, a line per pair, in order; the same content in csv and
# json; runs for people.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="--profile $data/profile.json --t-iter 0.21s"
header=ns,nt,methods
for goal in application system; do
    for figure in method rt_s rt_low_s rt_high_s ct_s t_ex_s source; do
        header=$header,${goal}_$figure
    done
done
header=$header,application_tied,system_tied

accepted "$NEREUS" map $p --ns 3,1:2 --nt 2:8:3,5 --format csv
cp out map.csv
[ "$(head -1 map.csv)" = "$header" ] || fail "header: $(head -1 map.csv)"
[ "$(awk -F, 'NR > 1 { printf "%s:%s ", $1, $2 }' map.csv)" = '1:2 1:5 1:8 2:2 2:5 2:8 3:2 3:5 3:8 ' ] ||
    fail "pairs, each once, in order: $(cat map.csv)"
holds_whole 'assumed: --.*--t-iter-nt of each pair \(strong scaling' err

# What nereus predict says of the same pair: figures and choices.
for pair in 1:8 2:2 3:2 3:5; do
    ns=${pair%:*} nt=${pair#*:}
    accepted "$NEREUS" predict $p --ns $ns --nt $nt --format csv
    awk -F, -v ns=$ns -v nt=$nt '
        FNR == 1 { next }
        FILENAME == "out" { count++
            chosen = $4 "," $5 "," $6 "," $7 "," $11 "," $12 "," $15
            if ($13 == 1) application = chosen
            if ($14 == 1) system_ = chosen
            next }
        $1 == ns && $2 == nt { sub(/,[^,]*,[^,]*$/, "") # the ties
            wanted = ns "," nt "," count "," application "," system_
            if ($0 != wanted) { print "map says " $0 ", predict " wanted; exit 1 }
            found = 1 }
        END { if (!found) { print "no such pair"; exit 1 } }' out map.csv >why || fail "$pair: $(cat why)"
done

# JSON holds the same values under the same keys.
accepted "$NEREUS" map $p --ns 1:3 --nt 2,5,8 --format json
awk -F, -v keys="$header" 'NR > 1 { n = split(keys, key, ",")
    for (i = 1; i <= n; i++) {
        value = $i == "" ? "null" : $i
        if (key[i] ~ /method$|source$|tied$/ && $i != "") value = "\"" $i "\""
        printf "%s\"%s\": %s%s", i == 1 ? "{" : ", ", key[i], value, i == n ? "}\n" : "" } }' map.csv >wanted
grep '^{"ns"' out | sed 's/},$/}/' >found
cmp wanted found || fail "json and csv differ"
python3 -m json.tool <out >/dev/null 2>&1 || ! command -v python3 >/dev/null || fail "no JSON: $(cat out)"

# One goal; any number of threads; another scaling.
accepted "$NEREUS" map $p --ns 1:3 --nt 2,5,8 --goal system --format csv
[ "$(head -1 out | tr ',' '\n' | wc -l)" -eq 11 ] || fail "columns of one goal: $(head -1 out)"
accepted "$NEREUS" map $p --ns 1:40 --nt 1:40 --threads 1 --format csv
cp out one.csv
accepted "$NEREUS" map $p --ns 1:40 --nt 1:40 --threads 5 --format csv
cmp out one.csv || fail "five threads say something else than one"
[ "$(wc -l <one.csv)" -eq 1601 ] || fail "lines: $(wc -l <one.csv)"
accepted "$NEREUS" map $p --ns 2 --nt 4 --scaling weak --format csv
weak=$(cut -d, -f9 out | tail -1)
accepted "$NEREUS" map $p --ns 2 --nt 4 --format csv
[ "$weak" != "$(cut -d, -f9 out | tail -1)" ] || fail "weak scaling changes no T_ex"

# The other goals, and a shrink that follows: what nereus predict says of the same pair with the same options.
as_predict() { # GOAL PAIR [OPTION...]
    local goal=$1 ns=${2%:*} nt=${2#*:} file
    shift 2
    accepted "$NEREUS" map $p --ns $ns --nt $nt --goal $goal "$@" --format csv
    cp out asked.csv
    accepted "$NEREUS" predict $p --ns $ns --nt $nt --goal $goal "$@" --format csv
    cp out answer.csv
    accepted "$NEREUS" predict $p --ns $ns --nt $nt --goal $goal "$@" --format json
    # The first prediction is the choice; its later shrink comes last.
    awk -v goal=${goal/-/_} '
        function near(a, b) { return a - b < 1e-8 * a + 1e-9 && b - a < 1e-8 * a + 1e-9 }
        function value(line) { sub(/^[^:]*: /, "", line); gsub(/[",]/, "", line); return line }
        FILENAME == "answer.csv" { n = split($0, part, ","); count = FNR - 1
            if (FNR == 2) { wanted = part[4] "," part[5] "," part[6] "," part[7] "," part[11] "," part[12] ","
                source = part[15] }
            next }
        FILENAME == "out" { on = on || /"predictions":/
            done = done || (on && /^    }/)
            if (!on || done) next
            if (/^ +"node_s":/ && !later) json["node_s"] = value($0)
            if (/^ +"score":/) json["score"] = value($0)
            if (/^ +"energy_j":/) json["energy_j"] = value($0)
            if (/^ +"later":/) later = 1
            if (later && /"method":/) json["later_method"] = value($0)
            if (later && /"rt_s":/) json["later_rt_s"] = value($0)
            next }
        FNR == 1 { columns = split($0, name, ","); next }
        { split($0, cell, ",")
            if (cell[3] != count) bad = bad " methods " cell[3] ", not " count
            line = ""
            for (i = 4; i <= 9; i++) line = line cell[i] ","
            if (line != wanted) bad = bad " " line " where predict says " wanted
            for (i = 10; i <= columns; i++) { key = substr(name[i], length(goal) + 2)
                if (key == "tied") continue # pictures.sh
                if (key == "source") { if (cell[i] != source) bad = bad " source " cell[i] }
                else if (key ~ /method/) { if (cell[i] != json[key]) bad = bad " " key " " cell[i] }
                else if (!near(cell[i], json[key])) bad = bad " " key " " cell[i] ", not " json[key]
                seen = seen " " key } }
        END { if (bad != "") print bad; else print seen }' answer.csv out asked.csv >why
    cat why
}
[ "$(as_predict node-hours 2:8)" = ' node_s source' ] || fail "node-hours: $(cat why)"
[ "$(as_predict node-hours 3:2)" = ' node_s source' ] || fail "node-hours: $(cat why)"
w='--weights t_ex=1,rt=20,node_hours=0.5'
[ "$(as_predict weights 3:5 $w)" = ' node_s score source' ] || fail "weights: $(cat why)"
[ "$(as_predict energy 2:8 --node-power 350)" = ' node_s energy_j source' ] || fail "energy: $(cat why)"
[ "$(as_predict weights 1:8 $w --later-shrink 2)" = ' node_s score source later_method later_rt_s' ] || fail "weights: $(cat why)"
l='--later-shrink 1 --later-iterations 20 --later-nodes any'
[ "$(as_predict system 2:8 $l)" = ' source later_method later_rt_s' ] || fail "later shrink: $(cat why)"
[ "$(as_predict application 2:5 $l)" = ' source later_method later_rt_s' ] || fail "later shrink: $(cat why)"
# Both goals beside each other, each with its own shrink; a pair that is no expansion to more than P
# has a line without a choice.
accepted "$NEREUS" map $p --ns 1:3 --nt 2,5,8 --later-shrink 2 --format csv
[ "$(head -1 out | tr ',' '\n' | wc -l)" -eq 23 ] || fail "columns: $(head -1 out)"
holds '^3,2,0(,){20}$' out
[ "$(grep -c ',0,,' out)" -eq 3 ] || fail "pairs without a choice: $(cat out)"
holds '3 of 9 pairs are no expansion' err
holds_whole 'assumed: .*--later-iterations 48' err
accepted "$NEREUS" map $p --ns 1:3 --nt 2,5,8 --later-shrink 2 --threads 3 --format json
python3 -m json.tool <out >/dev/null 2>&1 || ! command -v python3 >/dev/null || fail "no JSON: $(cat out)"
holds '"application_later_method": "[a-z-]+", "application_later_rt_s": [0-9.e-]+, "system_method"' out
accepted "$NEREUS" map $p --ns 1:3 --nt 1:9 --goal node-hours
holds '^ *2  node-hours   ' out
refused 'none of the pairs is one' "$NEREUS" map $p --ns 4 --nt 1:8 --later-shrink 8
refused 'at most the 97 iterations' "$NEREUS" map $p --ns 4 --nt 1:8 --later-shrink 2 --later-iterations 98

# For people: runs of NT with one choice, that cover all of them.
accepted "$NEREUS" map $p --ns 2:3 --nt 1:9
holds '^ *2  application  ' out
holds '^ *3  system  ' out
awk 'NR > 1 { n = 0; for (i = 3; i <= NF; i++) if ($i ~ /^[0-9]+(:[0-9]+)?$/) {
        split($i, end, ":"); n += (end[2] == "" ? 1 : end[2] - end[1] + 1) }
    if (n != 9) exit 1 }' out || fail "runs: $(cat out)"

# A pair without any method has a line, too.
accepted "$NEREUS" map $p --ns 4 --nt 2,6 --methods merge-zs --format csv
holds '^4,6,0,,,,,,,,,,,,,,,,$' out
holds 'none of the methods is possible for 1 of 2 pairs' err

# What is not possible is refused before anything is printed.
refused '--nt 9: only 8 slots' "$NEREUS" map $p --ns 1:4 --nt 1:9 --slots 8

# A signal ends it, with the rows so far whole.
"$NEREUS" map $p --ns 1:4000 --nt 1:4000 --format csv >cut.csv 2>err &
pid=$!
until [ "$(wc -l <cut.csv)" -gt 1 ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ] || fail "an interrupted map ended with $status: $(cat err)"
holds 'by a signal' err
[ "$(tail -1 cut.csv | tr ',' '\n' | wc -l)" -eq 19 ] || fail "the last line is cut: $(tail -1 cut.csv)"
# How far it is, and how much is left, is said of what takes more than two seconds: a line now and
# then, and one at the end. The seconds are simulated: so many with each look at the clock.
NEREUS_TEST_CLOCK_S=1e-6 accepted "$NEREUS" map $p --ns 1:40 --nt 1:40 --format csv --methods merge
grep 'mapping' err && fail "progress of what is over at once"
env --default-signal=INT NEREUS_TEST_CLOCK_S=0.1 "$NEREUS" map $p --ns 1:9000 --nt 1:9000 --format csv >cut.csv 2>err &
pid=$!
for _ in $(seq 300); do grep -q ' left$' err && break; sleep 0.1; done
kill -INT $pid
wait $pid
holds '^mapping: [0-9]+ %, [0-9]+ (s|min|h) left$' err
grep '100 %' err && fail "broken off, but told as whole: $(cat err)"
NEREUS_TEST_CLOCK_S=0.1 accepted "$NEREUS" map $p --ns 1:100 --nt 1:100 --format csv
grep '^mapping' err | head -1 | grep -Eq '^mapping: [0-9]+ %, [0-9]+ s left$' || fail "progress: $(cat err)"
[ "$(tail -1 err | sed 's/ in [0-9.]* s$//')" = "mapping: 100 %, 10000 pairs" ] || fail "the end of the progress: $(tail -1 err)"
# On a terminal a bar, which is gone when the work is done.
if type script >/dev/null 2>&1; then
    NEREUS_TEST_CLOCK_S=0.1 TERM=xterm script -qec "'$NEREUS' map $p --ns 1:100 --nt 1:100 --format csv >out" /dev/null | tr '\r' '\n' >bar
    grep -Eq 'mapping \[#*\.*\] +[0-9]+ %, [0-9]+ s left' bar || fail "no bar: $(cat -v bar)"
    grep -q 'mapping: 100 %, ' bar || fail "the end of the bar: $(tail -3 bar | cat -v)"
    rm bar
fi
# A full or closed output is no success.
"$NEREUS" map $p --ns 1:40 --nt 1:40 --format csv >/dev/full 2>err && fail "nobody noticed a full disk"
finish
