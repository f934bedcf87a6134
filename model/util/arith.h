/** @file arith.h  Computes the length of an array, minima, maxima and rounded-up quotients, and
 * compares numbers that are nearly equal. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define NEREUS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static inline int64_t nereus_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t nereus_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/** Maximum of two numbers that are not NAN. Inline, unlike fmax: predictions call it often. */
static inline double nereus_max_real(double a, double b)
{
    return a > b ? a : b;
}

/** Is the difference at most this share of the larger one? A NAN is nearly equal to nothing. */
static inline bool nereus_nearly_equal(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * nereus_max_real(fabs(a), fabs(b));
}

/** ceil(a / b) without overflow; a >= 0, b > 0. */
static inline int64_t nereus_divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}
