# Files of other people's tools, and files that were not written to their end: read right, or
# refused with a sentence.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

packed=packed
has zlib "gzipped files" || packed=""
# foreign FORMAT SUFFIX COMMAND...: what COMMAND prints of the file FORMAT.SUFFIX (named FILE) is
# the same however its lines end, with a byte order mark, gzipped, from standard input, and (but of
# samples) without an end of the last line; UTF-16 and an archive have a sentence.
foreign() {
    local plain=$1.$2 way
    shift 2
    local words=("$@")
    on() { "$NEREUS" "${words[@]/FILE/$1}"; }
    on "$plain" >expected 2>err || fail "$plain: $(cat err)"
    sed 's/$/\r/' "$plain" >crlf.txt
    tr '\n' '\r' <"$plain" >cr.txt
    { cat crlf.txt && printf '\x1A'; } >dos.txt
    { printf '\xEF\xBB\xBF' && cat "$plain"; } >mark.txt
    printf %s "$(cat "$plain")" >open.txt # the last line has no end, and is whole
    gzip -nc mark.txt >packed.txt
    for way in crlf cr dos open mark $packed; do
        [ "$plain $way" != "samples.csv open" ] || continue
        mv $way.txt "${plain}"
        on "$plain" 2>err | cmp - expected || fail "$way: $(cat err)"
        grep 'note: .*left out' err && fail "$way: a note of $plain"
        [ $way = mark ] && { on - <"$plain" 2>err | sed "s/^-:/$plain:/" | cmp - expected || fail "standard input: $(cat err)"; }
    done
    gzip -dcf "$plain" | tail -c +4 | iconv -t UTF-16 >utf16.txt
    refused " 'utf16.txt' is UTF-16, which Windows calls Unicode: save it as UTF-8" on utf16.txt
    printf 'PK\3\4\24\0\6\0' >book.txt
    refused " 'book.txt' is an archive \(as .xlsx and .ods are\): save the table as CSV" on book.txt
    gzip -dcf "$plain" | tail -c +4 >"back.$$" && mv "back.$$" "$plain"
}
p="predict --profile $data/profile.json --ns 2 --nt 4"
cat >log.swf <<'SWF'
; Version: 2.2
; Computer: IBM SP2
 1 0 0 10 2 -1 -1 2 20 -1 1 1 1 1 1 -1 -1 -1
 2 3 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 -1 -1 -1
SWF
foreign log swf simulate FILE --nodes 4 --scheduler fcfs --format csv
printf 'job,submit_s,run_s,processors\n1,0,10,2\n"2",3,10,4\n' >jobs.csv
foreign jobs csv simulate FILE --nodes 4 --scheduler fcfs --format csv
foreign jobs csv convert FILE
printf '# MPICH\nnode1:2\nnode2:4\n' >hosts.txt
foreign hosts txt $p --hostfile FILE --format csv
printf '# Open MPI\nnode1 slots=2\nnode2 slots=4 max_slots=8\n' >slots.txt
"$NEREUS" $p --hostfile slots.txt --format csv | cmp - expected || fail "slots of Open MPI"
printf 'n,t_iter_s\n2,0.5\n4,0.25\n' >times.csv
foreign times csv $p --scaling FILE --format csv
printf 'ns,nt\n2,4\n3,6\n' >cases.csv
foreign cases csv predict --profile "$data/profile.json" --cases FILE --format csv
cp "$data/profile.json" machine.json
foreign machine json predict --ns 2 --nt 4 --profile FILE --format csv
cp "$data/trace.jsonl" job.jsonl
foreign job jsonl job trace FILE --format csv
cp "$NEREUS_SOURCE_DIR/sam/examples/chain.ini" chain.ini
tr '\n' '\r' <chain.ini | sed '1s/^/\xEF\xBB\xBF/' >mac.ini
[ "$("$NEREUS" run --check mac.ini | sed 's/mac.ini/chain.ini/')" = "$("$NEREUS" run --check chain.ini)" ] || fail "an INI file"
cp "$data/samples.csv" samples.csv
foreign samples csv profile fit --output /dev/null FILE

# --- logs of jobs and tables as others write them ---
sed 's/ 2 -1 -1 2 / 2.5 -1 -1 2.5 /' log.swf >half.swf
failed 'half.swf:3: field 5 must be a whole number, not .2\.5.' "$NEREUS" simulate half.swf --nodes 4
sed 's/^ 2 / 1 /' log.swf >twice.swf
accepted "$NEREUS" simulate twice.swf --nodes 4 --format csv
holds 'note: twice.swf:4: the number of a job of another line: taken as another job' err
[ "$(wc -l <out)" -eq 3 ] || fail "two jobs with one number: $(cat out)"
for seconds in 0 -1; do # a run of no time that was not cancelled is one
    sed "s/^ 2 3 0 10 \(.*\) 20 -1 1 /2 3 0 $seconds \1 20 -1 5 /; s/^ 1 0 0 10/1 0 0 0/" log.swf >cancelled.swf
    accepted "$NEREUS" convert cancelled.swf
    holds 'note: cancelled.swf:4: cancelled before it ran \(status 5\): the job is left out$' err
    [ "$(wc -l <out) $(wc -l <err)" = "2 1" ] || fail "cancelled jobs: $(cat out err)"
done
{ printf ';'; head -c 300000 /dev/zero | tr '\0' x; echo; cat log.swf; } >long.swf
accepted "$NEREUS" simulate long.swf --nodes 4 --format csv
[ "$(wc -l <out)" -eq 3 ] || fail "a comment longer than a buffer: $(head -c 300 out)"
printf 'job;submit_s;run_s;processors\n1;0;1,5;2\n' >excel.csv
failed "excel.csv:1: columns must be separated by ',', not by ';', and numbers written with a point" "$NEREUS" simulate excel.csv --nodes 4
printf 'Submit|Elapsed|NCPUS\n2026-01-01T00:00:00|00:10:00|4\n' >sacct
failed "sacct:1: columns between '\|' are read as sacct prints them, .*JobID is missing there" "$NEREUS" simulate sacct --nodes 4
tr '|' ' ' <sacct >blanks
failed "blanks:1: columns must be separated by ',', not by blanks" "$NEREUS" simulate blanks --nodes 4
printf 'node1 ifname=eth0\n' >hosts
failed "hosts:1: 'ifname=eth0' behind a node is not understood: write name, name:cores or, as for Open MPI, name slots=4" "$NEREUS" $p --hostfile hosts

sed 's/^ 2 3 / 2 0x10 /' log.swf >hexadecimal.swf
failed "hexadecimal.swf:4: field 2 must be a number, not '0x10'" "$NEREUS" simulate hexadecimal.swf --nodes 4
printf 'n;t_iter_s\n2;0,5\n' >times.csv
failed "times.csv:1: columns must be separated by ',', not by ';'" "$NEREUS" $p --scaling times.csv
for told in sep=, '"sep=,"'; do
    printf '%s\r\nn,t_iter_s\r\n2,0.5\r\n4,x\r\n' $told >times.csv
    failed "times.csv:4: t_iter_s must be a time such as 0.1, 0.1s, 100ms, 250us, 5min or 2h, not 'x'" "$NEREUS" $p --scaling times.csv
done
{ printf '"sep=,"\r\n' && cat jobs.csv; } >told
"$NEREUS" convert told | cmp - <("$NEREUS" convert jobs.csv) || fail "a table that begins with its separator"
{ gzip -nc log.swf && cat log.swf; } >mixed.swf
[ -z "$packed" ] || failed "workload 'mixed.swf' cannot be read: behind its gzip data stands something else" "$NEREUS" simulate mixed.swf --nodes 4
iconv -t UTF-32 log.swf >utf32.swf
failed "workload 'utf32.swf' is UTF-32: save it as UTF-8" "$NEREUS" simulate utf32.swf --nodes 4
printf '{"jobs": []}\n' >jobs.json
failed 'jobs.json: JSON is no workload: `nereus convert` makes one' "$NEREUS" simulate jobs.json --nodes 4

# --- numbers read back as what they were ---
sed 's/^ 1 0 / 1 1764200000.125 /; s/^ 2 3 / 2 1764200003.125 /' log.swf >unix.swf
accepted "$NEREUS" simulate unix.swf --nodes 4 --scheduler fcfs --format csv
holds '^1,1764200000.125,1764200000.125,1764200010.125,' out
accepted "$NEREUS" convert unix.swf
holds '^1,1764200000.125,10,2,' out
accepted "$NEREUS" $p --bytes-constant 10000000000001 --t-iter 0.1 --format json
holds '"bytes_constant": 10000000000001' out
holds '"t_iter_ns_s": 0\.1,' out

# --- standard output, and the home folder ---
accepted "$NEREUS" profile fit samples.csv --output fitted.json
accepted "$NEREUS" profile fit samples.csv --output -
cmp out fitted.json || fail "a profile on standard output"
accepted "$NEREUS" convert log.swf
cp out expected
accepted "$NEREUS" convert - --output - <log.swf
cmp out expected || fail "a workload on standard output"
misused '--samples -: standard output has what is printed: name another place' "$NEREUS" calibrate --samples -
misused '--output -: several files are written: name a folder' "$NEREUS" convert log.swf --to elastisim --nodes 4 --output -
[ ! -e - ] || fail "a file named -"
accepted env HOME="$PWD" "$NEREUS" predict --ns 2 --nt 4 '--profile=~/machine.json'
accepted env HOME="$PWD" NEREUS_PROFILE='~/machine.json' "$NEREUS" predict --ns 2 --nt 4

# --- the example of a job's state in the documents ---
awk '/^## Job state/ { here = 1 } here && /^    /' "$NEREUS_SOURCE_DIR/docs/formats.md" | awk '{ print } /}]}}$/ { exit }' >state.json
accepted "$NEREUS" predict --profile "$data/profile.json" --ns 4 --nt 6 --state state.json
accepted "$NEREUS" plan --profile "$data/profile.json" --ns 4 --nt 6 --method merge-launch/coll --state state.json

# --- lines that were not written to their end ---
# cut off: the events of the whole lines, and a note that says which line is not there
lines=$(wc -l <job.jsonl)
"$NEREUS" job trace job.jsonl --format csv >expected
for tail in '{"event":"reconf' '{"event":"reconf\0\0\0\0' '\0\0\0' '{"event":"reconf\n{"event":"other"}\n'; do
    { cat job.jsonl && printf "$tail"; } >torn.jsonl
    accepted "$NEREUS" job trace torn.jsonl --format csv
    cmp out expected || fail "torn by $tail"
    holds "^nereus job trace: note: torn.jsonl: line $((lines + 1)) is left out: it was not written to its end" err
done
sed '2s/.*/{"event" "other"}/' job.jsonl >bad.jsonl
sed -n 1p bad.jsonl | cmp - <(sed -n 1p job.jsonl) || fail "another first line"
"$NEREUS" job trace bad.jsonl --format csv >out 2>err
holds "^nereus job trace: note: bad.jsonl: line 2 is left out: not a JSON object: .*':' expected" err
printf '{"event":"rec' >torn.jsonl
failed 'torn.jsonl, line 1: not a JSON object' "$NEREUS" job trace torn.jsonl
head -n 4 "$data/monitor-jobs.jsonl" | tail -n 1 | head -c 50 >half
{ cat "$data/monitor-jobs.jsonl" half; } >torn.jsonl
accepted "$NEREUS" job top --once torn.jsonl
holds '^nereus job top: note: torn.jsonl: line [0-9]+ is left out' err
{ cat samples.csv && tail -n 1 samples.csv | head -c 20; } >torn.csv
accepted "$NEREUS" profile fit torn.csv --output torn.json
holds "^nereus profile fit: note: torn.csv: line $(($(wc -l <samples.csv) + 1)) is left out" err
accepted "$NEREUS" profile fit samples.csv --output whole.json
cmp whole.json torn.json || fail "a profile from whole rows"
{ cat samples.csv && tail -n 1 samples.csv | head -c -2; } >torn.csv # no column is missing
accepted "$NEREUS" profile fit torn.csv --output torn.json
holds "^nereus profile fit: note: torn.csv: line $(($(wc -l <samples.csv) + 1)) is left out" err
cmp whole.json torn.json || fail "a profile from whole rows and one that may be cut"
{ cat samples.csv && printf '# nereus calibrate: {"clus'; } >torn.csv
accepted "$NEREUS" profile fit torn.csv --output torn.json
holds "^nereus profile fit: note: torn.csv: line $(($(wc -l <samples.csv) + 1)) is left out" err

# --- standard input that is not what it should be ---
failed "'-' is empty" "$NEREUS" $p --scaling - </dev/null
failed "'-' is empty" "$NEREUS" $p --state - </dev/null
printf '{"a": 1, "a": 2}' >twice.json
failed 'is no JSON: duplicate object key' "$NEREUS" predict --ns 2 --nt 4 --profile twice.json

# --- endings in letters of either case ---
m="map --profile $data/profile.json --ns 1,2 --nt 1,2"
endings="SVG Png PDF HTML"
has cairo "PNG and PDF in capitals" || endings="SVG HTML"
for ending in $endings; do
    accepted "$NEREUS" $m --output "picture.$ending"
    accepted "$NEREUS" $m --output "picture.${ending,,}"
    [ -s "picture.$ending" ] || fail "no picture.$ending"
    [ "$(head -c 4 "picture.$ending")" = "$(head -c 4 "picture.${ending,,}")" ] || fail "another format: $ending"
done
finish
