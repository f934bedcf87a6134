/**
 * @file dense.h
 * Makes a dense system of equations of any size, row by row. No MPI here.
 */
#pragma once

#include <stdint.h>

/**
 * Row `row` of a matrix of n columns: elements between -1 and -1/2 that depend on row and column,
 * and a diagonal that is 1.25 times as large as the sum of their sizes, plus 1. Jacobi's iteration
 * gets closer by about a factor of 0.8 each time.
 */
void dense_fill_row(int64_t n, int64_t row, double *elements);
/** Return the sum of elements[j] * vector[j]. */
double dense_multiply_row(int64_t n, const double *elements, const double *vector);
