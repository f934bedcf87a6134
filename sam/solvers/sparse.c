/**
 * @file sparse.c
 * Makes sparse rows in compressed form (CSR) by a 27-point stencil, and multiplies them with OpenMP
 * threads.
 */
#include "sparse.h"

#include <limits.h>
#include <stdlib.h>

enum nereus_status sparse_make(int64_t first, int64_t rows, const int64_t *lengths,
                               struct sparse *part, struct nereus_error *err)
{
    struct sparse matrix = {.first = first, .rows = rows};
    int64_t *starts = malloc(((size_t)rows + 1) * sizeof *starts);
    matrix.starts = starts;
    if (starts != NULL) {
        starts[0] = 0;
        for (int64_t i = 0; i < rows; i++)
            starts[i + 1] = starts[i] + lengths[i];
        const size_t entries = (size_t)starts[rows];
        matrix.columns = malloc((entries + 1) * sizeof *matrix.columns);
        matrix.values = malloc((entries + 1) * sizeof *matrix.values);
    }
    if (matrix.starts == NULL || matrix.columns == NULL || matrix.values == NULL) {
        sparse_free(&matrix);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld rows of the matrix",
                           (long long)rows);
    }
    *part = matrix;
    return NEREUS_OK;
}

void sparse_free(struct sparse *part)
{
    free((int64_t *)(uintptr_t)part->starts);
    free(part->columns);
    free(part->values);
    *part = (struct sparse){.starts = NULL};
}

/* ---- stencil --------------------------------------------------------------------------------- */

/* The neighbourhood of a point on the grid: low to high in each direction. */
struct neighbourhood {
    int64_t low[3], high[3];
};

static struct neighbourhood find_neighbourhood(const int64_t grid[3], int64_t row)
{
    const int64_t point[3] = {row % grid[0], row / grid[0] % grid[1], row / grid[0] / grid[1]};
    struct neighbourhood near;
    for (int d = 0; d < 3; d++) {
        near.low[d] = point[d] > 0 ? point[d] - 1 : 0;
        near.high[d] = point[d] < grid[d] - 1 ? point[d] + 1 : point[d];
    }
    return near;
}

static int64_t count_points(const struct neighbourhood *near)
{
    int64_t points = 1;
    for (int d = 0; d < 3; d++)
        points *= near->high[d] - near->low[d] + 1;
    return points;
}

/* The entries of one row, by ascending columns. */
static void fill_row(const int64_t grid[3], int64_t row, int64_t *columns, double *values)
{
    const struct neighbourhood near = find_neighbourhood(grid, row);
    int64_t entry = 0;
    for (int64_t z = near.low[2]; z <= near.high[2]; z++)
        for (int64_t y = near.low[1]; y <= near.high[1]; y++)
            for (int64_t x = near.low[0]; x <= near.high[0]; x++) {
                columns[entry] = (z * grid[1] + y) * grid[0] + x;
                values[entry] = columns[entry] == row ? 26 : -1;
                entry++;
            }
}

enum nereus_status sparse_stencil(const int64_t grid[3], int64_t first, int64_t rows,
                                  struct sparse *part, struct nereus_error *err)
{
    int64_t *lengths = calloc((size_t)rows + 1, sizeof *lengths);
    if (lengths == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the lengths of %lld rows",
                           (long long)rows);
    for (int64_t i = 0; i < rows; i++) {
        const struct neighbourhood near = find_neighbourhood(grid, first + i);
        lengths[i] = count_points(&near);
    }
    const enum nereus_status status = sparse_make(first, rows, lengths, part, err);
    free(lengths);
    for (int64_t i = 0; status == NEREUS_OK && i < rows; i++)
        fill_row(grid, first + i, &part->columns[part->starts[i]], &part->values[part->starts[i]]);
    return status;
}

/* ---- threads ---- */

#ifdef _OPENMP
/* OMP_NUM_THREADS, else 1: OpenMP's default of one per core would use the cores of other processes.
 */
static int count_threads(void)
{
    static int threads;
    const char *text = getenv("OMP_NUM_THREADS");
    if (threads == 0) {
        const long wanted = text != NULL ? strtol(text, NULL, 10) : 1; /* it may be a list */
        threads = wanted > 1 && wanted <= INT_MAX ? (int)wanted : 1;
    }
    return threads;
}
#endif

/* ---- product --------------------------------------------------------------------------------- */

/* One thread computes a row, so that the result does not depend on the number of threads. */
void sparse_multiply(const struct sparse *part, const double *vector, double *result)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(count_threads()) if (count_threads() > 1)
#endif
    for (int64_t i = 0; i < part->rows; i++) {
        double sum = 0;
        for (int64_t k = part->starts[i]; k < part->starts[i + 1]; k++)
            sum += part->values[k] * vector[part->columns[k]];
        result[i] = sum;
    }
}
