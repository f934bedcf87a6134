/** @file fuzz_matrix.c  Reads Matrix Market files, as the solvers do. */
#include "fuzz.h"
#include "sam/solvers/matrix_market.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct matrix_market shape = {0};
    struct sparse part = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    if (!fuzz_accepted(matrix_market_scan(path, &shape, &err), &err))
        return 0;
    const int64_t first = shape.rows / 2;
    if (fuzz_accepted(matrix_market_rows(path, &shape, first, shape.rows - first, &part, &err),
                      &err))
        sparse_free(&part);
    matrix_market_free(&shape);
    return 0;
}
