# The documentation tells the truth: README's first two commands, the table of contents, the columns
# of CSV, the pages of functions and keys, links, files named, commands and their options, the
# commands of README and docs/tour.md that need no MPI, and the example programs: those of
# docs/application.md and docs/languages.md are built as the pages say and go from 2 to 3 processes,
# those in sam/programs that the pages name print what they should; and that of docs/model.md gives
# the same answers as the command.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

root=$NEREUS_SOURCE_DIR readme=$NEREUS_SOURCE_DIR/README.md tour=$NEREUS_SOURCE_DIR/docs/tour.md
pages=$(cd "$root" && ls README.md docs/*.md ./*/README.md ./*/*/README.md tests/*/*/README.md 2>/dev/null | sed "s|^\./||" | grep -v "^build" | sort -u)

# block N LANGUAGE FILE: the Nth fenced block of that language.
block() {
    awk -v wanted="$1" -v start="\`\`\`$2" '
        $0 == start && !inside { inside = 1; number++; next }
        /^```/ { inside = 0 }
        inside && number == wanted' "$3"
}

# program FILE PAGE: the block that is named by its first line, after the comment sign.
program() {
    awk -v name="$1:" '
        /^```/ { first = !inside; inside = !inside; shown = 0; next }
        first && inside { first = 0; shown = index($0, name) == 3 || index($0, name) == 4 }
        shown' "$2"
}

# section HEADING PAGE: what stands from that heading to the next one of its level or a higher one.
section() {
    awk -v heading="$1" '
        /^```/ { code = !code }
        !code && /^#+ / { level = index($0, " "); if ($0 == heading) { inside = level } else if (level <= inside) inside = 0 }
        inside' "$2"
}

# --- the first two commands ---------------------------------------------------------------------------------

check_first_commands() {
    local number=0 expected
    for expected in "./setup demo" "./setup test"; do
        number=$((number + 1))
        [ "$(block $number sh "$readme")" = "$expected" ] ||
            fail "sh block $number of README.md is '$(block $number sh "$readme")', expected the one line '$expected'"
        "$root/setup" help | grep -q "^  ${expected#./setup }  " || fail "setup has no command ${expected#./setup }"
    done
}

# --- columns ------------------------------------------------------------------------------------------------

# formats HEADING: that section of docs/formats.md, without those below it.
formats() {
    local text
    text=$(section "$1" "$root/docs/formats.md")
    printf '%s\n' "${text%%$'\n### '*}"
}

# columns HEADING COMMAND...: each column of its CSV is named in that section of docs/formats.md or
# in that of cases, a prefix of map by itself.
columns() {
    local heading=$1 column prefix text
    shift
    text=$(formats "$heading" && formats "## Cases: CSV, in and out")
    "$NEREUS" "$@" --synthetic "nodes:4 cores:4" --t-iter 1s --format csv 2>/dev/null | head -n 1 | tr , '\n' >columns.txt
    [ "$(wc -l <columns.txt)" -gt 5 ] || fail "nereus $1 prints no columns: $*"
    while read -r column; do
        prefix=""
        [[ ! $column =~ ^(application|system|node_hours|energy|weights)_ ]] || prefix=${BASH_REMATCH[0]}
        case $1:$prefix in
        map:?*)
            [[ $text == *"\`$prefix\`"* ]] || fail "docs/formats.md, $heading: no prefix $prefix ($*)"
            column=${column#"$prefix"}
            ;;
        esac
        [[ $text == *"\`$column\`"* ]] || fail "docs/formats.md, $heading: no column $column ($*)"
    done <columns.txt
}

check_columns() {
    local goal column
    columns "## Cases: CSV, in and out" predict --ns 2 --nt 4 --later-shrink 2
    columns "## Cases: CSV, in and out" predict --ns 2 --nt 4 --goal energy --node-power 200
    columns "### A sequence" predict --ns 2 --sequence 4@10,2@20
    columns "### Advice" advise --ns 2 --nt 2:8 --node-mtbf 720h --bytes-variable 1MB
    columns "### A map" map --ns 2:4 --nt 2:4
    for goal in application system node-hours "energy --node-power 200" "weights --weights t_ex=1,node_hours=1"; do
        # shellcheck disable=SC2086 # several words
        columns "### A map" map --ns 2:4 --nt 2:4 --goal $goal --later-shrink 2
    done
    while read -r column; do
        formats "## Samples: CSV" | grep -qF "\`$column\`" || fail "docs/formats.md, Samples: no column $column (samples_columns.h)"
    done < <(grep -o '"[a-z_]*"' "$root/model/profile/samples_columns.h" | tr -d '"')
}

# What begins a row of a table of docs/formats.md is a name in the sources.
check_names() {
    local name
    (cd "$root" && grep -rhoE --include='*.[ch]' '"[A-Za-z_0-9]+"' model src predictor sam) | sort -u >names
    awk -F'|' '/^\| `/ { while (match($2, /`[a-z_0-9]+`/)) { print substr($2, RSTART + 1, RLENGTH - 2); $2 = substr($2, RSTART + RLENGTH) } }' \
        "$root/docs/formats.md" >listed
    [ "$(wc -l <listed)" -gt 100 ] || fail "docs/formats.md: only $(wc -l <listed) names in its tables"
    while read -r name; do
        grep -qxF "\"$name\"" names || fail "docs/formats.md: '$name' is no name in the sources"
    done <listed
}

# --- links and files ----------------------------------------------------------------------------------------

# has_anchor PAGE NAME: the names of its headings in links, as GitHub makes them; each page is read once.
declare -A anchors
has_anchor() {
    local name
    [ -n "${anchors[$1]-}" ] || while read -r name; do anchors[$1]=read anchors[$1#$name]=1; done < <(
        awk '/^```/ { inside = !inside; next }
            !inside && sub(/^#+ /, "") { name = tolower($0); gsub(/[^a-z0-9 _-]/, "", name); gsub(/ /, "-", name); print name }' "$1")
    [ -n "${anchors[$1#$2]-}" ]
}

check_links() { # PAGE
    local link target anchor folder
    folder=$root/$(dirname "$1")
    while read -r link; do
        case $link in *://* | mailto:* | "") continue ;; esac
        target=${link%%#*} anchor=${link#"$target"} anchor=${anchor#\#}
        target=${target:+$folder/$target} target=${target:-$root/$1}
        [ -e "$target" ] || fail "$1: the link to '$link' leads nowhere"
        [ -z "$anchor" ] || [ ! -f "$target" ] || has_anchor "$target" "$anchor" ||
            fail "$1: the link to '$link' leads to no heading"
    done < <(grep -oE '\]\([^)[:space:]]+\)' "$root/$1" | sed 's/^](//; s/)$//')
}

# The table of contents names each page; 14 at most are written by hand, with README. A page of
# results has a title, a conclusion and its command.
check_contents() {
    local page count=1
    for page in "$root"/docs/*.md; do
        [ "${page##*/}" != README.md ] || continue
        grep -q '\.awk` makes this page' "$page" || count=$((count + 1))
        grep -qF "](${page##*/})" "$root/docs/README.md" || fail "docs/README.md does not name ${page##*/}"
    done
    [ "$count" -le 14 ] || fail "$count pages, expected at most 14"
    for page in "$root"/docs/results/*.md; do
        head -n 1 "$page" | grep -q '^# .' || fail "docs/results/${page##*/} does not begin with a title"
        sed -n 3p "$page" | grep -q '^[A-Z].*\.$' || fail "docs/results/${page##*/} does not say its conclusion in its third line"
        grep -m 1 '^`[^`]*`\|^Sources: ' "$page" >/dev/null || fail "docs/results/${page##*/} names neither its command nor its sources"
        check_links "docs/results/${page##*/}"
        check_commands "docs/results/${page##*/}"
    done
}

# The page of all functions is the one that the headers give.
check_functions() {
    local make="awk -f src/include/api-page.awk -f src/include/header-comments.awk src/include/nereus/nereus.h model/include/nereus/*.h"
    (cd "$root" && $make) | diff "$root/docs/api.md" - >out || fail "docs/api.md is not what the headers give; '$make >docs/api.md' makes it: $(head -4 out)"
}

# The page of all keys is the one that the programs give; without MPI there is no nereus-sam.
check_keys() {
    [ "$NEREUS_HAVE_MPI" = 1 ] || return 0
    { "$NEREUS" policy run --keys && echo '# synthetic application' && nereus-sam --keys; } |
        awk -f "$root/docs/keys-page.awk" | diff "$root/docs/keys.md" - >out ||
        fail "docs/keys.md is not what the programs give; docs/keys-page.awk says how it is made: $(head -4 out)"
}

# In the manuals a path in backquotes names a file of the project, or several with a star.
check_paths() { # PAGE
    local path
    while read -r path; do
        compgen -G "$root/$path" >/dev/null || fail "$1: there is no file '$path'"
    done < <(grep -oE '`(model|src|sam|calibration|predictor|tests|docs)/[A-Za-z0-9_./*-]+`' "$root/$1" | tr -d '`' | grep -v NAME)
}

# --- commands -----------------------------------------------------------------------------------------------

# What is code in a page: fenced shell blocks, indented lines, and what stands in backquotes.
code_of() { # FILE
    awk '
        /^```/ { inside = !inside; shell = ($0 == "```sh"); next }
        inside { if (shell) print; next }
        /^    / { print; next }
        { while (match($0, /`[^`]+`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' "$1"
}

# The command lines of `nereus` in a page, from the word behind it on, each cut off where the shell would.
command_lines() { # FILE
    code_of "$1" | sed 's/ #.*//; s/ -- .*//; s/[|;&>].*//' | sed -nE 's#^(.*[ /])?nereus ([a-z-].*)$#\2#p'
}

option_exists() { # COMMAND OPTION
    local text end=$'\n'
    text=$end$(<"help.$1")$end
    case $2 in
    --*) [[ $text =~ $end" "[^$end]*"$2"[=,\ $end] ]] ;;
    *) [[ $text == *"$end  $2, "* ]] ;;
    esac
}

check_commands() { # PAGE
    local command words word
    while read -r command words; do
        case $command in --help | --version | help | */*) continue ;; esac # a path: nereus itself is an argument there
        [ ! -e "help.$command ${words%% *}" ] || command+=" ${words%% *}"
        if [ ! -e "help.$command" ]; then
            fail "$1: nereus has no command '$command'"
            continue
        fi
        for word in $words; do
            word=${word#[} word=${word%]}
            case $word in
            --[a-z]* | -[a-z]) option_exists "$command" "${word%%=*}" || fail "$1: nereus $command has no option $word" ;;
            esac
        done
    done < <(command_lines "$root/$1")
}

# An option that stands by itself in backquotes belongs to some command.
check_options() { # PAGE
    local option
    while read -r option; do
        grep -qhE -- "$option([=, ]|\$)" help.* || fail "$1: no command has the option $option"
    done < <(grep -oE '`--[a-z-]+[`= ]' "$root/$1" | tr -d '`= ')
}

# The help of every command, and of setup, nereus-mpiexec and nereus itself, once.
write_helps() {
    local command
    "$NEREUS" --help >help.nereus
    "$root/setup" help >help.setup
    sed -n '/^Options:/,/^Environment:/p' "$root/src/mpi/nereus-mpiexec.in" >help.nereus-mpiexec # also where there is no MPI
    "$NEREUS" help --all | sed 's/  .*//' >commands
    while read -r command; do
        # shellcheck disable=SC2086 # a group and a command are two words
        "$NEREUS" $command --help >"help.$command" || fail "nereus $command --help ended with $?"
    done <commands
    for command in $(sed -nE 's/^([a-z]+) .*/\1/p' commands | sort -u); do "$NEREUS" "$command" --help >"help.$command"; done
}

# --- the tour -----------------------------------------------------------------------------------------------

# Every line of a page's shell blocks that starts a command of `nereus` which needs no MPI, and what
# the page says in backquotes about a map.
tour_commands() { # PAGE
    awk '/^```/ { shell = ($0 == "```sh"); next } shell && /^nereus (profile fit|predict|advise|plan|map|job (top|trace)|study compare|simulate|convert|policy) /' "$1"
    grep -o '`nereus map [^`]*`' "$1" | tr -d '`'
}

# Carries out the commands of a page in a folder that looks like the project's, and compares their
# answers with those shown.
check_tour() { # PAGE COMMANDS LINES: so many at least
    local line count=0 name
    name=$(basename "$1")
    mkdir -p tour/build
    ln -sfn "$root/tests" tour/tests
    ln -sfn "$root/sam" tour/sam
    ln -sfn "$root/docs" tour/docs
    : >tour/all
    while read -r line; do
        count=$((count + 1))
        (cd tour && bash -c "$line") >tour/out 2>tour/err || fail "$name: '$line' ended with $?: $(cat tour/err)"
        cat tour/out >>tour/all
    done < <(tour_commands "$1")
    [ "$count" -ge "$2" ] || fail "$name: only $count commands without MPI found, expected $2"
    check_shown "$1" "$3"
}

# What a page shows of these commands' answers, line by line; `...` stands for others, and lines may
# be cut off.
check_shown() { # PAGE LINES
    local line count=0 name
    name=$(basename "$1")
    while IFS= read -r line; do
        count=$((count + 1))
        grep -qF -- "$line" tour/all || fail "$name shows '$line', which the commands without MPI do not print"
    done < <(awk '
        /^```sh$/ { inside = shell = 1; answers = 0; next }
        /^```text$/ { inside = 1; shell = 0; next }
        /^```/ { inside = 0; if (!shell) answers = 0; next }
        inside && shell && NF { answers = /^nereus (profile fit|predict|advise|plan|job (top|trace)|study compare|simulate|policy) / }
        inside && !shell && answers && NF && $1 != "..."' "$1")
    [ "$count" -ge "$2" ] || fail "$name: only $count lines of answers found, expected $2"
}

# Of the first plan the tour shows RT, and what corrects the sum of the steps.
check_totals() {
    local shown
    shown=$(section '## Look into a plan' "$tour" | grep -cE '^(RT|-  correction) ')
    [ "$shown" -eq "$(first_plan | grep -cE '^(RT|-  correction) ')" ] ||
        fail "docs/tour.md shows $shown of RT and its correction, which the plan prints: $(first_plan | grep -E '^(RT|-  correction) ')"
}

first_plan() {
    (cd tour && bash -c "$(tour_commands "$tour" | grep '^nereus plan ' | head -1)")
}

# --- the example programs -----------------------------------------------------------------------------------

# The build, installed for programs of others: stage. false: it cannot be used by them.
install_stage() {
    if ! grep -q '^NEREUS_SANITIZE:[A-Z]*=$' "$NEREUS_BINARY_DIR/CMakeCache.txt"; then
        echo "skipped: the example programs are not built, as a library with sanitizers needs programs with them"
        return 1
    fi
    accepted cmake --install "$NEREUS_BINARY_DIR" --prefix "$PWD/stage"
}

# build_example NAME TARGET PAGE: NAME/NAME.c, by the CMake project of docs/application.md in
# NAME/build and by the page's lines for pkg-config in NAME, with the prefix of this test for the
# reader's.
build_example() {
    local name=$1 target=$2 page=$3
    block 1 cmake "$root/docs/application.md" | sed "s/sum/$name/g; s/nereus::nereus/nereus::$target/" >"$name/CMakeLists.txt"
    [ -s "$name/$name.c" ] && [ -s "$name/CMakeLists.txt" ] || fail "$page has no example program, or no CMake lines for it"
    accepted cmake -S "$name" -B "$name/build" "-DCMAKE_PREFIX_PATH=$PWD/stage" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"
    accepted cmake --build "$name/build"
    awk '/^```/ { shell = ($0 == "```sh"); next } shell && /PKG_CONFIG_PATH|pkg-config/' "$page" |
        sed "s|\$HOME/nereus|$PWD/stage|g" >"$name.pkg-config.sh"
    [ "$(wc -l <"$name.pkg-config.sh")" -eq 2 ] || fail "$page: expected two lines for pkg-config"
    accepted bash -ec "cd $name && . ../$name.pkg-config.sh"
}

# run_as_shown FILE MPIEXEC PROGRAM: with the NEREUS_SCHEDULE that the file shows before MPIEXEC.
run_as_shown() {
    timeout -k 3 60 env "$(grep -om 1 "NEREUS_SCHEDULE=[^ ]* $2" "$1" | sed 's/ .*//')" stage/bin/nereus-mpiexec -n 2 "$3" >out 2>err </dev/null ||
        fail "$3 ended with $?: $(head -c 600 err)"
}

run_example() { # PROGRAM
    run_as_shown "$root/docs/application.md" '"$HOME' "$1"
    holds '^iteration 10: sum 10000 on 2 processes$' out
    holds '^iteration 20: sum 20000 on 3 processes$' out
}

check_example() {
    if [ "$NEREUS_HAVE_MPI" != 1 ]; then
        echo "skipped: the example program of docs/application.md is not built, as this build of Nereus has no MPI"
        return
    fi
    mkdir -p sum
    program sum.c "$root/docs/application.md" >sum/sum.c
    build_example sum nereus "$root/docs/application.md"
    run_example sum/build/sum
    run_example sum/sum
    build_by_wrapper nereus-mpicc sum application
    run_example sum/sum
    if [ ! -x stage/bin/nereus-mpifort ]; then
        echo "skipped: the example program in Fortran is not built, as there is no module mpi for this MPI"
        return
    fi
    mkdir -p fortran
    block 1 fortran "$root/docs/languages.md" >fortran/sum.f90
    build_by_wrapper nereus-mpifort fortran languages
    run_example fortran/sum
}

# build_by_wrapper WRAPPER FOLDER PAGE: the page's line for it, in a folder that has the program.
build_by_wrapper() {
    awk '/^```/ { shell = ($0 == "```sh"); next } shell' "$root/docs/$3.md" | grep "/$1\"" |
        sed "s|\$HOME/nereus|$PWD/stage|g" >"$1.sh"
    [ "$(wc -l <"$1.sh")" -eq 1 ] || fail "docs/$3.md: expected one line for $1"
    rm -f "$2/sum"
    accepted bash -ec "cd $2 && . ../$1.sh"
}

# The programs of sam/programs that these pages refer to, and what they print.
check_data_examples() {
    local file printed wrapper
    [ "$NEREUS_HAVE_MPI" = 1 ] || return
    while read -r file printed; do
        wrapper=nereus-mpicc
        case $file in *.f90) wrapper=nereus-mpifort ;; esac
        [ -x "stage/bin/$wrapper" ] || continue # said above
        grep -qF "\`sam/programs/$file\`" "$root"/docs/{application,languages}.md || fail "no page names sam/programs/$file"
        accepted "stage/bin/$wrapper" -o "${file%.*}" "stage/share/nereus/programs/$file"
        run_as_shown "stage/share/nereus/programs/$file" nereus-mpiexec "./${file%.*}"
        holds "^$printed$" out
    done <<'PROGRAMS'
ghost.c sum 497043.797 on 3 processes
order.c sum 15000 on 4 processes
ordered.f90 sum 10010000 on 3 processes
PROGRAMS
}

# What the command says, as the program of docs/model.md prints it.
by_command() { # PROFILE NS NT
    local goal
    for goal in application system; do
        "$NEREUS" predict --profile "$1" --ns "$2" --nt "$3" --t-iter 0.2s --goal $goal --format csv 2>/dev/null |
            awk -F, -v goal=$goal 'NR == 2 { printf "%s: %s, RT %.4g s (90 %%: %.4g to %.4g), T_ex %.4g s\n", goal, $4, $5, $6, $7, $12 }'
    done
}

# The same answers as the command's, on as many nodes as are needed and on the two that a profile
# knows of, which are others.
check_asking() {
    local page=$root/docs/model.md profile pair program
    mkdir -p ask
    cp "$root/docs/ask.c" ask/ask.c
    build_example ask nereus-model "$page"
    sed '0,/"cores_per_node": 20,/s//&"nodes": 2,/' tour/build/six-nodes.json >two-nodes.json
    for program in ask/build/ask ask/ask; do
        for profile in tour/build/six-nodes.json two-nodes.json; do
            for pair in "20 60" "1 2" "100 40" "30 80"; do
                # shellcheck disable=SC2086 # two words
                accepted $program $profile $pair
                cp out "$(basename "$profile").$(echo $pair | tr ' ' -)"
                # shellcheck disable=SC2086
                by_command $profile $pair >expected
                [ "$(wc -l <expected)" -eq 2 ] || fail "no two answers of predict for $profile $pair: $(cat expected)"
                same expected out 2e-4
            done
        done
    done
    cmp -s six-nodes.json.20-60 two-nodes.json.20-60 && fail "two nodes and any number of them say the same: this compares nothing"
    awk '/^```/ { text = ($0 == "```text"); next } text && /^(application|system): /' "$page" >expected
    same expected six-nodes.json.20-60
    "$program" two-nodes.json 0 60 2>err && fail "$program answers for 0 processes"
    holds '^ask: NS 0: ' err
}

write_helps
check_first_commands
check_contents
check_columns
check_names
check_functions
check_keys
for page in $pages; do
    check_links "$page"
    check_commands "$page"
    case $page in
    docs/synthetic-application.md) ;; # options of nereus-sam, whose own tests compare its manual
    README.md | docs/*) check_options "$page" ;;
    esac
    case $page in README.md | docs/*) check_paths "$page" ;; esac
done
check_tour "$readme" 1 3
check_tour "$tour" 7 24
check_tour "$root/docs/synthetic-application.md" 1 13
# The picture in that page shows what its command draws (widths of texts depend on the fonts of a machine).
cmp -s <(grep -o '<title>[^<]*' "$root/docs/best-methods.svg") <(grep -o '<title>[^<]*' tour/build/map.svg) ||
    fail "docs/best-methods.svg is not what README.md says: $(diff "$root/docs/best-methods.svg" tour/build/map.svg | head -4)"
check_totals
# The commands of the installed pages find their files, in any folder.
check_installed_pages() {
    local pages=$PWD/stage/share/doc/nereus path
    mkdir elsewhere
    {
        echo "PATH=$PWD/stage/bin:\$PATH"
        grep -m 1 '^    nereus simulate .*sacct --nodes' "$pages/policies.md"
        grep -m 1 '^nereus profile fit ' "$pages/tour.md"
        grep -m 1 '^nereus predict .*--ns 20 ' "$pages/tour.md"
    } >elsewhere/commands
    [ "$(wc -l <elsewhere/commands)" -eq 4 ] || fail "the installed pages lack commands: $(cat elsewhere/commands)"
    (cd elsewhere && bash -e commands) >out 2>err || fail "commands of the installed pages: $(tail -n 3 err)"
    while read -r path; do
        case ${path#"$PWD/stage/share/nereus/"} in programs* | examples*) [ "$NEREUS_HAVE_MPI" = 1 ] || continue ;; esac # installed with the runtime
        [ -e "$path" ] || fail "an installed page names '$path', which is not installed"
    done < <(grep -ohE "$PWD/stage/share/[A-Za-z0-9_./-]*[a-z0-9]" "$pages"/*.md | sort -u)
}

if install_stage; then
    check_installed_pages
    check_example
    check_data_examples
    check_asking
fi
finish
