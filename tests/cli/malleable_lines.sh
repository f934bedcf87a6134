# docs/results/apps.md: its numbers of lines are those of the programs.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

page=$NEREUS_SOURCE_DIR/docs/results/apps.md sam=$NEREUS_SOURCE_DIR/sam/solvers

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

# And by a pair.
printf '%s\n' '/* before */ int main(void)' '{' '    one();' '    two();' '    three();' '}' >pair_plain.c
printf '%s\n' '/* after */' 'int main(void)' '{' '    zero();' '      one(); /* indented */' '    other();' '    three();' '    four();' '}' >pair.c
"$sam/malleability-lines.sh" pair.c >counted
holds '^\| pair.c \| 4 \| 3 \| 1 \|$' counted

# The page.
"$sam/malleability-lines.sh" >counted
while read -r line; do
    grep -qxF -- "$line" "$page" || fail "docs/results/apps.md does not say: $line"
done <counted
[ "$(wc -l <counted)" -eq 7 ] || fail "five programs were not counted"

finish
