# docs/application.md shows the difference between sam/programs/start_plain.c and start.c, as it is.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

page=$NEREUS_SOURCE_DIR/docs/application.md programs=$NEREUS_SOURCE_DIR/sam/programs
for name in start_plain start; do
    sed -n '/^int main/,$p' "$programs/$name.c" >$name
    [ -s $name ] || fail "sam/programs/$name.c has no main"
done
diff -wU2 start_plain start | tail -n +4 >difference
awk '$0 == "```diff" { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >shown
cmp -s difference shown || fail "docs/application.md does not show the difference as it is: $(diff shown difference | head -5)"
finish
