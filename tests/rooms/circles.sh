#!/bin/bash
# circles.sh ROOT BUILD: which file calls which, by the symbols of the object files of BUILD (nm): a
# call from room to room is one that includes.txt allows (or that what it includes may call), calls
# go to rooms that stand before in that list, and files of one room call each other in no circle:
# but for what circles.txt says; and no two files of model and predictor define one name. One
# sentence for each that is not so, and for each line of circles.txt that is not needed.
set -u
root=$1 build=$2 lists=$(cd -- "$(dirname -- "$0")" && pwd)
cd -- "$build" || exit 1
find model src predictor sam calibration -path '*.dir/*.o' ! -path '*-headers.dir/*' -print0 2>/dev/null | LC_ALL=C sort -z |
    xargs -0 nm -A -g 2>/dev/null | awk -v root="$root" -v lists="$lists" '
    function source_of(object,    folder, part, n, i, path) { # DIR/CMakeFiles/TARGET.dir/REST.o is of DIR/REST; "__" is ".." there
        folder = object; sub(/\/CMakeFiles\/.*/, "", folder)
        sub(/^.*\.dir\//, "", object); sub(/\.o$/, "", object)
        n = split(object, part, "/")
        path = folder
        for (i = 1; i <= n; i++)
            if (part[i] == "__") { if (!sub(/\/[^\/]*$/, "", path)) path = "" }
            else path = path (path == "" ? "" : "/") part[i]
        return path
    }
    function room_of(path) {
        do sub(/\/[^\/]*$/, "", path); while (!(path in may) && path ~ /\//)
        return path
    }
    function is_there(path,    line, answer) { # an object may be older than the move of its source
        if (!(path in there)) { there[path] = (getline line < (root "/" path)) >= 0; close(root "/" path) }
        return there[path]
    }
    BEGIN {
        while ((getline line < (lists "/includes.txt")) > 0)
            if (line ~ /^[a-z].*:/) {
                n = split(line, word, " "); room = word[1]; sub(/:$/, "", room)
                may[room] = " "
                for (i = 2; i <= n; i++) {
                    if (!(word[i] in may)) { print room ": " word[i] " stands after it in includes.txt"; bad = 1 }
                    may[room] = may[room] word[i] " " may[word[i]] # and what those include
                }
            }
        while ((getline line < (lists "/circles.txt")) > 0) {
            if (line !~ /^[a-z]/) continue
            n = split(line, word, " ")
            if (word[2] == ">") excepted[word[1] " " word[3]] = 1
            else for (i = 2; i <= n && word[i] != "--"; i++) listed[substr(word[1], 1, length(word[1]) - 1) "/" word[i]] = line
            if (line !~ / -- ./) { print "circles.txt: no reason: " line; bad = 1 }
        }
    }
    {
        at = index($0, ":"); file = source_of(substr($0, 1, at - 1)); n = split($0, word, " ")
        symbol = word[n]; kind = word[n - 1]
        if (symbol == "main") program[file] = 1 # it may call any room
        if (symbol == "main" || symbol ~ /^P?MPI_/ || !is_there(file) || file ~ /\.[fF]90$/) next
        built[room_of(file)] = 1
        if (kind == "U") uses[file, symbol] = 1
        else if (kind ~ /^[A-Z]$/) defines[symbol] = defines[symbol] (index(defines[symbol] " ", " " file " ") ? "" : " " file)
    }
    END {
        for (symbol in defines)
            if (defines[symbol] ~ / (model|predictor)\/.* (model|predictor)\//) { # a static program has both
                print symbol ": defined in" defines[symbol]; bad = 1
            }
        for (pair in uses) {
            split(pair, both, SUBSEP); from = both[1]; a = room_of(from)
            n = split(defines[both[2]], definer, " ")
            if (n != 1) continue # of a library of others; or several programs have one each
            to = definer[1]; b = room_of(to); calls++
            if (to == from) continue
            if (a == b) { edge[from, to] = both[2]; inside[a] = inside[a] " " from " " to }
            else if (!(from in program) && index(may[a], " " b " ") == 0) {
                if ((a " " b) in excepted) { needed[a " " b] = 1; continue }
                print from " calls " both[2] " of " b ", which includes.txt does not allow"; bad = 1
            }
        }
        for (room in inside) {
            split("", known); count = 0; n = split(inside[room], word, " ")
            for (i = 1; i <= n; i++) if (!(word[i] in known)) { known[word[i]] = 1; member[++count] = word[i] }
            for (k = 1; k <= count; k++) for (i = 1; i <= count; i++) if ((member[i], member[k]) in edge)
                for (j = 1; j <= count; j++) if (((member[k], member[j]) in edge) && !((member[i], member[j]) in edge)) edge[member[i], member[j]] = "by others"
            for (i = 1; i <= count; i++) {
                if (!((member[i], member[i]) in edge) || member[i] in done) continue
                circle = ""; reason = listed[member[i]]; size = 0
                for (j = 1; j <= count; j++) if (((member[i], member[j]) in edge) && ((member[j], member[i]) in edge)) {
                    done[member[j]] = 1; circle = circle " " substr(member[j], length(room) + 2); size++
                    if (listed[member[j]] != reason) reason = ""
                    circling[member[j]] = 1
                }
                if (reason == "") { print room ":" circle "  -- a circle of " size " files that circles.txt does not allow"; bad = 1 }
            }
        }
        for (pair in excepted) { split(pair, both, " "); if ((both[1] in built) && (both[2] in built) && !(pair in needed)) { print "circles.txt: no call needs " pair; bad = 1 } }
        for (file in listed) if ((room_of(file) in built) && !(file in circling)) { print file ": circles.txt names it, and it is in no circle"; bad = 1 }
        if (calls < 1000) { print "only " calls + 0 " calls were found in the objects"; bad = 1 }
        if (!bad) print calls " calls, in circles only where circles.txt says so"
        exit bad
    }'
