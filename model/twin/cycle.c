/** @file cycle.c  Finds the iterations of a program as the period of its sequence of MPI calls. */
#include <stdbool.h>

#include "calls.h"
#include "model/util/text.h"

/* Largest number of calls at the end that are examined, and of calls in an iteration. */
enum { LOOKED_AT = 12000, PERIOD_MAX = 3000, MIN_ITERATIONS = 3 };

static bool same_call(const struct nereus_call *a, const struct nereus_call *b, bool bytes)
{
    return a->kind == b->kind && (!bytes || (a->bytes == b->bytes && a->peer == b->peer));
}

/* Count the calls from `last` backwards that equal the one a period before. */
static int64_t count_repeated(const struct nereus_calls *calls, int64_t last, int64_t period,
                              bool bytes)
{
    int64_t i = last;
    while (i - period >= 0 && same_call(&calls->items[i], &calls->items[i - period], bytes))
        i--;
    return last - i;
}

/* Find the shortest period that repeats over at least half of the calls; calls after the loop (a
 * last check, results) are skipped. */
static bool find_repeated(const struct nereus_calls *calls, bool bytes, struct nereus_cycle *cycle)
{
    const int64_t begin = calls->count > LOOKED_AT ? calls->count - LOOKED_AT : 0,
                  middle = begin + (calls->count - begin) / 2;
    for (int64_t period = 1; period <= PERIOD_MAX && period * MIN_ITERATIONS <= calls->count;
         period++) {
        const int64_t at = middle + period < calls->count ? middle + period : calls->count - 1;
        int64_t last = at;
        while (last + 1 < calls->count &&
               same_call(&calls->items[last + 1], &calls->items[last + 1 - period], bytes))
            last++;
        const int64_t length = count_repeated(calls, last, period, bytes) + period;
        if (length >= MIN_ITERATIONS * period && 2 * length >= calls->count - begin) {
            *cycle = (struct nereus_cycle){.period = period, .count = length / period};
            cycle->first = last + 1 - cycle->count * period;
            return true;
        }
    }
    return false;
}

/* Find iterations by marks: the latest ones with as many calls as the last but one. */
static bool find_marked(const struct nereus_calls *calls, struct nereus_cycle *cycle)
{
    int64_t later = -1, period = 0, first = -1, count = 0;
    for (int64_t i = calls->count - 1; i >= 0; i--) {
        if (calls->items[i].kind != NEREUS_CALL_MARK)
            continue;
        if (later >= 0 && period == 0)
            period = later - i;
        if (later >= 0 && later - i != period)
            break;
        count += later >= 0 ? 1 : 0;
        first = i + 1;
        later = i;
    }
    *cycle = (struct nereus_cycle){.first = first, .period = period, .count = count};
    return count >= MIN_ITERATIONS;
}

enum nereus_status nereus_cycle_find(const struct nereus_calls *calls, struct nereus_cycle *cycle,
                                     struct nereus_error *err)
{
    if (find_marked(calls, cycle) || find_repeated(calls, true, cycle) ||
        find_repeated(calls, false, cycle))
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "no iteration repeats in the %lld call%s of MPI: let the program run for more "
        "iterations, or mark their ends by MPI_Pcontrol(1)",
        (long long)calls->count, nereus_plural_s(calls->count));
}
