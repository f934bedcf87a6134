/**
 * @file map.c
 * Computes the rows of a map by several threads, and prints them.
 *
 * Each thread takes the next row, predicts its pairs and writes their text into the row's slot; the
 * main thread prints the slots in order. There are a few slots per thread, so that memory does not
 * grow with the map: a thread waits until the slot of its row is printed. The profile is only read.
 * The lock protects the slots and the counters.
 */
#include "map.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "map_cells.h"
#include "map_choose.h"
#include "predictor/cli/progress.h"
#include "predictor/run/interrupt.h"

enum { SLOTS_A_THREAD = 4 };

/* A short run shows no progress bar. */
static const double quiet_s = 2;

struct slot {
    bool ready;
    char *text; /* text of the row; owned; NULL: nothing is printed */
    size_t length;
    int64_t without_method, oversubscribed, no_expansion;
};

struct shared {
    const struct nereus_map *map;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot *slots;
    int64_t slot_count;
    int64_t next, printed; /* rows */
    atomic_int_fast64_t pairs_done;
    bool stop;
    enum nereus_status status; /* status of the first row that failed */
    struct nereus_error err;
};

static enum nereus_status print_to_slot(const struct nereus_map *map, int64_t ns,
                                        const struct nereus_map_choice *choices, struct slot *slot,
                                        struct nereus_error *err)
{
    FILE *stream = open_memstream(&slot->text, &slot->length);
    if (stream != NULL)
        nereus_map_print_row(map, ns, choices, stream);
    NEREUS_TRY_MEMORY(stream != NULL && fclose(stream) == 0, err, "for a row of the map");
    return NEREUS_OK;
}

static enum nereus_status make_row(struct shared *shared, int64_t row,
                                   struct nereus_map_memory *memory, struct slot *slot,
                                   struct nereus_error *err)
{
    const struct nereus_map *map = shared->map;
    const int64_t ns = map->ns.items[row];
    struct nereus_question question;
    NEREUS_TRY(nereus_map_row_question(map, ns, map->nt.items[0], &question, err));
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < map->nt.count && status == NEREUS_OK; i++) {
        struct nereus_scenario scenario;
        status = nereus_map_pair_scenario(map, &question, map->nt.items[i], &scenario, err);
        if (status == NEREUS_OK)
            status = nereus_map_choose_for_pair(map, &scenario, &question, memory, i, err);
        if (status == NEREUS_OK) {
            const struct nereus_map_choice *choice = &memory->choices[i];
            const bool can_follow =
                nereus_goal_allows_later_shrink(map->goal_settings, ns, scenario.nt);
            slot->no_expansion += !can_follow;
            slot->without_method += can_follow && choice->methods == 0;
            slot->oversubscribed +=
                choice->methods > 0 && choice->best_predictions[0]->oversubscribed;
            atomic_fetch_add_explicit(&shared->pairs_done, 1, memory_order_relaxed);
        }
    }
    if (status == NEREUS_OK) {
        nereus_map_cells_store(map, row, memory->choices);
        if (!map->as_cells && !map->as_summary)
            status = print_to_slot(map, ns, memory->choices, slot, err);
    }
    nereus_question_fini(&question);
    return status;
}

/* Take the next row, as soon as it has a slot; -1: no more rows. */
static int64_t claim_row(struct shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    while (!shared->stop && shared->next < shared->map->ns.count &&
           shared->next >= shared->printed + shared->slot_count)
        pthread_cond_wait(&shared->changed, &shared->lock);
    const int64_t row = shared->stop || shared->next >= shared->map->ns.count ? -1 : shared->next++;
    pthread_mutex_unlock(&shared->lock);
    return row;
}

static void fill_slot(struct shared *shared, struct slot *slot, enum nereus_status status,
                      const struct nereus_error *err)
{
    pthread_mutex_lock(&shared->lock);
    if (status == NEREUS_OK) {
        slot->ready = true;
    } else {
        shared->err = shared->status == NEREUS_OK ? *err : shared->err;
        shared->status = shared->status == NEREUS_OK ? status : shared->status;
        shared->stop = true;
    }
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

static void *compute_rows(void *argument)
{
    struct shared *shared = argument;
    const struct nereus_map *map = shared->map;
    struct nereus_map_memory memory;
    struct nereus_error err = {.status = NEREUS_OK};
    int64_t row;
    if (!nereus_map_memory_init(map, &memory)) {
        nereus_fail(&err, NEREUS_ERR_MEMORY, "not enough memory for a row of %lld size%s",
                    (long long)map->nt.count, nereus_plural_s(map->nt.count));
        fill_slot(shared, NULL, NEREUS_ERR_MEMORY, &err);
    }
    while (err.status == NEREUS_OK && (row = claim_row(shared)) >= 0) {
        struct slot *slot = &shared->slots[row % shared->slot_count];
        slot->without_method = slot->oversubscribed = slot->no_expansion = 0;
        fill_slot(shared, slot, make_row(shared, row, &memory, slot, &err), &err);
    }
    nereus_map_memory_fini(&memory);
    return NULL;
}

/* Wait 0.1 s at most, so that signals are noticed.
 * @return the row's slot when it is ready, else NULL */
static struct slot *await_slot(struct shared *shared, int64_t row)
{
    struct slot *slot = &shared->slots[row % shared->slot_count];
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&shared->lock);
    if (!slot->ready && !shared->stop)
        pthread_cond_timedwait(&shared->changed, &shared->lock, &until);
    const bool ready = slot->ready;
    pthread_mutex_unlock(&shared->lock);
    return ready ? slot : NULL;
}

static void release_slot(struct shared *shared, struct slot *slot)
{
    pthread_mutex_lock(&shared->lock);
    slot->ready = false;
    shared->printed++;
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

static void stop_all(struct shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    shared->stop = true;
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

static bool is_stopped(struct shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    const bool stop = shared->stop;
    pthread_mutex_unlock(&shared->lock);
    return stop;
}

/* Set the time left by the pairs that are done, as each takes about the same time. */
static void show_progress(struct shared *shared, struct nereus_progress *progress)
{
    const double done = (double)atomic_load_explicit(&shared->pairs_done, memory_order_relaxed);
    if (done > 0) {
        const double spent_s = nereus_progress_clock_s() - progress->started_s;
        nereus_progress_set_left(progress, spent_s / done * (progress->total - done));
    }
    nereus_progress_update(progress, done, NULL);
}

/* Print the rows in order, as they get ready. */
static void print_rows(struct shared *shared, FILE *stream, struct nereus_progress *progress,
                       struct nereus_map_result *result)
{
    const struct nereus_map *map = shared->map;
    while (shared->printed < map->ns.count && !is_stopped(shared) && !ferror(stream)) {
        result->interrupted = nereus_interrupted();
        if (result->interrupted != 0)
            break;
        struct slot *slot = await_slot(shared, shared->printed);
        if (progress != NULL)
            show_progress(shared, progress);
        if (slot == NULL)
            continue;
        if (slot->text != NULL) {
            fwrite(slot->text, 1, slot->length, stream);
            free(slot->text);
            slot->text = NULL;
        }
        result->pairs += map->nt.count;
        result->without_method += slot->without_method;
        result->oversubscribed += slot->oversubscribed;
        result->no_expansion += slot->no_expansion;
        release_slot(shared, slot);
    }
    stop_all(shared);
}

/* An interrupted run is reported by the caller. */
static void finish_progress(struct nereus_progress *progress, const struct nereus_map *map,
                            const struct nereus_map_result *result)
{
    char text[64];
    const bool whole = result->pairs == map->ns.count * map->nt.count;
    snprintf(text, sizeof text, "100 %%, %lld pair%s", (long long)result->pairs,
             nereus_plural_s(result->pairs));
    nereus_progress_end(progress, whole ? text : NULL);
}

/* Check the later shrink with the least NS, with which it is possible if it is so with any NS. */
static enum nereus_status check_target(const struct nereus_map *map, int64_t nt,
                                       struct nereus_question *first, struct nereus_error *err)
{
    struct nereus_scenario scenario;
    NEREUS_TRY(nereus_machine_check_size(&first->machine, "--nt", nt, err));
    NEREUS_TRY(nereus_map_pair_scenario(map, first, nt, &scenario, err));
    if (!nereus_map_has_later_shrink(map) ||
        !nereus_goal_allows_later_shrink(map->goal_settings, scenario.ns, scenario.nt))
        return NEREUS_OK;
    first->scenario = scenario;
    return first->later_shrink.processes == 0
               ? nereus_goal_add_later(map->goal_settings, first, err)
               : nereus_map_add_later_shrink(map, first, err);
}

/* Note more nodes than were measured, by the largest pair. */
static enum nereus_status copy_more_nodes(const struct nereus_map *map,
                                          struct nereus_question *first, struct nereus_error *err)
{
    struct nereus_question largest_question;
    NEREUS_TRY(nereus_map_row_question(map, map->ns.items[map->ns.count - 1],
                                       map->nt.items[map->nt.count - 1], &largest_question, err));
    memcpy(first->more_nodes, largest_question.more_nodes, sizeof first->more_nodes);
    nereus_question_fini(&largest_question);
    return NEREUS_OK;
}

/* Check every size once, so that an impossible one is refused before anything is printed. */
static enum nereus_status check_sizes(const struct nereus_map *map, struct nereus_question *first,
                                      struct nereus_error *err)
{
    struct nereus_question question;
    for (int64_t i = 1; i < map->ns.count && nereus_interrupted() == 0; i++) {
        NEREUS_TRY(
            nereus_map_row_question(map, map->ns.items[i], map->nt.items[0], &question, err));
        nereus_question_fini(&question);
    }
    NEREUS_TRY(nereus_map_row_question(map, map->ns.items[0], map->nt.items[0], first, err));
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < map->nt.count && status == NEREUS_OK; i++)
        status = check_target(map, map->nt.items[i], first, err);
    if (status == NEREUS_OK)
        status = copy_more_nodes(map, first, err);
    if (status == NEREUS_OK && nereus_map_has_later_shrink(map) &&
        first->later_shrink.processes == 0) {
        status = nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--later-shrink %lld needs an expansion to more processes than that, and none of the "
            "pairs is one",
            (long long)map->goal_settings->later_shrink);
    }
    if (status != NEREUS_OK)
        nereus_question_fini(first);
    return status;
}

static enum nereus_status run_threads(struct shared *shared, FILE *stream,
                                      struct nereus_map_result *result, struct nereus_error *err)
{
    const struct nereus_map *map = shared->map;
    pthread_t *threads = calloc((size_t)map->threads, sizeof *threads);
    struct nereus_progress progress;
    /* a bar would mix with the rows */
    const bool shown = map->as_cells || map->as_summary || !isatty(STDOUT_FILENO);
    int started = 0;
    if (threads == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "not enough memory for %d thread%s",
                           map->threads, nereus_plural_s(map->threads));
    }
    while (started < map->threads &&
           pthread_create(&threads[started], NULL, compute_rows, shared) == 0)
        started++;
    if (started > 0) {
        if (shown) {
            nereus_progress_start_quietly(&progress, "mapping",
                                          (double)map->ns.count * (double)map->nt.count, quiet_s);
        }
        print_rows(shared, stream, shown ? &progress : NULL, result);
        for (int i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
        if (shown)
            finish_progress(&progress, map, result);
    }
    free(threads);
    if (shared->status != NEREUS_OK)
        return nereus_fail(err, shared->status, "%s", shared->err.text);
    return started > 0 ? NEREUS_OK
                       : nereus_fail(err, NEREUS_ERR_MEMORY, "no thread can be started");
}

static enum nereus_status run_rows(const struct nereus_map *map, FILE *stream,
                                   struct nereus_map_result *result, struct nereus_error *err)
{
    struct shared shared = {.map = map,
                            .slot_count = (int64_t)SLOTS_A_THREAD * map->threads,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .changed = PTHREAD_COND_INITIALIZER};
    shared.slots = calloc((size_t)shared.slot_count, sizeof *shared.slots);
    if (shared.slots == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "not enough memory for %d thread%s",
                           map->threads, nereus_plural_s(map->threads));
    }
    const enum nereus_status status = run_threads(&shared, stream, result, err);
    for (int64_t i = 0; i < shared.slot_count; i++)
        free(shared.slots[i].text);
    free(shared.slots);
    pthread_cond_destroy(&shared.changed);
    pthread_mutex_destroy(&shared.lock);
    return status;
}

/* Note that iteration times by a law or a table differ for each pair, instead of giving those of
 * the first pair. */
static void note_scaling_rules(struct nereus_question *question)
{
    for (int i = 0; i < question->assumed_count; i++) {
        struct nereus_assumption *assumption = &question->assumptions[i];
        if (assumption->reason != NULL && nereus_text_begins_with(assumption->option, "t-iter"))
            snprintf(assumption->value, sizeof assumption->value, "of each pair");
    }
}

static enum nereus_status check_and_run(const struct nereus_map *map, FILE *stream,
                                        struct nereus_map_result *result, struct nereus_error *err)
{
    struct nereus_question first;
    NEREUS_TRY(check_sizes(map, &first, err));
    enum nereus_status status = NEREUS_OK;
    result->interrupted = nereus_interrupted();
    if (result->interrupted == 0) {
        note_scaling_rules(&first);
        nereus_question_log_assumed(&first, "nereus map: ");
        nereus_map_print_head(map, &first, stream);
        status = run_rows(map, stream, result, err);
    }
    if (status == NEREUS_OK && result->interrupted == 0 && map->as_cells)
        nereus_map_print_cells(map, stream);
    if (status == NEREUS_OK && result->interrupted == 0 && map->picture->path != NULL) {
        status = nereus_map_draw(map, &first, map->picture, err);
        if (status == NEREUS_OK && map->as_summary)
            status = nereus_map_print_summary(map, stream, err);
    }
    if (status == NEREUS_OK && result->interrupted == 0)
        nereus_map_print_tail(map, stream);
    nereus_question_fini(&first);
    return status;
}

enum nereus_status nereus_map_run(const struct nereus_map *map, FILE *stream,
                                  struct nereus_map_result *result, struct nereus_error *err)
{
    *result = (struct nereus_map_result){0};
    if (nereus_interrupt_watch() != 0)
        return nereus_fail(err, NEREUS_ERR_IO, "signals cannot be watched");
    const enum nereus_status status = check_and_run(map, stream, result, err);
    nereus_interrupt_end();
    return status;
}
