/**
 * @file data.c
 * Fills and checks the elements, each of which is a hash of its index, so that exchanged, zeroed
 * and shifted elements are detected.
 */
#include "data.h"

#include "model/util/mix.h"

/* No two indices share a value. */
static uint64_t compute_value(int64_t index)
{
    return nereus_mix((uint64_t)index + NEREUS_MIX_INCREMENT);
}

static double compute_variable_value(int64_t index, int64_t version)
{
    /* 52 bits: a double holds every sum with a version exactly. */
    return (double)(compute_value(index) >> 12) + (double)version;
}

void sam_fill_constant(uint64_t *part, int64_t first, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        part[i] = compute_value(first + i);
}

struct sam_wrong sam_check_constant(const uint64_t *part, int64_t first, int64_t count)
{
    struct sam_wrong wrong = {0, INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        if (part[i] != compute_value(first + i)) {
            wrong.first = wrong.count ? wrong.first : first + i;
            wrong.count++;
        }
    }
    return wrong;
}

void sam_fill_variable(double *part, int64_t first, int64_t count, int64_t version)
{
    for (int64_t i = 0; i < count; i++)
        part[i] = compute_variable_value(first + i, version);
}

struct sam_wrong sam_check_variable(const double *part, int64_t first, int64_t count,
                                    int64_t version)
{
    struct sam_wrong wrong = {0, INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        /* Negated: a NaN is wrong too. */
        if (!(part[i] == compute_variable_value(first + i, version))) {
            wrong.first = wrong.count ? wrong.first : first + i;
            wrong.count++;
        }
    }
    return wrong;
}
