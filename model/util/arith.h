/** @file arith.h  Length of an array, minimum, maximum and rounded-up quotient. */
#ifndef NEREUS_MODEL_UTIL_ARITH_H
#define NEREUS_MODEL_UTIL_ARITH_H

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

/** Neither may be NAN. Inline, where fmax is a call: predictions take the maximum of many loads. */
static inline double nereus_max_real(double a, double b)
{
    return a > b ? a : b;
}

/** ceil(a / b) without overflow; a >= 0, b > 0. */
static inline int64_t nereus_divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

#endif
