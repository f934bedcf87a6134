/** @file random.h  Pseudo-random numbers for tests, the same in every run (splitmix64). Setting
 * random_state starts again. */
#pragma once

#include <stdint.h>

static uint64_t random_state = 20240229;

static inline uint64_t random_bits(void)
{
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** 0 to limit - 1. */
static inline int64_t random_below(int64_t limit)
{
    return (int64_t)(random_bits() % (uint64_t)limit);
}

/** Between 0 and 1, both exclusive. */
static inline double random_share(void)
{
    return ((double)(random_bits() >> 12) + 0.5) * 0x1p-52;
}
