# Pictures: what is in them, at two sizes and in all formats; names and places that cannot be;
# colours in a terminal.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
p="--profile $data/profile.json"
page=$NEREUS_SOURCE_DIR/tests/cli/page.awk

# texts FILE: what can be read in an SVG, a line each. inside FILE: everything lies on the page.
texts() { awk -v list=1 -f "$page" "$1" | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g'; }
inside() {
    awk -f "$page" "$1" >outside
    [ ! -s outside ] || fail "$1: $(head -3 outside)"
    rm outside
}
hints() { grep -c "<title>$1" "$2"; }

painted() {
    [ "$(head -c 4 shown.pdf)" = '%PDF' ] || fail 'shown.pdf is no PDF'
    head -c 4 shown.png | grep -q PNG || fail 'shown.png is no PNG'
    # Two pixels a point: the width stands in bytes 17 to 20.
    [ "$(od -An -tu1 -j16 -N4 shown.png | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')" -eq \
        "$(awk '/<svg/ { match($0, /viewBox="0 0 [0-9.]+/); w = substr($0, RSTART + 13, RLENGTH - 13); print 2 * w; exit }' shown.svg)" ] ||
        fail 'shown.png has another width'
}
formats="pdf png html"
has cairo "pictures as PDF and PNG" || formats=html
# shown SIZE COMMAND...: draws with and without that size, and in all formats; the SVG of the
# default size stays as shown.svg.
shown() {
    local size=$1 ending
    shift
    accepted "$@" --output shown.svg --size "$size"
    inside shown.svg
    grep -q "viewBox=\"0 0 ${size%x*}.00 ${size#*x}.00\"" shown.svg || fail "not of size $size: $(head -c 300 shown.svg)"
    accepted "$@" --output shown.svg
    cp out answer
    inside shown.svg
    for ending in $formats; do
        accepted "$@" --output "shown.$ending"
        cmp -s out answer || fail "the answer depends on the picture's format"
    done
    [ "$formats" = html ] || painted
    # A page by itself: light and dark, nothing from elsewhere, and the same picture.
    holds 'prefers-color-scheme: dark' shown.html
    holds '<meta charset="utf-8">' shown.html
    [ "$(grep -oE '(https?:|src=|href=|@import|url\([^#])[^ >]*' shown.html | sort -u)" = 'http://www.w3.org/2000/svg"' ] ||
        fail "shown.html takes something from elsewhere: $(grep -oE '(https?:|src=|href=|@import|url\([^#])[^ >]*' shown.html)"
    awk '/<svg/ { on = 1 } on { print } /<\/svg>/ { on = 0 }' shown.html >inner
    tail -n +2 shown.svg | cmp -s - inner || fail 'shown.html holds another picture than shown.svg'
    rm -f shown.pdf shown.png shown.html inner answer
    python3 -c 'import xml.etree.ElementTree as tree; tree.parse("shown.svg")' 2>why || fail "no XML: $(tail -1 why)"
    rm -f why
    texts shown.svg >texts
}

# --- map ----------------------------------------------------------------------------------------------------

q="$p --t-iter 0.21s --ns 1:4 --nt 2,5,8"
shown 500x420 "$NEREUS" map $q
holds '^Best method by numbers of processes$' texts
holds '^For the application: least T_ex$' texts
holds '^For the system: least RT \(or CT\), then T_ex$' texts
[ "$(grep -c '^NT, processes after$' texts)" -eq 2 ] || fail "two panels: $(cat texts)"
[ "$(grep -c '^NS, processes before$' texts)" -eq 1 ] || fail "one axis of NS: $(cat texts)"
# A cell for each of 12 pairs and two goals, with the method that csv says; its number in the legend
# stands in it.
accepted "$NEREUS" map $q --format csv
cp out map.csv
[ "$(hints 'NS [0-9]*, NT [0-9]*: ' shown.svg)" -eq 24 ] || fail "cells: $(hints 'NS' shown.svg)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } {
    for (g = 1; g <= 2; g++) {
        goal = g == 1 ? "application" : "system"
        line = "<title>NS " $1 ", NT " $2 ": " $c[goal "_method"]
        if ($c[goal "_tied"] != "") line = line ", tied with " $c[goal "_tied"]
        if ($c[goal "_source"] == "measured") line = line ", measured"
        print line "</title>" } }' map.csv | sort >wanted
grep -o '<title>NS [^<]*</title>' shown.svg | sort >found
cmp -s wanted found || fail "cells: $(diff wanted found | head -5)"
# Ties are hatched, where csv names another method; measured pairs have a dot, and the legend one.
[ "$(grep -c 'class="hatch"' shown.svg)" -eq "$(($(grep -c 'tied with' found) + 1))" ] || fail "hatched: $(grep -c hatch shown.svg)"
measured=$(grep -c ', measured' found)
[ "$(grep -c '^<circle' shown.svg)" -eq "$((measured + (measured > 0 ? 1 : 0)))" ] || fail "dots: $(grep -c '^<circle' shown.svg)"
holds '^Tie: T_ex is within 1 % of the best one' texts
rm map.csv wanted found

# A tie is a matter of the threshold, and its nearest method within it: predict's T_ex.
accepted "$NEREUS" map $p --t-iter 0.21s --ns 2 --nt 5 --methods merge,baseline --goal application --tie 0 --format csv
[ "$(tail -1 out | awk -F, '{ print $NF }')" = '' ] || fail "a tie within 0 %: $(cat out)"
accepted "$NEREUS" predict $p --t-iter 0.21s --ns 2 --nt 5 --methods merge,baseline --format csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["t_ex_expected_s"], $c["method"] }' out | sort -g >by_t_ex
least=$(head -1 by_t_ex | cut -d' ' -f1) second=$(sed -n 2p by_t_ex)
percent=$(awk -v a="$least" -v b="${second% *}" 'BEGIN { printf "%.9g", 100 * (b / a - 1) }')
awk -v p="$percent" 'BEGIN { exit !(p > 0.001) }' || fail "the row has no second method: $(cat by_t_ex)"
for factor in 0.99 1.01; do
    tie=$(awk -v p="$percent" -v f=$factor 'BEGIN { printf "%.9g", p * f }')
    accepted "$NEREUS" map $p --t-iter 0.21s --ns 2 --nt 5 --methods merge,baseline --goal application --tie "$tie" --format csv
    found=$(tail -1 out | awk -F, '{ print $NF }') wanted=$([ $factor = 0.99 ] || echo "${second#* }")
    [ "$found" = "$wanted" ] || fail "within $tie %: '$found', expected '$wanted': $(cat by_t_ex)"
done
rm by_t_ex

# One quantity of one method: every value is written, in classes that cover it.
shown 420x360 "$NEREUS" map $q --methods merge --value rt
holds '^RT of merge by numbers of processes$' texts
[ "$(hints 'NS [0-9]*, NT [0-9]*: merge.* RT ' shown.svg)" -eq 12 ] || fail "values: $(grep -o '<title>NS[^<]*' shown.svg)"
shown 420x360 "$NEREUS" map $q --methods merge-async --value omega
holds '^omega of merge-async by numbers of processes$' texts
holds ' to ' texts
shown 420x360 "$NEREUS" map $q --methods merge-async --value alpha
shown 420x360 "$NEREUS" map $q --methods merge-async --value t_ex
accepted "$NEREUS" map $p --ns 4 --nt 2,6 --methods merge-zs --output shown.svg
holds '>no method is possible<' shown.svg
inside shown.svg
# A large map: runs of equal cells, few elements.
accepted "$NEREUS" map $p --ns 1:90 --nt 1:90 --output shown.svg
inside shown.svg
holds '<title>NS 90, NT [0-9]+ to [0-9]+: ' shown.svg
holds '^8100 pairs of sizes$' out
holds '^best for application: [a-z-]+ in [0-9]+, ' out
[ "$(grep -vc "^  " out)" -eq 3 ] || fail "beside a picture a summary is printed: $(head -5 out)"
accepted "$NEREUS" map $p --ns 1:2 --nt 1:2 --output shown.svg --format csv
[ "$(wc -l <out)" -eq 5 ] || fail "csv has all pairs beside a picture, too: $(cat out)"
accepted "$NEREUS" map $p --ns 1:90 --nt 1:90 --output shown.svg
[ "$(grep -c '^<rect' shown.svg)" -lt 8000 ] || fail "elements: $(grep -c '^<rect' shown.svg)"

# --- plan ---------------------------------------------------------------------------------------------------

shown 700x420 "$NEREUS" plan $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M
holds '^merge/p2p: 3 to 7 processes$' texts
grep -q 'level' texts && fail 'a plan without a tree speaks of levels'
holds '^staying \(3\)$' texts
holds '^spawned \(4\)$' texts
holds '^2 spawn$' texts
holds '^[0-9]+ redistribute$' texts
# Every step of the table is a row.
accepted "$NEREUS" plan $p --ns 3 --nt 7 --method merge/p2p --bytes-constant 6M
awk '/^ *[0-9]+  [a-z]/ { print $1 " " $2 }' out >wanted
[ -s wanted ] || fail "no steps: $(cat out)"
while read -r step; do holds "^$step( |\$)" texts; done <wanted
rm wanted
printf '%s\n' a:4 b:2 c:8 d:12 e:3 f:3 g:4 h:4 i:6 j:3 >hosts
shown 900x1200 "$NEREUS" plan $p --hostfile hosts --ns 2 --nt 49 --method merge-diffusive
holds '^Spawn tree: 10 groups in 3 levels, 2 to 49 processes$' texts
[ "$(grep -cE '^group [0-9]+: ' texts)" -eq 10 ] || fail "groups: $(cat texts)"
holds '^Connections: who joins whom$' texts
holds '^round 4$' texts
rm hosts
for method in baseline/coll baseline-single-async merge-async/coll merge/coll-thread merge-multiple baseline-launch-async merge-hypercube; do
    accepted "$NEREUS" plan $p --ns 4 --nt 8 --method $method --bytes-constant 50MB --bytes-variable 1MB --output shown.svg
    inside shown.svg
    texts shown.svg >texts
    holds "^$method.*: 4 to 8 processes$" texts
    case $method in baseline-launch*) ;; *-async*) holds '^(staying|leaving), auxiliary thread' texts ;; esac
done
accepted "$NEREUS" plan $p --ns 6 --nt 3 --method merge-zs/coll --output shown.svg
texts shown.svg >texts
holds '^leaving \(3\)$' texts
holds '^[0-9]+ sleep$' texts
accepted "$NEREUS" plan $p --ns 4 --nt 4 --method merge --output shown.svg
texts shown.svg >texts
holds '^Nothing to do' texts
accepted "$NEREUS" plan $p --ns 4 --nt 8 --method merge-multiple --output shown.svg
texts shown.svg >texts
holds '^Spawn tree: [0-9]+ groups in 1 level, ' texts
# What is drawn is not printed as well.
cp out drawn
accepted "$NEREUS" plan $p --ns 4 --nt 8 --method merge-multiple --summary
same out drawn
rm drawn

# --- predict ------------------------------------------------------------------------------------------------

shown 620x420 "$NEREUS" predict $p --ns 3 --nt 7 --t-iter 0.21
accepted "$NEREUS" predict $p --ns 3 --nt 7 --t-iter 0.21 --format csv
cp out predict.csv
rows=$(($(wc -l <predict.csv) - 1))
# Each method has its row, its point, its three parts of T_ex, and both figures.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["method"] }' predict.csv |
    while read -r method; do
        holds "^$method\$" texts
        holds "<title>$method: RT [0-9.]+ [a-zµ]+, 90 %: [0-9.]+ [a-zµ]+ to " shown.svg
    done
for part in before reconfiguration after; do
    [ "$(hints "$part: " shown.svg)" -eq "$rows" ] || fail "$part: $(hints "$part: " shown.svg) of $rows"
done
# The three parts add up to T_ex (in words to 1 %), and are as long as they say (to 2 %, as bars of
# less than a point are drawn as one).
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["t_ex_s"] }' predict.csv >t_ex
awk '/<rect .*<title>before: / { n++ } /<rect .*<title>(before|reconfiguration|after): / {
        match($0, / width="[0-9.]+"/); long[n] += substr($0, RSTART + 8, RLENGTH - 9)
        match($0, /: [0-9.]+ [^<]+</); split(substr($0, RSTART + 2, RLENGTH - 3), time, " ")
        said[n] += time[1] * (time[2] == "s" ? 1 : time[2] == "ms" ? 1e-3 : 1e-6) }
    END { for (i = 1; i <= n; i++) print long[i], said[i] }' shown.svg >bars
paste -d ' ' t_ex bars | awk '{ scale[NR] = $2 / $1; if ($3 / $1 > 1.01 || $3 / $1 < 0.99) exit bad = 1 }
    END { for (i in scale) if (scale[i] / scale[1] > 1.02 || scale[i] / scale[1] < 0.98) bad = 1; exit bad || NR < 2 }' ||
    fail "bars of T_ex: T_ex, length, said: $(paste -d ' ' t_ex bars)"
rm predict.csv t_ex bars
shown 900x760 "$NEREUS" predict $p --ns 3 --nt 7 --methods all
shown 620x420 "$NEREUS" predict $p --ns 3 --nt 7 --later-shrink 2
holds '^expansion and later shrink ' texts
holds '^all other iterations$' texts

# --- validate: from runs that were kept, nothing is run -----------------------------------------------------

accepted "$NEREUS" profile fit "$data/samples.csv" --output small.json
echo 'node0:4' >nodes
{
    echo cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,statistic,n,kind,pair,oversubscribed,old_processes,new_processes,time_s
    for run in merge/coll,0.20 merge/coll,0.25 merge/coll,0.30 baseline/coll,0.4 baseline/coll,0.5 baseline/coll,0.6; do
        echo "small,4,1,3,${run%,*},0.004,0.002,30008,${run#*,},,,single,1,reconfiguration,,0,0,0,"
    done
} >kept.csv
v="$NEREUS validate --profile small.json --held-out --samples $data/samples.csv --hostfile nodes --pairs 1:3 --bytes-variable 30001
    --methods merge/coll,baseline/coll --repeats 3 --results kept.csv"
shown 420x400 $v
holds '^RT, predicted and measured$' texts
holds '^merge/coll$' texts
holds '^baseline/coll$' texts
holds '^factor 2$' texts
[ "$(hints '1 to 3 by merge/coll: predicted [0-9.]* [mµ]*s, measured 250 ms' shown.svg)" -eq 1 ] || fail "merge: $(grep -o '<title>1 to[^<]*' shown.svg)"
[ "$(hints '1 to 3 by baseline/coll: predicted [0-9.]* [mµ]*s, measured 500 ms' shown.svg)" -eq 1 ] || fail "baseline: $(grep -o '<title>1 to[^<]*' shown.svg)"
# What was measured is printed also where the picture cannot be drawn.
$v --output shown.svg --size 200x200 >out 2>err && fail 'a picture of 200x200'
holds 'too small for this picture: [0-9]+x[0-9]+ would do' err
holds 'merge/coll' out
cp kept.csv kept.svg
failed '--output ./kept.svg is kept.svg, which is read' ${v% --results*} --results kept.svg --output ./kept.svg
cmp -s kept.csv kept.svg || fail 'a refused picture changed the results'
rm -f kept.csv kept.svg nodes small.json

# --- what cannot be -----------------------------------------------------------------------------------------

rm -f shown.svg texts
all_four() { # CHECK REGEX OPTION...: the same of all four commands
    local check=$1 regex=$2
    shift 2
    "$check" "$regex" "$NEREUS" map $q "$@"
    "$check" "$regex" "$NEREUS" plan $p --ns 3 --nt 7 --method merge "$@"
    "$check" "$regex" "$NEREUS" predict $p --ns 3 --nt 7 "$@"
    "$check" "$regex" "$NEREUS" validate $p --pairs 1:2 "$@"
}
all_four misused '--output x.bmp: a picture.s name ends with .svg, .pdf, .png or .html$' --output x.bmp
all_four misused '--output x: a picture.s name ends with ' --output x
all_four misused '--size .*--output' --size 800x600
all_four misused '--size 8: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600' --output x.svg --size 8
all_four failed 'nowhere' --output nowhere/x.svg
cp "$data/profile.json" p.svg
for command in "map --ns 2 --nt 3" "plan --ns 2 --nt 3 --method merge" "predict --ns 2 --nt 3" "validate --pairs 1:2"; do
    failed '--output ./p.svg is p.svg, which is read: name another file' "$NEREUS" $command --profile p.svg --output ./p.svg
done
cmp -s p.svg "$data/profile.json" || fail 'a refused picture changed the profile'
rm p.svg
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    all_four failed 'locked' --output locked/x.svg
    rmdir locked
else
    echo 'a folder without write permission is not tried: root may write everywhere'
fi
misused '--value is what a picture shows: name its file with --output' "$NEREUS" map $q --value rt --methods merge
misused '--value shows one method: name it' "$NEREUS" map $q --value rt --output x.svg
misused '--value shows one method: name it' "$NEREUS" map $q --value rt --methods merge,baseline --output x.svg
misused '--value omega is that of an asynchronous method, which merge is not' "$NEREUS" map $q --value omega --methods merge --output x.svg
misused "--value .*'rtt'" "$NEREUS" map $q --value rtt --methods merge --output x.svg
failed 'at most 1000 sizes on a side, not 1001: take fewer, such as every 10th' "$NEREUS" map $p --ns 1:1001 --nt 2 --output x.svg
misused '--output draws the answer to one question: leave --cases out' "$NEREUS" predict $p --cases c.csv --output x.svg
misused '--output draws the answer to one question: leave --sequence out' "$NEREUS" predict $p --ns 2 --sequence 4@3 --output x.svg
for size in 200x200 300x200; do
    failed 'too small for this picture: [0-9]+x[0-9]+ would do' "$NEREUS" predict $p --ns 3 --nt 7 --output x.svg --size $size
    failed 'too small for this picture: [0-9]+x[0-9]+ would do' "$NEREUS" plan $p --ns 3 --nt 7 --method merge --output x.svg --size $size
done
rm -f out err
only

# --- colours in a terminal ----------------------------------------------------------------------------------

escape=$(printf '\033')
coloured() { grep -q "$escape\\[" out; }
m="$NEREUS map $q"
accepted $m
cp out plain
coloured && fail 'colours in a pipe'
accepted $m --color always
coloured || fail 'no colours with --color always'
# As many cells as pairs, for each goal; without the colours each still has the number of its method.
sed "s/$escape\\[[0-9;]*m//g" out >bare
[ "$(grep -cE '^ +[1-4]  [ 0-9~.+]{6}$' bare)" -eq 8 ] || fail "cells: $(cat bare)"
holds '^ 1  [a-z]' bare
holds '^ NS . NT  2 +8$' bare
accepted $m --format csv --color always
coloured && fail 'colours in csv'
# Each goal is named by itself.
for goal in 'node-hours' 'energy --node-power 350' 'weights --weights rt=1'; do
    accepted "$NEREUS" map $p --t-iter 0.21s --ns 2 --nt 4 --goal $goal --color always
    grep -q "^Best for .*${goal%% *}" out || fail "another goal than $goal: $(cat out)"
done
for goal in 'node-hours:node-hours' 'energy --node-power 350:energy' 'weights --weights rt=1:weighted sum'; do
    accepted "$NEREUS" map $p --t-iter 0.21s --ns 2 --nt 4 --goal ${goal%:*} --output goal.svg
    grep -q "Least ${goal#*:}" goal.svg || fail "another title than that of $goal: $(grep Least goal.svg)"
done
# A plan: a bar for each of its steps, in blocks where the locale has them; without colours as it was.
t="$NEREUS plan $p --ns 3 --nt 7 --method merge"
accepted $t
coloured && fail 'colours of a plan in a pipe'
cp out plain
steps=$(grep -cE '^ *[0-9]+  [a-z]' plain)
for locale in C C.UTF-8; do
    accepted env LC_ALL=$locale $t --color always
    [ "$(grep -c "$escape" out)" -eq "$steps" ] || fail "$locale: bars of $steps steps: $(cat out)"
    grep -q '[▏▎▍▌▋▊▉█]' out && blocks=C.UTF-8 || blocks=C
    [ $blocks = $locale ] || fail "blocks with LC_ALL=$locale: $(cat out)"
    # The table of steps and all else stay; the bars come between them.
    grep -v "$escape" out | cat -s | cmp -s - <(cat -s plain) || fail "$locale: more than bars has changed: $(diff <(grep -v "$escape" out) plain)"
done
if command -v script >/dev/null; then
    on_terminal() { # VARIABLE=VALUE... COMMAND: into out
        script -qec "env -u NO_COLOR $*" /dev/null </dev/null 2>/dev/null | tr -d '\r' >out
        [ -s out ] || fail "nothing printed in a terminal: $*"
    }
    on_terminal TERM=xterm-256color "$m"
    coloured || fail 'no colours in a terminal'
    for plain in 'TERM=xterm NO_COLOR=1' 'TERM=dumb'; do
        on_terminal "$plain" "$m"
        coloured && fail "colours with $plain"
        grep -q 'NT and method, run by run' out || fail "$plain: $(cat out)"
    done
    on_terminal TERM=xterm "$m --color never"
    coloured && fail 'colours with --color never'
    on_terminal TERM=xterm NO_COLOR= "$m"
    coloured || fail 'an empty NO_COLOR is none (no-color.org)'
else
    echo 'colours in a terminal are not tried: no script(1) (bsdutils)'
fi
misused "--color .*'sometimes'" $m --color sometimes
finish
