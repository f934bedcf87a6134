#!/bin/bash
# matrix-market.sh SIDE [even]: a matrix for conjugate gradient as a Matrix Market file, which takes
# some hundred iterations: differences of neighbours on a square of SIDE x SIDE points. It is not
# balanced: some points are neighbours of a quarter of all. With `even` it is: every point has the
# same neighbours, of which as many are far away.
exec awk -v side="${1:?}" -v even="${2-}" 'BEGIN {
    n = side * side
    for (i = 1; i <= n; i++) {
        diagonal[i] += 4
        if (i % side) connect(i + 1, i, 1)
        if (i + side <= n) connect(i + side, i, 1)
    }
    for (far = 3; even && far < side / 7 + 3; far++)
        for (i = 1; i + far * side + far <= n; i++) {
            connect(i + far * side + far, i, 0.01)
            diagonal[i] += 0.01
            diagonal[i + far * side + far] += 0.01
        }
    for (hub = 1; !even && hub <= side; hub += 7)
        for (k = 1; k <= n / 4; k++) {
            i = side + 1 + (k * 53 + hub * 11) % (n - side)
            if (!((i, hub) in value)) { connect(i, hub, 0.01); diagonal[i] += 0.01; diagonal[hub] += 0.01 }
        }
    print "%%MatrixMarket matrix coordinate real symmetric"
    print "% written by matrix-market.sh"
    print n, n, n + count
    for (i = 1; i <= n; i++) print i, i, diagonal[i]
    for (k = 1; k <= count; k++) print order[k], -value[rows[k], columns[k]]
}
function connect(row, column, weight) {
    value[row, column] = weight
    order[++count] = row " " column
    rows[count] = row; columns[count] = column
}'
