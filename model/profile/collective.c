/**
 * @file collective.c
 * Computes times of messages (Hockney (1994)) and collectives from a profile. Between two measured
 * numbers of processes P they are linear in log2(P), as the rounds of most algorithms are; outside,
 * the nearest measured number is used.
 */
#include "nereus/collective.h"

#include "terms.h"

double nereus_hockney_s(const struct nereus_hockney *pair, double bytes)
{
    int piece = 0;
    while (piece + 1 < pair->pieces && bytes >= pair->from_bytes[piece + 1])
        piece++;
    return pair->alpha_s[piece] + pair->beta_s_per_byte[piece] * bytes;
}

enum nereus_status nereus_collective_s(const struct nereus_profile *profile,
                                       enum nereus_collective collective, int64_t processes,
                                       double bytes, double *time_s, bool *extrapolated)
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

int64_t nereus_collective_max_processes(const struct nereus_profile *profile,
                                        enum nereus_collective collective)
{
    int64_t max = 0;
    for (int64_t i = 0; i < profile->collective_count; i++)
        if (profile->collectives[i].collective == collective &&
            profile->collectives[i].processes > max)
            max = profile->collectives[i].processes;
    return max;
}

bool nereus_stage_has_granularity(const char *stage)
{
    size_t name = 0;
    while (nereus_is_letter(stage[name]))
        name++;
    const char *digits = stage + name + 1;
    return name > 0 && stage[name] == ':' && digits[0] >= '1' && digits[0] <= '9' &&
           strspn(digits, "0123456789") == strlen(digits) && strlen(stage) < NEREUS_STAGE_TIME_MAX;
}

double nereus_stage_time_s(const struct nereus_profile *profile, const char *stage)
{
    for (int64_t i = 0; i < profile->stage_count; i++)
        if (strcmp(profile->stages[i].stage, stage) == 0)
            return profile->stages[i].t_op_s;
    return NAN;
}
