# The command line: help, version, and a sentence for everything that is wrong with it.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

accepted "$NEREUS" --help
cp out help.txt
for command in doctor calibrate fit predict map plan run validate; do
    holds "^  $command " help.txt
    accepted "$NEREUS" $command --help
    holds "^Usage: nereus $command" out
done
accepted "$NEREUS" --version
holds '^nereus [0-9]+\.[0-9]+\.[0-9]+$' out
accepted "$NEREUS" predict --profile nothing --help # help wins over everything else

refused 'a command is missing' "$NEREUS"
refused "unknown command 'perdict' \(did you mean 'predict'\?\)" "$NEREUS" perdict
refused "unknown command 'xyzzy'" "$NEREUS" xyzzy
refused "unknown command '--nt'" "$NEREUS" --nt 3

p="$NEREUS predict --profile p.json"
refused "^nereus predict: .*--metods' \(did you mean '--methods'\?\)" $p --ns 2 --nt 4 --metods merge
refused "--itertions-before' \(did you mean '--iterations-before'" $p --ns 2 --nt 4 --itertions-before=3
refused "unknown option '--zzz'" $p --zzz
refused "unknown option '-x'" $p -x 3
refused '--nt needs a value' $p --ns 2 --nt
refused "'left' is one argument too many" $p --ns 2 --nt 4 left
refused '--profile PROFILE.json is missing' "$NEREUS" predict --ns 2 --nt 4
refused '--ns is missing' $p --nt 4
refused '--nt is missing' $p --ns 4
refused "--cases holds the sizes: leave --ns out|cannot be read|p.json" $p --cases c.csv --ns 3 --format csv

# option, wrong value, what the sentence says. Values with no unit, sign or digit where one is needed; out of range.
rows=0
while IFS='|' read -r option value pattern; do
    case $option in '' | \#*) continue ;; esac
    rows=$((rows + 1))
    refused "^nereus predict: --$option .*$pattern" $p --ns 2 --nt 4 "--$option" "$value"
    refused "^nereus predict: --$option .*$pattern" $p --ns 2 --nt 4 "--$option=$value"
done <<'ROWS'
ns|0|at least 1, not 0
ns|-3|at least 1, not -3
ns|two|whole number of at least 1, not 'two'
ns|2.5|whole number
ns|0x10|whole number
ns| 3|whole number
ns|3 |whole number
ns|99999999999999999999|out of range
nt|0|at least 1
nt|-1|at least 1
nt|4k|whole number
t-iter|0|above 0
t-iter|-0.1|above 0
t-iter|0.1 s|must be a time
t-iter|1d|must be a time
t-iter|nan|must be a time
t-iter|inf|must be a time
t-iter|0x1p3|must be a time
t-iter|1e999|must be a time
t-iter-nt|-5ms|above 0
t-iter-nt|ms|must be a time
iterations-before|-1|at least 0
iterations-before|3.5|whole number
stage|cpu|one of compute, memory, collective
iterations-after|many|whole number
bytes-constant|-1|between 0
bytes-constant|64X|64M
bytes-constant|1.5B|whole number of bytes
bytes-constant|1e40|between 0
bytes-variable|MiB|64M
cores-per-node|0|at least 1
cores-per-node|-20|at least 1
nodes|0|at least 1
slots|0|at least 1
goal|applicaton|one of application, system, node-hours, weights, not 'applicaton' \(did you mean 'application'\?\)
goal|speed|one of application, system, node-hours, weights
goal|node_hours|did you mean 'node-hours'
system-threshold|-0.1|at least 0
system-threshold|10%|number
system-threshold|nan|number
later-shrink|0|at least 1
later-shrink|half|whole number
later-iterations|-1|at least 0
later-nodes|all|one of returned, any
format|cvs|one of text, csv, json, not 'cvs' \(did you mean 'csv'\?\)
ROWS
[ "$rows" -gt 30 ] || fail "only $rows rows were tried"
refused '--state must not be empty' $p --ns 2 --nt 4 --state ''
refused '--scaling must not be empty' $p --ns 2 --nt 4 --scaling ''
refused '--methods must not be empty' $p --ns 2 --nt 4 --methods ''

refused '^nereus predict: --later-iterations belongs to --later-shrink' $p --ns 2 --nt 4 --later-iterations 3
refused '^nereus predict: --later-nodes belongs to --later-shrink' $p --ns 2 --nt 4 --later-nodes any
# A sequence of changes.
sequence() { refused "^nereus predict: .*$1" $p --ns 2 --sequence "$2"; }
sequence "takes SIZE@ITERATION\[:METHOD\].* and '4' is none" 4
sequence "and '' is none" 4@3,
sequence "'0@3': must be at least 1" 0@3
sequence "'4@-1': must be at least 0" 4@-1
sequence "'@3:merge': the size .* has to stand before '@'" @3:merge
sequence "'@0': the size .* has to stand before '@', as 448@0" @0
sequence 'iterations must ascend, and 0 follows 0' 4@0,8@0
sequence "'four@3': must be a whole number" four@3
sequence "'4@3.5': must be a whole number" 4@3.5
sequence "at most 2147483647" 4294967296@3
sequence 'iterations must ascend, and 7 follows 7' 4@7,8@7
sequence "did you mean" 4@3:merg
sequence "MPI 4.1, 12.2.1" 4@3:baseline/rma
sequence "must not be empty" ''
refused '^nereus predict: --sequence and --cases exclude' $p --sequence 4@3 --cases c.csv
refused '^nereus predict: --sequence and --later-shrink exclude' $p --ns 2 --sequence 4@3 --later-shrink 3
refused '^nereus predict: --ns is missing' $p --sequence 4@3
# Weights and their goal belong together.
refused '^nereus predict: --goal weights needs --weights' $p --ns 2 --nt 4 --goal weights
refused '^nereus predict: --weights belongs to --goal weights' $p --ns 2 --nt 4 --weights t_ex=1
weigh() { refused "^nereus predict: $1" $p --ns 2 --nt 4 --goal weights --weights "$2"; }
weigh "--weights takes entries such as .* 'speed' is none" speed=1
weigh "--weights takes entries such as .* 't_ex' is none" t_ex
weigh "--weights takes entries such as .* '' is none" t_ex=1,
weigh "--weights names 'rt' twice" rt=1,t_ex=2,rt=3
weigh "--weights rt .*at least 0" rt=-1
weigh "--weights rt: 1e\+308 is above 1e\+09" rt=1e308
weigh "--weights node_hours .*number" node_hours=much
weigh "--weights rt=0,t_ex=0: one must be above 0" rt=0,t_ex=0

refused '--output PROFILE.json is missing' "$NEREUS" fit samples.csv
refused 'SAMPLES.csv... is missing' "$NEREUS" fit --output p.json
refused '--method METHOD is missing' "$NEREUS" plan --profile p.json --ns 2 --nt 4
refused "--format must be one of text, json, not 'csv'" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge --format csv
refused 'APP.ini is missing' "$NEREUS" run
refused "one argument too many" "$NEREUS" run a.ini b.ini
refused '--processes must be at least 1, not 0' "$NEREUS" run -n 0 a.ini
refused "--processes must be a whole number" "$NEREUS" run -n two a.ini
refused "--pairs needs pairs such as 2:4" "$NEREUS" validate --profile p.json --pairs 2-4
refused "before ':' must be at least 1, not 0" "$NEREUS" validate --profile p.json --pairs 2:4,0:2
refused "after ':' must be a whole number" "$NEREUS" validate --profile p.json --pairs 2:
refused "--pairs names 2:4 twice" "$NEREUS" validate --profile p.json --pairs 2:4,4:2,2:4
refused "--repeats must be at least 1" "$NEREUS" validate --profile p.json --repeats 0
refused "--repeats must be at most" "$NEREUS" validate --profile p.json --repeats 1000000
refused "--bytes must be" "$NEREUS" validate --profile p.json --bytes -1
refused "--limit must be a time" "$NEREUS" validate --profile p.json --limit never
refused "--budget must be a time" "$NEREUS" validate --profile p.json --budget 0s
refused "--report must be one of steps, judgement, .*'judgment' \(did you mean 'judgement'" "$NEREUS" validate --profile p.json \
    --report judgment
refused "--samples is what --held-out fits to" "$NEREUS" validate --profile p.json --samples p.csv
refused "baseline/rma" "$NEREUS" validate --profile p.json --methods baseline/rma

# Methods are words of a grammar: the parser says which one is wrong, before any file is looked at.
refused "merg.*did you mean" $p --ns 2 --nt 4 --methods merg
refused "empty entry" $p --ns 2 --nt 4 --methods merge,,baseline
refused "'merge/coll' twice" $p --ns 2 --nt 4 --methods merge/coll,baseline,merge/coll
refused "cool" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge/cool
# What never ends is no file: said at once, or after 256 MiB of it.
small="$NEREUS predict --profile $data/profile.json --ns 2 --nt 4"
refused "profile '/dev/zero' is not a text file" "$NEREUS" predict --profile /dev/zero --ns 2 --nt 4
refused "cases file '/dev/zero' is not a text file" "$NEREUS" predict --profile $data/profile.json --cases /dev/zero
refused "host file '/dev/zero' is not a text file" $small --hostfile /dev/zero
refused "table of iteration times '/dev/zero' is not a text file" $small --scaling /dev/zero
refused "job state '/dev/zero' is not a text file" $small --state /dev/zero
refused "sample file '/dev/zero' is not a text file" "$NEREUS" fit --output p.json /dev/zero
refused "profile '/dev/stdin' is longer than 256 MiB, or never ends" "$NEREUS" predict --profile /dev/stdin --ns 2 --nt 4 < <(yes)
# Where each process is, is followed on up to 2^24 nodes; each command that needs it says the same.
large='a job on more than 16777216 nodes .* is too large: fewer processes are possible, or nodes with more cores'
refused "$large" "$NEREUS" predict --profile $data/profile.json --cores-per-node 1 --ns 17000000 --nt 4
refused "$large" "$NEREUS" plan --profile $data/profile.json --cores-per-node 1 --ns 4 --nt 17000000 --method merge
refused "$large" "$NEREUS" predict --profile $data/profile.json --cores-per-node 1 --ns 4 --nt 17000000 --later-shrink 2
accepted "$NEREUS" predict --profile $data/profile.json --ns 17000000 --nt 4
rm -f out err

rm help.txt
only ''
# Sizes of a map: option, wrong value, what the sentence says.
p="$NEREUS map --profile $data/profile.json"
while IFS='|' read -r option value pattern; do
    refused "^nereus map: --$option.*$pattern" $p --ns 1:4 --nt 1:4 "--$option" "$value"
done <<'ROWS'
ns|0|at least 1, not 0
ns|0:4|at least 1, not 0
ns|4:2|the range 4:2 ends before it begins
ns|1:8:0|at least 1, not 0
ns|1:8:2:2|a range is FIRST:LAST or FIRST:LAST:STEP
ns|1:|a whole number of at least 1
nt|2,,4|a whole number of at least 1
nt|2-4|a whole number of at least 1, not '2-4'
nt|1:2147483648|at most 2147483647, not 2147483648
nt|1:2000000|at most 1000000 sizes
threads|0|at least 1, not 0
threads|257|at most 256, not 257
goal|fast|one of both, application, system, node-hours, weights
later-shrink|0|at least 1
format|xml|csv
system-threshold|-1|at least 0
ROWS
refused '--later-iterations belongs to --later-shrink' $p --ns 1:4 --nt 1:4 --later-iterations 3
refused '--later-nodes belongs to --later-shrink' $p --ns 1:4 --nt 1:4 --later-nodes any
refused '--goal weights needs --weights' $p --ns 1:4 --nt 1:4 --goal weights
refused '--weights belongs to --goal weights' $p --ns 1:4 --nt 1:4 --weights rt=1
refused "--weights names 'rt' twice" $p --ns 1:4 --nt 1:4 --goal weights --weights rt=1,rt=2
refused '--ns is missing' "$NEREUS" map --profile p.json --nt 1:4
refused '--nt is missing' "$NEREUS" map --profile p.json --ns 1:4
refused '--profile PROFILE.json is missing' "$NEREUS" map --ns 1 --nt 1:4
refused 'none.json' "$NEREUS" map --profile none.json --ns 1 --nt 1:4
refused "names 'merge' twice" $p --ns 1 --nt 1:4 --methods merge,merge

finish
