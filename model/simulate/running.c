/** @file running.c  Keeps the running jobs in a sorted array, with binary search. */
#include "running.h"

enum nereus_status nereus_running_init(int32_t capacity, struct nereus_running *running,
                                       struct nereus_error *err)
{
    *running = (struct nereus_running){.items = calloc((size_t)capacity, sizeof *running->items)};
    NEREUS_TRY_MEMORY(running->items, err, "for %d running jobs", capacity);
    return NEREUS_OK;
}

void nereus_running_fini(struct nereus_running *running)
{
    free(running->items);
    *running = (struct nereus_running){0};
}

/* Count the jobs before the position of this job. */
static int32_t find_position(const struct nereus_running *running, int32_t job, double end_s)
{
    int32_t low = 0, high = running->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const struct nereus_running_job *item = &running->items[middle];
        if (item->end_s < end_s || (item->end_s == end_s && item->job < job))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void nereus_running_add(struct nereus_running *running, int32_t job, double end_s)
{
    const int32_t at = find_position(running, job, end_s);
    struct nereus_running_job *item = &running->items[at];
    memmove(item + 1, item, (size_t)(running->count - at) * sizeof *item);
    *item = (struct nereus_running_job){end_s, job};
    running->count++;
}

void nereus_running_remove(struct nereus_running *running, int32_t job, double end_s)
{
    const int32_t at = find_position(running, job, end_s);
    struct nereus_running_job *item = &running->items[at];
    running->count--;
    memmove(item, item + 1, (size_t)(running->count - at) * sizeof *item);
}
