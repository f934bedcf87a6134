#!/bin/bash
# malleability-lines.sh [FILE...]: how many lines malleability has added to a program, and how many
# it has replaced. Added are the lines of code between #ifdef NEREUS_MALLEABLE and #else (or #endif),
# replaced those between #else (or #ifndef) and #endif. A file NAME.c beside which there is
# NAME_plain.c is compared with that (diff -w) instead. Comments, empty lines and the #ifdefs do not
# count. Files: the solvers beside this script, and three of ../programs. It prints a line of Markdown
# for each.
set -eu
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
[ $# -gt 0 ] || set -- "$here"/{cg,jacobi}.c "$here"/../programs/{heat,wave,atoms}.c

# Lines of code of a file, each after its part: "both", "added" or "replaced".
code() {
    awk '
        BEGIN { part = "both" }
        /^#ifdef NEREUS_MALLEABLE/ { part = "added"; next }
        /^#ifndef NEREUS_MALLEABLE/ { part = "replaced"; next }
        /^#else/ && part == "added" { part = "replaced"; next }
        /^#endif/ && part != "both" { part = "both"; next }
        {
            line = $0
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", line)
            if (comment) { if (!sub(/.*\*\//, "", line)) next; comment = 0 }
            if (sub(/\/\*.*/, "", line)) comment = 1
            if (line !~ /[^ \t{}();]/) next # a brace alone is no line of code
            print part, line
        }' "$1"
}

# Of a program and the same before: lines with their parts.
compared() {
    diff -w --unchanged-line-format='both %L' --old-line-format='replaced %L' --new-line-format='added %L' \
        <(code "$1") <(code "$2") || [ $? -eq 1 ]
}

echo "| program | lines of code as it was | added | replaced |"
echo "| --- | --- | --- | --- |"
for file in "$@"; do
    plain=${file%.c}_plain.c
    if [ -e "$plain" ]; then compared "$plain" "$file"; else code "$file"; fi | awk -v name="$(basename "$file")" '
        { count[$1]++ }
        END { printf "| %s | %d | %d | %d |\n", name, count["both"] + count["replaced"], count["added"], count["replaced"] }'
done
