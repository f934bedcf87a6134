/**
 * @file sparse.h
 * Makes rows of a sparse matrix, and computes the product with a vector. No MPI here.
 */
#pragma once

#include <stdint.h>

#include "nereus/status.h"

/**
 * Contiguous rows in CSR: row first + i has the entries starts[i] to starts[i + 1] - 1; columns are
 * global.
 */
struct sparse {
    int64_t first, rows;
    const int64_t *starts; /**< rows + 1; starts[0] is 0 */
    int64_t *columns;
    double *values;
};

/**
 * Allocate memory for rows of these lengths, and set `starts`.
 * @param[in] lengths  length of each of the `rows` rows
 * @param[out] part  to be ended with sparse_free
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status sparse_make(int64_t first, int64_t rows, const int64_t *lengths,
                               struct sparse *part, struct nereus_error *err);
/** Free the rows. */
void sparse_free(struct sparse *part);

/**
 * Make rows of the matrix of a 27-point stencil on a grid of points: 26 on the diagonal, -1 for
 * each neighbour, also across edges and corners; nothing beyond the boundary. Symmetric and
 * positive definite. Row (z * grid[1] + y) * grid[0] + x is point (x, y, z).
 */
enum nereus_status sparse_stencil(const int64_t grid[3], int64_t first, int64_t rows,
                                  struct sparse *part, struct nereus_error *err);

/** result = rows * vector; result has an element for each row, vector one for each column. */
void sparse_multiply(const struct sparse *part, const double *vector, double *result);
