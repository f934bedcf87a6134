# The comparator itself: it must see a wrong number, a wrong word, and missing lines.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
compare() { awk -v relative="$1" -v absolute=1e-12 -f "$NEREUS_SOURCE_DIR/tests/cli/same-numbers.awk" a b >/dev/null; }
differs() { compare "$@" && fail "the comparator takes these for the same: $(cat a b)"; }

printf 'merge 2 -> 4  1.25e-3 s\nRT 0.731\n' >a
printf 'merge 2 -> 4 0.00125001 s\nRT 7.31e-1\n' >b
compare 1e-4 || fail "numbers within the tolerance"
differs 1e-6
printf 'merge 2 -> 4 0.00125 s\nRT -0.731\n' >b
differs 1e-4
printf 'merge 2 -> 4 0.00125 ms\nRT 0.731\n' >b
differs 1e-4
printf 'merge 2 -> 4 0.00125 s\n' >b
differs 1e-4
printf 'merge 2 -> 4 0.00125 s\nRT 0.731\nmore\n' >b
differs 1e-4
: >b
differs 1e-4
finish
