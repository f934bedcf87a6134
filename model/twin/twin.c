/**
 * @file twin.c
 * Makes the stages of a synthetic application from the calls of all processes of a program.
 *
 * Parts repeat: the iteration, and what happens between some iterations (by its calls). Each part
 * becomes stages that run every n-th iteration; the sum over all iterations is the time that was
 * seen, if times are means.
 */
#include "twin.h"

#include "messages.h"
#include "model/statistics/statistics.h"
#include "sequence.h"

/* Computing time below this gets no stage of its own: it is added to the next one. */
static const double min_compute_s = 0.5e-6;
/* Share of an iteration's computing from which computing between message and wait is an overlap. */
static const double overlap_share = 0.01;

/* Least share of an iteration by which its computing differs. */
static const double varying_share = 0.01;

/* Sequences of calls between iterations that get stages of their own; others only compute. */
enum { PARTS_MAX = 4 };

/* Iterations (part 0: all), after each of which the same calls follow. */
struct part {
    int number;          /* index in building.parts; PARTS_MAX: the rest */
    int64_t *iterations; /* owned */
    int64_t count;
    double interval_iterations; /* iterations to an occurrence, as a stage has it */
    /* the same of the iterations after the first one, which are measured */
    double measured_interval;
    double time_s;
};

/* One process: its iterations, and its blocks and computing time by part. */
struct rank {
    struct nereus_cycle cycle;
    struct nereus_call_sequence sequences[PARTS_MAX];
    double part_s[PARTS_MAX];
    double rest_s, total_s; /* computing after other iterations; all, in an iteration */
    bool aligned;           /* as many iterations as rank 0 */
};

struct building {
    const struct nereus_calls *calls;
    struct rank *ranks;
    struct nereus_twin *twin;
    struct part parts[PARTS_MAX];
    int part_count;
    int64_t preferred_count; /* number of iterations that is preferred; 0: none */
    struct part final_part;  /* iterations after which other calls follow */
    double *pending_s;       /* indexed by process: computing not yet in a stage */
    double overlap_s; /* least computing time between a message and its wait that is an overlap */
    struct nereus_error *err;
};

/* ---- parts ----------------------------------------------------------------------------------- */

/* First call after iteration k, and number of calls until the next one. */
static int64_t find_between(const struct nereus_cycle *cycle, int64_t k, int64_t *first)
{
    *first = cycle->indices[k] + cycle->period;
    return cycle->indices[k + 1] - *first;
}

static bool same_between(const struct nereus_calls *calls, const struct nereus_cycle *cycle,
                         int64_t k, int64_t other)
{
    int64_t first, first_of_other;
    const int64_t length = find_between(cycle, k, &first);
    bool same = length == find_between(cycle, other, &first_of_other);
    for (int64_t i = 0; i < length && same; i++)
        same = calls->items[first + i].kind == calls->items[first_of_other + i].kind;
    return same;
}

static enum nereus_status add_iteration(struct part *part, int64_t k, double time_s,
                                        struct nereus_error *err)
{
    NEREUS_TRY_GROW(part->iterations, part->count, err, "for %lld iterations",
                    (long long)part->count + 1);
    part->iterations[part->count++] = k;
    part->time_s += time_s;
    return NEREUS_OK;
}

/* Iterations from one occurrence of a part to the next one. `count` occurrences between iterations
 * are count or count + 1 of a run, as the last may come after the last iteration: the distance of
 * those that were seen decides. */
static double find_every(const struct part *part, int64_t iterations)
{
    const double n = (double)iterations, count = (double)part->count,
                 first = (double)part->iterations[0] + 1,
                 last = (double)part->iterations[part->count - 1] + 1;
    const double distance = part->count > 1 ? (last - first) / (count - 1) : fmax(first, n - first);
    return fmin(fmax(distance, n / (count + 1)), n / count);
}

/* Group the iterations of rank 0 by the calls that follow them. The first PARTS_MAX - 1 groups get
 * a part each; iterations of later groups go to `final_part`. */
static enum nereus_status find_parts(struct building *b)
{
    const struct nereus_calls *calls = &b->calls[0];
    const struct nereus_cycle *cycle = &b->ranks[0].cycle;
    b->part_count = 1;
    for (int64_t k = 0; k + 1 < cycle->count; k++) {
        int64_t first;
        const int64_t length = find_between(cycle, k, &first);
        NEREUS_TRY(add_iteration(&b->parts[0], k + 1, 0, b->err));
        if (length == 0)
            continue;
        int p = 1;
        while (p < b->part_count && !same_between(calls, cycle, k, b->parts[p].iterations[0]))
            p++;
        b->part_count += p == b->part_count && p < PARTS_MAX;
        NEREUS_TRY(add_iteration(p < PARTS_MAX ? &b->parts[p] : &b->final_part, k,
                                 nereus_calls_span_s(calls, first, length), b->err));
        b->twin->unseen.left_out_calls += p == PARTS_MAX ? length : 0;
    }
    for (int p = 0; p < b->part_count; p++) {
        b->parts[p].number = p;
        b->parts[p].measured_interval = (double)(cycle->count - 1) / (double)b->parts[p].count;
        b->parts[p].interval_iterations = p > 0 ? find_every(&b->parts[p], cycle->count) : 1;
    }
    const double rests = (double)(b->final_part.count > 0 ? b->final_part.count : 1);
    b->final_part.number = PARTS_MAX;
    b->final_part.measured_interval = (double)(cycle->count - 1) / rests;
    b->final_part.interval_iterations = (double)cycle->count / rests;
    return NEREUS_OK;
}

/* ---- one process ----------------------------------------------------------------------------- */

/* Make the sequence of a part: of those occurrences that have as many calls as the first one. */
static enum nereus_status measure_part(const struct building *b, int r, int p)
{
    const struct nereus_calls *calls = &b->calls[r];
    const struct part *part = &b->parts[p];
    struct rank *rank = &b->ranks[r];
    int64_t *indices = malloc(((size_t)part->count + 1) * sizeof *indices);
    NEREUS_TRY_MEMORY(indices, b->err, "for %lld iterations", (long long)part->count);
    struct nereus_occurrences places = {
        .indices = indices, .quantile = b->twin->quantile, .overlap_s = b->overlap_s};
    double sum_s = 0;
    for (int64_t i = 0; i < part->count; i++) {
        const int64_t k = part->iterations[i];
        int64_t first = rank->cycle.indices[k], length = rank->cycle.period;
        if (p > 0)
            length = find_between(&rank->cycle, k, &first);
        places.period = i == 0 ? length : places.period;
        sum_s += nereus_calls_gaps_s(calls, first, length);
        if (length == places.period)
            indices[places.count++] = first;
    }
    const enum nereus_status status =
        nereus_call_sequence_make(calls, &places, &rank->sequences[p], b->err);
    nereus_twin_range_widen(&b->twin->unseen.range, &rank->sequences[p].range);
    if (rank->sequences[p].root_changing_type != NULL)
        b->twin->unseen.root_changing_type = rank->sequences[p].root_changing_type;
    b->twin->unseen.changes_partner =
        b->twin->unseen.changes_partner || rank->sequences[p].changes_partner;
    const bool all = places.count == part->count;
    rank->part_s[p] = all ? rank->sequences[p].total_s : sum_s / (double)part->count;
    rank->total_s += rank->part_s[p] / part->measured_interval;
    free(indices);
    return status;
}

/* Add a call to those of its function, whose number differs from process to process. */
static enum nereus_status add_left_out(const struct building *b, const char *function,
                                       const struct nereus_call *call)
{
    struct nereus_twin *twin = b->twin;
    int i = 0;
    while (i < twin->unseen.left_out_count &&
           strcmp(twin->unseen.left_out[i].function, function) != 0)
        i++;
    if (i == twin->unseen.left_out_count) {
        NEREUS_TRY_GROW(twin->unseen.left_out, i, b->err, "for %d functions", i + 1);
        twin->unseen.left_out[twin->unseen.left_out_count++] =
            (struct nereus_twin_left_out){.function = function};
    }
    twin->unseen.left_out[i].calls += (double)call->bytes / twin->processes;
    twin->unseen.left_out[i].time_s += (call->end_s - call->begin_s) / twin->processes;
    twin->unseen.left_out[i].computing_s += call->computing_s / twin->processes;
    return NEREUS_OK;
}

/* How much the computing of the iterations differs, without what is between them. */
static enum nereus_status measure_varying(const struct building *b, int r)
{
    const struct nereus_cycle *cycle = &b->ranks[r].cycle;
    struct nereus_twin_varying *most = &b->twin->unseen.varying, here = {.process = r};
    const int count = (int)cycle->count - 1;
    double *times_s = malloc((size_t)count * sizeof *times_s);
    NEREUS_TRY_MEMORY(times_s, b->err, "for %d iterations", count);
    for (int k = 0; k < count; k++) {
        times_s[k] = nereus_calls_gaps_s(&b->calls[r], cycle->indices[k + 1], cycle->period);
        here.mean_s += times_s[k] / count;
    }
    nereus_sort(times_s, count);
    here.low_s = nereus_quantile(times_s, count, 0.1);
    here.median_s = nereus_quantile(times_s, count, 0.5);
    here.high_s = nereus_quantile(times_s, count, 0.9);
    here.max_s = times_s[count - 1];
    free(times_s);
    if (fmax(here.high_s - here.low_s, here.mean_s - here.median_s) >
        fmax(fmax(most->high_s - most->low_s, most->mean_s - most->median_s),
             varying_share * b->twin->times.iteration_s))
        *most = here;
    return NEREUS_OK;
}

/* Measure all iterations except the first, whose beginning is unknown. */
static enum nereus_status measure_rank(const struct building *b, int r)
{
    struct rank *rank = &b->ranks[r];
    const struct nereus_cycle *cycle = &rank->cycle;
    const int64_t count = b->ranks[0].cycle.count;
    rank->aligned = cycle->count == count;
    b->twin->unseen.relays = b->twin->unseen.relays || nereus_calls_relay(&b->calls[r]);
    const int64_t begin = cycle->indices[1], end = cycle->indices[cycle->count - 1] + cycle->period;
    double coreless_s = 0;
    nereus_traffic_add_calls(b->twin, &b->calls[r].items[begin], end - begin,
                             1 / (double)(count - 1));
    for (int64_t i = begin; i < end; i++) {
        const struct nereus_call *call = &b->calls[r].items[i];
        coreless_s += call->coreless_s;
        if (!nereus_call_is_collective(call->kind) && call->kind <= NEREUS_CALL_WAIT)
            b->twin->unseen.messages_s +=
                (call->end_s - call->begin_s) / (double)(count - 1) / b->twin->processes;
        if (call->kind == NEREUS_CALL_OTHER && call->peer >= 0)
            NEREUS_TRY(add_left_out(b, b->calls[r].functions[call->peer], call));
    }
    b->twin->times.runnable_wait_s += coreless_s / (double)(count - 1) / b->twin->processes;
    b->twin->times.program_computing_s +=
        nereus_calls_gaps_s(&b->calls[r], begin, end - begin) / b->twin->processes;
    if (!rank->aligned) {
        rank->total_s = nereus_calls_gaps_s(&b->calls[r], begin, end - begin) / (double)(count - 1);
        return NEREUS_OK;
    }
    NEREUS_TRY(measure_varying(b, r));
    for (int p = 0; p < b->part_count; p++)
        NEREUS_TRY(measure_part(b, r, p));
    for (int64_t i = 0; i < b->final_part.count; i++) {
        int64_t first;
        const int64_t length = find_between(cycle, b->final_part.iterations[i], &first);
        rank->rest_s +=
            nereus_calls_gaps_s(&b->calls[r], first, length) / (double)b->final_part.count;
    }
    rank->total_s += rank->rest_s / b->final_part.measured_interval;
    return NEREUS_OK;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static enum nereus_status add_stage(struct building *b, const struct part *part, const char *type,
                                    double bytes, struct nereus_twin_stage **stage)
{
    struct nereus_twin *twin = b->twin;
    NEREUS_TRY_GROW(twin->stages, twin->stage_count, b->err, "for %d stages",
                    twin->stage_count + 1);
    *stage = &twin->stages[twin->stage_count++];
    **stage = (struct nereus_twin_stage){.type = type,
                                         .bytes = bytes >= 1 ? llround(bytes) : 1,
                                         .interval_iterations = part->interval_iterations,
                                         .part = part->number};
    return NEREUS_OK;
}

/* Add the computing since the last stage as a stage, if it is long enough. */
static enum nereus_status add_computing(struct building *b, const struct part *part)
{
    const int processes = b->twin->processes;
    double sum_s = 0;
    for (int r = 0; r < processes; r++)
        sum_s += b->pending_s[r];
    if (sum_s / processes < min_compute_s)
        return NEREUS_OK;
    struct nereus_twin_stage *stage = NULL;
    NEREUS_TRY(add_stage(b, part, "pi", 0, &stage));
    stage->compute_s = sum_s / processes;
    stage->by_rank_s = malloc((size_t)processes * sizeof *stage->by_rank_s);
    NEREUS_TRY_MEMORY(stage->by_rank_s, b->err, "for the stages of %d processes", processes);
    memcpy(stage->by_rank_s, b->pending_s, (size_t)processes * sizeof *stage->by_rank_s);
    memset(b->pending_s, 0, (size_t)processes * sizeof *b->pending_s);
    return NEREUS_OK;
}

/* Does the process carry out the same calls as rank 0 in this part? */
static bool is_alike(const struct building *b, int r, int p)
{
    return b->ranks[r].aligned && nereus_call_sequence_has_same_blocks(&b->ranks[0].sequences[p],
                                                                       &b->ranks[r].sequences[p]);
}

enum { BEFORE, OVERLAP, AFTER };

static double time_of(const struct nereus_call_sequence *s, int i, int which)
{
    return which == AFTER    ? s->after_s
           : which == BEFORE ? s->blocks[i].before_s
                             : s->blocks[i].overlap_s;
}

/* Add to pending_s the computing time before or during block i, or after the last one. A process
 * with other calls gets rank 0's time, scaled by their totals. */
static void add_pending(struct building *b, int p, int i, int which)
{
    const struct rank *first = &b->ranks[0];
    const double first_s = time_of(&first->sequences[p], i, which);
    for (int r = 0; r < b->twin->processes; r++) {
        const struct rank *rank = &b->ranks[r];
        const double whole_s = rank->aligned ? rank->part_s[p] : rank->total_s,
                     whole_first_s = rank->aligned ? first->sequences[p].total_s : first->total_s;
        b->pending_s[r] += is_alike(b, r, p)   ? time_of(&rank->sequences[p], i, which)
                           : whole_first_s > 0 ? first_s * whole_s / whole_first_s
                                               : 0;
    }
}

static double compute_mean_overlap_s(const struct building *b, int p, int i)
{
    double sum_s = 0;
    int count = 0;
    for (int r = 0; r < b->twin->processes; r++) {
        if (is_alike(b, r, p)) {
            sum_s += b->ranks[r].sequences[p].blocks[i].overlap_s;
            count++;
        }
    }
    return sum_s / count;
}

/* Messages of all processes in this block of rank 0; those of a process with other calls are in
 * the exchange with the same number, or in the last one. */
static enum nereus_status add_messages(const struct building *b, int p, int i,
                                       struct nereus_twin_stage *stage)
{
    const struct nereus_call_sequence *first = &b->ranks[0].sequences[p];
    int number = 0, last = 0;
    for (int k = 0; k < first->count; k++) {
        number += k < i && first->blocks[k].type == NULL;
        last += first->blocks[k].type == NULL;
    }
    for (int r = 0; r < b->twin->processes; r++) {
        const struct nereus_call_sequence *s = &b->ranks[r].sequences[p];
        for (int k = 0, seen = 0; k < s->count; k++) {
            if (s->blocks[k].type != NULL)
                continue;
            if (seen == number || (seen > number && number == last - 1))
                NEREUS_TRY(
                    nereus_messages_add(stage, r, b->twin->processes, &s->blocks[k], b->err));
            seen++;
        }
    }
    nereus_messages_simplify(stage, b->twin->processes);
    return NEREUS_OK;
}

static enum nereus_status add_exchange(struct building *b, int p, int i)
{
    const struct part *part = &b->parts[p];
    struct nereus_twin_stage *stage = NULL;
    const bool overlaps = compute_mean_overlap_s(b, p, i) > b->overlap_s;
    NEREUS_TRY(add_computing(b, part));
    NEREUS_TRY(add_stage(b, part, overlaps ? "nonblocking" : "neighbours", 0, &stage));
    NEREUS_TRY(add_messages(b, p, i, stage));
    const bool is_empty = stage->message_count == 0 && stage->bytes == 0;
    if (is_empty)
        b->twin->stage_count--; /* all of them to MPI_PROC_NULL */
    add_pending(b, p, i, OVERLAP);
    if (!overlaps || is_empty)
        return NEREUS_OK;
    NEREUS_TRY(add_computing(b, part));
    return add_stage(b, part, "wait", 0, &stage);
}

/* Bytes of a collective. Mean over the processes, as those of MPI_Alltoallv and
 * MPI_File_write_at_all differ; of MPI_Gatherv and MPI_Scatterv those of the root, which has the
 * counts of all. */
static double compute_mean_bytes(const struct building *b, int p, int i)
{
    const struct nereus_block *block = &b->ranks[0].sequences[p].blocks[i];
    const enum nereus_call_kind kind = nereus_stage_kind(block->type);
    const int processes = b->twin->processes;
    double sum = 0;
    int count = 0;
    if ((kind == NEREUS_CALL_GATHER || kind == NEREUS_CALL_SCATTER) &&
        block->processes == processes && block->root < processes && is_alike(b, block->root, p))
        return b->ranks[block->root].sequences[p].blocks[i].bytes;
    for (int r = 0; r < processes; r++) {
        if (is_alike(b, r, p)) {
            sum += b->ranks[r].sequences[p].blocks[i].bytes;
            count++;
        }
    }
    return sum / count;
}

static enum nereus_status add_part(struct building *b, int p)
{
    const struct nereus_call_sequence *first = &b->ranks[0].sequences[p];
    const struct part *part = &b->parts[p];
    for (int i = 0; i < first->count; i++) {
        struct nereus_twin_stage *stage = NULL;
        add_pending(b, p, i, BEFORE);
        if (first->blocks[i].type == NULL) {
            NEREUS_TRY(add_exchange(b, p, i));
            continue;
        }
        NEREUS_TRY(add_computing(b, part));
        NEREUS_TRY(add_stage(b, part, first->blocks[i].type, compute_mean_bytes(b, p, i), &stage));
        stage->root = first->blocks[i].root;
        stage->processes =
            first->blocks[i].processes > 1 && first->blocks[i].processes < b->twin->processes
                ? first->blocks[i].processes
                : 0;
    }
    add_pending(b, p, 0, AFTER);
    return add_computing(b, part);
}

static enum nereus_status add_rest(struct building *b)
{
    for (int r = 0; r < b->twin->processes; r++)
        b->pending_s[r] += b->ranks[r].rest_s;
    return b->final_part.count > 0 ? add_computing(b, &b->final_part) : NEREUS_OK;
}

/* Add a stage to the sums of another one of its kind that runs as often, but for `times` times. */
static void merge_stages(struct nereus_twin_stage *into, const struct nereus_twin_stage *from,
                         int times, int processes)
{
    const double share = 1.0 / (times + 1);
    into->bytes += llround(share * (double)(from->bytes - into->bytes));
    for (int m = 0; m < into->message_count; m++)
        into->messages[m].bytes +=
            llround(share * (double)(from->messages[m].bytes - into->messages[m].bytes));
    into->compute_s += share * (from->compute_s - into->compute_s);
    for (int r = 0; r < processes && into->by_rank_s != NULL; r++)
        into->by_rank_s[r] += share * (from->by_rank_s[r] - into->by_rank_s[r]);
}

/* Do all messages of two stages have the same ends? */
static bool has_same_ends(const struct nereus_twin_stage *a, const struct nereus_twin_stage *b)
{
    if (a->message_count != b->message_count)
        return false;
    for (int m = 0; m < a->message_count; m++)
        if (a->messages[m].from != b->messages[m].from || a->messages[m].to != b->messages[m].to)
            return false;
    return true;
}

/* Merged stages run several times, one after the other: nothing is overlapped with them.
 * @return false: the stage is a wait, and falls away */
static bool make_blocking(struct nereus_twin_stage *stage)
{
    if (strcmp(stage->type, "nonblocking") == 0)
        stage->type = "neighbours";
    return strcmp(stage->type, "wait") != 0;
}

/* If there are too many stages: replace those of one type and part, with the same ends of messages,
 * by one with their mean, which runs as often as all of them together.
 * @param part  first part whose stages are merged */
static void merge_kinds(struct nereus_twin *twin, int part)
{
    const int count = twin->stage_count;
    int kept_count = 0;
    for (int i = 0; i < twin->stage_count; i++) {
        struct nereus_twin_stage *stage = &twin->stages[i];
        int k = 0;
        if (stage->part >= part && !make_blocking(stage))
            continue;
        while (k < kept_count && (strcmp(twin->stages[k].type, stage->type) != 0 ||
                                  twin->stages[k].part != stage->part ||
                                  twin->stages[k].processes != stage->processes ||
                                  !has_same_ends(&twin->stages[k], stage)))
            k++;
        if (k == kept_count || stage->part < part || stage->merged_stages > 1) {
            stage->merged_interval_iterations = stage->interval_iterations;
            stage->merged_stages = stage->merged_stages > 1 ? stage->merged_stages : 1;
            twin->stages[kept_count++] = *stage;
            continue;
        }
        struct nereus_twin_stage *into = &twin->stages[k];
        merge_stages(into, stage, into->merged_stages++, twin->processes);
        twin->unseen.root_changing_type =
            stage->root != into->root ? stage->type : twin->unseen.root_changing_type;
        into->interval_iterations = into->merged_interval_iterations / into->merged_stages;
        free(stage->by_rank_s);
        free(stage->messages);
    }
    twin->unseen.merged_stages += count - kept_count;
    twin->stage_count = kept_count;
}

/* The synthetic application moves at most INT32_MAX bytes in a message or a collective: divide a
 * larger one into equal messages, or into several runs of the collective. */
static enum nereus_status divide_large(const struct building *b, struct nereus_twin_stage *stage)
{
    const int64_t runs = nereus_divide_up(stage->bytes, INT32_MAX);
    if (stage->message_count > 0) {
        stage->bytes = nereus_min(stage->bytes, INT32_MAX);
        return nereus_messages_divide(stage, INT32_MAX, b->err);
    }
    if (runs > 1) {
        stage->bytes = nereus_divide_up(stage->bytes, runs);
        stage->interval_iterations /= (double)runs;
    }
    return NEREUS_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Time from the end of an iteration to the end of the next one, with what is between them. */
static enum nereus_status describe_iterations(const struct building *b)
{
    const struct nereus_cycle *cycle = &b->ranks[0].cycle;
    struct nereus_twin *twin = b->twin;
    const int repeats = (int)cycle->count - 1;
    double *times = malloc((size_t)repeats * sizeof *times), sum_s = 0;
    NEREUS_TRY_MEMORY(times, b->err, "for %d iterations", repeats);
    for (int k = 0; k < repeats; k++) {
        const int64_t end = cycle->indices[k] + cycle->period;
        times[k] =
            nereus_calls_span_s(&b->calls[0], end, cycle->indices[k + 1] + cycle->period - end);
        sum_s += times[k];
    }
    nereus_sort(times, repeats);
    twin->times.iteration_s =
        twin->quantile < 0 ? sum_s / repeats : nereus_quantile(times, repeats, twin->quantile);
    twin->times.median_s = nereus_quantile(times, repeats, 0.5);
    twin->times.total_iterations_s = sum_s / repeats * (double)cycle->count;
    free(times);
    return NEREUS_OK;
}

static void describe_run(struct building *b)
{
    const struct nereus_calls *calls = &b->calls[0];
    const struct nereus_cycle *cycle = &b->ranks[0].cycle;
    struct nereus_twin *twin = b->twin;
    const int64_t end = cycle->indices[cycle->count - 1] + cycle->period;
    twin->iterations = cycle->count;
    for (int i = 0; i < calls->fact_count; i++) {
        twin->lacks_thread_multiple =
            twin->lacks_thread_multiple || strcmp(calls->facts[i].name, "thread-single") == 0;
        twin->bound = twin->bound || strcmp(calls->facts[i].name, "bound") == 0;
    }
    /* the first iteration is as long as all in the mean: where it begins is not seen */
    twin->times.before_s = fmax(0, calls->items[cycle->indices[0] + cycle->period - 1].end_s -
                                       calls->items[0].begin_s -
                                       twin->times.total_iterations_s / (double)cycle->count);
    twin->times.after_s = calls->items[calls->count - 1].end_s - calls->items[end - 1].end_s;
    twin->iteration_calls = cycle->period;
    for (int64_t i = 0; i < calls->count; i++)
        twin->unseen.calls_outside[calls->items[i].kind] += i < cycle->indices[0] || i >= end;
}

/* Computing of the slowest process: where it is another one in each iteration, the others wait
 * longer than for the one that is slowest in the mean. */
static void describe_slowest(const struct building *b)
{
    struct nereus_twin *twin = b->twin;
    const int64_t count = b->ranks[0].cycle.count;
    for (int64_t k = 0; k + 1 < count; k++) {
        double slowest_s = 0;
        for (int r = 0; r < twin->processes; r++) {
            const struct nereus_cycle *cycle = &b->ranks[r].cycle;
            if (!b->ranks[r].aligned)
                continue;
            const int64_t end = cycle->indices[k] + cycle->period;
            slowest_s =
                fmax(slowest_s, nereus_calls_gaps_s(&b->calls[r], end,
                                                    cycle->indices[k + 1] + cycle->period - end));
        }
        twin->times.slowest_each_s += slowest_s;
    }
    for (int r = 0; r < twin->processes; r++)
        twin->times.slowest_all_s =
            fmax(twin->times.slowest_all_s, twin->total_s[r] * (double)(count - 1));
}

static enum nereus_status find_cycles(struct building *b)
{
    for (int r = 0; r < b->twin->processes; r++)
        NEREUS_TRY(nereus_cycle_find(&b->calls[r],
                                     r == 0 ? b->preferred_count : b->ranks[0].cycle.count,
                                     &b->ranks[r].cycle, b->err));
    return NEREUS_OK;
}

/* What a stage computes, and sends, in the iterations that are measured: all but the first. */
static void add_stage_totals(const struct building *b, const struct nereus_twin_stage *stage)
{
    struct nereus_twin *twin = b->twin;
    const struct part *part = stage->part < PARTS_MAX ? &b->parts[stage->part] : &b->final_part;
    const double runs =
        part->interval_iterations / part->measured_interval / stage->interval_iterations;
    twin->times.stages_computing_s += stage->compute_s * runs * (double)(twin->iterations - 1);
    nereus_traffic_add_stage(twin, stage, runs);
}

static enum nereus_status build_twin(struct building *b)
{
    struct nereus_twin *twin = b->twin;
    NEREUS_TRY(find_cycles(b));
    NEREUS_TRY(describe_iterations(b));
    describe_run(b);
    const struct nereus_cycle *cycle = &b->ranks[0].cycle;
    const int64_t begin = cycle->indices[1], end = cycle->indices[cycle->count - 1] + cycle->period;
    b->overlap_s =
        fmax(min_compute_s, overlap_share * nereus_calls_gaps_s(&b->calls[0], begin, end - begin) /
                                (double)(cycle->count - 1));
    NEREUS_TRY(find_parts(b));
    for (int r = 0; r < twin->processes; r++) {
        NEREUS_TRY(measure_rank(b, r));
        twin->total_s[r] = b->ranks[r].total_s;
        twin->times.compute_s += b->ranks[r].total_s / twin->processes;
        twin->unseen.differing_processes += !is_alike(b, r, 0);
    }
    describe_slowest(b);
    for (int p = 0; p < b->part_count; p++)
        NEREUS_TRY(add_part(b, p));
    NEREUS_TRY(add_rest(b));
    for (int part = 1; part >= 0 && twin->stage_count > NEREUS_TWIN_STAGES_MAX; part--)
        merge_kinds(twin, part);
    for (int i = 0; i < twin->stage_count; i++) {
        NEREUS_TRY(divide_large(b, &twin->stages[i]));
        add_stage_totals(b, &twin->stages[i]);
    }
    return nereus_twin_simulate_ideal_network(twin, &twin->unseen.instant_s, b->err);
}

enum nereus_status nereus_twin_make(const struct nereus_calls *ranks, int count, double quantile,
                                    int64_t iterations, struct nereus_twin *twin,
                                    struct nereus_error *err)
{
    *twin = (struct nereus_twin){.processes = count,
                                 .quantile = quantile,
                                 .constant_bytes = ranks[0].constant_bytes,
                                 .variable_bytes = ranks[0].variable_bytes,
                                 .total_s = calloc((size_t)count, sizeof *twin->total_s)};
    struct building b = {.calls = ranks,
                         .ranks = calloc((size_t)count, sizeof *b.ranks),
                         .twin = twin,
                         .preferred_count = iterations,
                         .pending_s = calloc((size_t)count, sizeof *b.pending_s),
                         .err = err};
    const enum nereus_status status =
        twin->total_s && b.ranks && b.pending_s
            ? build_twin(&b)
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d processes", count);
    for (int r = 0; r < count && b.ranks != NULL; r++) {
        nereus_cycle_fini(&b.ranks[r].cycle);
        for (int p = 0; p < PARTS_MAX; p++)
            nereus_call_sequence_fini(&b.ranks[r].sequences[p]);
    }
    for (int p = 0; p < PARTS_MAX; p++)
        free(b.parts[p].iterations);
    free(b.final_part.iterations);
    free(b.ranks);
    free(b.pending_s);
    return status;
}

void nereus_twin_fini(struct nereus_twin *twin)
{
    for (int i = 0; i < twin->stage_count; i++) {
        free(twin->stages[i].by_rank_s);
        free(twin->stages[i].messages);
    }
    free(twin->stages);
    free(twin->total_s);
    free(twin->unseen.left_out);
    *twin = (struct nereus_twin){.stage_count = 0};
}
