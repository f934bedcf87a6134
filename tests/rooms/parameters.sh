#!/bin/bash
# parameters.sh ROOM: the functions of seven and more parameters are those that parameters.txt lists.
set -u
listed=$(dirname -- "$0")/parameters.txt
cd "$1" || exit 1
{ git ls-files -co --exclude-standard -- '*.c' 2>/dev/null || find . -name '*.c' | sed 's|^\./||'; } |
    grep -E '^(model|src|predictor|sam)/' | xargs awk -v listed="$listed" '
    BEGIN {
        while ((getline line < listed) > 0)
            if (line !~ /^#/ && split(line, word, " ") == 1) allowed[word[1]] = 1
    }
    function parameters(text, depth, count, i, c) { # of the first pair of brackets
        count = 1
        for (i = index(text, "("); i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(") depth++
            if (c == ")" && --depth == 0) return count
            if (c == "," && depth == 1) count++
        }
        return 0
    }
    /^[a-z]/ && !/[;={]/ { head = $0; next } # a definition may begin here
    head != "" && /^ / { head = head $0; next }
    head != "" && /^{/ && head ~ /\(/ {
        name = head; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        if (parameters(head) >= 7) {
            found++
            if (!(name in allowed)) { print FILENAME ": " name " has seven parameters or more: pass the struct that has them, or list it in " listed; bad = 1 }
        }
        functions++
    }
    { head = "" }
    END {
        if (functions == 0) { print "no functions were found"; bad = 1 }
        if (!bad) print found " of " functions " functions have seven parameters or more, each listed"
        exit bad
    }'
