/** @file arith.h  Minimum, maximum and rounded-up quotient of whole numbers. Of real numbers: fmin and fmax of math.h. */
#ifndef NEREUS_ARITH_H
#define NEREUS_ARITH_H

#include <stdint.h>

static inline int64_t nereus_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t nereus_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/** ceil(a / b) without overflow; a >= 0, b > 0. */
static inline int64_t nereus_divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

#endif
