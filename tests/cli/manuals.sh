# Manual pages and completion: each option of each command is in its page and is offered by the
# shells; no page has a warning; all are installed.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

share=$NEREUS_BINARY_DIR/share
"$NEREUS" help --all | sed 's/  .*//' >commands # a line is a command's name, or its group and its name
groups=$(sed -nE 's/^([a-z]+) .*/\1/p' commands | sort -u)
[ "$(wc -l <commands)" -ge 20 ] || fail "only these commands are in nereus help --all: $(cat commands)"

# The options of a command, long and short, as its help shows them.
options_of() { "$NEREUS" "$@" --help | sed -nE 's/^ {2,6}(-[a-zA-Z]), (--[a-z-]+).*/\1\n\2/p; s/^ {6}(--[a-z-]+).*/\1/p'; }

# ask WORD...: what bash offers for the last of these words.
ask() { bash_asks nereus _nereus "$@"; }
bash_asks() { # SCRIPT FUNCTION WORD...
    # shellcheck disable=SC2016 # for the other shell
    bash -c 'source "$1" || exit; call=$2; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $call; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$share/bash-completion/completions/$1" "${@:2}" 2>err
    [ ! -s err ] || fail "bash completion of '${*:3}': $(cat err)"
}
offers() { # EXPECTED WORD...: in one line, in any order
    local offered expected
    expected=$(printf '%s\n' $1 | sort | paste -sd' ')
    shift
    offered=$(ask "$@" | sort | paste -sd' ')
    [ "$offered" = "$expected" ] || fail "bash offers '$offered' for '$*', expected '$expected'"
}

# --- every option of every command --------------------------------------------------------------------------

check_command() { # [GROUP] COMMAND
    local option count=0 name page
    name=nereus-$(IFS=-; echo "$*")
    page=$share/man/man1/$name.1
    ask nereus "$@" - >offered
    sed 's/\\-/-/g; s/\\f[BIR]//g' "$page" >page.txt || fail "there is no page $page"
    holds "^$name . " page.txt
    holds "^nereus $* " page.txt
    for option in $(options_of "$@"); do
        count=$((count + 1))
        [ "$option" = "-?" ] && continue
        grep -qE -- "^(-[a-zA-Z], )?$option(\$|=|, )" page.txt || fail "$page does not have the option $option"
        grep -qxe "$option" offered || fail "bash does not offer $option for nereus $*: $(paste -sd' ' offered)"
    done
    [ "$count" -ge 1 ] || fail "no options were found in nereus $* --help"
    holds "^$name\(1\)" nereus.txt
    [ $# -eq 1 ] || grep -q "^\.BR ${name//-/\\\\-} (1)" "$share/man/man1/nereus-$1.1" || fail "nereus-$1(1) does not have $name"
}

sed 's/\\-/-/g; s/^\.BR \([^ ]*\) (/\1(/' "$share/man/man1/nereus.1" >nereus.txt
while read -r command; do
    # shellcheck disable=SC2086 # a group and a command
    check_command $command
done <commands
[ "$(ls "$share"/man/man1/nereus-*.1 | grep -vc mpiexec)" -eq "$(($(wc -l <commands) + $(echo "$groups" | wc -w)))" ] || fail "more or fewer pages than commands: $(ls "$share/man/man1")"

# --- what bash offers ---------------------------------------------------------------------------------------

mkdir files && cd files || exit 1
touch a.json b.csv 'two words.json' c.svg
mkdir folder
offers "plan policy predict profile" nereus p
offers "--help --usage --version" nereus --
offers "text csv json" nereus predict --format ""
offers "csv" nereus predict --format = c
offers "text csv json" nereus predict --format =
offers "initial per-node a.json two words.json folder" nereus predict --state ""
offers "a.json two words.json folder" nereus predict --profile ""
offers "a.json two words.json folder" nereus plan -p ""
offers "b.csv folder" nereus profile fit ""
offers "b.csv" nereus profile fit --output a.json b
offers "a.json" nereus job trace a # no .jsonl: any file
offers "" nereus predict --ns ""
offers "plan policy predict profile" nereus help p
offers "" nereus no-command --
offers "release resize" nereus job re
offers "release resize" nereus help job re
offers "--help --usage --version" nereus slurm --
offers "fit list show use diff --help --usage --version" nereus profile ""
offers "a.json two words.json folder" nereus profile diff a.json ""
offers "" nereus job nothing --
cd .. || exit 1

# --- pages without a warning --------------------------------------------------------------------------------

check_pages() {
    local page pages=()
    if [ "$NEREUS_HAVE_MPI" = 1 ]; then
        for page in $(grep -oE '\bnereus_[a-z_]+\(' "$NEREUS_SOURCE_DIR/src/include/nereus/nereus.h" | tr -d '(' | sort -u | grep -vx nereus_block) nereus.h; do
            [ -s "$share/man/man3/$page.3" ] || fail "there is no page $page(3)"
        done
        [ -s "$share/man/man1/nereus-mpiexec.1" ] || fail "there is no page nereus-mpiexec(1)"
    fi
    for page in "$share"/man/man?/*; do
        [ "$(wc -l <"$page")" -eq 1 ] || pages+=("$page") # one line: a link to another page
    done
    # All at once; which page it was, one by one.
    "$1" "${pages[@]}" >out 2>&1
    [ -s out ] || { echo "${#pages[@]} pages without a warning by $1" && return; }
    for page in "${pages[@]}"; do
        "$1" "$page" >out 2>&1
        [ ! -s out ] || fail "$1 $page: $(head -5 out)"
    done
    fail "$1 warns of the pages together alone"
}
by_man() { (cd "$share" && MANROFFOPT='' man --warnings -E UTF-8 -l "$@" 2>&1 >/dev/null); }
by_mandoc() { mandoc -Tlint -Wwarning "$@"; }
if command -v man >/dev/null; then check_pages by_man; else echo "skipped: no warnings of man, which is not installed"; fi
if command -v mandoc >/dev/null; then check_pages by_mandoc; else echo "skipped: no warnings of mandoc, which is not installed"; fi

# --- the other shells ---------------------------------------------------------------------------------------

zsh_shows() { # LINE WORD
    timeout -k 3 40 zsh -f "$NEREUS_SOURCE_DIR/tests/cli/ask.zsh" "$share/zsh/site-functions" "$1" "$2" >shown 2>err || fail "zsh, asked to complete '$1': $(cat err)"
}
check_zsh() {
    zsh -n "$share/zsh/site-functions/_nereus" 2>err || fail "zsh does not read the completion: $(cat err)"
    zsh_shows 'nereus predict --cores-per-' --cores-per-process
    holds '--cores-per-node +--' shown
    zsh_shows 'nereus predict --format ' json
    zsh_shows 'nereus p' predict
    holds 'plan' shown
    zsh_shows 'nereus job re' resize
    holds 'release' shown
    zsh_shows 'nereus help job re' resize
    zsh_shows 'nereus job wait --re' --request
}
check_fish() {
    local file=$share/fish/vendor_completions.d/nereus.fish command option
    fish --no-config -c "source '$file'; cat commands | while read c; echo \$c; complete -C \"nereus \$c -\"; end" >offered 2>err || fail "fish: $(cat err)"
    [ ! -s err ] || fail "fish: $(cat err)"
    while read -r command; do
        sed -n "/^$command\$/,/^[a-z][a-z ]*\$/p" offered >of-command
        # shellcheck disable=SC2086 # a group and a command
        for option in $(options_of $command | grep '^--'); do holds "^$option([[:space:]]|\$)" of-command; done
    done <commands
    fish_offers() { # EXPECTED LINE
        local offered
        offered=$(fish --no-config -c "source '$file'; complete -C '$2'" | cut -f1 | sort | paste -sd' ')
        [ "$offered" = "$1" ] || fail "fish offers '$offered' for '$2', expected '$1'"
    }
    fish_offers 'release resize' 'nereus job re'
    fish_offers 'release resize' 'nereus help job re'
    fish_offers 'plan policy predict profile' 'nereus p'
    fish_offers '' 'nereus study run --proc' # an option of nereus run
    fish --no-config -c "source '$file'; complete -C 'nereus predict --format '" >offered
    holds '^json' offered
}
if command -v zsh >/dev/null; then check_zsh; else echo "skipped: zsh is not installed"; fi
if command -v fish >/dev/null; then check_fish; else echo "skipped: fish is not installed"; fi

# --- nereus-mpiexec, and the installed files ----------------------------------------------------------------

if [ "$NEREUS_HAVE_MPI" = 1 ]; then
    [ "$(bash_asks nereus-mpiexec _nereus_mpiexec nereus-mpiexec -h | sort | paste -sd' ')" = "-h -hosts" ] || fail "nereus-mpiexec -h: $(bash_asks nereus-mpiexec _nereus_mpiexec nereus-mpiexec -h)"
    bash_asks nereus-mpiexec _nereus_mpiexec nereus-mpiexec -n 2 nere | grep -qx nereus || fail "nereus-mpiexec -n 2 nere: no program nereus"
    for option in $(nereus-mpiexec --help | sed -n '/^Options:/,/^$/s/^  \(-.*[^ ]\)  .*/\1/p' | grep -oE '(^|, )-[-a-z]+' | tr -d ', '); do
        sed 's/\\-/-/g' "$share/man/man1/nereus-mpiexec.1" | grep -qE -- "(^\.B |, )$option( |,|\$)" || fail "nereus-mpiexec(1) does not have $option"
    done
fi
DESTDIR=$PWD/stage cmake -DCMAKE_INSTALL_LOCAL_ONLY=1 -P "$NEREUS_BINARY_DIR/cmake_install.cmake" >out 2>err || fail "installing: $(cat err)"
for file in man/man1/nereus.1 man/man1/nereus-predict.1 man/man1/nereus-job-resize.1 bash-completion/completions/nereus zsh/site-functions/_nereus fish/vendor_completions.d/nereus.fish; do
    find stage -path "*/share/$file" | grep -q . || fail "not installed: share/$file"
done

# --- the command --------------------------------------------------------------------------------------------

while read -r command; do
    # shellcheck disable=SC2086 # a group and a command
    accepted "$NEREUS" help $command
    [ "$command" = help ] || cp out asked
    # shellcheck disable=SC2086
    [ "$command" = help ] || { accepted "$NEREUS" $command --help; same out asked; }
done <commands
accepted "$NEREUS" help
holds '^  predict  ' out
misused "^nereus help: COMMAND must be one of doctor, .*, not 'perdict'; did you mean 'predict'\?" "$NEREUS" help perdict
misused "'map' is one argument too many" "$NEREUS" help predict map
failed "^nereus help: the folder '/dev/null' cannot be made: File exists" "$NEREUS" help --output /dev/null/x
accepted "$NEREUS" help --output written
[ "$(cd written && find . -type f | sort | md5sum)" = "$(cd "$share" && find . -type f ! -name '*mpiexec*' ! -path '*man3*' | sort | md5sum)" ] || fail "--output writes other files: $(find written -type f | head -40)"
accepted "$NEREUS" --version
holds '^commit: ([0-9a-f]{10}\+?|unknown .*)$' out
holds '^MPI: ' out
NEREUS_PROFILE='' XDG_CONFIG_HOME=$PWD/none accepted "$NEREUS" --version
holds '^profile: none' out
NEREUS_PROFILE=/somewhere/p.json accepted "$NEREUS" --version
holds '^profile: /somewhere/p.json \(named by \$NEREUS_PROFILE\)$' out
finish
