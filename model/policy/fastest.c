/**
 * @file fastest.c
 * Finds the fastest sequence of changes by dynamic programming from the end. F(i, a, c) is the
 * least time from interval i on with allocation a, if nothing may change for c intervals:
 *
 *   F(i, a, c) = T(i, a) + F(i+1, a, c-1)                                             c > 0
 *   F(i, a, 0) = min(T(i, a) + F(i+1, a, 0), min over b of change(a, b) + T(i, b) + F(i+1, b, C))
 *
 * Only the m strongest of the present processes with the strongest others are needed as
 * allocations, because times depend on number and power alone, and no other allocation of that
 * number has more power. It loses on large machines: its time, and the number of prices of changes,
 * grow with intervals x allocations^2. There only some sizes are tried, and the sequence is good,
 * but not proven fastest.
 */
#include "candidates.h"
#include "ops.h"

enum { STATES_MAX = 192, WORK_MAX = 50000000 };

/* Limit with a profile: a price is then a prediction of all methods, and a running job waits for 32
 * x 31 prices at most. */
enum { STATES_PRICED_MAX = 32 };

struct search {
    const struct nereus_policy_question *q;
    int64_t max;        /* largest number of states */
    int64_t count, now; /* number of states; index of the present one */
    struct nereus_allocation states[STATES_MAX];
    double *change_s;   /* count x count; INFINITY: impossible */
    double *interval_s; /* count */
    double *later_s;    /* F(i+1): (cool down + 1) x count */
    double *here_s;     /* F(i): (cool down + 1) x count */
    int64_t first;
};

static int64_t find_state(const struct search *s, const struct nereus_allocation *allocation)
{
    for (int64_t i = 0; i < s->count; i++)
        if (nereus_allocation_equal(s->q->model, &s->states[i], allocation))
            return i;
    return -1;
}

static void add_state(struct search *s, const struct nereus_allocation *allocation)
{
    if (s->count < s->max && find_state(s, allocation) < 0)
        s->states[s->count++] = *allocation;
}

/* Make the allocation of the `kept_count` strongest present processes, and the strongest others up
 * to n.
 */
static void add_strongest(struct search *s, int64_t kept_count, int64_t n)
{
    struct nereus_policy_question from = *s->q;
    struct nereus_allocation strongest;
    if (kept_count == 0)
        memset(&from.allocation, 0, sizeof from.allocation);
    else
        nereus_candidate_find_strongest(s->q, kept_count, &from.allocation);
    if (kept_count == n)
        strongest = from.allocation;
    else
        nereus_candidate_find_strongest(&from, n, &strongest);
    add_state(s, &strongest);
}

/* Make the states of all sizes, or of fewer if memory is short. */
static void add_states(struct search *s)
{
    const int64_t present = nereus_allocation_processes(s->q->model, &s->q->allocation),
                  max = nereus_candidates_max_processes(s->q->model);
    add_state(s, &s->q->allocation);
    for (int64_t kept_count = present; kept_count >= 0; kept_count--)
        for (int64_t n = kept_count > 0 ? kept_count : 1; n <= max && s->count < s->max; n++)
            add_strongest(s, kept_count, n);
    if (s->count < s->max)
        return;
    const int64_t stride = 1 + max / (s->max / 2);
    s->count = 0;
    add_state(s, &s->q->allocation);
    for (int64_t n = stride; n <= max; n += stride)
        add_strongest(s, n < present ? n : present, n);
    add_strongest(s, present, max);
}

static double change_price(const struct search *s, int64_t a, int64_t b)
{
    const struct nereus_computational_model *model = s->q->model;
    struct nereus_interval change_s;
    if (!nereus_allocation_contains(model, &s->states[a], &s->states[b]) &&
        !nereus_allocation_contains(model, &s->states[b], &s->states[a]))
        return INFINITY;
    return nereus_change_time(model, &s->states[a], &s->states[b], &change_s, NULL) == NEREUS_OK
               ? change_s.value
               : INFINITY;
}

/* @param[out] min_s  F(i, a, 0) */
static int64_t find_best_next(const struct search *s, int64_t a, double *min_s)
{
    const double *free_s = s->later_s,
                 *cooling_s = s->later_s + s->q->cool_down_intervals * s->count;
    int64_t best = a;
    double min = s->interval_s[a] + free_s[a];
    for (int64_t b = 0; b < s->count; b++) {
        const double all_s = s->change_s[a * s->count + b] + s->interval_s[b] + cooling_s[b];
        if (b != a && all_s < min) {
            min = all_s;
            best = b;
        }
    }
    *min_s = min;
    return best;
}

static enum nereus_status step_back(struct search *s, int64_t interval, struct nereus_error *err)
{
    for (int64_t a = 0; a < s->count; a++) {
        struct nereus_interval_time time;
        NEREUS_TRY(nereus_interval_time_compute(s->q->model, s->q->work[interval],
                                                s->q->iterations[interval], &s->states[a], &time,
                                                err));
        s->interval_s[a] = time.computation_s + time.communication_s;
    }
    for (int64_t a = 0; a < s->count; a++) {
        const int64_t next = find_best_next(s, a, &s->here_s[a]);
        if (interval == 0 && a == s->now)
            s->first = s->q->cool_down > 0 ? a : next;
        for (int64_t c = 1; c <= s->q->cool_down_intervals; c++)
            s->here_s[c * s->count + a] = s->interval_s[a] + s->later_s[(c - 1) * s->count + a];
    }
    double *swap = s->here_s;
    s->here_s = s->later_s;
    s->later_s = swap;
    return NEREUS_OK;
}

static enum nereus_status search_sequence(struct search *s, struct nereus_fastest *result,
                                          struct nereus_error *err)
{
    for (int64_t a = 0; a < s->count; a++)
        for (int64_t b = 0; b < s->count; b++)
            s->change_s[a * s->count + b] = change_price(s, a, b);
    for (int64_t i = s->q->intervals_left; i-- > 0;)
        NEREUS_TRY(step_back(s, i, err));
    result->is_searched = true;
    result->end_s = s->q->elapsed_s + s->later_s[s->q->cool_down * s->count + s->now];
    result->first = s->states[s->first];
    return NEREUS_OK;
}

enum nereus_status nereus_fastest_find(const struct nereus_policy_question *question,
                                       struct nereus_fastest *result, struct nereus_error *err)
{
    struct search s = {.q = question,
                       .max = question->model->profile != NULL ? STATES_PRICED_MAX : STATES_MAX};
    *result = (struct nereus_fastest){.end_s = NAN, .first = question->allocation};
    add_states(&s);
    s.now = find_state(&s, &question->allocation);
    if (question->intervals_left > WORK_MAX / (s.count * s.count))
        return NEREUS_OK;
    const size_t count = (size_t)s.count, levels = (size_t)question->cool_down_intervals + 1;
    double *block = calloc(count * count + count + 2 * levels * count, sizeof *block);
    NEREUS_TRY_MEMORY(block, err, "to search a sequence of changes");
    s.change_s = block;
    s.interval_s = block + count * count;
    s.later_s = s.interval_s + count;
    s.here_s = s.later_s + levels * count;
    const enum nereus_status status = search_sequence(&s, result, err);
    free(block);
    return status;
}
