/**
 * @file twin.c
 * Makes the stages of a synthetic application from the iterations of all processes of a program.
 */
#include "twin.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/statistics/statistics.h"
#include "model/util/option.h"
#include "model/util/text.h"
#include "model/util/try.h"

/* Shorter computing between two calls counts as their overhead, and is added to the next stage. */
static const double min_compute_s = 0.5e-6;
/* Share of the iteration from which computing between message and wait is an overlap. */
static const double overlap_share = 0.01;

/* One process: its iterations, and its computing time before each call (quantile). */
struct rank {
    struct nereus_cycle cycle;
    double *before_s; /* cycle.period; owned */
    double total_s;
};

struct building {
    const struct nereus_calls *calls; /* calls of rank 0 */
    const struct rank *ranks;
    struct nereus_twin *twin;
    double *pending_s; /* indexed by process: computation not yet in a stage */
    int64_t messages, bytes, longest;
    bool to_neighbours;
    struct nereus_error *err;
};

/* Computing time before a call, minus the time without a core, because the twin will wait for cores
 * itself. */
static double gap_s(const struct nereus_calls *calls, int64_t i)
{
    const struct nereus_call *call = &calls->items[i];
    return call->begin_s - calls->items[i - 1].end_s - call->coreless_s;
}

/* Measure all iterations except the first, whose beginning is unknown. */
static enum nereus_status measure_rank(const struct nereus_calls *calls, double quantile,
                                       struct rank *rank, struct nereus_error *err)
{
    NEREUS_TRY(nereus_cycle_find(calls, &rank->cycle, err));
    const struct nereus_cycle *cycle = &rank->cycle;
    const int64_t repeats = cycle->count - 1;
    double *gaps = malloc((size_t)repeats * sizeof *gaps);
    rank->before_s = calloc((size_t)cycle->period, sizeof *rank->before_s);
    if (gaps == NULL || rank->before_s == NULL) {
        free(gaps);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld iterations",
                           (long long)repeats);
    }
    rank->total_s = 0;
    for (int64_t j = 0; j < cycle->period; j++) {
        for (int64_t k = 0; k < repeats; k++)
            gaps[k] = gap_s(calls, cycle->first + (k + 1) * cycle->period + j);
        nereus_sort(gaps, (int)repeats);
        rank->before_s[j] = fmax(0, nereus_quantile(gaps, (int)repeats, quantile));
        rank->total_s += rank->before_s[j];
    }
    free(gaps);
    return NEREUS_OK;
}

static double coreless_s(const struct nereus_calls *calls, const struct nereus_cycle *cycle)
{
    double sum_s = 0;
    for (int64_t i = cycle->period; i < cycle->count * cycle->period; i++)
        sum_s += calls->items[cycle->first + i].coreless_s;
    return sum_s / (double)(cycle->count - 1);
}

static double quantile_iteration_s(const struct nereus_calls *calls, double quantile,
                                   const struct nereus_cycle *cycle)
{
    const int64_t repeats = cycle->count - 1;
    double *times = malloc((size_t)repeats * sizeof *times), found_s = NAN;
    for (int64_t k = 0; times != NULL && k < repeats; k++) {
        const int64_t last = cycle->first + (k + 1) * cycle->period - 1;
        times[k] = calls->items[last + cycle->period].end_s - calls->items[last].end_s;
    }
    if (times != NULL) {
        nereus_sort(times, (int)repeats);
        found_s = nereus_quantile(times, (int)repeats, quantile);
    }
    free(times);
    return found_s;
}

static enum nereus_status add_stage(struct building *b, const char *type, int64_t bytes,
                                    struct nereus_twin_stage **stage)
{
    struct nereus_twin *twin = b->twin;
    if (twin->stage_count == NEREUS_TWIN_STAGES_MAX) {
        return nereus_fail(
            b->err, NEREUS_ERR_UNSUPPORTED,
            "an iteration of %lld call%s has more than %d stages: mark shorter ones by "
            "MPI_Pcontrol(1)",
            (long long)b->ranks[0].cycle.period, nereus_plural_s(b->ranks[0].cycle.period),
            NEREUS_TWIN_STAGES_MAX);
    }
    *stage = &twin->stages[twin->stage_count++];
    **stage = (struct nereus_twin_stage){.type = type, .bytes = bytes > 0 ? bytes : 1};
    return NEREUS_OK;
}

/* Add the computing since the last stage as a stage, if it is long enough. */
static enum nereus_status add_computing(struct building *b)
{
    const int processes = b->twin->processes;
    double sum_s = 0;
    for (int r = 0; r < processes; r++)
        sum_s += b->pending_s[r];
    if (sum_s / processes < min_compute_s)
        return NEREUS_OK;
    struct nereus_twin_stage *stage = NULL;
    NEREUS_TRY(add_stage(b, "pi", 0, &stage));
    stage->compute_s = sum_s / processes;
    stage->by_rank_s = malloc((size_t)processes * sizeof *stage->by_rank_s);
    NEREUS_TRY_MEMORY(stage->by_rank_s, b->err, "for the stages of %d processes", processes);
    memcpy(stage->by_rank_s, b->pending_s, (size_t)processes * sizeof *stage->by_rank_s);
    memset(b->pending_s, 0, (size_t)processes * sizeof *b->pending_s);
    return NEREUS_OK;
}

static enum nereus_status end_messages(struct building *b)
{
    struct nereus_twin_stage *stage = NULL;
    const bool neighbours = b->to_neighbours && b->messages > 1;
    const int64_t messages = b->messages;
    b->messages = 0;
    return messages == 0 ? NEREUS_OK
                         : add_stage(b, neighbours ? "neighbours" : "point-to-point",
                                     neighbours ? b->longest : b->bytes, &stage);
}

static void begin_message(struct building *b, const struct nereus_call *call)
{
    if (b->messages == 0) {
        b->bytes = b->longest = 0;
        b->to_neighbours = true;
    }
    b->messages++;
    b->bytes += call->bytes;
    b->longest = call->bytes > b->longest ? call->bytes : b->longest;
    b->to_neighbours = b->to_neighbours && abs(call->peer) == 1;
}

/* Does the process compute between messages and their wait? Then they overlap. */
static enum nereus_status end_overlap(struct building *b)
{
    struct nereus_twin_stage *stage = NULL;
    b->messages = 0;
    NEREUS_TRY(add_stage(b, "nonblocking", b->bytes, &stage));
    NEREUS_TRY(add_computing(b));
    return add_stage(b, "wait", 0, &stage);
}

static const char *const stage_of[NEREUS_CALL_KINDS] = {
    [NEREUS_CALL_BARRIER] = "barrier",     [NEREUS_CALL_BCAST] = "broadcast",
    [NEREUS_CALL_REDUCE] = "reduce",       [NEREUS_CALL_ALLREDUCE] = "allreduce",
    [NEREUS_CALL_ALLGATHER] = "allgather", [NEREUS_CALL_GATHER] = "gather",
    [NEREUS_CALL_SCATTER] = "scatter",     [NEREUS_CALL_ALLTOALL] = "alltoall",
    [NEREUS_CALL_WRITE] = "write",         [NEREUS_CALL_READ] = "read"};

static enum nereus_status take_call(struct building *b, const struct nereus_call *call,
                                    double before_s)
{
    struct nereus_twin_stage *stage = NULL;
    switch (call->kind) {
    case NEREUS_CALL_MARK:
        return NEREUS_OK;
    case NEREUS_CALL_SEND:
    case NEREUS_CALL_SENDRECV:
    case NEREUS_CALL_ISEND:
        if (b->messages == 0)
            NEREUS_TRY(add_computing(b));
        begin_message(b, call);
        return NEREUS_OK;
    case NEREUS_CALL_RECV:
    case NEREUS_CALL_IRECV:
        return NEREUS_OK;
    case NEREUS_CALL_WAIT:
        return b->messages > 0 && before_s > overlap_share * b->twin->iteration_s ? end_overlap(b)
                                                                                  : NEREUS_OK;
    default:
        NEREUS_TRY(end_messages(b));
        NEREUS_TRY(add_computing(b));
        return add_stage(b, stage_of[call->kind], call->bytes, &stage);
    }
}

/* Set the computing times of all processes: those with as many calls as rank 0 compute between the
 * same calls, others in proportion to rank 0. */
static void add_pending(struct building *b, int64_t j)
{
    const struct rank *first = &b->ranks[0];
    for (int r = 0; r < b->twin->processes; r++) {
        const struct rank *rank = &b->ranks[r];
        const bool alike = rank->cycle.period == first->cycle.period;
        b->pending_s[r] += alike ? rank->before_s[j]
                           : first->total_s > 0
                               ? first->before_s[j] * rank->total_s / first->total_s
                               : 0;
    }
}

static enum nereus_status find_stages(struct building *b)
{
    const struct rank *first = &b->ranks[0];
    for (int64_t j = 0; j < first->cycle.period; j++) {
        add_pending(b, j);
        NEREUS_TRY(take_call(b, &b->calls->items[first->cycle.first + j], first->before_s[j]));
    }
    NEREUS_TRY(end_messages(b));
    return add_computing(b);
}

static enum nereus_status build_twin(const struct nereus_calls *calls, struct rank *ranks,
                                     int count, struct nereus_twin *twin, struct nereus_error *err)
{
    struct building b = {.calls = &calls[0],
                         .ranks = ranks,
                         .twin = twin,
                         .pending_s = calloc((size_t)count, sizeof *b.pending_s),
                         .err = err};
    NEREUS_TRY_MEMORY(b.pending_s, err, "for the stages of %d processes", count);
    enum nereus_status status = NEREUS_OK;
    for (int r = 0; r < count; r++) {
        status = measure_rank(&calls[r], twin->quantile, &ranks[r], err);
        if (status != NEREUS_OK)
            break;
        twin->compute_s += ranks[r].total_s / count;
        twin->coreless_s += coreless_s(&calls[r], &ranks[r].cycle) / count;
        twin->total_s[r] = ranks[r].total_s;
        twin->differing_processes += ranks[r].cycle.period != ranks[0].cycle.period;
    }
    if (status == NEREUS_OK) {
        twin->iterations = ranks[0].cycle.count;
        twin->iteration_s = quantile_iteration_s(&calls[0], twin->quantile, &ranks[0].cycle);
        status = find_stages(&b);
    }
    free(b.pending_s);
    return status;
}

enum nereus_status nereus_twin_make(const struct nereus_calls *calls, int count, double quantile,
                                    struct nereus_twin *twin, struct nereus_error *err)
{
    *twin = (struct nereus_twin){.processes = count,
                                 .quantile = quantile,
                                 .constant_bytes = calls[0].constant_bytes,
                                 .variable_bytes = calls[0].variable_bytes,
                                 .total_s = calloc((size_t)count, sizeof *twin->total_s)};
    struct rank *ranks = twin->total_s != NULL ? calloc((size_t)count, sizeof *ranks) : NULL;
    NEREUS_TRY_MEMORY(ranks, err, "for %d processes", count);
    const enum nereus_status status = build_twin(calls, ranks, count, twin, err);
    for (int r = 0; r < count; r++)
        free(ranks[r].before_s);
    free(ranks);
    return status;
}

void nereus_twin_fini(struct nereus_twin *twin)
{
    for (int i = 0; i < twin->stage_count; i++)
        free(twin->stages[i].by_rank_s);
    free(twin->total_s);
    *twin = (struct nereus_twin){.stage_count = 0};
}
