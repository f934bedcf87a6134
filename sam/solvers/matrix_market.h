/**
 * @file matrix_market.h
 * Reads sparse matrices from Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html):
 * coordinate format, real or integer, symmetric or general. For conjugate gradient: a matrix that
 * cannot be symmetric positive definite is refused. No MPI here.
 */
#pragma once

#include <stdint.h>

#include "nereus/status.h"
#include "sparse.h"

/** Result of the first reading, with which the rows can be distributed. */
struct matrix_market {
    int64_t rows;     /**< number of rows, and of columns */
    int64_t entries;  /**< entries of the whole matrix, also those that a symmetric file omits */
    int64_t *lengths; /**< entries of each row */
};

/**
 * Read a file once, and check it.
 * @param[out] shape  to be ended with matrix_market_free
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY; NEREUS_ERR_PARSE with file and line: not a Matrix
 *     Market file, one of another kind, a line that is wrong, too few or too many entries; not
 *     square, not symmetric, or a row without a positive element on the diagonal
 */
enum nereus_status matrix_market_scan(const char *path, struct matrix_market *shape,
                                      struct nereus_error *err);
/** Free the lengths. */
void matrix_market_free(struct matrix_market *shape);

/**
 * Read it again and keep some rows. Entries of a row come in the order of the file.
 * @param[out] part  see sparse.h
 */
enum nereus_status matrix_market_rows(const char *path, const struct matrix_market *shape,
                                      int64_t first, int64_t rows, struct sparse *part,
                                      struct nereus_error *err);
