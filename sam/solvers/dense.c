/**
 * @file dense.c
 * Makes rows of the dense matrix by hashing row and column, made diagonally dominant so that Jacobi
 * converges.
 */
#include "dense.h"

#include "model/util/mix.h"

/* A pseudo-random element in [0, 1), the same for any distribution of the rows: a function of row
 * and column alone. Both are combined by odd multipliers (the first is SplitMix64's increment) and
 * mixed by degski64's two rounds of xor-shift and multiplication. */
static double hash_element(int64_t row, int64_t column)
{
    uint64_t x =
        (uint64_t)row * NEREUS_MIX_INCREMENT + (uint64_t)column * UINT64_C(0xd1b54a32d192ed03);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return nereus_mix_share(x);
}

/* Off-diagonal elements are in (-1, -0.5]; the diagonal is above 1.25 times the sum of
 * their absolute values, so that the
 * matrix is strictly diagonally dominant and Jacobi's iteration converges. */
void dense_fill_row(int64_t n, int64_t row, double *elements)
{
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        elements[j] = -0.5 - 0.5 * hash_element(row, j);
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
