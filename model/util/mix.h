/**
 * @file mix.h
 * Makes pseudo-random numbers that are functions of an index, the same however work is distributed:
 * the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
 */
#pragma once

#include "model/util/base.h"

/** The increment of SplitMix64: consecutive multiples of it are far apart. */
#define NEREUS_MIX_INCREMENT UINT64_C(0x9e3779b97f4a7c15)

/** A bijection in which every bit of x changes about half of the bits. */
static inline uint64_t nereus_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/** Uniform in [0, 1), with the 53 digits of a double. */
static inline double nereus_mix_share(uint64_t mixed)
{
    return (double)(mixed >> 11) * 0x1p-53;
}
