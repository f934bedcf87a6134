# page.awk: the elements of an SVG file, as nereus writes it, lie on its page; a sentence for each
# that does not.
# With -v list=1 the texts are printed, one a line.
function number(name,    at) {
    if (!match($0, " " name "=\"[-0-9.]+\"")) return 0
    at = RSTART + length(name) + 3
    return substr($0, at, RSTART + RLENGTH - 1 - at) + 0
}
function check(left, top, right, bottom) {
    elements++
    if (left < -0.01 || top < -0.01 || right > width + 0.01 || bottom > height + 0.01)
        print "outside " width "x" height ": " $0
}
/<svg / { match($0, /viewBox="0 0 [0-9.]+ [0-9.]+"/); split(substr($0, RSTART + 9, RLENGTH - 10), box, " "); width = box[3]; height = box[4] }
/^<rect / { check(number("x"), number("y"), number("x") + number("width"), number("y") + number("height")) }
/^<line / && !/<pattern/ { check(number("x1"), number("y1"), number("x1"), number("y1")); check(number("x2"), number("y2"), number("x2"), number("y2")) }
/^<circle / { check(number("cx") - number("r"), number("cy") - number("r"), number("cx") + number("r"), number("cy") + number("r")) }
/^<text / {
    long = number("textLength")
    size = number("font-size")
    before = /text-anchor="middle"/ ? long / 2 : /text-anchor="end"/ ? long : 0
    if (/rotate\(-90/) check(number("x") - 0.8 * size, number("y") + before - long, number("x") + 0.25 * size, number("y") + before)
    else check(number("x") - before, number("y") - 0.8 * size, number("x") - before + long, number("y") + 0.25 * size)
    if (list) { text = $0; sub(/^[^>]*>/, "", text); sub(/<\/text>$/, "", text); print text }
}
END { if (elements < 8) print "only " elements + 0 " elements" }
