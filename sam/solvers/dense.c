#include "dense.h"

/* Between 0 and 1, by place. */
static double by_place(int64_t row, int64_t column)
{
    uint64_t x = (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) +
                 (uint64_t)column * UINT64_C(0xd1b54a32d192ed03);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (double)(x >> 11) * 0x1p-53;
}

void dense_fill_row(int64_t n, int64_t row, double *elements)
{
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        elements[j] = -0.5 - 0.5 * by_place(row, j);
        sum -= j == row ? 0 : elements[j];
    }
    elements[row] = 1 + 1.25 * sum;
}

double dense_multiply_row(int64_t n, const double *elements, const double *vector)
{
    double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += elements[j] * vector[j];
    return sum;
}
