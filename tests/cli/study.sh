# nereus study run: what is refused, with file, line and key, before anything is run.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

cp "$data/study.ini" a.ini

# --- what is refused: file, line, key -----------------------------------------------------------------------

accepted "$NEREUS" study run a.ini --check
holds '^a.ini: good. 6 runs: 1 x 2 x 1 x 3 \(pairs of sizes, methods, sizes of data, repeats\), 2 \+ 3 iterations each$' out
with() { # SED SENTENCE
    sed -e "$1" a.ini >b.ini
    failed "^nereus study run: b.ini$2" "$NEREUS" study run b.ini
}
with 's/^pairs.*/sizes = 1, x/' ":3: sizes in \[study\] must be a whole number of at least 1, not 'x'"
with 's/^pairs.*/pairs = 1-2/' ":3: pairs in \[study\]: '1-2' must be NS:NT"
with 's/^pairs.*/pairs = 2:2/' ":3: pairs in \[study\]: '2:2' changes nothing"
with 's/^pairs.*/sizes = 4/' ':3: sizes in \[study\]: one size alone is no change: give at least two, as 1,2$'
with 's/^pairs.*/sizes = 1,2,1/' ':3: sizes in \[study\]: 1 is given twice'
with 's/^methods.*/methods = merge\/cull/' ":4: methods in \[study\]: .*did you mean 'coll'"
with 's/^methods.*/methods = merge\/coll,,/' ':4: methods in \[study\]: empty'
with 's/^methods.*//' ': key methods is missing in \[study\]'
with 's/^bytes.*/bytes = 1XB/' ':5: bytes in \[study\]'
with 's/^iterations.*/iterations = 3/' ':6: iterations in \[study\]: must be two numbers'
with 's/^repeats.*/repeats = 0/' ':7: repeats in \[study\] must be an integer from 1 to 1000000'
with 's/^seed.*/limit = 0/' ':8: limit in \[study\] must be a time of at least 0.001'
with 's/^repeats/repeat/' ":7: unknown key 'repeat' in \[study\]; did you mean 'repeats'"
with 's/^seed.*/pairs = 1:2/' ":8: 'pairs' in \[study\] is given already in line 3"
with 's/^\[study\]/[general]/' ': the section \[study\] is missing'
for line in 'trace = t' 'trace: t' ' Results\t:r'; do # as the application reads it
    with "s/^constant_percent.*/$line/" ':11: trace and results are the study'
done
with 's/^type = pi/type = pie/' ":14: type in \[stage0\] must be .*did you mean 'pi'"
with 's/^constant_percent.*/slots = 1/' ': what \[study\] makes is refused: Procs in \[group1\] is 2, above the 1 slot of line 11'
echo '[group0]' | cat a.ini - >b.ini
failed '^nereus study run: b.ini:16: a study has no groups of its own' "$NEREUS" study run b.ini
{ cat a.ini; printf '[stage7]\ntype'; } >b.ini # a line without its end is the user's, too
failed "^nereus study run: b.ini:17: neither 'key = value' nor " "$NEREUS" study run b.ini
{ cat a.ini; printf '[stage0]\ntype = pi\n'; } >b.ini # what [study] adds to [general] moves no line
failed '^nereus study run: b.ini:16: \[stage0\] is given already in line 13$' "$NEREUS" study run b.ini
{ cat a.ini; printf 'type = pi\n'; } >b.ini
failed '^nereus study run: b.ini:16: .* given already in line 14$' "$NEREUS" study run b.ini
{ cat a.ini; printf '[general]\nseed = 2\n'; } >b.ini
failed '^nereus study run: b.ini:16: \[general\] is given already in line 10$' "$NEREUS" study run b.ini
{ cat a.ini; printf '[study]\nseed = 2\n'; } >b.ini
failed '^nereus study run: b.ini:16: \[study\] is given already in line 2$' "$NEREUS" study run b.ini

# A line may be long.
accepted "$NEREUS" study run "$NEREUS_SOURCE_DIR/sam/examples/studies/data-redistribution.ini" --check
only a.ini b.ini
finish
