/**
 * @file scheduler.c
 * What a scheduler relies on when it asks for predictions: `allocations` counts the calls of malloc
 * and its like while pairs are predicted (0), `threads` lets several threads ask one profile and
 * compares their answers with those of one.
 *
 *     scheduler allocations|threads PROFILE.json...
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/advise.h"
#include "nereus/goal.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* A sanitizer takes twenty times as long; 30 pairs have all combinations of machine and data. */
enum { METHODS_MAX = 128, PAIRS = SANITIZED ? 30 : 120, THREADS = 4, ALL = 3 * 6 * 2 * 4 };

/* ---- every allocation of the process, the library's too -------------------------------------- */

static _Atomic int64_t allocations;

#if !SANITIZED
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    allocations++;
    return __libc_realloc(old, bytes);
}
#endif

/* ---- pairs ----------------------------------------------------------------------------------- */

/* A profile and what is asked of it. */
struct work {
    struct nereus_profile profile;
    struct nereus_machine machines[2]; /* unbounded; one node */
    struct nereus_node node;
    struct nereus_method methods[METHODS_MAX];
    int method_count;
};

static void add_method(struct work *w, const struct nereus_method *method)
{
    bool known = w->method_count == METHODS_MAX;
    for (int i = 0; i < w->method_count && !known; i++)
        known = nereus_method_equal(&w->methods[i], method);
    if (!known && nereus_method_check(method, NULL) == NEREUS_OK)
        w->methods[w->method_count++] = *method;
}

/* The profile's methods, each that is legal, and some with data. */
static void add_methods(struct work *w)
{
    static const char *const data[] = {"merge/p2p", "baseline-async/coll-waitsources",
                                       "merge/rma-thread", "merge/shared"};
    struct nereus_method method = {.process = NEREUS_BASELINE};
    for (int64_t i = 0; i < w->profile.method_count; i++)
        add_method(w, &w->profile.methods[i]);
    for (int i = 0; i < ALL; i++) {
        method.process = (enum nereus_process)(i % NEREUS_PROCESS_COUNT);
        method.strategy = (enum nereus_strategy)(i / NEREUS_PROCESS_COUNT % NEREUS_STRATEGY_COUNT);
        method.async = i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT % 2 != 0;
        method.shrink = (enum nereus_shrink)(i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT / 2);
        add_method(w, &method);
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(data); i++)
        if (nereus_method_parse(data[i], &method, NULL) == NEREUS_OK)
            add_method(w, &method);
}

static bool open_work(const char *path, struct work *w)
{
    struct nereus_error err;
    memset(w, 0, sizeof *w);
    if (nereus_profile_read(path, &w->profile, &err) != NEREUS_OK) {
        fprintf(stderr, "scheduler: %s\n", err.text);
        return false;
    }
    const int64_t cores = w->profile.cores_per_node;
    w->node.cores = cores;
    w->machines[0] = (struct nereus_machine){.cores_per_node = cores};
    w->machines[1] =
        (struct nereus_machine){.cores_per_node = cores, .node_count = 1, .nodes = &w->node};
    add_methods(w);
    return true;
}

static struct nereus_scenario scenario_of(const struct work *w, int pair)
{
    const int64_t ns = 1 + (pair * 37) % (3 * w->profile.cores_per_node);
    const int64_t nt = 1 + (pair * 61 + 5) % (4 * w->profile.cores_per_node);
    return (struct nereus_scenario){.machine = &w->machines[pair % 2],
                                    .ns = ns,
                                    .nt = nt,
                                    .constant_bytes = pair % 3 == 0 ? 8e6 : 0,
                                    .variable_bytes = pair % 5 == 0 ? 1e6 : 0,
                                    .t_iter_ns_s = 0.25,
                                    .t_iter_nt_s = 0.25 * (double)ns / (double)nt,
                                    .iterations_before = 3,
                                    .iterations_after = 97};
}

/* Which size, for the application and for the nodes; the gains in one number. */
static double advise(const struct work *w, const struct nereus_scenario *scenario,
                     const struct nereus_ranking *ranking, struct nereus_prediction *room)
{
    const struct nereus_scaling strong = {.law = NEREUS_SCALING_STRONG};
    const int64_t sizes[] = {1, scenario->ns + 1, 2 * scenario->ns + 3};
    const struct nereus_advice_question question = {.profile = &w->profile,
                                                    .scenario = scenario,
                                                    .scaling = &strong,
                                                    .sizes = sizes,
                                                    .size_count = 3,
                                                    .methods = w->methods,
                                                    .method_count = w->method_count,
                                                    .ranking = ranking};
    struct nereus_advice_size answers[3];
    struct nereus_advice advice;
    double sum = 0;
    if (nereus_advise(&question, room, answers, &advice, NULL) == NEREUS_OK)
        for (int i = 0; i < 3; i++)
            sum += answers[i].possible ? (i + 2) * answers[i].gain.low : 0;
    return sum;
}

/* What all predictions say, in one number per pair.
 * @return predictions */
static int64_t ask(const struct work *w, struct nereus_prediction *room, double *sums)
{
    static const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    const struct nereus_ranking node_hours = {.goal = NEREUS_GOAL_NODE_HOURS,
                                              .system_threshold = 0.1};
    int64_t predicted = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        const struct nereus_scenario scenario = scenario_of(w, pair);
        struct nereus_prediction best[2];
        const int count =
            nereus_predict_all(&(struct nereus_goal_question){&w->profile, &scenario, &ranking},
                               w->methods, w->method_count, room);
        sums[pair] = count;
        for (int i = 0; i < count; i++)
            sums[pair] += room[i].rt_s.value + room[i].rt_s.low * 3 + room[i].rt_s.high * 5 +
                          room[i].t_ex_expected_s * 7 + room[i].rank_application * 11 +
                          room[i].rank_system * 13;
        predicted += count;
        if (nereus_predict_best(&(struct nereus_goal_question){&w->profile, &scenario, &ranking},
                                w->methods, w->method_count, room, best) > 0)
            sums[pair] += best[0].rt_s.high * 17 + best[1].rt_s.low * 19;
        if (nereus_predict_for_goal(
                &(struct nereus_goal_question){&w->profile, &scenario, &node_hours}, w->methods,
                w->method_count, room, best) > 0)
            sums[pair] += best[0].rt_s.high * 23 + best[0].node_s * 29;
        sums[pair] += advise(w, &scenario, &ranking, room) * 31 +
                      advise(w, &scenario, &node_hours, room) * 37;
    }
    return predicted;
}

/* ---- the two checks -------------------------------------------------------------------------- */

static int count_allocations(const struct work *w, const char *path)
{
    static struct nereus_prediction room[METHODS_MAX];
    static double sums[PAIRS];
    const int64_t before = allocations;
    const int64_t predicted = ask(w, room, sums);
    const int64_t counted = allocations - before;
    void *volatile one = malloc(1); /* does the count work at all? */
    free(one);
    printf("%s: %" PRId64 " predictions by %d methods, %" PRId64 " allocations\n", path, predicted,
           w->method_count, counted);
    return counted != 0 || predicted < PAIRS || allocations == before + counted;
}

struct asker {
    const struct work *work;
    pthread_barrier_t *together;
    struct nereus_prediction room[METHODS_MAX];
    double sums[PAIRS];
};

static void *run_asker(void *argument)
{
    struct asker *asker = argument;
    pthread_barrier_wait(asker->together);
    ask(asker->work, asker->room, asker->sums);
    return NULL;
}

static int compare_threads(const struct work *w, const char *path)
{
    static struct asker alone, askers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t together;
    int different = 0;
    const int64_t predicted = ask(w, alone.room, alone.sums);
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        askers[i].work = w;
        askers[i].together = &together;
        if (pthread_create(&threads[i], NULL, run_asker, &askers[i]) != 0) {
            fprintf(stderr, "scheduler: a thread cannot be started\n");
            exit(1);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        different += memcmp(askers[i].sums, alone.sums, sizeof alone.sums) != 0;
    }
    pthread_barrier_destroy(&together);
    printf("%s: %" PRId64 " predictions, %d of %d threads say something else\n", path, predicted,
           different, THREADS);
    return different != 0 || predicted < PAIRS;
}

int main(int argc, char **argv)
{
    enum { SKIPPED = 77 };
    static struct work work;
    int failed = argc < 3;
    const bool count = argc > 1 && strcmp(argv[1], "allocations") == 0;
    if (count && SANITIZED) {
        printf("skipped: a sanitizer has its own malloc\n");
        return SKIPPED;
    }
    for (int i = 2; i < argc; i++) {
        if (!open_work(argv[i], &work))
            return 1;
        failed |= count ? count_allocations(&work, argv[i]) : compare_threads(&work, argv[i]);
        nereus_profile_fini(&work.profile);
    }
    return failed;
}
