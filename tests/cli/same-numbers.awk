# awk -v relative=R -v absolute=A -f same-numbers.awk EXPECTED ACTUAL: the same text line by line,
# where numbers may differ by max(A, R |expected|) and runs of spaces count as one.
BEGIN {
    number = "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"
}

FNR == 1 { file++ }
{ gsub(/[ \t]+/, " "); sub(/ $/, "") }
file == 1 { expected[FNR] = $0; lines = FNR; next }

# Takes the first number off a text: before[0] is what stands before it. Returns whether there is one.
function take(text, part) {
    if (!match(text, number)) {
        part["before"] = text; part["number"] = ""; part["rest"] = ""
        return 0
    }
    part["before"] = substr(text, 1, RSTART - 1)
    part["number"] = substr(text, RSTART, RLENGTH)
    part["rest"] = substr(text, RSTART + RLENGTH)
    return 1
}

function close_enough(a, b,    difference, allowed) {
    difference = a - b
    if (difference < 0) difference = -difference
    allowed = relative * (a < 0 ? -a : a)
    if (allowed < absolute) allowed = absolute
    return difference <= allowed
}

function same_line(a, b,    x, y, more_a, more_b) {
    do {
        more_a = take(a, x)
        more_b = take(b, y)
        if (x["before"] != y["before"] || more_a != more_b) return 0
        if (more_a && !close_enough(x["number"] + 0, y["number"] + 0)) return 0
        a = x["rest"]; b = y["rest"]
    } while (more_a)
    return 1
}

{
    count = FNR
    if (FNR > lines || !same_line(expected[FNR], $0)) {
        print "line " FNR ":\n  expected: " expected[FNR] "\n  found:    " $0
        bad++
    }
}

END {
    if (count != lines) { print "lines: expected " lines ", found " count; bad++ }
    exit bad > 0
}
