/* Hockney pieces of each collective of a world, for each number of processes. */
#include <stdlib.h>

#include "fit.h"

/* The rows of a collective with the fewest processes above `beyond`, into `some`. @return their
 * number */
static size_t next_rows(const struct nereus_fit_rows *rows, enum nereus_collective collective,
                        int64_t beyond, const struct nereus_sample **some)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *row = rows->rows[i];
        if (row->kind != NEREUS_SAMPLE_COLLECTIVE || row->collective != collective ||
            row->old_processes <= beyond)
            continue;
        if (n > 0 && row->old_processes < some[0]->old_processes)
            n = 0;
        if (n == 0 || row->old_processes == some[0]->old_processes)
            some[n++] = row;
    }
    return n;
}

static enum nereus_status add(const struct nereus_sample **some, size_t n,
                              struct nereus_profile *profile, struct nereus_error *err)
{
    const size_t count = (size_t)profile->collective_count + 1;
    struct nereus_collective_time *all = realloc(profile->collectives, count * sizeof *all);
    if (all == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu collectives", count);
    profile->collectives = all;
    all[count - 1] = (struct nereus_collective_time){.collective = some[0]->collective,
                                                     .processes = some[0]->old_processes};
    profile->collective_count = (int64_t)count;
    return nereus_fit_hockney(some, n, &all[count - 1].time, err);
}

enum nereus_status nereus_fit_collectives(const struct nereus_fit_rows *rows,
                                          struct nereus_profile *profile, struct nereus_error *err)
{
    const struct nereus_sample **some = malloc((rows->count + 1) * sizeof *some);
    enum nereus_status status = NEREUS_OK;
    if (some == NULL)
        return nereus_fit_no_memory(rows, err);
    for (int c = 0; c < NEREUS_COLLECTIVE_COUNT && status == NEREUS_OK; c++) {
        size_t n = next_rows(rows, (enum nereus_collective)c, 0, some);
        while (n > 0 && status == NEREUS_OK) {
            const int64_t processes = some[0]->old_processes;
            status = add(some, n, profile, err);
            n = next_rows(rows, (enum nereus_collective)c, processes, some);
        }
    }
    free(some);
    return status;
}
