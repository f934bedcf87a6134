# The manual pages of section 3 from the comments of nereus.h: one of each comment, with a link for
# each further function that it describes, and nereus.h(3) with the file's own comment, all
# functions and the types.
#     awk -v folder=build/release/share/man/man3 -v version=0.1.0 -v date=2026-11-23 \
#         -f header-comments.awk -f header-manual.awk nereus.h
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

function section_begins(title) { index_lines = index_lines ".SS " title "\n" }
function type_begins(line) {
    types = types (types == "" ? "" : "\n.PP") (text == "" ? "" : "\n" roff(text) "\n.PP") "\n.nf\n" roff(line)
}
function type_line(line) { types = types "\n" roff(line) }
function type_ends() { types = types "\n.fi" }

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
