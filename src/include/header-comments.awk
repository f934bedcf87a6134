# The comments of a public header, read for a program that prints them (header-manual.awk,
# api-page.awk), which has the functions put_functions (of name[1 .. functions] with declaration,
# text and tag[1 .. tags]; sets functions = 0), section_begins, type_begins, type_line and
# type_ends. Behind the last line put_functions is theirs to call; overview is the comment of the
# file.
# The first sentence, without what stands in brackets or follows a colon, as the line of apropos.
function short_of(text,   first) {
    first = text
    gsub(/\n/, " ", first)
    while (gsub(/ \([^()]*\)/, "", first) > 0) continue # brackets may be nested
    gsub(/`/, "", first)
    sub(/[.;?] .*/, "", first)
    if (first ~ /^[^:]+ .*: /) sub(/: .*/, "", first) # of more than a word
    sub(/[.:;?]$/, "", first)
    if (first ~ /^[A-Z][a-z ]/) first = tolower(substr(first, 1, 1)) substr(first, 2)
    return first
}

# A whole comment: text before the first @, then the tags, each with its further lines joined.
function take_comment(raw,   line, n, i) {
    put_functions()
    tags = 0; text = ""
    n = split(raw, line, "\n")
    for (i = 1; i <= n; i++) {
        sub(/^ ?\* ?/, "", line[i])
        if (line[i] ~ /^@/) tag[++tags] = line[i]
        else if (tags > 0) { sub(/^ +/, "", line[i]); tag[tags] = tag[tags] (line[i] == "" ? "" : "\n" line[i]) }
        else text = text (text == "" ? "" : "\n") line[i]
    }
    sub(/^\n+/, "", text); sub(/\n+$/, "", text)
    if (tags > 0 && tag[1] ~ /^@name/) { title = tag[1]; sub(/^@name */, "", title); section_begins(title); tags = 0 }
    if (tags > 0 && tag[1] ~ /^@file/) {
        overview = tag[1]; sub(/^@file[^\n]*\n/, "", overview)
        overview = raw; sub(/^[^@]*@file[^\n]*\n/, "", overview); gsub(/\n \* ?/, "\n", overview); sub(/^ \* ?/, "", overview)
        tags = 0; text = ""
    }
}

in_comment { raw = raw "\n" $0; if (/\*\//) { in_comment = 0; sub(/[ ]*\*\/.*/, "", raw); take_comment(raw) } next }
in_type { type_line($0); if (/^};|^    }$/) in_type = 0; next }
/^\/\*\*/ {
    raw = $0; sub(/^\/\*\* ?/, "", raw)
    if (raw ~ /\*\//) { sub(/[ ]*\*\/.*/, "", raw); take_comment(raw) } else in_comment = 1
    next
}
/^(struct|enum) [a-z_]* *\{/ { put_functions(); type_begins($0); in_type = !/};/; if (!in_type) type_ends(); text = ""; next }
/^typedef|^#|^extern|^}/ { next }
/^[A-Za-z].*nereus_[a-z_0-9]+\(/ || open_declaration {
    if (!open_declaration) {
        match($0, /nereus_[a-z_0-9]+\(/)
        name[++functions] = substr($0, RSTART, RLENGTH - 1)
        declaration[functions] = $0
    } else declaration[functions] = declaration[functions] "\n" $0
    open_declaration = !/;$/
    next
}
/^enum nereus_status$/ { next }
