# The rows of an answer as lines `ROW KEY VALUE`, without what is empty: of CSV, and (-v
# format=json) of what the JSON of the same has in "predictions", in "changes", in "sizes" or as the
# whole document. What is an object in a row goes by `object_key`; of an array, its entries with a
# space between them.
function put(row, key, value) {
    sub(/,$/, "", value)
    if (value ~ /^".*"$/) { value = substr(value, 2, length(value) - 2); gsub(/\\"/, "\"", value) }
    if (value == "true" || value == "false") value = value == "true" ? 1 : 0
    if (value != "" && value != "null") print row, key, value
}
# Into cell[1] to cell[count]; what is quoted may hold commas, and two quotes for one.
function split_csv(line, cell,    count, quoted, i, c) {
    count = 1; cell[1] = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { cell[count] = cell[count] c; i++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) cell[++count] = ""
        else cell[count] = cell[count] c
    }
    return count
}
format != "json" && NR == 1 { columns = split($0, name, ","); next }
format != "json" {
    count = split_csv($0, cell)
    if (count != columns) print NR - 1, count, "cells where the header has", columns
    for (i = 1; i <= count; i++) put(NR - 1, name[i], cell[i])
    next
}
NR == 1 && /^\[/ { inside = 1; end = "^]" }
/^  "(predictions|changes|sizes)": \[/ { inside = 1; end = "^  ]"; next }
!inside { next }
$0 ~ end { inside = 0; next }
/^ *\{$/ { row++; next }
/^ *"[a-z_]+": \{$/ { object = $1; gsub(/[":]/, "", object); object = object "_"; next }
/^ *\},?$/ { object = ""; next }
/^ *"[a-z_]+": \[$/ { array = $1; gsub(/[":]/, "", array); entries = ""; next }
array != "" && /^ *\],?$/ { put(row, array, entries); array = ""; next }
array != "" { gsub(/[ ",]/, ""); entries = entries (entries == "" ? "" : " ") $0; next }
match($0, /^ *"[a-z_]+": /) && !/: \[\],?$/ { key = $1; gsub(/[":]/, "", key); put(row, object key, substr($0, RLENGTH + 1)) }
