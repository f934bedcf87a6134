# Functions of the public headers say what a caller has to know: a comment stands above each (or
# above the first of a group);
# it has @param[out] or [in,out] for each argument that is written (not for job, err, user and what
# is freed), and a function that returns a status has @return.
#     awk -f headers.awk HEADER...
function problem(text) { print FILENAME ":" FNR ": " name " " text; bad = 1 }

function judge(   list, n, i, argument) {
    match(declaration, /nereus_[a-z_0-9]+\(/); name = substr(declaration, RSTART, RLENGTH - 1)
    functions++
    if (comment == "") { problem("has no comment"); return }
    if (declaration ~ /^enum nereus_status / && comment !~ /@return/) problem("does not say which errors it returns")
    list = substr(declaration, RSTART + RLENGTH)
    gsub(/\(\*[a-z_]+\)\([^)]*\)/, "callback", list)
    sub(/\).*/, "", list)
    n = split(list, part, ",")
    for (i = 1; i <= n; i++) {
        argument = part[i]
        if (argument ~ /^ *const/ || argument !~ /[*[]/ || name ~ /_(fini|free|disconnect)$/) continue
        gsub(/\[[^]]*\]|^.*[ *]/, "", argument)
        if (argument ~ /^(job|err|user)$/) continue
        if (comment !~ "@param\\[(in,)?out\\] +([a-z_]+, )*" argument "[, ]") problem("does not describe what it writes to " argument)
    }
}

FNR == 1 { comment = declaration = ""; inside = 0 }
/^\/\*\*/ { comment = $0; inside = !/\*\//; next }
inside { comment = comment " " $0; if (/\*\//) inside = 0; next }
declaration != "" || /^[a-zA-Z].*nereus_[a-z_0-9]+\(/ {
    if (/^typedef/) next
    declaration = declaration " " $0; sub(/^ /, "", declaration)
    if (/;$/) { judge(); declaration = "" }
    next
}
/^ *$|^(struct|enum|extern|}|#|    )/ { comment = "" }
END { if (functions < 250) { print "only " functions " functions were found"; bad = 1 } exit bad }
