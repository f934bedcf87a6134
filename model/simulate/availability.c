/** @file availability.c  Keeps the number of free nodes over future time as steps, for schedulers
 * that plan ahead. */
#include "availability.h"

enum nereus_status nereus_availability_reset(struct nereus_availability *availability,
                                             double begin_s, int32_t free, struct nereus_error *err)
{
    availability->count = 0;
    NEREUS_TRY_GROW(availability->steps, 0, err, "for the steps of free nodes");
    availability->steps[availability->count++] = (struct nereus_availability_step){begin_s, free};
    return NEREUS_OK;
}

void nereus_availability_fini(struct nereus_availability *availability)
{
    free(availability->steps);
    *availability = (struct nereus_availability){0};
}

/* Find the step that contains a time; for a time before the first step, the first. */
static int32_t find_step(const struct nereus_availability *availability, double time_s)
{
    int32_t low = 0, high = availability->count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (availability->steps[middle].begin_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void nereus_availability_advance(struct nereus_availability *availability, double now_s)
{
    const int32_t at = find_step(availability, now_s);
    availability->count -= at;
    memmove(availability->steps, availability->steps + at,
            (size_t)availability->count * sizeof *availability->steps);
    if (availability->steps[0].begin_s < now_s)
        availability->steps[0].begin_s = now_s;
}

double nereus_availability_find(const struct nereus_availability *availability, int32_t nodes,
                                double duration_s)
{
    const struct nereus_availability_step *steps = availability->steps;
    int32_t begin = 0;
    while (steps[begin].free < nodes && begin + 1 < availability->count)
        begin++;
    for (int32_t i = begin + 1;
         i < availability->count && steps[i].begin_s < steps[begin].begin_s + duration_s; i++) {
        if (steps[i].free < nodes) {
            while (steps[i].free < nodes && i + 1 < availability->count)
                i++;
            begin = i;
        }
    }
    return steps[begin].begin_s;
}

/* Split a step at a time.
 * @return index of the step that begins there */
static int32_t split_step(struct nereus_availability *availability, double time_s)
{
    const int32_t at = find_step(availability, time_s);
    struct nereus_availability_step *step = &availability->steps[at];
    if (step->begin_s >= time_s)
        return at;
    memmove(step + 1, step, (size_t)(availability->count - at) * sizeof *step);
    step[1].begin_s = time_s;
    availability->count++;
    return at + 1;
}

enum nereus_status nereus_availability_reserve(struct nereus_availability *availability,
                                               double begin_s, double end_s, int32_t nodes,
                                               struct nereus_error *err)
{
    if (!(begin_s < end_s) || !(availability->steps[0].begin_s < end_s))
        return NEREUS_OK;
    /* two more steps are the most that one reservation adds */
    void *const steps =
        nereus_grow_by(availability->steps, availability->count, 2, sizeof *availability->steps);
    NEREUS_TRY_MEMORY(steps, err, "for %d steps of free nodes", availability->count + 2);
    availability->steps = steps;
    const int32_t first = split_step(availability, begin_s), last = split_step(availability, end_s);
    for (int32_t i = first; i < last; i++)
        availability->steps[i].free -= nodes;
    return NEREUS_OK;
}
