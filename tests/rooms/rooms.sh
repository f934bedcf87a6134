#!/bin/bash
# rooms.sh ROOT: every include of the C files of ROOT is one that includes.txt allows, each call
# that calls.txt names stands where it may, no line is far too long, each private header brings
# model/util/base.h and no file that has it so names it again, and the C files that a room's README
# names exist; one sentence for each that is not.
set -u
root=$1
cd "$root" || exit 1
all_files() { git ls-files -co --exclude-standard 2>/dev/null || find . -type f | sed 's|^\./||'; }
git_files() { all_files | grep '\.[ch]$'; }
scripts() { # also those without a suffix
    all_files | grep -E '\.(sh|awk|cmake|py)$|(^|/)CMakeLists\.txt$'
    all_files | grep -E '(^|/)[^./]+$' | xargs grep -lIE '^#!'
}

# Code and comments have 100 columns; a message that is kept whole, so that it is found, may have some more.
# Of scripts only the comments are checked.
{
    git_files | LC_ALL=C.UTF-8 xargs grep -HnE '^.{111}'
    scripts | LC_ALL=C.UTF-8 xargs grep -HnE '^.{111}' | grep -E '^[^:]*:[0-9]*: *#'
} | cut -d: -f1,2 | sed 's/$/: more than 110 columns/' | grep . && long=1

while read -r folders calls file instead; do
    case $folders in '#'* | '') continue ;; esac
    git_files | grep -E "^(${folders//,/|})/" | grep -vxE "$file" | xargs grep -HnE "(^|[^a-zA-Z_])$calls\(" |
        cut -d: -f1,2 | while read -r place; do echo "$place: a call that only $file may have: instead $instead"; done | grep . && banned=1
done <"$(dirname -- "$0")/calls.txt"

# Numbers are printed and read in the locale C, whatever the application's is: by model/util/c_locale.h.
git_files | grep -E '^(model|src)/.*\.c$' | grep -vE '^(src/(guard|supervise|mpi)/|model/util/c_locale\.c)' | xargs awk '
    BEGIN { RS = ";" }
    FNR == 1 { line = 1 }
    /(^|[^a-z_])(v?(s|sn|f|d)?(print|scan)f)\(/ && /"[^"]*%[-+ #0-9.*]*l?[aefgAEFG]/ {
        print FILENAME ":" line ": a number of printf or scanf, whose decimal point is the application'"'"'s: instead nereus_snprintf and others of c_locale.h" }
    { line += gsub(/\n/, "") }' | grep . && banned=1

# A room's README names C files that there are, as `price.[ch]` or `policy_NAME.c`.
awk -v files=" $(git_files | sed 's|.*/||' | tr '\n' ' ')" '
    { while (match($0, /`[a-z0-9_*\/NAME]+\.(c|\[ch\])`/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH)
        pattern = name; sub(/^.*\//, "", pattern); gsub(/NAME|\*/, "[a-z0-9_]*", pattern); sub(/\./, "[.]", pattern)
        if (files !~ " " pattern " ") { print FILENAME ": there is no file " name; bad = 1 } } }
    END { exit !bad }' {model,src,predictor,sam,calibration}/{README.md,*/README.md} && stale=1

git_files | grep -E '^(model|src|predictor|sam|calibration)/' | xargs grep -HnE '^#include ["<]' |
    awk -F'[:"]' -v allowed_includes="$(dirname -- "$0")/includes.txt" -v files="$(git_files | tr '\n' ' ')" '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function base(path) { sub(/^.*\//, "", path); return path }
    function is_private(path) { return path ~ /^(model|src|predictor)\/.*\.h$/ && path !~ /\/include\/nereus\/|^src\/mpi\// }
    function note(from, target) { included[from] = included[from] " " target; if (from == common) part[target] = 1 }
    function room_of(path) { # of a file: the innermost folder that is a room; a public header: where its C file is
        if (path in header) return header[path]
        path = folder(path)
        while (!(path in may) && path ~ /\//) path = folder(path)
        return path
    }
    BEGIN {
        common = "model/util/base.h"; part[common] = 1 # and what it includes
        while ((getline line < allowed_includes) > 0) {
            n = split(line, word, " ")
            if (line ~ /^header /) header[word[2]] = word[3]
            else if (line ~ /^[a-z].*:/) {
                room = word[1]; sub(/:$/, "", room)
                may[room] = " " room " "
                for (i = 2; i <= n; i++) may[room] = may[room] word[i] " "
            }
        }
        n = split(files, word, " ")
        for (i = 1; i <= n; i++) {
            exists[word[i]] = 1
            if (word[i] ~ /\.c$/) source[base(word[i])] = word[i]
        }
        for (i = 1; i <= n; i++)
            if (word[i] ~ /\/include\/nereus\//) {
                name = "nereus/" base(word[i]); c = base(word[i]); sub(/h$/, "c", c)
                if (!(name in header) && c in source) header[name] = folder(source[c])
                if (!(name in header)) { print word[i] ": no room: a line in includes.txt says which"; bad = 1 }
                header[word[i]] = header[name]
            }
    }
    $3 ~ /</ { sub(/.*</, "<", $3); note($1, $3); next }
    {
        from = $1; target = $4
        if (from ~ /\/include\/nereus\// && target !~ /\//) target = "nereus/" target
        if (target !~ /\// ) target = folder(from) "/" target
        else if (target !~ /^nereus\// && !(target in exists)) target = folder(from) "/" target
        note(from, target)
        a = room_of(from)
        b = target in header ? header[target] : target in exists ? room_of(target) : ""
        if (b == "") next # made at configure time
        if (!(a in may)) { print from ": " a " is no room of includes.txt"; bad = 1; next }
        if (index(may[a], " " b " ") == 0) {
            print from ":" $2 ": " a " includes " target " of " b ", which includes.txt does not allow"; bad = 1
        }
        used++
        seen[a " " b] = 1
    }
    END {
        for (room in may) {
            n = split(may[room], word, " ")
            for (i = 1; i <= n; i++)
                if (word[i] != room && !((room " " word[i]) in seen)) { print room ": no file includes " word[i] ", which includes.txt allows"; bad = 1 }
        }
        for (from in exists) if (from ~ /^(model|src|predictor)\// && !(from in part)) {
            n = split(included[from], word, " "); named = brought = ""
            for (i = 1; i <= n; i++) if (word[i] in part) named = word[i]; else if (is_private(word[i])) brought = word[i]
            if (is_private(from) && brought == "" && named != common) { print from ": a private header includes " common ", or another private header"; bad = 1 }
            if (brought != "" && named != "") { print from ": includes " named ", which " brought " brings"; bad = 1 }
        }
        if (used == 0) { print "no includes were found"; bad = 1 }
        if (!bad) print used " includes, each of them allowed"; exit bad }' && [ -z "${long-}${banned-}${stale-}" ]
