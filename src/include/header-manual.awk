# The manual pages of section 3 from the comments of nereus.h: one of each comment, with a link for each further function that it describes, and
# nereus.h(3) with the file's own comment, all functions and the types.
#     awk -v folder=build/release/share/man/man3 -v version=0.1.0 -v date=2026-11-23 -f header-manual.awk nereus.h
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/`/, "", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# A comment as description: paragraphs, and lines that are set in by four blanks as they are.
function put_text(page, text,   line, n, i, example) {
    n = split(text, line, "\n")
    example = 0
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^    / && !example) { print ".PP\n.in +4n\n.nf" >page; example = 1 }
        if (line[i] !~ /^    / && line[i] != "" && example) { print ".fi\n.in\n.PP" >page; example = 0 }
        else if (line[i] == "" && !example && i < n && line[i + 1] !~ /^    /) print ".PP" >page
        if (line[i] != "" || (example && line[i + 1] ~ /^    /)) print roff(example ? substr(line[i], 5) : line[i]) >page
    }
    if (example) print ".fi\n.in" >page
}

function begin_page(page, name, all, short) {
    print ".TH " toupper(roff(name)) " 3 \"" date "\" \"Nereus " version "\" \"Nereus\"\n.nh\n.ad l\n.SH NAME\n" all " \\- " roff(short) >page
}

# The first sentence, without what stands in brackets or follows a colon, as the line of apropos.
function short_of(text,   first) {
    first = text
    gsub(/\n/, " ", first)
    gsub(/ \([^)]*\)/, "", first)
    gsub(/`/, "", first)
    sub(/[.;?] .*/, "", first)
    if (first ~ /^[^:]+ .*: /) sub(/: .*/, "", first) # of more than a word
    sub(/[.:;?]$/, "", first)
    if (first ~ /^[A-Z][a-z ]/) first = tolower(substr(first, 1, 1)) substr(first, 2)
    return first
}

# What the comment says behind @param and @return.
function put_tags(page,   i, opened) {
    for (i = 1; i <= tags; i++)
        if (tag[i] ~ /^@param/) {
            if (!opened++) print ".SH ARGUMENTS" >page
            match(tag[i], /^@param(\[[a-z,]*\])? */)
            way = substr(tag[i], 7, RLENGTH - 6); gsub(/[^a-z,]/, "", way)
            rest = substr(tag[i], RLENGTH + 1)
            match(rest, /^[a-z_]+(, [a-z_]+)*/)
            print ".TP\n.I " roff(substr(rest, 1, RLENGTH)) >page
            rest = substr(rest, RLENGTH + 1); sub(/^[ \n]+/, "", rest)
            print roff((way == "" ? "" : "[" way "] ") rest) >page
        }
    for (i = 1; i <= tags; i++)
        if (tag[i] ~ /^@return/) {
            rest = tag[i]; sub(/^@return[ \n]*/, "", rest)
            print ".SH RETURN VALUE\n" roff(rest) >page
        }
}

function put_functions(   i, page, all) {
    if (functions == 0) return
    for (i = 1; i <= functions; i++) all = all (i > 1 ? ", " : "") name[i]
    page = folder "/" name[1] ".3"
    begin_page(page, name[1], all, short_of(text))
    print ".SH SYNOPSIS\n.nf\n#include <nereus.h>\n" >page
    for (i = 1; i <= functions; i++) print roff(declaration[i]) >page
    print ".fi\n.SH DESCRIPTION" >page
    put_text(page, text)
    put_tags(page)
    print ".SH SEE ALSO" >page
    if (text ~ /^The same/) print ".BR " before " (3)," >page # what is meant stands there
    print ".BR nereus.h (3)" >page
    close(page)
    before = name[1]
    for (i = 1; i <= functions; i++) {
        index_lines = index_lines ".TP\n.BR " name[i] " (3)\n" roff(short_of(text)) "\n"
        if (i > 1) { page = folder "/" name[i] ".3"; print ".so man3/" name[1] ".3" >page; close(page) }
    }
    functions = 0
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
    if (tags > 0 && tag[1] ~ /^@file/) {
        overview = tag[1]; sub(/^@file[^\n]*\n/, "", overview)
        overview = raw; sub(/^[^@]*@file[^\n]*\n/, "", overview); gsub(/\n \* ?/, "\n", overview); sub(/^ \* ?/, "", overview)
        tags = 0; text = ""
    }
}

in_comment { raw = raw "\n" $0; if (/\*\//) { in_comment = 0; sub(/[ ]*\*\/.*/, "", raw); take_comment(raw) } next }
in_type { types = types "\n" roff($0); if (/^};|^    }$/) in_type = 0; next }
/^\/\*\*/ {
    raw = $0; sub(/^\/\*\* ?/, "", raw)
    if (raw ~ /\*\//) { sub(/[ ]*\*\/.*/, "", raw); take_comment(raw) } else in_comment = 1
    next
}
/^(struct|enum) [a-z_]* *\{/ { put_functions(); types = types (types == "" ? "" : "\n.PP") (text == "" ? "" : "\n" roff(text) "\n.PP") "\n.nf\n" roff($0); in_type = !/};/; if (!in_type) types = types "\n.fi"; else closing = 1; text = ""; next }
/^typedef|^#|^extern|^}/ { next }
/^[A-Za-z].*nereus_[a-z_]+\(/ || open_declaration {
    if (!open_declaration) {
        match($0, /nereus_[a-z_]+\(/)
        name[++functions] = substr($0, RSTART, RLENGTH - 1)
        declaration[functions] = $0
    } else declaration[functions] = declaration[functions] "\n" $0
    open_declaration = !/;$/
    next
}
/^enum nereus_status$/ { next }
END {
    put_functions()
    gsub(/\n};/, "\n};\n.fi", types)
    page = folder "/nereus.h.3"
    begin_page(page, "nereus.h", "nereus.h", "make an iterative MPI program malleable")
    print ".SH SYNOPSIS\n.nf\n#include <nereus.h>\n.fi\n.SH DESCRIPTION" >page
    put_text(page, overview)
    printf "%s", ".SH FUNCTIONS\n" index_lines ".SH TYPES" types "\n.SH SEE ALSO\n.BR nereus\\-mpiexec (1),\n.BR nereus (1)\n" >page
    if (index_lines == "") { print "header-manual.awk: no functions in the header" >"/dev/stderr"; exit 1 }
}
