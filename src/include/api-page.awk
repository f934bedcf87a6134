# docs/api.md from the public headers: what a program calls, by its purpose, and the headers of the
# model; a row for each function.
#     awk -f src/include/api-page.awk -f src/include/header-comments.awk \
#         src/include/nereus/nereus.h model/include/nereus/*.h >docs/api.md
function put_functions(   i, list) {
    for (i = 1; i <= functions; i++) list = list (list == "" ? "" : ", ") "`" name[i] "`"
    if (functions > 0) rows = rows "| " list " | " short_of(text) " |\n"
    functions = 0
}
function put_rows() {
    if (rows != "") printf "\n| function | what it does |\n| --- | --- |\n%s", rows
    rows = ""
}
function section_begins(title) { if (of_job) { put_rows(); print "\n## " title } }
function type_begins(line) { }
function type_line(line) { }
function type_ends() { }

# The header that has been read: a section, once all of its functions are known.
function put_header(   purpose) {
    put_functions()
    if (!of_job && path != "") {
        purpose = short_of(overview)
        print "\n### [" path "](../model/include/nereus/" path ")\n\n" toupper(substr(purpose, 1, 1)) substr(purpose, 2) "."
    }
    put_rows()
}
function model_begins() {
    print "\n## Headers of the model\n"
    print "In `libnereus-model`, without MPI ([an example](model.md#predictions-in-c)); the policy, the fit and the simulator are libraries of their own."
    print "Include them as `nereus/NAME.h`."
}
FNR == 1 {
    put_header()
    if (of_job) model_begins()
    path = FILENAME; sub(/^.*\//, "", path)
    of_job = path == "nereus.h"
    if (of_job) {
        print "# Functions\n"
        print "What a program can call, by purpose; `src/include/api-page.awk` makes this page from the headers, whose comments have arguments, errors and owners."
        print "A malleable program needs [nereus.h](../src/include/nereus/nereus.h) alone, each of whose functions has a manual page (`man nereus_init`)."
    }
}
END { put_header() }
