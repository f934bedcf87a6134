/* The accounting of a reconfiguration's time: see timeline.h. */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void span_of(const struct nereus_stamp *stamps, int64_t processes, int steps, int step, double start_s,
                    double end_s, struct nereus_step_time *time)
{
    memset(time, 0, sizeof *time);
    for (int64_t p = 0; p < processes; p++) {
        const struct nereus_stamp *stamp = &stamps[p * steps + step];
        if (!stamp->taken)
            continue;
        if (!time->taken || stamp->arrival_s < time->first_arrival_s)
            time->first_arrival_s = stamp->arrival_s;
        if (!time->taken || stamp->arrival_s > time->last_arrival_s)
            time->last_arrival_s = stamp->arrival_s;
        if (!time->taken || stamp->departure_s > time->last_departure_s)
            time->last_departure_s = stamp->departure_s;
        time->taken = true;
    }
    if (!time->taken)
        return;
    /* Who leaves may still be busy after the targets have gone on: that is no part of RT. */
    time->first_arrival_s = fmin(fmax(time->first_arrival_s, start_s), end_s);
    time->last_arrival_s = fmin(fmax(time->last_arrival_s, start_s), end_s);
    time->last_departure_s = fmin(fmax(time->last_departure_s, time->last_arrival_s), end_s);
    time->time_s = time->last_departure_s - time->last_arrival_s;
}

/* Insertion sort of step indices by last departure: a plan has a few dozen steps. Stable, so that the plan's
 * order decides ties. */
static void sort_by_departure(const struct nereus_step_time *times, int steps, int *order)
{
    for (int i = 0; i < steps; i++) {
        int at = i;
        for (; at > 0 && times[order[at - 1]].last_departure_s > times[i].last_departure_s; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

enum nereus_status nereus_timeline_make(const struct nereus_stamp *stamps, int64_t processes, int steps,
                                        double start_s, double end_s, struct nereus_step_time *times,
                                        struct nereus_timeline *timeline, struct nereus_error *err)
{
    if (end_s < start_s)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a reconfiguration that ends %g s before it starts",
                           start_s - end_s);
    int *order = malloc(((size_t)steps + 1) * sizeof *order);
    if (order == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of %d steps", steps);
    for (int i = 0; i < steps; i++)
        span_of(stamps, processes, steps, i, start_s, end_s, &times[i]);
    sort_by_departure(times, steps, order);
    struct nereus_timeline sum = {end_s - start_s, 0, 0, 0};
    double cursor = start_s;
    for (int i = 0; i < steps; i++) {
        struct nereus_step_time *t = &times[order[i]];
        if (!t->taken || t->last_departure_s <= cursor)
            continue;
        const double wait_from = fmax(cursor, t->first_arrival_s);
        const double step_from = fmax(cursor, t->last_arrival_s);
        t->wait_s = fmax(0.0, step_from - wait_from);
        t->critical_s = t->last_departure_s - step_from;
        sum.not_attributed_s += wait_from - cursor;
        sum.waits_s += t->wait_s;
        sum.critical_s += t->critical_s;
        cursor = t->last_departure_s;
    }
    sum.not_attributed_s += end_s - cursor;
    *timeline = sum;
    free(order);
    return NEREUS_OK;
}

double nereus_clock_offset(const double *sent_s, const double *remote_s, const double *received_s, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (received_s[i] - sent_s[i] < received_s[best] - sent_s[best])
            best = i;
    return remote_s[best] - (sent_s[best] + received_s[best]) / 2;
}
