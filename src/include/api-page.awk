# docs/api.md from the public headers: what a program calls by its purpose, a line each, and the headers of the model.
#     awk -f src/include/api-page.awk -f src/include/header-comments.awk src/include/nereus/nereus.h model/include/nereus/*.h >docs/api.md
function put_functions(   i, list) {
    for (i = 1; i <= functions; i++) {
        list = list (list == "" ? "" : ", ") "`" name[i] "`"
        all = all (all == "" ? "" : ", ") "`" name[i] "`"
    }
    if (functions > 0 && of_job) print "| " list " | " short_of(text) " |"
    functions = 0
}
function section_begins(title) { print "\n## " title "\n\n| function | what it does |\n| --- | --- |" }
function type_begins(line) { }
function type_line(line) { }
function type_ends() { }

# The header that has been read: a row, once all of its functions are known.
function put_header() {
    put_functions()
    if (!of_job && path != "") rows = rows "| [" path "](../model/include/nereus/" path ") | " short_of(overview) " | " all " |\n"
    all = ""
}
FNR == 1 {
    put_header()
    path = FILENAME; sub(/^.*\//, "", path)
    of_job = path == "nereus.h"
    if (of_job) {
        print "# Functions\n"
        print "What a program can call, by purpose; `src/include/api-page.awk` makes this page from the headers, whose comments have arguments, errors and owners."
        print "A malleable program needs [nereus.h](../src/include/nereus/nereus.h) alone, each of whose functions has a manual page (`man nereus_init`)."
    }
}
END {
    put_header()
    print "\n## Headers of the model\n"
    print "In `libnereus-model`, without MPI ([an example](model.md#asked-by-a-scheduler)); the policy, the fit and the simulator are libraries of their own.\n"
    printf "%s", "| header, in `nereus/` | what it is for | functions |\n| --- | --- | --- |\n" rows
}
