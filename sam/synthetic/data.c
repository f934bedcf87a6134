/* Contents are a hash of the index: exchanged, zeroed and shifted elements are all detected. */
#include "data.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood, 2014): a bijection, so that no two indices
 * share a value. */
static uint64_t mix_bits(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double variable_value(int64_t index, int64_t version)
{
    /* 52 bits: a double holds every sum with a version exactly. */
    return (double)(mix_bits((uint64_t)index) >> 12) + (double)version;
}

void sam_fill_constant(uint64_t *part, int64_t first, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        part[i] = mix_bits((uint64_t)(first + i));
}

struct sam_wrong sam_check_constant(const uint64_t *part, int64_t first, int64_t count)
{
    struct sam_wrong wrong = {0, INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        if (part[i] != mix_bits((uint64_t)(first + i))) {
            wrong.first = wrong.count ? wrong.first : first + i;
            wrong.count++;
        }
    }
    return wrong;
}

void sam_fill_variable(double *part, int64_t first, int64_t count, int64_t version)
{
    for (int64_t i = 0; i < count; i++)
        part[i] = variable_value(first + i, version);
}

struct sam_wrong sam_check_variable(const double *part, int64_t first, int64_t count,
                                    int64_t version)
{
    struct sam_wrong wrong = {0, INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        /* Negated: a NaN is wrong too. */
        if (!(part[i] == variable_value(first + i, version))) {
            wrong.first = wrong.count ? wrong.first : first + i;
            wrong.count++;
        }
    }
    return wrong;
}
