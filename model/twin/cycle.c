/**
 * @file cycle.c
 * Finds the iterations of a program in its sequence of MPI calls: the shortest body of calls that
 * explains nearly as much time as any other.
 *
 * A body explains the time of all its occurrences, times the share of their computing that does not
 * vary. Half of a step with two equal exchanges occurs twice as often, but its computing varies.
 */

#include "calls.h"
#include "model/statistics/statistics.h"
#include "model/util/mix.h"

enum {
    CALLS_SEARCHED = 1 << 16, /* calls at the end from which bodies are taken */
    PERIOD_MAX = 3000,        /* calls in an iteration */
    MIN_ITERATIONS = 3,       /* in a row */
    USED_MAX = 256,           /* iterations whose computing is compared */
    MULTIPLE_ITERATIONS = 8, /* of several equal bodies together: fewer times are not significant */
    MULTIPLE_MAX = 16        /* equal bodies in an iteration */
};

/* Least share of the time that the best body explains, from which a shorter body is chosen. (With
 * 0.8 one sum of a conjugate gradient iteration is chosen instead of the iteration, as the
 * computing before it differs from that before the others.) */
static const double share_min = 0.9;
/* The same for a body that occurs as often as the one of rank 0. */
static const double share_min_as_rank_0 = 0.5;

/* The body of a period. */
struct candidate {
    double explained_s;
    int64_t first, end; /* first call of the longest run, and the one after it; first -1: none */
    int64_t count;      /* occurrences of the body */
};

/* A sequence of calls and its candidates. */
struct search {
    const struct nereus_calls *calls;
    uint64_t *ids;         /* equal for equal calls; owned */
    struct candidate *all; /* indexed by period, up to PERIOD_MAX; owned */
    int64_t *at;           /* scratch: occurrences of one body; owned */
};

double nereus_calls_gap_s(const struct nereus_calls *calls, int64_t i)
{
    const struct nereus_call *call = &calls->items[i];
    return i > 0 ? fmax(0, call->begin_s + call->computing_s - calls->items[i - 1].end_s -
                               call->coreless_s)
                 : 0;
}

double nereus_calls_gaps_s(const struct nereus_calls *calls, int64_t first, int64_t count)
{
    double sum_s = 0;
    for (int64_t i = first; i < first + count; i++)
        sum_s += nereus_calls_gap_s(calls, i);
    return sum_s;
}

double nereus_calls_span_s(const struct nereus_calls *calls, int64_t first, int64_t count)
{
    return calls->items[first + count - 1].end_s -
           (first > 0 ? calls->items[first - 1].end_s : calls->items[0].begin_s);
}

bool nereus_call_sends(enum nereus_call_kind kind)
{
    return kind == NEREUS_CALL_SEND || kind == NEREUS_CALL_ISEND || kind == NEREUS_CALL_SENDRECV;
}

/* Stages that a body becomes: computing and communication for each collective and exchange. */
static int64_t count_stages(const struct nereus_call *body, int64_t period)
{
    int64_t stages = 0;
    bool open = false; /* an exchange has begun, which a wait or a collective ends */
    for (int64_t j = 0; j < period; j++) {
        const bool collective = nereus_call_is_collective(body[j].kind),
                   begins = nereus_call_sends(body[j].kind) && !open;
        stages += collective || begins ? 2 : 0;
        open = begins || (open && !collective && body[j].kind != NEREUS_CALL_WAIT);
    }
    return stages;
}

/* Does no other occurrence come directly before or after this one? */
static bool is_alone(const struct search *s, int64_t count, int64_t k, int64_t period)
{
    return (k == 0 || s->at[k - 1] + period != s->at[k]) &&
           (k + 1 == count || s->at[k] + period != s->at[k + 1]);
}

/* Find all occurrences of the body, from the left, without overlap; except single ones at the start
 * or end of the program, such as a first residual. */
static int64_t find_occurrences(const struct search *s, int64_t body, int64_t period)
{
    int64_t count = 0;
    for (int64_t i = 0; i + period <= s->calls->count;) {
        const bool here = s->ids[i] == s->ids[body] &&
                          memcmp(&s->ids[i], &s->ids[body], (size_t)period * sizeof *s->ids) == 0;
        if (here)
            s->at[count++] = i;
        i += here ? period : 1;
    }
    int64_t first = 0;
    while (count > 0 && is_alone(s, count, count - 1, period))
        count--;
    while (first < count && is_alone(s, count, first, period))
        first++;
    memmove(s->at, s->at + first, (size_t)(count - first) * sizeof *s->at);
    return count - first;
}

/* How much the computing before one call of a body varies: mean of |gap - median| / (gap + median),
 * so that a gap that another program prolonged counts as much as any other one that differs.
 * @param gaps_s  is sorted
 * @param[out] weight_s  mean gap, of which the longest one counts as the one before it */
static double find_variation(double *gaps_s, int64_t count, double *weight_s)
{
    double sum = 0, sum_s = 0;
    const double median_s = nereus_median(gaps_s, (int)count),
                 longest_s = gaps_s[count > 1 ? count - 2 : 0];
    for (int64_t k = 0; k < count; k++) {
        const double both_s = gaps_s[k] + median_s;
        sum += both_s > 0 ? fabs(gaps_s[k] - median_s) / both_s : 0;
        sum_s += fmin(gaps_s[k], longest_s);
    }
    *weight_s = sum_s / (double)count;
    return sum / (double)count;
}

/* Time that occurrences explain. The gap before the first one contains start-up, and its computing
 * may differ: neither counts. */
static double explain(const struct search *s, int64_t count, int64_t period)
{
    const struct nereus_call *first = &s->calls->items[s->at[0]];
    double covered_s = first[period - 1].end_s - first->begin_s, varying_s = 0, computing_s = 0;
    double gaps_s[USED_MAX];
    const int64_t used = count - 1 < USED_MAX ? count - 1 : USED_MAX;
    for (int64_t k = 1; k < count; k++)
        covered_s += nereus_calls_span_s(s->calls, s->at[k], period);
    for (int64_t j = 0; j < period; j++) {
        double weight_s;
        for (int64_t k = 0; k < used; k++)
            gaps_s[k] = nereus_calls_gap_s(s->calls, s->at[count - 1 - k] + j);
        const double variation = find_variation(gaps_s, used, &weight_s);
        varying_s += variation * weight_s;
        computing_s += weight_s;
    }
    /* the median is of the same few values: correction as of a sample's deviation */
    const double correction = used > 1 ? (double)used / (double)(used - 1) : 1;
    return computing_s > 0 ? covered_s * (1 - correction * varying_s / computing_s) : covered_s;
}

/* Find the longest time in which each call equals the one a period before it.
 * @return false: too few iterations */
static bool find_run(const struct search *s, int64_t period)
{
    const int64_t count = s->calls->count,
                  first = count > CALLS_SEARCHED ? count - CALLS_SEARCHED : 0;
    struct candidate *candidate = &s->all[period];
    double longest_s = 0;
    candidate->first = candidate->end = -1;
    for (int64_t i = first + period, begin = i; i <= count; i++) {
        if (i < count && s->ids[i] == s->ids[i - period])
            continue;
        if (i - begin >= (MIN_ITERATIONS - 1) * period) {
            const double run_s = nereus_calls_span_s(s->calls, begin - period, i - begin + period);
            candidate->first = run_s > longest_s ? begin - period : candidate->first;
            candidate->end = run_s > longest_s ? i : candidate->end;
            longest_s = fmax(run_s, longest_s);
        }
        begin = i + 1;
    }
    return candidate->first >= 0;
}

/* Does a shorter period repeat in the same calls? Then this one is a multiple of it, which only
 * times distinguish from it: only with some iterations, and only small multiples are tried. */
static bool is_unproven_multiple(const struct search *s, int64_t period)
{
    const struct candidate *whole = &s->all[period], *all = s->all;
    const int64_t count = (whole->end - whole->first) / period;
    for (int64_t part = 1; part <= period / 2; part++)
        if (period % part == 0 && all[part].first >= 0 && all[part].first <= whole->first &&
            all[part].end >= whole->end)
            return count < MULTIPLE_ITERATIONS || period / part > MULTIPLE_MAX;
    return false;
}

/* First call of the body: not in the middle of an exchange. */
static int64_t find_body(const struct search *s, int64_t period)
{
    const int64_t first = s->all[period].first;
    for (int64_t j = 0; j < period; j++)
        if (s->calls->items[first + j].kind != NEREUS_CALL_WAIT)
            return first + j;
    return first;
}

/* Find what each period explains.
 * @return the most that a body explains whose stages fit; if none fits, the most of all */
static double explain_all(const struct search *s)
{
    double fitting_s = 0, most_s = 0;
    for (int64_t period = 1; period <= PERIOD_MAX && period * MIN_ITERATIONS <= s->calls->count;
         period++) {
        if (!find_run(s, period) || is_unproven_multiple(s, period))
            continue;
        const int64_t body = find_body(s, period);
        const int64_t count = find_occurrences(s, body, period);
        if (count < MIN_ITERATIONS)
            continue;
        s->all[period].count = count;
        s->all[period].explained_s = explain(s, count, period);
        most_s = fmax(most_s, s->all[period].explained_s);
        if (count_stages(&s->calls->items[body], period) <= NEREUS_CYCLE_STAGES_MAX)
            fitting_s = fmax(fitting_s, s->all[period].explained_s);
    }
    return fitting_s > 0 ? fitting_s : most_s;
}

/* @return 0: none */
static int64_t choose_period(const struct search *s, double most_s, int64_t wanted)
{
    int64_t found = 0;
    for (int64_t period = 1; period <= PERIOD_MAX; period++) {
        const double share = most_s > 0 ? s->all[period].explained_s / most_s : 0;
        if (share >= share_min && found == 0)
            found = period;
        if (share >= share_min_as_rank_0 && s->all[period].count == wanted)
            return period;
    }
    return found;
}

/* @param exact  calls are equal if their bytes and partners are, too
 * @return what the iterations explain; 0: none found */
static double search_cycle(struct search *s, bool exact, int64_t wanted, struct nereus_cycle *cycle)
{
    for (int64_t i = 0; i < s->calls->count; i++) {
        const struct nereus_call *call = &s->calls->items[i];
        s->ids[i] = (uint64_t)call->kind;
        if (call->kind == NEREUS_CALL_OTHER)
            s->ids[i] += NEREUS_CALL_KINDS * (uint64_t)call->peer;
        else if (exact)
            s->ids[i] = nereus_mix(nereus_mix(s->ids[i] + (uint64_t)call->bytes * 64) +
                                   (uint64_t)call->peer) +
                        (uint64_t)call->root;
    }
    memset(s->all, 0, (PERIOD_MAX + 1) * sizeof *s->all);
    const double most_s = explain_all(s);
    const int64_t period = choose_period(s, most_s, wanted);
    if (period == 0)
        return 0;
    const int64_t count = find_occurrences(s, find_body(s, period), period);
    int64_t *indices = malloc((size_t)count * sizeof *indices);
    if (indices == NULL)
        return 0;
    memcpy(indices, s->at, (size_t)count * sizeof *indices);
    nereus_cycle_fini(cycle);
    *cycle = (struct nereus_cycle){.indices = indices, .period = period, .count = count};
    return s->all[period].explained_s;
}

/* Iterations by equal calls; by kinds of calls, where bytes vary and that explains more. */
static enum nereus_status find_repeated(const struct nereus_calls *calls, int64_t wanted,
                                        struct nereus_cycle *cycle, struct nereus_error *err)
{
    struct search s = {.calls = calls,
                       .ids = malloc(((size_t)calls->count + 1) * sizeof *s.ids),
                       .all = malloc((PERIOD_MAX + 1) * sizeof *s.all),
                       .at = malloc(((size_t)calls->count + 1) * sizeof *s.at)};
    const bool allocated = s.ids && s.all && s.at;
    if (allocated) {
        struct nereus_cycle by_kind = {.indices = NULL};
        const double exact_s = search_cycle(&s, true, wanted, cycle),
                     kinds_s = search_cycle(&s, false, wanted, &by_kind);
        if (kinds_s > 0 && share_min * kinds_s > exact_s) {
            nereus_cycle_fini(cycle);
            *cycle = by_kind;
        } else {
            nereus_cycle_fini(&by_kind);
        }
    }
    free(s.ids);
    free(s.all);
    free(s.at);
    return allocated ? NEREUS_OK
                     : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the iterations");
}

/* Find iterations by marks: those with the number of calls that most of the time has.
 * @param[in,out] marks  places of the marks; becomes the first calls of the iterations
 * @param         time_s  scratch: time of each number of calls, zeroed */
static void cut_at_marks(const struct nereus_calls *calls, int64_t *marks, int64_t count,
                         double *time_s, struct nereus_cycle *cycle)
{
    double all_s = 0;
    int64_t kept_count = 0, period = 0;
    for (int64_t i = 1; i < count; i++) {
        const int64_t length = marks[i] - marks[i - 1];
        const double took_s = nereus_calls_span_s(calls, marks[i - 1] + 1, length);
        all_s += took_s;
        time_s[length] += took_s;
        period = time_s[length] > time_s[period] ? length : period;
    }
    for (int64_t i = 1, previous = marks[0]; i < count; i++) {
        const int64_t here = marks[i];
        if (here - previous == period)
            marks[kept_count++] = previous + 1;
        previous = here;
    }
    if (kept_count >= MIN_ITERATIONS && time_s[period] >= 0.5 * all_s &&
        count_stages(&calls->items[marks[0]], period) <= NEREUS_CYCLE_STAGES_MAX)
        *cycle = (struct nereus_cycle){.indices = marks, .period = period, .count = kept_count};
}

static enum nereus_status find_marked(const struct nereus_calls *calls, struct nereus_cycle *cycle,
                                      struct nereus_error *err)
{
    int64_t count = 0;
    int64_t *marks = malloc(((size_t)calls->count + 1) * sizeof *marks);
    double *time_s = calloc((size_t)calls->count + 1, sizeof *time_s);
    if (marks == NULL || time_s == NULL) {
        free(marks);
        free(time_s);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld calls",
                           (long long)calls->count);
    }
    for (int64_t i = 0; i < calls->count; i++)
        if (calls->items[i].kind == NEREUS_CALL_MARK)
            marks[count++] = i;
    if (count > MIN_ITERATIONS)
        cut_at_marks(calls, marks, count, time_s, cycle);
    free(time_s);
    if (cycle->indices == NULL)
        free(marks);
    return NEREUS_OK;
}

enum nereus_status nereus_cycle_find(const struct nereus_calls *calls, int64_t wanted,
                                     struct nereus_cycle *cycle, struct nereus_error *err)
{
    *cycle = (struct nereus_cycle){.indices = NULL};
    NEREUS_TRY(find_marked(calls, cycle, err));
    if (cycle->indices == NULL)
        NEREUS_TRY(find_repeated(calls, wanted, cycle, err));
    if (cycle->indices != NULL)
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "no iteration repeats in the %lld call%s of MPI: let the program run for more "
        "iterations, or mark their ends by MPI_Pcontrol(1)",
        (long long)calls->count, nereus_plural_s(calls->count));
}

void nereus_cycle_fini(struct nereus_cycle *cycle)
{
    free(cycle->indices);
    *cycle = (struct nereus_cycle){.indices = NULL};
}
