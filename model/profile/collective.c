/*
 * Collectives of a world: words, and what one takes between the numbers of processes that were measured.
 *
 * At P processes between two measured numbers: linear in log2(P), since the rounds of most algorithms are. Beyond them the nearest one,
 * and it is said.
 */
#include "nereus/collective.h"

#include <math.h>
#include <string.h>

#include "features.h"
#include "nereus/profile.h"

static const struct {
    const char *word, *help;
    int has_bytes;
} collectives[NEREUS_COLLECTIVE_COUNT] = {
#define ROW(e, word, has_bytes, help) [e] = {word, help, has_bytes},
    NEREUS_COLLECTIVE_LIST(ROW)
#undef ROW
};

const char *nereus_collective_name(enum nereus_collective collective)
{
    return (unsigned)collective < NEREUS_COLLECTIVE_COUNT ? collectives[collective].word : NULL;
}

const char *nereus_collective_help(enum nereus_collective collective)
{
    return (unsigned)collective < NEREUS_COLLECTIVE_COUNT ? collectives[collective].help : NULL;
}

int nereus_collective_has_bytes(enum nereus_collective collective)
{
    return (unsigned)collective < NEREUS_COLLECTIVE_COUNT ? collectives[collective].has_bytes : 0;
}

enum nereus_collective nereus_collective_from_name(const char *word)
{
    for (int c = 0; c < NEREUS_COLLECTIVE_COUNT; c++)
        if (strcmp(word, collectives[c].word) == 0)
            return (enum nereus_collective)c;
    return NEREUS_COLLECTIVE_COUNT;
}

enum nereus_status nereus_collective_s(const struct nereus_profile *profile,
                                       enum nereus_collective collective, int64_t processes, double bytes,
                                       double *time_s, bool *extrapolated)
{
    const struct nereus_collective_time *below = NULL, *above = NULL;
    for (int64_t i = 0; i < profile->collective_count; i++) {
        const struct nereus_collective_time *one = &profile->collectives[i];
        if (one->collective != collective)
            continue;
        if (one->processes <= processes && (below == NULL || one->processes > below->processes))
            below = one;
        if (one->processes >= processes && (above == NULL || one->processes < above->processes))
            above = one;
    }
    if (below == NULL && above == NULL)
        return NEREUS_ERR_NO_BASIS;
    const bool outside = below == NULL || above == NULL;
    below = below != NULL ? below : above;
    above = above != NULL ? above : below;
    const double low_s = nereus_hockney_s(&below->time, bytes),
                 high_s = nereus_hockney_s(&above->time, bytes);
    const double span = log2((double)above->processes / (double)below->processes);
    const double part = span > 0 ? log2((double)processes / (double)below->processes) / span : 0;
    *time_s = low_s + part * (high_s - low_s);
    *extrapolated = outside || bytes > below->time.max_bytes || bytes > above->time.max_bytes;
    return NEREUS_OK;
}

int64_t nereus_collective_most(const struct nereus_profile *profile, enum nereus_collective collective)
{
    int64_t most = 0;
    for (int64_t i = 0; i < profile->collective_count; i++)
        if (profile->collectives[i].collective == collective && profile->collectives[i].processes > most)
            most = profile->collectives[i].processes;
    return most;
}
