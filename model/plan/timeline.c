/**
 * @file timeline.c
 * Attributes the time of a reconfiguration to its steps, by the time stamps of all processes.
 */
#include "nereus/timeline.h"

#include "model/util/base.h"

static void find_span(const struct nereus_stamps *all_stamps, int step,
                      struct nereus_step_time *time)
{
    const double start_s = all_stamps->start_s, end_s = all_stamps->end_s;
    memset(time, 0, sizeof *time);
    for (int64_t p = 0; p < all_stamps->processes; p++) {
        const struct nereus_stamp *stamp = &all_stamps->stamps[p * all_stamps->steps + step];
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
    /* processes that leave may be busy after the end of RT */
    time->first_arrival_s = fmin(fmax(time->first_arrival_s, start_s), end_s);
    time->last_arrival_s = fmin(fmax(time->last_arrival_s, start_s), end_s);
    time->last_departure_s = fmin(fmax(time->last_departure_s, time->last_arrival_s), end_s);
    time->time_s = time->last_departure_s - time->last_arrival_s;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* List the arrivals, departures, begin and end in the order of time [s].
 * @return their number */
static int sort_moments(const struct nereus_step_time *times, int steps, double start_s,
                        double end_s, double *moments)
{
    int count = 0;
    moments[count++] = start_s;
    for (int i = 0; i < steps; i++)
        if (times[i].taken) {
            moments[count++] = times[i].first_arrival_s;
            moments[count++] = times[i].last_arrival_s;
            moments[count++] = times[i].last_departure_s;
        }
    moments[count++] = end_s;
    qsort(moments, (size_t)count, sizeof *moments, compare_times);
    return count;
}

/* Find the step to which an interval is attributed: running before waiting steps, then the first to
 * end, then plan order; -1: none. */
static int find_owner(const struct nereus_step_time *times, int steps, double from_s, double to_s)
{
    int owner = -1;
    for (int i = 0; i < steps; i++) {
        const struct nereus_step_time *t = &times[i];
        if (!t->taken || t->first_arrival_s > from_s || t->last_departure_s < to_s)
            continue;
        const bool runs = t->last_arrival_s <= from_s;
        const bool other_runs = owner >= 0 && times[owner].last_arrival_s <= from_s;
        if (owner < 0 || (runs && !other_runs) ||
            (runs == other_runs && t->last_departure_s < times[owner].last_departure_s))
            owner = i;
    }
    return owner;
}

static void attribute_interval(struct nereus_step_time *times, int steps, double from_s,
                               double to_s, struct nereus_timeline *sum)
{
    const int owner = find_owner(times, steps, from_s, to_s);
    const double piece_s = to_s - from_s;
    if (owner < 0) {
        sum->not_attributed_s += piece_s;
    } else if (times[owner].last_arrival_s <= from_s) {
        times[owner].critical_s += piece_s;
        sum->critical_s += piece_s;
    } else {
        times[owner].wait_s += piece_s;
        sum->waits_s += piece_s;
    }
}

enum nereus_status nereus_timeline_make(const struct nereus_stamps *stamps,
                                        struct nereus_step_time *times,
                                        struct nereus_timeline *timeline, struct nereus_error *err)
{
    const int steps = stamps->steps;
    if (stamps->end_s < stamps->start_s)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a reconfiguration that ends %g s before it starts",
                           stamps->start_s - stamps->end_s);
    double *moments = malloc((3 * (size_t)steps + 2) * sizeof *moments);
    NEREUS_TRY_MEMORY(moments, err, "for the times of %d steps", steps);
    for (int i = 0; i < steps; i++)
        find_span(stamps, i, &times[i]);
    const int count = sort_moments(times, steps, stamps->start_s, stamps->end_s, moments);
    struct nereus_timeline sum = {stamps->end_s - stamps->start_s, 0, 0, 0};
    for (int i = 0; i + 1 < count; i++)
        if (moments[i] < moments[i + 1])
            attribute_interval(times, steps, moments[i], moments[i + 1], &sum);
    *timeline = sum;
    free(moments);
    return NEREUS_OK;
}

double nereus_clock_offset(const double *sent_s, const double *remote_s, const double *received_s,
                           int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (received_s[i] - sent_s[i] < received_s[best] - sent_s[best])
            best = i;
    return remote_s[best] - (sent_s[best] + received_s[best]) / 2;
}
