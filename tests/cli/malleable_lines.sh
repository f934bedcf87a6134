# sam/README.md, "Two solvers": its numbers of lines are those of the programs.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

page=section sam=$NEREUS_SOURCE_DIR/sam/solvers
awk '/^## / { inside = $0 == "## Two solvers" } inside' "$NEREUS_SOURCE_DIR/sam/README.md" >$page

# The script itself, by a program whose lines are counted by hand.
cat >by-hand.c <<'TEXT'
/* A comment #ifdef
   of two lines */
#include <stdio.h>

int main(void) /* counts */
{
#ifdef NEREUS_MALLEABLE
    one(); /* behind code */ two();

    /* alone */
    three(); /* begins
    ends */
#else
    four();
#endif
#ifndef NEREUS_MALLEABLE
    five();
#endif
    if (six) {
        seven();
    }
}
TEXT
"$sam/malleability-lines.sh" by-hand.c >counted
holds '^\| by-hand.c \| 6 \| 2 \| 2 \|$' counted

# The page.
"$sam/malleability-lines.sh" >counted
while read -r line; do
    grep -qxF -- "$line" "$page" || fail "sam/README.md does not say: $line"
done <counted
[ "$(wc -l <counted)" -eq 4 ] || fail "two programs were not counted"

finish
