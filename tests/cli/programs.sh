# docs/application.md: a plain program and the same one made malleable are compiled as the page
# says, and print what it shows.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

page=$NEREUS_SOURCE_DIR/docs/application.md
grep -q '^NEREUS_SANITIZE:[A-Z]*=$' "$NEREUS_BINARY_DIR/CMakeCache.txt" ||
    skip "the programs are not compiled, as a library with sanitizers needs programs with them"

# The block of commands that compiles start_plain, and the block of answers behind it.
awk '/^```/ { if (shell && block ~ /start_plain/) exit; shell = ($0 == "```sh"); block = ""; next } shell { block = block $0 "\n" }
    END { printf "%s", block }' "$page" |
    sed "s|build/release|$NEREUS_BINARY_DIR|g; s|sam/programs|$NEREUS_SOURCE_DIR/sam/programs|g; s|[^ ]*/nereus-mpiexec|timeout -k 3 60 &|" >commands
awk '/^```/ { inside = ($0 == "```text"); next } inside && /^answer /' "$page" >shown
[ "$(grep -c nereus-mpicc commands)" = 2 ] && [ "$(grep -c nereus-mpiexec commands)" = 2 ] || fail "not two programs: $(cat commands)"
[ "$(wc -l <shown)" = 2 ] || fail "docs/application.md does not show two answers: $(cat shown)"
bash -e commands >out 2>err || fail "the commands end with $?: $(head -c 600 err)"
cmp -s shown out || fail "docs/application.md does not show the answers as they are: $(diff shown out | head -5)"
finish
