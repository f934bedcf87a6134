#!/bin/bash
# malleability-lines.sh [FILE...]: how many lines malleability has added to a program, and how many
# it has replaced. Added are the lines of code between #ifdef NEREUS_MALLEABLE and #else (or #endif),
# replaced those between #else (or #ifndef) and #endif. Comments, empty lines and the #ifdefs do not
# count. Files: cg.c and jacobi.c beside this script. It prints a line of Markdown for each.
set -eu
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
[ $# -gt 0 ] || set -- "$here/cg.c" "$here/jacobi.c"
echo "| program | lines of code as it was | added | replaced |"
echo "| --- | --- | --- | --- |"
for file in "$@"; do
    awk -v name="$(basename "$file")" '
        /^#ifdef NEREUS_MALLEABLE/ { part = "added"; next }
        /^#ifndef NEREUS_MALLEABLE/ { part = "replaced"; next }
        /^#else/ && part == "added" { part = "replaced"; next }
        /^#endif/ && part != "" { part = ""; next }
        {
            line = $0
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", line)
            if (comment) { if (!sub(/.*\*\//, "", line)) next; comment = 0 }
            if (sub(/\/\*.*/, "", line)) comment = 1
            if (line !~ /[^ \t{}();]/) next # a brace alone is no line of code
            count[part]++
        }
        END { printf "| %s | %d | %d | %d |\n", name, count[""] + count["replaced"], count["added"], count["replaced"] }' "$file"
done
