#!/bin/bash
# names.sh ROOT: each name_of_parts in a comment of ROOT's C files, or in backquotes in a
# component's README, is in the code: in C outside comments, in another source file, or as the name
# of a file. names.txt lists names of others; one sentence for each that is neither.
set -u
allowed=$(readlink -f "$(dirname -- "$0")")/names.txt
cd "$1" || exit 1
all() { git ls-files -co --exclude-standard 2>/dev/null || find . -type f | sed 's|^\./||'; }
files=$(all | grep -vE '\.(md|json|csv|gz|svg|png|pdf)$|^tests/(fuzz/corpus|cli/data|unit/data)/')
# The READMEs last: by then the code is known.
# shellcheck disable=SC2086
awk '
    function learn(text,   word, i) { for (i = split(text, word, /[^A-Za-z0-9_]+/); i > 0; i--) known[word[i]] }
    function cite(text,   word, i) { # name_of_parts, but no file name and no formula as x_i
        gsub(/[A-Za-z0-9_]+\.[ch]/, "", text)
        for (i = split(text, word, /[^A-Za-z0-9_]+/); i > 0; i--)
            if (word[i] ~ /^[a-z][a-z0-9]*_[a-z0-9_]*[a-z0-9][a-z0-9]$/ && !(word[i] in place)) place[word[i]] = FILENAME ":" FNR
    }
    function read_c(line,   token, rest) { # texts in quotes are code
        for (; line != ""; line = rest) {
            if (!(inside ? match(line, /\*\//) : match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)+\047|\/\*|\/\//))) RSTART = length(line) + 1
            token = substr(line, RSTART, RLENGTH); rest = substr(line, RSTART + length(token)); line = substr(line, 1, RSTART - 1)
            if (inside) { cite(line); inside = token == "" }
            else if (token ~ /^\//) { learn(line); if (token == "//") { cite(rest); return } inside = 1 }
            else learn(line token)
        }
    }
    BEGIN { for (i = 1; i < ARGC; i++) { name = ARGV[i]; gsub(/^.*\/|\.[^.]*$/, "", name); known[name] } }
    FILENAME ~ /README\.md$/ { while (match($0, /`[^`]+`/)) { cite(substr($0, RSTART, RLENGTH)); $0 = substr($0, RSTART + RLENGTH) }; next }
    FILENAME ~ /names\.txt$/ { known[$1]; next }
    FNR == 1 { inside = 0 }
    FILENAME ~ /\.[ch]$/ { read_c($0); next }
    { learn($0) }
    END { for (name in place) { cited++; if (!(name in known)) { print place[name] ": there is no " name; bad = 1 } }
          if (cited < 500) { print "only " cited " names were found"; bad = 1 }
          exit bad }' $files "$allowed" {model,src,predictor,sam,calibration}/{README.md,*/README.md}
