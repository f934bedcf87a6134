/**
 * @file fit_pairs.c
 * Fits Hockney pieces (fit_pieces.c) of each pair class, of each operation that moves data, and of
 * each collective at each number of processes.
 */

#include "fit.h"
#include "fit_pieces.h"

/* Rows that share one piecewise linear model of time over bytes. */
struct class
{
    enum nereus_sample_kind kind;
    int index;         /* enum nereus_pair_class, nereus_operation or nereus_collective */
    int64_t processes; /* collectives: number of processes; 0: any */
};

static bool is_row_of(const struct nereus_sample *row, const struct class *class)
{
    const int index = class->kind == NEREUS_SAMPLE_PINGPONG    ? (int)row->pair
                      : class->kind == NEREUS_SAMPLE_OPERATION ? (int)row->operation
                                                               : (int)row->collective;
    return row->kind == class->kind && index == class->index &&
           (class->processes == 0 || row->old_processes == class->processes);
}

/* Fit a class. Rows of two processes that share a core measure the scheduler, and are used only if
 * there are no others. */
static enum nereus_status fit_class(const struct nereus_fit_rows *rows, const struct class *class,
                                    struct nereus_hockney *hockney, struct nereus_error *err)
{
    const struct nereus_sample **selected = malloc((rows->count + 1) * sizeof *selected);
    size_t n = 0;
    if (selected == NULL)
        return nereus_fit_fail_memory(rows, err);
    for (int oversubscribed = 0; oversubscribed < 2 && n == 0; oversubscribed++)
        for (size_t i = 0; i < rows->count; i++)
            if (is_row_of(rows->rows[i], class) &&
                rows->rows[i]->oversubscribed == (oversubscribed == 1))
                selected[n++] = rows->rows[i];
    const enum nereus_status status =
        n > 0 ? nereus_fit_hockney(selected, n, hockney, err) : NEREUS_OK;
    free(selected);
    return status;
}

/* Find the least number of processes above `processes_min` with a measured collective; 0: none. */
static int64_t find_next_size(const struct nereus_fit_rows *rows, int collective,
                              int64_t processes_min)
{
    const struct class any = {NEREUS_SAMPLE_COLLECTIVE, collective, 0};
    int64_t next = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const int64_t processes = rows->rows[i]->old_processes;
        if (is_row_of(rows->rows[i], &any) && processes > processes_min &&
            (next == 0 || processes < next))
            next = processes;
    }
    return next;
}

static enum nereus_status add_collective(const struct nereus_fit_rows *rows,
                                         const struct class *class, struct nereus_profile *profile,
                                         struct nereus_error *err)
{
    const int64_t count = profile->collective_count;
    struct nereus_collective_time *collectives =
        nereus_grow(profile->collectives, count, sizeof *collectives);
    if (collectives == NULL)
        return nereus_fit_fail_memory(rows, err);
    profile->collectives = collectives;
    profile->collective_count++;
    collectives[count] = (struct nereus_collective_time){
        .collective = (enum nereus_collective) class->index, .processes = class->processes};
    return fit_class(rows, class, &collectives[count].time, err);
}

enum nereus_status nereus_fit_pairs(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    struct class class = {NEREUS_SAMPLE_PINGPONG, 0, 0};
    for (; class.index < NEREUS_PAIR_CLASS_COUNT; class.index++)
        NEREUS_TRY(fit_class(rows, &class, &profile->pairs[class.index], err));
    class = (struct class){NEREUS_SAMPLE_OPERATION, 0, 0};
    for (; class.index < NEREUS_OPERATION_COUNT; class.index++)
        NEREUS_TRY(fit_class(rows, &class, &profile->operations[class.index], err));
    class = (struct class){NEREUS_SAMPLE_COLLECTIVE, 0, 0};
    for (; class.index < NEREUS_COLLECTIVE_COUNT; class.index++) {
        class.processes = 0;
        while ((class.processes = find_next_size(rows, class.index, class.processes)) > 0)
            NEREUS_TRY(add_collective(rows, &class, profile, err));
    }
    return NEREUS_OK;
}
