/**
 * @file test_solvers.c
 * Rows of matrices for the solvers: stencil, Matrix Market files, dense systems.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "sam/solvers/contacts.h"
#include "sam/solvers/dense.h"
#include "sam/solvers/matrix_market.h"
#include "sam/solvers/sparse.h"

enum { ROWS_MAX = 1000 };

/* ---- stencil ---- */

/* Row sums are what is missing at the boundary: 27 less the points around it, itself included. */
Test(sam_sparse, stencil_by_its_row_sums)
{
    const struct {
        int64_t grid[3], entries;
        double first_row, middle_row;
    } rows[] = {
        /* entries: (3 n - 2) in each direction, multiplied */
        {{1, 1, 1}, 1, 26, 26},
        {{5, 1, 1}, 13, 25, 24},
        {{3, 4, 1}, 7 * 10, 23, 18},
        {{5, 7, 9}, 13 * 19 * 25, 19, 0},
    };
    for (size_t k = 0; k < NEREUS_COUNT_OF(rows); k++) {
        const int64_t *grid = rows[k].grid, n = grid[0] * grid[1] * grid[2];
        const int64_t middle = (grid[2] / 2 * grid[1] + grid[1] / 2) * grid[0] + grid[0] / 2;
        struct sparse part;
        double ones[ROWS_MAX], sums[ROWS_MAX];
        for (int64_t i = 0; i < n; i++)
            ones[i] = 1;
        cr_assert_eq(sparse_stencil(grid, 0, n, &part, NULL), NEREUS_OK);
        sparse_multiply(&part, ones, sums);
        cr_expect_eq(part.starts[n], rows[k].entries, "row %zu", k);
        cr_expect_float_eq(sums[0], rows[k].first_row, 0, "row %zu: %g", k, sums[0]);
        cr_expect_float_eq(sums[middle], rows[k].middle_row, 0, "row %zu: %g", k, sums[middle]);
        sparse_free(&part);
    }
}

static void expect_same_rows(const struct sparse *whole, const struct sparse *part)
{
    for (int64_t i = 0; i < part->rows; i++) {
        const int64_t at = whole->starts[part->first + i],
                      length = whole->starts[part->first + i + 1] - at;
        cr_assert_eq(part->starts[i + 1] - part->starts[i], length);
        cr_expect_arr_eq(&part->columns[part->starts[i]], &whole->columns[at], (size_t)length * 8);
        cr_expect_arr_eq(&part->values[part->starts[i]], &whole->values[at], (size_t)length * 8);
    }
}

Test(sam_sparse, stencil_in_parts)
{
    const int64_t grid[3] = {4, 3, 5};
    struct sparse whole, part;
    cr_assert_eq(sparse_stencil(grid, 0, 60, &whole, NULL), NEREUS_OK);
    for (int64_t first = 0; first <= 60; first += 7) {
        cr_assert_eq(sparse_stencil(grid, first, first + 7 > 60 ? 60 - first : 7, &part, NULL),
                     NEREUS_OK);
        expect_same_rows(&whole, &part);
        sparse_free(&part);
    }
    sparse_free(&whole);
}

/* ---- Matrix Market ---- */

static void write_file(char path[64], const char *text)
{
    snprintf(path, 64, "/tmp/nereus-matrix-XXXXXX");
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
}

#define HEAD "%%MatrixMarket matrix coordinate real "
static const char symmetric_text[] =
    HEAD "symmetric\n% a comment\n\n3 3 5\n1 1 4\n2 1 -1.5e0\n\n2 2 5\n% inside\n3 2 -2\n"
         "3 3 6.25\n";
/* The same, with other spaces and order. */
static const char general_text[] =
    "%%matrixmarket MATRIX Coordinate REAL General\r\n 3 3\t7 \r\n3 3 6.25\r\n1 2 -1.5\n"
    "1 1 +4\n2 2 5\n2 3 -2\n  3 2 -2.0\n2 1 -1.5";

Test(sam_matrix_market, the_same_matrix_symmetric_and_general)
{
    const char *const texts[] = {symmetric_text, general_text};
    const double ones[] = {1, 2, 3}, expected[] = {1, 2.5, 14.75};
    const int64_t lengths[] = {2, 3, 2};
    for (int k = 0; k < 2; k++) {
        char path[64];
        struct matrix_market shape;
        struct sparse part;
        struct nereus_error err = {NEREUS_OK, ""};
        double result[3];
        write_file(path, texts[k]);
        cr_assert_eq(matrix_market_scan(path, &shape, &err), NEREUS_OK, "%s", err.text);
        cr_expect_eq(shape.rows, 3);
        cr_expect_eq(shape.entries, 7);
        cr_expect_arr_eq(shape.lengths, lengths, sizeof lengths);
        for (int64_t first = 0; first < 3; first++) {
            cr_assert_eq(matrix_market_rows(path, &shape, first, 3 - first, &part, &err), NEREUS_OK,
                         "%s", err.text);
            sparse_multiply(&part, ones, result);
            for (int64_t i = first; i < 3; i++)
                cr_expect_float_eq(result[i - first], expected[i], 0, "text %d, row %ld", k,
                                   (long)i);
            sparse_free(&part);
        }
        matrix_market_free(&shape);
        unlink(path);
    }
}

/* Elements that stand several times add up, in any order; exponents as Fortran writes them. */
Test(sam_matrix_market, elements_that_stand_several_times)
{
    static const char *const texts[] = {
        "\xEF\xBB\xBF" HEAD "symmetric\r2 2 5\r1 1 5\r1 1 -1\r2 1 0.1D+0\r2 1 0.2d+00\r2 2 1\r",
        HEAD "general\n2 2 7\n1 1 4\n1 2 0.2\n2 1 0.1\n2 2 0.5\n1 2 0.1\n2 2 0.5\n2 1 0.2\n",
        HEAD "general\n2 2 6\n1 1 4\n1 2 0.75\n2 1 1e-3\n1 2 -0.75\n1 2 1e-3\n2 2 1\n",
    };
    const double ones[] = {1, 1}, expected[][2] = {{4.3, 1.3}, {4.3, 1.3}, {4.001, 1.001}};
    for (int k = 0; k < 3; k++) {
        char path[64];
        struct matrix_market shape;
        struct sparse part;
        struct nereus_error err = {NEREUS_OK, ""};
        double result[2];
        write_file(path, texts[k]);
        cr_assert_eq(matrix_market_scan(path, &shape, &err), NEREUS_OK, "text %d: %s", k, err.text);
        cr_assert_eq(matrix_market_rows(path, &shape, 0, 2, &part, &err), NEREUS_OK);
        sparse_multiply(&part, ones, result);
        for (int i = 0; i < 2; i++)
            cr_expect_float_eq(result[i], expected[k][i], 1e-12, "text %d, row %d: %g", k, i,
                               result[i]);
        sparse_free(&part);
        matrix_market_free(&shape);
        unlink(path);
    }
}

Test(sam_matrix_market, what_is_wrong_is_said_with_its_line)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "line 0: the file ends before its first line"},
        {"3 3 5\n", "line 1: this is no Matrix Market file"},
        {"%%MatrixMarket matrix coordinate real\n",
         "line 1: expected '%%MatrixMarket matrix coordinate real symmetric'"},
        {"%%MatrixMarket matrix array real symmetric\n",
         "line 1: a 'matrix array' is not read here"},
        {"%%MatrixMarket vector coordinate real symmetric\n",
         "line 1: a 'vector coordinate' is not read here"},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n", "line 1: elements are 'pattern'"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
         "line 1: the matrix is 'skew-symmetric'"},
        {HEAD "symmetric\n% nothing\n", "line 2: the file ends before the line with its size"},
        {HEAD "symmetric\n3 3\n", "line 2: expected three whole numbers"},
        {HEAD "symmetric\n3 3 5 1\n", "line 2: expected three whole numbers"},
        {HEAD "symmetric\n3 3 99999999999999999999\n", "line 2: expected three whole numbers"},
        {HEAD "symmetric\n0 0 0\n", "line 2: 0 rows and 0 entries are no matrix"},
        {HEAD "symmetric\n3 4 5\n",
         "line 2: the matrix has 3 rows and 4 columns; it must be square"},
        {HEAD "symmetric\n2 2 2\n1 1 1\n", "line 3: the file ends before entry 2 of 2"},
        {HEAD "symmetric\n2 2 2\n1 1 1\n\n2 2 2\n2 1 1\n", "line 6: more than the 2 entries"},
        {HEAD "symmetric\n2 2 2\n1 1\n2 2 2\n", "line 3: expected 'row column value', not '1 1'"},
        {HEAD "symmetric\n2 2 2\n1 1 1 7\n2 2 2\n",
         "line 3: expected 'row column value', not '1 1 1 7'"},
        {HEAD "symmetric\n2 2 2\n1.5 1 1\n2 2 2\n", "line 3: expected 'row column value'"},
        {HEAD "symmetric\n2 2 2\n1 1 x\n2 2 2\n", "line 3: expected 'row column value'"},
        {HEAD "symmetric\n2 2 2\n1 1 nan\n2 2 2\n",
         "line 3: element (1, 1) is not a finite number"},
        {HEAD "symmetric\n2 2 2\n3 1 1\n2 2 2\n", "line 3: there is no element (3, 1)"},
        {HEAD "symmetric\n2 2 2\n1 0 1\n2 2 2\n", "line 3: there is no element (1, 0)"},
        {HEAD "symmetric\n2 2 3\n1 1 1\n1 2 1\n2 2 2\n",
         "line 4: element (1, 2) is above the diagonal"},
        {HEAD "symmetric\n2 2 2\n1 1 1\n2 2 -2\n",
         "line 4: the element of row 2 on the diagonal is -2: the matrix is not positive definite"},
        {HEAD "symmetric\n2 2 2\n1 1 1\n2 1 0.5\n",
         "line 4: the element of row 2 on the diagonal is 0"},
        {HEAD "symmetric\n1 1 2\n1 1 3\n1 1 -3\n",
         "line 4: the element of row 1 on the diagonal is 0"},
        {HEAD "general\n2 2 5\n1 1 1\n2 2 1\n2 1 0.5\n2 1 0.5\n1 2 0.5\n",
         "line 7: the matrix is not symmetric"},
        {HEAD "general\n2 2 3\n1 1 1\n2 2 1\n2 1 0.5\n", "line 5: the matrix is not symmetric"},
        {HEAD "general\n2 2 4\n1 1 1\n2 2 1\n2 1 0.5\n1 2 0.25\n",
         "line 6: the matrix is not symmetric"},
    };
    for (size_t k = 0; k < NEREUS_COUNT_OF(rows); k++) {
        char path[64], expected[256];
        struct matrix_market shape;
        struct nereus_error err = {NEREUS_OK, ""};
        write_file(path, rows[k].text);
        cr_expect_eq(matrix_market_scan(path, &shape, &err), NEREUS_ERR_PARSE, "row %zu", k);
        snprintf(expected, sizeof expected, "%s, %s", path, rows[k].sentence);
        cr_expect(strncmp(err.text, expected, strlen(expected)) == 0,
                  "row %zu: '%s', expected '%s'", k, err.text, expected);
        unlink(path);
    }
}

Test(sam_matrix_market, a_file_that_is_not_there)
{
    struct matrix_market shape;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_expect_eq(matrix_market_scan("/nowhere/matrix.mtx", &shape, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "'/nowhere/matrix.mtx' does not exist") != NULL, "%s", err.text);
    cr_expect_neq(matrix_market_scan("/tmp", &shape, &err), NEREUS_OK);
    cr_expect(strstr(err.text, "'/tmp' is a folder") != NULL, "%s", err.text);
}

/* ---- dense ---- */

Test(sam_dense, rows_are_diagonally_dominant)
{
    enum { N = 37 };
    double row[N];
    for (int64_t i = 0; i < N; i++) {
        double others = 0;
        dense_fill_row(N, i, row);
        for (int64_t j = 0; j < N; j++) {
            others += j == i ? 0 : fabs(row[j]);
            cr_expect(j == i || (row[j] <= -0.5 && row[j] >= -1), "element %ld %ld is %g", (long)i,
                      (long)j, row[j]);
        }
        cr_expect_float_eq(row[i], 1 + 1.25 * others, 1e-12 * row[i]);
    }
}

/* ---- contact networks ---- */

/* Rows are what the predicate says of each pair, whose contact has one intensity seen from both. */
Test(sam_contacts, rows_by_pairs)
{
    enum { PERSONS = 173 };
    const struct contacts network = {PERSONS, 11};
    static double intensity[PERSONS][PERSONS];
    struct sparse part;
    int64_t first_half = 0;
    cr_assert_eq(contacts_make_rows(&network, 0, PERSONS, &part, NULL), NEREUS_OK);
    for (int64_t i = 0; i < PERSONS; i++)
        for (int64_t k = part.starts[i]; k < part.starts[i + 1]; k++) {
            cr_expect(k == part.starts[i] || part.columns[k] > part.columns[k - 1]);
            cr_expect(part.values[k] >= 0 && part.values[k] < 1);
            intensity[i][part.columns[k]] = 1 + part.values[k];
        }
    for (int64_t i = 0; i < PERSONS; i++)
        for (int64_t j = 0; j < PERSONS; j++) {
            cr_expect_eq(contacts_meet(&network, i, j), intensity[i][j] > 0);
            cr_expect_float_eq(intensity[i][j], intensity[j][i], 0);
        }
    /* The first persons have more contacts: an even number of rows is uneven work */
    first_half = part.starts[PERSONS / 2];
    cr_expect_gt(first_half, part.starts[PERSONS] - first_half);
    sparse_free(&part);
}

Test(sam_contacts, rows_in_parts)
{
    const struct contacts network = {90, 4};
    struct sparse whole, part;
    cr_assert_eq(contacts_make_rows(&network, 0, 90, &whole, NULL), NEREUS_OK);
    cr_assert_eq(contacts_make_rows(&network, 31, 40, &part, NULL), NEREUS_OK);
    expect_same_rows(&whole, &part);
    sparse_free(&part);
    sparse_free(&whole);
}

/* A share of all encounters; certain, and never, at both ends. */
Test(sam_contacts, infections_by_their_probability)
{
    const struct contacts network = {1000, 2};
    int64_t infected = 0;
    for (int64_t from = 0; from < 200; from++)
        for (int64_t to = 300; to < 350; to++) {
            infected += contacts_is_infected_by(&network, 3, from, to, 0.2, 1);
            cr_expect(contacts_is_infected_by(&network, 3, from, to, 1, 1));
            cr_expect(!contacts_is_infected_by(&network, 3, from, to, 0, 5));
        }
    /* 10,000 with probability 0.2: five standard deviations are 200 */
    cr_expect(llabs(infected - 2000) < 200, "%lld of 10000", (long long)infected);
}
