# The command line: help, version, and a sentence for everything that is wrong with it.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

# The commands: on the first level and in the groups.
commands='doctor calibrate predict advise map plan run validate simulate convert twin help
profile: fit list show use diff
job: list status resize release offer wait top trace checkpoints
slurm: submit broker workload
study: run compare report
policy: run explain'
accepted "$NEREUS" --help
mv out first
accepted "$NEREUS" help --all
cp out all
check_command() { # COMMAND...
    holds "^$* +[a-z]" all
    accepted "$NEREUS" "$@" --help
    holds "^Usage: nereus $*( |\$)" out
    accepted "$NEREUS" "$@" --usage
    holds "^Usage: nereus $*( |\$)" out
    accepted "$NEREUS" "$@" --version
    holds '^nereus [0-9]+\.[0-9]+\.[0-9]+$' out
}
check_group() { # GROUP NAMES
    local name
    holds "^  $1 +.*: ${2// /, }\$" first
    accepted "$NEREUS" "$1" --help
    cp out group
    accepted "$NEREUS" help "$1"
    same group out
    holds "^Usage: nereus $1 COMMAND" out
    "$NEREUS" "$1" >out 2>missing
    [ $? -eq 2 ] && [ ! -s out ] || fail "nereus $1 without a command: $(cat out)"
    holds "^nereus $1: a command is missing$" missing
    for name in $2; do
        holds "^  $name +[a-z]" group
        holds "^  $name +[a-z]" missing
        check_command "$1" "$name"
    done
    misused "^nereus $1: unknown command 'xyzzy'; see nereus help $1$" "$NEREUS" "$1" xyzzy
    misused "^nereus help: unknown command 'xyzzy'; see nereus help $1$" "$NEREUS" help "$1" xyzzy
}
while IFS=: read -r group names; do
    if [ -n "$names" ]; then
        check_group "$group" "${names# }"
    else
        for name in $group; do check_command "$name"; done
    fi
done <<<"$commands"
[ "$(wc -l <all)" -eq "$(tr ' ' '\n' <<<"$commands" | grep -vc :)" ] || fail "other commands: $(cat all)"
[ "$(sed -n '/^Commands:/,/^Groups/s/^  \([a-z]*\) .*/\1/p' first | paste -sd' ')" = 'doctor calibrate predict advise map plan run validate' ] || fail "first: $(cat first)"
rm -f first all group missing
accepted "$NEREUS" predict --profile nothing --help # help wins over everything else
old=resize # the name of before, which no group is in front of
misused "unknown command 'resize'; did you mean 'job resize'\?" "$NEREUS" $old solver 3
misused "unknown command 'profil'; did you mean 'profile'\?" "$NEREUS" profil list
misused "^nereus job: unknown command 'resiz'; did you mean 'resize'\?" "$NEREUS" job resiz solver 3

misused 'a command is missing' "$NEREUS"
misused "unknown command 'perdict'; did you mean 'predict'\?" "$NEREUS" perdict
misused "unknown command 'xyzzy'" "$NEREUS" xyzzy
misused "unknown command '--nt'" "$NEREUS" --nt 3

p="$NEREUS predict --profile p.json"
misused "^nereus predict: .*--metods'; did you mean '--methods'\?" $p --ns 2 --nt 4 --metods merge
misused "--itertions-before'; did you mean '--iterations-before'" $p --ns 2 --nt 4 --itertions-before=3
misused "unknown option '--zzz'" $p --zzz
misused "unknown option '-x'" $p -x 3
misused '--nt needs a value' $p --ns 2 --nt
misused "'left' is one argument too many" $p --ns 2 --nt 4 left
failed "no profile: none is named" "$NEREUS" predict --ns 2 --nt 4
misused '--ns is missing' $p --nt 4
misused '--nt is missing' $p --ns 4
misused "--cases holds the sizes: leave --ns out" $p --cases c.csv --ns 3 --format csv

# Sizes to choose from are another question than one size.
misused '--explain needs a single size: --nt must be a number' $p --ns 4 --nt 2:8 --explain
misused '--t-iter-nt needs a single size' $p --ns 4 --nt best --t-iter-nt 1s
misused '--output needs a single size' $p --ns 4 --nt 2,8 --output a.svg
misused '--sequence needs a single size' $p --ns 4 --nt 2:8 --sequence 8@3
misused '--nt: the range 8:2 ends before it begins' $p --ns 4 --nt 8:2
misused '--explain cannot be printed as csv: use --format json' $p --ns 4 --nt 2 --explain --format csv
misused '--explain needs a single resize: remove --cases' $p --cases c.csv --explain

# Which of two values was meant, nobody knows. A flag says the same twice, and help wins over everything else.
misused '^nereus predict: --ns is given twice: give it once' $p --ns 20 --ns 30 --nt 60
misused '^nereus predict: --ns is given twice' $p --ns=20 --nt 60 --ns 20
misused '^nereus predict: --format is given twice' $p --ns 20 --nt 60 --format csv --form=csv
misused '^nereus run: --processes is given twice' "$NEREUS" run -n 2 --processes 2 a.ini
misused '^nereus doctor: .*one argument too many' "$NEREUS" doctor --quick -q now
accepted "$NEREUS" predict --ns 2 --ns 3 --help

# option, wrong value, what the sentence says. Values with no unit, sign or digit where one is
# needed; out of range.
rows=0
while IFS='|' read -r option value pattern; do
    case $option in '' | \#*) continue ;; esac
    rows=$((rows + 1))
    case $option in ns) sizes="--nt 4" ;; nt) sizes="--ns 2" ;; *) sizes="--ns 2 --nt 4" ;; esac
    misused "^nereus predict: --$option .*$pattern" $p $sizes "--$option" "$value"
    misused "^nereus predict: --$option .*$pattern" $p $sizes "--$option=$value"
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
bytes-replicated|-1|between 0
cores-per-process|0|at least 1
cores-per-process|two|whole number
cores-per-node|0|at least 1
cores-per-node|-20|at least 1
nodes|0|at least 1
slots|0|at least 1
goal|applicaton|one of application, system, node-hours, energy, weights, not 'applicaton'; did you mean 'application'\?
goal|speed|one of application, system, node-hours, energy, weights
goal|node_hours|did you mean 'node-hours'
system-threshold|-0.1|at least 0
system-threshold|10%|number
system-threshold|nan|number
later-shrink|0|at least 1
later-shrink|half|whole number
later-iterations|-1|at least 0
later-nodes|all|one of returned, any
format|cvs|one of text, csv, json, not 'cvs'; did you mean 'csv'\?
ROWS
[ "$rows" -gt 30 ] || fail "only $rows rows were tried"
misused '--state must not be empty' $p --ns 2 --nt 4 --state ''
misused '--scaling must not be empty' $p --ns 2 --nt 4 --scaling ''
misused '--methods must not be empty' $p --ns 2 --nt 4 --methods ''

misused '^nereus predict: --later-iterations belongs to --later-shrink' $p --ns 2 --nt 4 --later-iterations 3
misused '^nereus predict: --later-nodes belongs to --later-shrink' $p --ns 2 --nt 4 --later-nodes any
# A sequence of changes.
sequence() { misused "^nereus predict: .*$1" $p --ns 2 --sequence "$2"; }
sequence "takes SIZE@ITERATION\[:METHOD\].* '4'" 4
sequence "''" 4@3,
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
misused '^nereus predict: --sequence and --cases exclude' $p --sequence 4@3 --cases c.csv
misused '^nereus predict: --sequence and --later-shrink exclude' $p --ns 2 --sequence 4@3 --later-shrink 3
misused '^nereus predict: --ns is missing' $p --sequence 4@3
# Weights and their goal belong together.
misused '^nereus predict: --goal weights needs --weights' $p --ns 2 --nt 4 --goal weights
misused '^nereus predict: --weights belongs to --goal weights' $p --ns 2 --nt 4 --weights t_ex=1
weigh() { misused "^nereus predict: $1" $p --ns 2 --nt 4 --goal weights --weights "$2"; }
weigh "--weights .*'speed'" speed=1
weigh "--weights t_ex has no value: write t_ex=1" t_ex
weigh "--weights .*''" t_ex=1,
weigh "--weights names 'rt' twice" rt=1,t_ex=2,rt=3
weigh "--weights rt .*at least 0" rt=-1
weigh "--weights rt: 1e\+308 is above 1e\+09" rt=1e308
weigh "--weights node_hours .*number" node_hours=much
weigh "--weights rt=0,t_ex=0: one must be above 0" rt=0,t_ex=0

misused '--output PROFILE.json is missing' "$NEREUS" profile fit samples.csv
misused 'SAMPLES.csv... is missing' "$NEREUS" profile fit --output p.json
misused '--method METHOD is missing' "$NEREUS" plan --profile p.json --ns 2 --nt 4
misused "--format must be one of text, json, not 'csv'" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge --format csv
misused 'APP.ini or PROGRAM... is missing' "$NEREUS" run
# Asking a running job; there is none.
mkdir -m 700 runtime
export XDG_RUNTIME_DIR=$PWD/runtime
accepted "$NEREUS" job list
holds '^no job of this user answers on this host$' out
accepted "$NEREUS" job list --format csv
holds '^job,state,size,' out
misused 'JOB PROCESSES is missing|PROCESSES' "$NEREUS" job resize solver
misused "PROCESSES must be .*'many'" "$NEREUS" job resize solver many
misused "PROCESSES must be at least 1, not 0" "$NEREUS" job resize solver 0
misused "'../x' is no name of a job" "$NEREUS" job resize ../x 3
misused '--deadline .*above 0' "$NEREUS" job resize solver 3 --deadline 0
misused "'node5' is no offer: it takes NODE:CORES" "$NEREUS" job offer solver node5
misused "CORES must be" "$NEREUS" job offer solver node5:all
misused "CORES must be" "$NEREUS" job offer solver "node5:$(printf '%030d' 0)1x"
misused '--end and --request exclude each other' "$NEREUS" job wait solver --end --request 2
failed "no job 'solver' of this user answers on this host" "$NEREUS" job status solver
failed "no job 'solver'" "$NEREUS" job release solver node3
failed "no job 'solver'" "$NEREUS" job wait solver
chmod 755 runtime/nereus # others may look at it: another folder is taken
failed "no job 'solver' of this user answers on this host" "$NEREUS" job status solver
rm -rf runtime
unset XDG_RUNTIME_DIR
misused "one argument too many" "$NEREUS" run a.ini b.ini
misused 'name a file in place of -$' "$NEREUS" run --check -
misused '--processes must be at least 1, not 0' "$NEREUS" run -n 0 a.ini
misused "--processes must be a whole number" "$NEREUS" run -n two a.ini
misused "--pairs needs pairs such as 2:4" "$NEREUS" validate --profile p.json --pairs 2-4
misused "before ':' must be at least 1, not 0" "$NEREUS" validate --profile p.json --pairs 2:4,0:2
misused "after ':' must be a whole number" "$NEREUS" validate --profile p.json --pairs 2:
misused "--pairs names 2:4 twice" "$NEREUS" validate --profile p.json --pairs 2:4,4:2,2:4
misused "--repeats must be at least 1" "$NEREUS" validate --profile p.json --repeats 0
misused "--repeats must be at most" "$NEREUS" validate --profile p.json --repeats 1000000
misused "--bytes-variable must be" "$NEREUS" validate --profile p.json --bytes-variable -1
misused "--limit must be a time" "$NEREUS" validate --profile p.json --limit never
misused "--budget must be a time" "$NEREUS" validate --profile p.json --budget 0s
misused "--report must be one of steps, judgement, .*'judgment'; did you mean 'judgement'" "$NEREUS" validate --profile p.json \
    --report judgment
misused "--samples is what --held-out fits to" "$NEREUS" validate --profile p.json --samples p.csv
misused "baseline/rma" "$NEREUS" validate --profile p.json --methods baseline/rma

# Methods are words of a grammar: the parser says which one is wrong, before any file is looked at.
misused "merg.*did you mean" $p --ns 2 --nt 4 --methods merg
misused "empty entry" $p --ns 2 --nt 4 --methods merge,,baseline
misused "'merge/coll' twice" $p --ns 2 --nt 4 --methods merge/coll,baseline,merge/coll
misused "cool" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge/cool
# Options that exclude each other, or are no law: before any file is looked at. A file that is not
# there is a failure.
misused '--hostfile says what nodes there are: leave --nodes out' $p --ns 2 --nt 4 --nodes 3 --hostfile none
misused '--hostfile says what nodes there are: leave --cores-per-node out' "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge --cores-per-node 3 --hostfile none
misused '--hostfile says what nodes there are' "$NEREUS" map --profile p.json --ns 2 --nt 4 --nodes 3 --hostfile none
misused '--nt must be at most 2147483647' $p --ns 2 --nt 2147483648
misused "^nereus predict: --profile needs a value, and '--nt' is an option" "$NEREUS" predict --ns 2 --profile --nt 4
misused '--scaling: amdahl:1.5' $p --ns 2 --nt 4 --scaling amdahl:1.5
misused '--sequence .*--nt' $p --ns 2 --nt 4 --sequence 4@3
misused '--sequence .*--t-iter-nt' $p --ns 2 --t-iter-nt 3 --sequence 4@3
misused 'samples.csv is given twice' "$NEREUS" profile fit samples.csv samples.csv --output p.json
misused "'.*' .*picture|svg|png" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge --output tree.bmp
failed "profile 'p.json' does not exist" $p --ns 2 --nt 4
failed "profile 'p.json' does not exist" "$NEREUS" plan --profile p.json --ns 2 --nt 4 --method merge
failed "profile 'p.json' does not exist" "$NEREUS" map --profile p.json --ns 2 --nt 4
failed "profile 'p.json' does not exist" "$NEREUS" validate --profile p.json
failed "'s.csv' does not exist" "$NEREUS" profile fit s.csv --output p.json
# What never ends is no file: said at once, or after 256 MiB of it.
small="$NEREUS predict --profile $data/profile.json --ns 2 --nt 4"
failed "profile '/dev/zero' is not a text file" "$NEREUS" predict --profile /dev/zero --ns 2 --nt 4
failed "cases file '/dev/zero' is not a text file" "$NEREUS" predict --profile $data/profile.json --cases /dev/zero
failed "host file '/dev/zero' is not a text file" $small --hostfile /dev/zero
failed "^nereus predict: --scaling: 'idel' is neither a law .*; did you mean 'ideal'" $small --scaling idel
failed "table of iteration times '/dev/zero' is not a text file" $small --scaling /dev/zero
failed "job state '/dev/zero' is not a text file" $small --state /dev/zero
failed "sample file '/dev/zero' is not a text file" "$NEREUS" profile fit --output p.json /dev/zero
failed "profile '/dev/stdin' is longer than 256 MiB, or never ends" "$NEREUS" predict --profile /dev/stdin --ns 2 --nt 4 < <(yes)
# Where each process is, is followed on up to 2^24 nodes; each command that needs it says the same.
large='a job on more than 16777216 nodes .* is too large: fewer processes are possible, or nodes with more cores'
failed "$large" "$NEREUS" predict --profile $data/profile.json --cores-per-node 1 --ns 17000000 --nt 4
failed "$large" "$NEREUS" plan --profile $data/profile.json --cores-per-node 1 --ns 4 --nt 17000000 --method merge
failed "$large" "$NEREUS" predict --profile $data/profile.json --cores-per-node 1 --ns 4 --nt 17000000 --later-shrink 2
accepted "$NEREUS" predict --profile $data/profile.json --ns 17000000 --nt 4
rm -f out err

only ''
# Sizes of a map: option, wrong value, what the sentence says.
p="$NEREUS map --profile $data/profile.json"
while IFS='|' read -r option value pattern; do
    case $option in ns) sizes="--nt 1:4" ;; nt) sizes="--ns 1:4" ;; *) sizes="--ns 1:4 --nt 1:4" ;; esac
    misused "^nereus map: --$option.*$pattern" $p $sizes "--$option" "$value"
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
goal|fast|one of both, application, system, node-hours, energy, weights
later-shrink|0|at least 1
format|xml|csv
system-threshold|-1|at least 0
ROWS
misused '--later-iterations belongs to --later-shrink' $p --ns 1:4 --nt 1:4 --later-iterations 3
misused '--later-nodes belongs to --later-shrink' $p --ns 1:4 --nt 1:4 --later-nodes any
misused '--goal weights needs --weights' $p --ns 1:4 --nt 1:4 --goal weights
misused '--weights belongs to --goal weights' $p --ns 1:4 --nt 1:4 --weights rt=1
misused "--weights names 'rt' twice" $p --ns 1:4 --nt 1:4 --goal weights --weights rt=1,rt=2
misused '--ns is missing' "$NEREUS" map --profile p.json --nt 1:4
misused '--nt is missing' "$NEREUS" map --profile p.json --ns 1:4
failed "no profile: none is named" "$NEREUS" map --ns 1 --nt 1:4
failed 'none.json' "$NEREUS" map --profile none.json --ns 1 --nt 1:4
misused "names 'merge' twice" $p --ns 1 --nt 1:4 --methods merge,merge

# advise: mean times between failures.
p="$NEREUS advise --profile none.json --ns 2 --nt 4"
for option in mtbf node-mtbf; do
    misused "^nereus advise: --$option must be a time above 0, not 0" $p --$option 0
    misused "^nereus advise: --$option must be a time .*not -1h" $p --$option=-1h
    misused "^nereus advise: --$option must be a time .*2h, not .often" $p --$option often
done
misused '^nereus advise: --mtbf and --node-mtbf exclude each other$' $p --mtbf 6h --node-mtbf 12h
finish
