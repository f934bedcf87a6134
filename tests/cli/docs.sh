# The documentation tells the truth: README's first two commands, links, files named, commands and their options, the commands
# of the tour that need no MPI, and the example program, which is built as the README says and goes from 2 to 3 processes.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

root=$NEREUS_SOURCE_DIR readme=$NEREUS_SOURCE_DIR/README.md
pages=$(cd "$root" && ls README.md docs/*.md ./*/README.md src/*/README.md tests/*/*/README.md 2>/dev/null | sed 's|^\./||' | sort -u)

# block N LANGUAGE FILE: the Nth fenced block of that language.
block() {
    awk -v wanted="$1" -v start="\`\`\`$2" '
        $0 == start && !inside { inside = 1; number++; next }
        /^```/ { inside = 0 }
        inside && number == wanted' "$3"
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

# --- links and files ----------------------------------------------------------------------------------------

check_links() { # PAGE
    local target folder
    folder=$root/$(dirname "$1")
    while read -r target; do
        case $target in *://* | mailto:* | "") continue ;; esac
        [ -e "$folder/$target" ] || fail "$1: the link to '$target' leads nowhere"
    done < <(grep -oE '\]\([^)[:space:]]+\)' "$root/$1" | sed 's/^](//; s/)$//; s/#.*//')
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
    code_of "$1" | sed 's/ #.*//; s/[|;&>].*//' | sed -nE 's#^(.*[ /])?nereus ([a-z-].*)$#\2#p'
}

option_exists() { # COMMAND OPTION
    case $2 in
    --*) grep -qE -- "^ .*$2([=, ]|\$)" "help.$1" ;;
    *) grep -qE -- "^  $2, " "help.$1" ;;
    esac
}

check_commands() { # PAGE
    local command words word
    while read -r command words; do
        case $command in --help | --version) continue ;; esac
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

# The help of every command, and of setup and of nereus itself, once.
write_helps() {
    local command
    "$NEREUS" --help >help.nereus
    "$root/setup" help >help.setup
    for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help.nereus); do
        "$NEREUS" "$command" --help >"help.$command" || fail "nereus $command --help ended with $?"
    done
}

# --- the tour -----------------------------------------------------------------------------------------------

# Every line of README's shell blocks that starts a command of `nereus` which needs no MPI, in a folder that looks like the project's.
check_tour() {
    local line count=0
    mkdir -p tour/build
    ln -sfn "$root/tests" tour/tests
    ln -sfn "$root/sam" tour/sam
    while read -r line; do
        count=$((count + 1))
        (cd tour && bash -c "$line") >tour/out 2>tour/err || fail "README.md: '$line' ended with $?: $(cat tour/err)"
    done < <(awk '/^```/ { shell = ($0 == "```sh"); next } shell && /^nereus (fit|predict|plan) /' "$readme")
    [ "$count" -ge 3 ] || fail "README.md: fit, predict and plan are not all in the tour ($count lines found)"
}

# --- the example program ------------------------------------------------------------------------------------

run_example() { # PROGRAM
    timeout -k 3 60 stage/bin/nereus-mpiexec -n 2 "$1" >out 2>err </dev/null || fail "$1 ended with $?: $(head -c 600 err)"
    holds '^iteration 10: sum 10000 on 2 processes$' out
    holds '^iteration 20: sum 20000 on 3 processes$' out
}

check_example() {
    mkdir -p example
    block 1 c "$readme" >example/sum.c
    block 1 cmake "$readme" >example/CMakeLists.txt
    [ -s example/sum.c ] && [ -s example/CMakeLists.txt ] || fail "README.md has no example program, or no CMake lines for it"
    if [ "$NEREUS_HAVE_MPI" != 1 ]; then
        echo "skipped: the example program is not built, as this build of Nereus has no MPI"
        return
    fi
    if ! grep -q '^NEREUS_SANITIZE:[A-Z]*=$' "$NEREUS_BINARY_DIR/CMakeCache.txt"; then
        echo "skipped: the example program is not built, as a library with sanitizers needs programs with them"
        return
    fi
    accepted cmake --install "$NEREUS_BINARY_DIR" --prefix "$PWD/stage"
    accepted cmake -S example -B example/build "-DCMAKE_PREFIX_PATH=$PWD/stage" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"
    accepted cmake --build example/build
    run_example example/build/sum
    # The lines for pkg-config, with the prefix of this test for the reader's.
    awk '/^```/ { shell = ($0 == "```sh"); next } shell && /PKG_CONFIG_PATH|pkg-config/' "$readme" | sed "s|\$HOME/nereus|$PWD/stage|g" >pkg-config.sh
    [ "$(wc -l <pkg-config.sh)" -eq 2 ] || fail "README.md: expected two lines for pkg-config"
    accepted bash -ec "cd example && . ../pkg-config.sh"
    run_example example/sum
}

write_helps
check_first_commands
for page in $pages; do
    check_links "$page"
    check_commands "$page"
    case $page in
    docs/synthetic-application.md) ;; # options of nereus-sam, whose own tests compare its manual
    README.md | docs/*) check_options "$page" ;;
    esac
    case $page in README.md | docs/*) check_paths "$page" ;; esac
done
check_tour
check_example
finish
