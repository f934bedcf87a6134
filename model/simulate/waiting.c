/**
 * @file waiting.c
 * A segment tree. A subtree is skipped if no job in it can be within the limits: its least number
 * of nodes is too large, or its least estimate too long and its least number of nodes above the
 * extra ones. A subtree that is not skipped may have no such job, because its least values may
 * belong to two jobs.
 */
#include "waiting.h"

static const struct nereus_waiting_least no_job = {INT32_MAX, INFINITY};

enum nereus_status nereus_waiting_init(int64_t jobs, struct nereus_waiting *waiting,
                                       struct nereus_error *err)
{
    *waiting = (struct nereus_waiting){.leaves = 1};
    while (waiting->leaves < jobs)
        waiting->leaves *= 2;
    waiting->least = malloc(2 * (size_t)waiting->leaves * sizeof *waiting->least);
    NEREUS_TRY_MEMORY(waiting->least, err, "for %lld jobs", (long long)jobs);
    for (int32_t i = 0; i < 2 * waiting->leaves; i++)
        waiting->least[i] = no_job;
    return NEREUS_OK;
}

void nereus_waiting_fini(struct nereus_waiting *waiting)
{
    free(waiting->least);
    *waiting = (struct nereus_waiting){0};
}

void nereus_waiting_set(struct nereus_waiting *waiting, int32_t job, int32_t nodes,
                        double estimate_s)
{
    int32_t i = waiting->leaves + job;
    waiting->least[i] = (struct nereus_waiting_least){nodes, estimate_s};
    for (i /= 2; i > 0; i /= 2) {
        const struct nereus_waiting_least *a = &waiting->least[2 * i], *b = a + 1;
        waiting->least[i] = (struct nereus_waiting_least){a->nodes < b->nodes ? a->nodes : b->nodes,
                                                          fmin(a->estimate_s, b->estimate_s)};
    }
}

void nereus_waiting_remove(struct nereus_waiting *waiting, int32_t job)
{
    nereus_waiting_set(waiting, job, no_job.nodes, no_job.estimate_s);
}

static bool may_start(const struct nereus_waiting_least *least,
                      const struct nereus_waiting_limits *limits)
{
    return least->nodes <= limits->free &&
           (limits->now_s + least->estimate_s <= limits->until_s || least->nodes <= limits->extra);
}

/* Subtree i has the jobs first .. first + count - 1. */
static int32_t find_in_subtree(const struct nereus_waiting *waiting, int32_t i, int32_t first,
                               int32_t count, int32_t from,
                               const struct nereus_waiting_limits *limits)
{
    if (first + count <= from || !may_start(&waiting->least[i], limits))
        return NEREUS_SIM_NONE;
    if (count == 1)
        return first;
    const int32_t half = count / 2,
                  found = find_in_subtree(waiting, 2 * i, first, half, from, limits);
    return found != NEREUS_SIM_NONE
               ? found
               : find_in_subtree(waiting, 2 * i + 1, first + half, half, from, limits);
}

int32_t nereus_waiting_find(const struct nereus_waiting *waiting, int32_t from,
                            const struct nereus_waiting_limits *limits)
{
    return find_in_subtree(waiting, 1, 0, waiting->leaves, from, limits);
}
