/**
 * @file live_faults.c
 * Each step of each plan has a row that makes it fail: compares the rows of matrix_failures.cmake
 * and overlap_failures.cmake with the plans that model/ makes.
 *
 * 1. Each row is replayed: its requests are placed, planned and applied to the job's state. Its
 *    fault covers the step at which it happens; a fault that meets no step is an error.
 * 2. The plans of all methods that the runtime carries out are made, in each situation. A step that
 *    no fault covers needs a reason in the table below; a reason without such a step is an error.
 *    Where constant data is redistributed in the background, only those steps count that the method
 *    does not have without this overlap, or has in another thread.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
#include "model/plan/strategies/strategy.h"
#include "nereus/method.h"
#include "nereus/plan.h"

enum { ROW_MAX = 4096, FAULTS_MAX = 32 };

/* ---- what a change is, for the table: who comes and goes, and how ---------------------------- */

enum situation {
    EXPAND,
    EXPAND_WAKE,
    EXPAND_BOTH,
    SHRINK_ANEW,
    SHRINK_SLEEP,
    SHRINK_END,
    SHRINK_RELEASING,
    SITUATIONS
};
static const char *const situation_names[SITUATIONS] = {
    "expand",
    "expand, zombies wake",
    "expand, zombies wake and processes start",
    "shrink, all anew",
    "shrink, some sleep",
    "shrink, worlds end",
    "shrink, worlds end and zombies wake only to release"};

static enum situation situation_of(const struct nereus_request *request,
                                   const struct nereus_plan *plan)
{
    if (request->nt > request->ns)
        return plan->woken == 0 ? EXPAND : plan->spawned == 0 ? EXPAND_WAKE : EXPAND_BOTH;
    if (plan->spawned > 0)
        return SHRINK_ANEW;
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == NEREUS_STEP_TERMINATE)
            return request->zombies > 0 ? SHRINK_RELEASING : SHRINK_END;
    return SHRINK_SLEEP;
}

/* Faults by what is carried out: merge-ss is a baseline with its strategy. */
static bool covered[NEREUS_PROCESS_COUNT][NEREUS_STRATEGY_COUNT][2][SITUATIONS]
                   [NEREUS_STEP_KIND_COUNT];

static bool *cell(const struct nereus_method *method, enum situation situation,
                  enum nereus_step_kind kind)
{
    return &covered[method->process][method->strategy][method->async][situation][kind];
}

/* The same of steps that an overlap adds, or gives to another thread. */
static bool covered_overlapped[NEREUS_PROCESS_COUNT][NEREUS_STRATEGY_COUNT][2][SITUATIONS]
                              [NEREUS_OVERLAP_COUNT][NEREUS_STEP_KIND_COUNT];

/* ---- a job on paper -------------------------------------------------------------------------- */

struct job {
    struct nereus_machine machine;
    struct nereus_jobstate state;
};

static struct job begin(const char *machine, int64_t processes)
{
    struct job job;
    struct nereus_error err;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/machines/%s", NEREUS_BINARY_DIR, machine);
    cr_assert_eq(nereus_machine_from_file(path, &job.machine, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_jobstate_initial(&job.machine, processes, &job.state, &err), NEREUS_OK,
                 "%s", err.text);
    return job;
}

static void end(struct job *job)
{
    nereus_jobstate_fini(&job->state);
    nereus_machine_fini(&job->machine);
}

/* The request and the plan of a change, as src/core/reconfigure.c makes them. */
static enum nereus_status prepare(const struct job *job, int64_t nt,
                                  const struct nereus_method *method,
                                  struct nereus_request *request, struct nereus_plan *plan,
                                  struct nereus_error *err)
{
    *request = (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                       .ns = nereus_jobstate_processes(&job->state),
                                       .nt = nt,
                                       .zombies = nereus_jobstate_zombies(&job->state),
                                       .next_world_id = job->state.next_world_id,
                                       .method = *method,
                                       .bridge = 1,
                                       .batch = 1};
    request->data_count = 2;
    request->data = calloc(2, sizeof *request->data);
    cr_assert(request->data != NULL);
    for (int i = 0; i < 2; i++)
        request->data[i] =
            (struct nereus_data_entry){.name = {i == 0 ? 'a' : 'x'},
                                       .element_bytes = 8,
                                       .count = 1000,
                                       .kind = i == 0 ? NEREUS_CONSTANT : NEREUS_VARIABLE,
                                       .placement = NEREUS_DISTRIBUTED};
    enum nereus_status status =
        nereus_request_place(&job->machine, &job->state, NULL, 0, request, err);
    if (status == NEREUS_OK)
        status = nereus_plan_make(request, plan, err);
    if (status != NEREUS_OK)
        nereus_request_fini(request);
    return status;
}

static void carry_out(struct job *job, int64_t nt, const char *text)
{
    struct nereus_method method;
    struct nereus_request request;
    struct nereus_plan plan;
    struct nereus_error err;
    cr_assert_eq(nereus_method_parse(text, &method, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(prepare(job, nt, &method, &request, &plan, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_jobstate_apply(&job->machine, &request, &job->state, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_plan_fini(&plan);
    nereus_request_fini(&request);
}

/* ---- the rows -------------------------------------------------------------------------------- */

struct fault {
    enum nereus_step_kind kind;
    int64_t rank, number;
    bool thread; /* no step: an auxiliary thread that cannot be had */
};

static int read_faults(char *text, struct fault *faults)
{
    int count = 0;
    char *position = NULL;
    for (char *word = strtok_r(text, ",", &position); word != NULL;
         word = strtok_r(NULL, ",", &position)) {
        long long rank, number;
        char *colon = strchr(word, ':');
        cr_assert(count < FAULTS_MAX && colon != NULL &&
                      sscanf(colon + 1, "%lld@%lld", &rank, &number) == 2,
                  "%s", word);
        *colon = '\0';
        faults[count] =
            (struct fault){nereus_step_from_name(word), rank, number, strcmp(word, "thread") == 0};
        cr_assert(faults[count].thread || faults[count].kind != NEREUS_STEP_KIND_COUNT,
                  "'%s' is no step", word);
        count++;
    }
    return count;
}

/* The set of roles in which a process with that rank takes part: of a source the rank before, else
 * the one after. */
static unsigned role_of(const struct nereus_plan *plan, int64_t rank)
{
    unsigned roles = rank < plan->ns ? (unsigned)nereus_plan_source_role(plan, rank) : 0;
    if (plan->spawned == plan->nt) /* all anew: such a rank has a source, and a target */
        return roles | (rank < plan->nt ? NEREUS_SPAWNED : 0u);
    if (rank >= plan->ns && rank < plan->ns + plan->woken)
        roles = NEREUS_WOKEN;
    else if (rank >= plan->ns + plan->woken && rank < plan->nt)
        roles = NEREUS_SPAWNED;
    return roles;
}

/* @return false: the step is not there, or not for that process */
static bool meets(const struct nereus_plan *plan, const struct fault *fault)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == fault->kind &&
            (plan->steps[i].roles & role_of(plan, fault->rank)) != 0)
            return true;
    return false;
}

/* Has the method this step without an overlap, too, on the same thread? */
static bool is_without_overlap(const struct job *job, const struct nereus_request *request,
                               const struct nereus_step *step)
{
    struct nereus_method method = request->method;
    struct nereus_request twin;
    struct nereus_plan plan;
    struct nereus_error err;
    bool found = false;
    method.overlap = NEREUS_SYNC;
    cr_assert_eq(prepare(job, request->nt, &method, &twin, &plan, &err), NEREUS_OK, "%s", err.text);
    for (int i = 0; i < plan.step_count; i++)
        found =
            found || (plan.steps[i].kind == step->kind && plan.steps[i].thread == step->thread &&
                      plan.steps[i].level == step->level && plan.steps[i].roles == step->roles);
    nereus_plan_fini(&plan);
    nereus_request_fini(&twin);
    return found;
}

/* The first step of the kind is the one that fails. */
static void note(const struct job *job, const struct nereus_request *request,
                 const struct nereus_plan *plan, const struct fault *fault)
{
    const struct nereus_method *m = &plan->method;
    const enum situation situation = situation_of(request, plan);
    int first = 0;
    while (first < plan->step_count &&
           (plan->steps[first].kind != fault->kind ||
            (plan->steps[first].roles & role_of(plan, fault->rank)) == 0))
        first++;
    if (first == plan->step_count)
        return; /* it has been reported */
    if (m->overlap == NEREUS_SYNC || is_without_overlap(job, request, &plan->steps[first]))
        *cell(m, situation, fault->kind) = true;
    else
        covered_overlapped[m->process][m->strategy][m->async][situation][m->overlap][fault->kind] =
            true;
}

/* One change of a row; with a fault it is cancelled. */
static void go_through(struct job *job, int64_t number, int64_t nt, const char *text,
                       const struct fault *faults, int fault_count, const char *row)
{
    struct nereus_method method;
    struct nereus_request request;
    struct nereus_plan plan;
    struct nereus_error err;
    bool cancelled = false;
    cr_assert_eq(nereus_method_parse(text, &method, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(prepare(job, nt, &method, &request, &plan, &err), NEREUS_OK, "%s: %s", row,
                 err.text);
    for (int i = 0; i < fault_count; i++) {
        if (faults[i].number != number)
            continue;
        cancelled = true;
        cr_expect(faults[i].thread || meets(&plan, &faults[i]),
                  "%s: no step '%s' for rank %lld in change %lld", row,
                  nereus_step_name(faults[i].kind), (long long)faults[i].rank, (long long)number);
        if (!faults[i].thread)
            note(job, &request, &plan, &faults[i]);
    }
    if (!cancelled)
        nereus_jobstate_apply(&job->machine, &request, &job->state, &err);
    nereus_plan_fini(&plan);
    nereus_request_fini(&request);
}

static void read_row(char *line)
{
    char method[NEREUS_METHOD_TEXT_MAX], machine[64], row[ROW_MAX], *position = NULL;
    char *schedule = malloc(ROW_MAX), *list = malloc(ROW_MAX);
    struct fault faults[FAULTS_MAX];
    long long processes;
    snprintf(row, sizeof row, "%.*s", (int)strcspn(line, "\n"), line);
    cr_assert_eq(
        sscanf(line, "%95s %63s %lld %4095s %4095s", method, machine, &processes, schedule, list),
        5, "%s", row);
    const int fault_count = read_faults(list, faults);
    struct job job = begin(machine, processes);
    int64_t number = 1;
    for (char *word = strtok_r(schedule, ",", &position); word != NULL;
         word = strtok_r(NULL, ",", &position), number++) {
        char *own = strchr(word, ':');
        go_through(&job, number, atoll(word), own != NULL ? own + 1 : method, faults, fault_count,
                   row);
    }
    end(&job);
    free(schedule);
    free(list);
}

static void read_rows(const char *path)
{
    char line[ROW_MAX];
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL, "the list of faults is missing");
    while (fgets(line, sizeof line, file) != NULL)
        if (line[0] != '\n')
            read_row(line);
    fclose(file);
}

/* ---- why a step needs no fault of its own ---------------------------------------------------- */

/* Has the same step of the method without async a fault? */
static bool as_without_async(struct nereus_method method, enum situation situation,
                             const struct nereus_step *step)
{
    method.async = false;
    return step->thread == NEREUS_MAIN_THREAD && *cell(&method, situation, step->kind);
}

static bool as_plain(struct nereus_method method, enum situation situation,
                     const struct nereus_step *step)
{
    method.strategy = NEREUS_PLAIN;
    method.async = false;
    return step->thread == NEREUS_MAIN_THREAD && *cell(&method, situation, step->kind);
}

static bool as_plain_thread(struct nereus_method method, enum situation situation,
                            const struct nereus_step *step)
{
    const bool main_thread = as_plain(method, situation, step);
    method.strategy = NEREUS_PLAIN;
    return main_thread || *cell(&method, situation, step->kind);
}

static bool as_baseline_or_its_merge(struct nereus_method method, enum situation situation,
                                     const struct nereus_step *step)
{
    if (step->kind == NEREUS_STEP_MERGE)
        method.strategy = NEREUS_DIFFUSIVE;
    else
        method.process = NEREUS_BASELINE;
    return method.process != NEREUS_MERGE &&
           (*cell(&method, situation, step->kind) || as_without_async(method, situation, step));
}

static bool as_expansion(struct nereus_method method, enum situation situation,
                         const struct nereus_step *step)
{
    (void)situation;
    return *cell(&method, EXPAND, step->kind) || as_without_async(method, EXPAND, step) ||
           as_plain(method, EXPAND, step) || as_baseline_or_its_merge(method, EXPAND, step);
}

static bool as_parts(struct nereus_method method, enum situation situation,
                     const struct nereus_step *step)
{
    (void)situation;
    return *cell(&method, EXPAND, step->kind) || *cell(&method, EXPAND_WAKE, step->kind) ||
           as_without_async(method, EXPAND, step) || as_plain(method, EXPAND, step) ||
           as_plain_thread(method, EXPAND_WAKE, step);
}

static bool as_end(struct nereus_method method, enum situation situation,
                   const struct nereus_step *step)
{
    (void)situation;
    return *cell(&method, SHRINK_END, step->kind) ||
           as_without_async(method, SHRINK_RELEASING, step);
}

#define SET(situation) (1u << (situation))
static const struct reason {
    unsigned situations;
    const char *text;
    bool (*holds)(struct nereus_method method, enum situation situation,
                  const struct nereus_step *step);
    bool at_commit; /* only for the steps from the commit on */
} reasons[] = {
    {~0u,
     "the main thread carries it out when the auxiliary thread has ended, by the function that async leaves "
     "out",
     as_without_async, false},
    {~0u, "from the commit on a plan does not depend on the strategy that started the processes",
     as_plain, true},
    {SET(EXPAND_WAKE),
     "with enough zombies nothing is started: the plan is that of the plain strategy",
     as_plain_thread, false},
    {SET(SHRINK_ANEW),
     "a plan in which all start anew has the same steps, by the same processes, for any two sizes",
     as_expansion, false},
    {SET(EXPAND),
     "baseline-intra has the steps of baseline, and one merge, whoever started the processes",
     as_baseline_or_its_merge, false},
    {SET(EXPAND_BOTH), "who has woken takes the part of a source: what starts is the expansion's",
     as_parts, false},
    {SET(SHRINK_RELEASING), "releasing zombies take part in waking and ending only", as_end, false},
};
static int stands_for[sizeof reasons / sizeof *reasons];

static bool is_explained(const struct nereus_method *method, enum situation situation,
                         const struct nereus_step *step)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const struct reason *reason = &reasons[i];
        if ((reason->situations & SET(situation)) == 0 ||
            (reason->at_commit && step->kind < NEREUS_STEP_COMMIT) ||
            !reason->holds(*method, situation, step))
            continue;
        stands_for[i]++;
        return true;
    }
    return false;
}

/* ---- all plans ------------------------------------------------------------------------------- */

/* Where jobs come from, and where they go to. */
static const struct scene {
    const char *machine;
    int64_t processes;
    struct {
        int64_t nt;
        const char *method;
    } before[2];
    int64_t nt;
} scenes[] = {
    {"six", 2, {{0}}, 5},                         /* expand */
    {"six", 3, {{1, "merge-zs/coll"}}, 3},        /* wake */
    {"six", 3, {{2, "merge-zs/coll"}}, 5},        /* both */
    {"six", 5, {{0}}, 3},                         /* sleep; all anew */
    {"six", 1, {{4, "merge-diffusive/coll"}}, 2}, /* end */
    {"pairs",
     2,
     {{4, "merge-diffusive/coll"}, {3, "merge-zs/coll"}},
     2}, /* end, a zombie is releasing */
};

static void expect_faults(const struct nereus_request *request, const struct nereus_plan *plan,
                          bool *seen)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    const enum situation situation = situation_of(request, plan);
    seen[situation] = true;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        cr_expect(*cell(&plan->method, situation, step->kind) ||
                      is_explained(&plan->method, situation, step),
                  "no fault for the step '%s' of %s (%s): its strategy is not in "
                  "tests/strategies.cmake, or the row not in tests/live/matrix_failures.cmake",
                  nereus_step_name(step->kind), nereus_method_format(&request->method, text),
                  situation_names[situation]);
    }
}

/* @return the number of its plans */
static int expect_method(const struct nereus_method *method, bool *seen)
{
    int plans = 0;
    struct nereus_error err;
    if (nereus_method_check(method, &err) != NEREUS_OK)
        return 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        struct job job = begin(scenes[i].machine, scenes[i].processes);
        struct nereus_request request;
        struct nereus_plan plan;
        for (int k = 0; k < 2 && scenes[i].before[k].nt > 0; k++)
            carry_out(&job, scenes[i].before[k].nt, scenes[i].before[k].method);
        if (prepare(&job, scenes[i].nt, method, &request, &plan, &err) == NEREUS_OK) {
            expect_faults(&request, &plan, seen);
            plans++;
            nereus_plan_fini(&plan);
            nereus_request_fini(&request);
        }
        end(&job);
    }
    return plans;
}

Test(live_faults, every_step_of_every_plan)
{
    bool seen[SITUATIONS] = {false};
    int plans = 0;
    read_rows(NEREUS_BINARY_DIR "/tests/live-faults.txt");
    for (int process = 0; process < NEREUS_PROCESS_COUNT; process++)
        for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++)
            for (int async = 0; async < 2; async++)
                for (int shrink = 0; shrink < NEREUS_SHRINK_COUNT; shrink++)
                    plans += expect_method(
                        &(const struct nereus_method){.process = (enum nereus_process)process,
                                                      .strategy = (enum nereus_strategy)strategy,
                                                      .async = async != 0,
                                                      .shrink = (enum nereus_shrink)shrink,
                                                      .has_data = true,
                                                      .data = NEREUS_COLL},
                        seen);
    for (int i = 0; i < SITUATIONS; i++)
        cr_expect(seen[i], "no plan was looked at for: %s", situation_names[i]);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        cr_expect_gt(stands_for[i], 0, "this reason stands for no step any more: %s",
                     reasons[i].text);
    cr_expect_geq(plans, 150);
}

/* ---- plans with an overlap ------------------------------------------------------------------- */

/* The overlapped part of a reconfiguration. */
struct background {
    enum nereus_process process;
    enum situation situation;
    enum nereus_overlap overlap;
};

static bool wait_for_others(struct background *b)
{
    if (b->overlap == NEREUS_THREAD)
        return false;
    b->overlap = b->overlap == NEREUS_WAITSOURCES ? NEREUS_WAITTARGETS : NEREUS_WAITSOURCES;
    return true;
}

static bool grow(struct background *b)
{
    const bool other =
        b->situation == SHRINK_ANEW || b->situation == EXPAND_WAKE || b->situation == EXPAND_BOTH;
    b->situation = other ? EXPAND : b->situation;
    return other;
}

static bool fall_asleep(struct background *b)
{
    const bool other = b->situation == SHRINK_END || b->situation == SHRINK_RELEASING;
    b->situation = other ? SHRINK_SLEEP : b->situation;
    return other;
}

static bool not_merged(struct background *b)
{
    const bool other = b->process == NEREUS_BASELINE_INTRA;
    b->process = other ? NEREUS_BASELINE : b->process;
    return other;
}

/* Reasons why an overlapped step needs no fault of its own: the function turns it into a step that
 * has one. */
static const struct {
    const char *text;
    bool (*as)(struct background *b);
} likenesses[] = {
    {"waitsources and waittargets have the same steps, and differ in whom the last points wait for",
     wait_for_others},
    {"data goes to processes that woke, or that replace all, as to those that were added", grow},
    {"data has moved before anybody leaves, to sleep or to end", fall_asleep},
    {"baseline-intra has the steps of baseline, and one merge", not_merged},
};
enum { LIKENESSES = sizeof likenesses / sizeof *likenesses };
static int used[LIKENESSES];

/* With any strategy: the overlapped part begins when all new processes have started. */
static bool has_row(const struct background *b, enum nereus_step_kind kind)
{
    for (int strategy = 0; strategy < NEREUS_STRATEGY_COUNT; strategy++)
        for (int async = 0; async < 2; async++)
            if (covered_overlapped[b->process][strategy][async][b->situation][b->overlap][kind])
                return true;
    return false;
}

static bool is_alike(const struct background *background, enum nereus_step_kind kind)
{
    for (unsigned set = 0; set < SET(LIKENESSES); set++) {
        struct background other = *background;
        bool holds = true;
        for (int i = 0; i < LIKENESSES; i++)
            holds = holds && ((set & SET(i)) == 0 || likenesses[i].as(&other));
        if (!holds || !has_row(&other, kind))
            continue;
        for (int i = 0; i < LIKENESSES; i++)
            used[i] += (set & SET(i)) != 0;
        return true;
    }
    return false;
}

/* @return the number of steps that the overlap has changed */
static int expect_background(const struct job *job, const struct nereus_request *request,
                             const struct nereus_plan *plan)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int changed = 0;
    const struct background background = {plan->method.process, situation_of(request, plan),
                                          plan->method.overlap};
    for (int i = 0; i < plan->step_count; i++) {
        if (is_without_overlap(job, request, &plan->steps[i]))
            continue;
        changed++;
        cr_expect(is_alike(&background, plan->steps[i].kind),
                  "no fault for the step '%s' of %s (%s): tests/live/overlap_failures.cmake",
                  nereus_step_name(plan->steps[i].kind),
                  nereus_method_format(&request->method, text),
                  situation_names[background.situation]);
    }
    return changed;
}

/* @return the number of plans */
static int expect_overlap(const struct nereus_method *method)
{
    int plans = 0;
    struct nereus_error err;
    if (nereus_method_check(method, &err) != NEREUS_OK)
        return 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        struct job job = begin(scenes[i].machine, scenes[i].processes);
        struct nereus_request request;
        struct nereus_plan plan;
        for (int k = 0; k < 2 && scenes[i].before[k].nt > 0; k++)
            carry_out(&job, scenes[i].before[k].nt, scenes[i].before[k].method);
        if (prepare(&job, scenes[i].nt, method, &request, &plan, &err) == NEREUS_OK) {
            cr_expect_gt(expect_background(&job, &request, &plan), 0,
                         "an overlap without a step of its own");
            plans++;
            nereus_plan_fini(&plan);
            nereus_request_fini(&request);
        }
        end(&job);
    }
    return plans;
}

/* All methods, by number. */
static struct nereus_method overlapped(int number)
{
    struct nereus_method method = {.has_data = true};
    method.overlap = (enum nereus_overlap)(1 + number % (NEREUS_OVERLAP_COUNT - 1));
    number /= NEREUS_OVERLAP_COUNT - 1;
    method.data = (enum nereus_data)(number % NEREUS_DATA_COUNT);
    number /= NEREUS_DATA_COUNT;
    method.shrink = (enum nereus_shrink)(number % NEREUS_SHRINK_COUNT);
    number /= NEREUS_SHRINK_COUNT;
    method.async = number % 2 != 0;
    number /= 2;
    method.strategy = (enum nereus_strategy)(number % NEREUS_STRATEGY_COUNT);
    method.process = (enum nereus_process)(number / NEREUS_STRATEGY_COUNT);
    return method;
}

Test(live_faults, every_step_beside_the_application)
{
    const int methods = NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * 2 * NEREUS_SHRINK_COUNT *
                        NEREUS_DATA_COUNT * (NEREUS_OVERLAP_COUNT - 1);
    int plans = 0;
    read_rows(NEREUS_BINARY_DIR "/tests/live-overlap-faults.txt");
    for (int i = 0; i < methods; i++) {
        const struct nereus_method method = overlapped(i);
        plans += expect_overlap(&method);
    }
    for (int i = 0; i < LIKENESSES; i++)
        cr_expect_gt(used[i], 0, "this stands for no step any more: %s", likenesses[i].text);
    cr_expect_geq(plans, 1500, "%d", plans);
}

/* ---- what the reasons say of plans ----------------------------------------------------------- */

static void expect_same_steps(const struct nereus_plan *a, const struct nereus_plan *b,
                              enum nereus_step_kind from)
{
    int i = 0, k = 0;
    while (i < a->step_count && a->steps[i].kind < from)
        i++;
    while (k < b->step_count && b->steps[k].kind < from)
        k++;
    cr_expect_eq(a->step_count - i, b->step_count - k);
    for (; i < a->step_count && k < b->step_count; i++, k++) {
        cr_expect_eq(a->steps[i].kind, b->steps[k].kind);
        cr_expect_eq(a->steps[i].roles, b->steps[k].roles);
        cr_expect_eq(a->steps[i].thread, b->steps[k].thread);
    }
}

static void compare(const char *text, int64_t nt, const char *other, int64_t other_nt,
                    enum nereus_step_kind from)
{
    struct nereus_method methods[2];
    struct nereus_request requests[2];
    struct nereus_plan plans[2];
    struct nereus_error err;
    struct job job = begin("six", 3);
    nereus_method_parse(text, &methods[0], &err);
    nereus_method_parse(other, &methods[1], &err);
    cr_assert_eq(prepare(&job, nt, &methods[0], &requests[0], &plans[0], &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(prepare(&job, other_nt, &methods[1], &requests[1], &plans[1], &err), NEREUS_OK,
                 "%s", err.text);
    expect_same_steps(&plans[0], &plans[1], from);
    for (int i = 0; i < 2; i++) {
        nereus_plan_fini(&plans[i]);
        nereus_request_fini(&requests[i]);
    }
    end(&job);
}

/* Restart has no step that is another method's. */
Test(live_faults, the_reasons_hold_for_the_plans)
{
    for (int p = 0; p < NEREUS_RESTART; p++)
        for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
            for (int async = 0; async < 2; async++) {
                struct nereus_method m = {
                    .process = (enum nereus_process)p, .has_data = true, .data = NEREUS_COLL};
                char method[NEREUS_METHOD_TEXT_MAX], plain[NEREUS_METHOD_TEXT_MAX];
                nereus_method_format(&m, plain);
                m.strategy = (enum nereus_strategy)s;
                m.async = async != 0;
                nereus_method_format(&m, method);
                compare(method, 5, plain, 5, NEREUS_STEP_COMMIT);
                if (p != NEREUS_MERGE) { /* of two sizes with as many rounds of connections */
                    compare(method, 2, plain, 2, NEREUS_STEP_COMMIT);
                    compare(method, 4, method, 3,
                            nereus_strategy_is_tree(m.strategy) ? NEREUS_STEP_COMMIT
                                                                : NEREUS_STEP_DECIDE);
                }
            }
}
