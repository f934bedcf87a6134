/*
 * The second form of price: the same sum as a walk over the plan, from sizes, loads and bytes alone.
 *
 *   baseline       decide + START(NS, NT) [+ merge: intra] [+ meet] [+ data] + agree + commit + disconnect
 *   merge expand   decide [+ wake] [+ START(NS, missing) + merge] [+ meet] [+ data] + agree + commit
 *   merge shrink   decide [+ wake] [+ data] + split [+ gather] [+ meet] + agree + commit + sleep | terminate
 *   ss             baseline, started in parallel
 *   data           allocate + agree + redistribute + what the commit frees
 *   all of them    + what lies beyond the steps, where the profile has it; meet: asynchronous ones
 *
 *   START  plain, single         spawn + join [+ connect]
 *          hypercube, diffusive  for each level: spawn + join;  then TOGETHER
 *          multiple              groups x (spawn + join);       then TOGETHER
 *          launch                launch + groups x join;        then TOGETHER
 *   TOGETHER  2 synchronise + connect for each of ceil(log2(groups)) rounds [+ reorder] + connect
 *
 * Levels follow from the sizes of the groups by equations 4 to 6 of parallel-spawning; no tree is made. It must follow the
 * builders plan_*.c: tests/unit/price/test_price.c compares both on random cases.
 */
#include <stdlib.h>
#include <string.h>

#include "nereus/tree.h"
#include "price_groups.h"
#include "price_parts.h"

/* One closed price being added up: a step template goes through the same features as in the walk. */
struct tally {
    const struct nereus_profile *profile;
    struct nereus_cost_context context;
    struct nereus_placings placings; /* context.placings, unless who asks for many methods has some */
    struct nereus_step
        step; /* the template, of steps that move no data: what none of these has is cleared once */
    bool oversubscribed;
    enum nereus_status status;
    struct nereus_error *err;
};

static void add(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_step *step)
{
    if (t->status == NEREUS_OK)
        t->status = nereus_price_step(t->profile, &t->context, step, t->oversubscribed, sum, t->err);
}

/* New processes that come in: old_processes exist, count are new, from compact rank first_new on. */
struct incoming {
    int64_t old_processes, count, first_new;
};

/* The template as a step that is there once, at no level. */
static struct nereus_step *begin_step(struct tally *t, enum nereus_step_kind kind, const struct incoming *in)
{
    t->step.kind = kind;
    t->step.repeat = t->step.times = 1;
    t->step.level = 0;
    t->step.old_processes = in->old_processes;
    t->step.new_processes = in->count;
    t->step.first_new = in->first_new;
    return &t->step;
}

static void add_incoming(struct tally *t, struct nereus_cost_sum *sum, const struct incoming *in,
                         enum nereus_step_kind kind)
{
    add(t, sum, begin_step(t, kind, in));
}

static void add_step(struct tally *t, struct nereus_cost_sum *sum, enum nereus_step_kind kind,
                     int64_t old_processes, int64_t new_processes)
{
    const struct incoming all = {old_processes, new_processes, 0};
    add(t, sum, begin_step(t, kind, &all));
}

/* A step at a level of the spawn tree. */
static void add_at_level(struct tally *t, struct nereus_cost_sum *sum, const struct incoming *in,
                         enum nereus_step_kind kind, int64_t level, int64_t repeat, int64_t times)
{
    struct nereus_step *step = begin_step(t, kind, in);
    step->level = level;
    step->repeat = repeat;
    step->times = times;
    add(t, sum, step);
}

static void add_one_world(struct tally *t, struct nereus_cost_sum *sum, bool single,
                          const struct incoming *in)
{
    add_incoming(t, sum, in, NEREUS_STEP_SPAWN);
    add_incoming(t, sum, in, NEREUS_STEP_JOIN);
    if (single)
        add_incoming(t, sum, in, NEREUS_STEP_CONNECT);
}

/* Every process that exists starts a group, level after level. @return levels */
static int64_t add_levels(struct tally *t, struct nereus_cost_sum *sum, const struct incoming *in,
                          struct nereus_groups *groups)
{
    struct incoming level = *in;
    int64_t levels = 0;
    for (int64_t next = 0; next < groups->count; levels++) {
        const int64_t left = groups->count - next;
        const int64_t count = level.old_processes < left ? level.old_processes : left;
        level.count = nereus_groups_take(groups, count);
        add_at_level(t, sum, &level, NEREUS_STEP_SPAWN, levels + 1, count, 1);
        add_at_level(t, sum, &level, NEREUS_STEP_JOIN, levels + 1, count, 1);
        level.old_processes += level.count;
        level.first_new += level.count;
        next += count;
    }
    return levels;
}

static void add_flat(struct tally *t, struct nereus_cost_sum *sum, const struct incoming *in,
                     enum nereus_step_kind kind, int64_t groups)
{
    const bool at_once = kind == NEREUS_STEP_LAUNCH;
    add_at_level(t, sum, in, kind, 1, at_once ? groups : 1, at_once ? 1 : groups);
    add_at_level(t, sum, in, NEREUS_STEP_JOIN, 1, 1, groups);
}

static void add_together(struct tally *t, struct nereus_cost_sum *sum, const struct incoming *in,
                         int64_t groups, int64_t levels)
{
    add_at_level(t, sum, in, NEREUS_STEP_SYNCHRONISE, levels, 1, 1);
    add_at_level(t, sum, in, NEREUS_STEP_SYNCHRONISE, -levels, 1, 1);
    for (int64_t left = groups, round = 1; left > 1; left = (left + 1) / 2, round++)
        add_at_level(t, sum, in, NEREUS_STEP_CONNECT, round, left / 2, 1);
    if (groups > 1)
        add_incoming(t, sum, in, NEREUS_STEP_REORDER);
    add_incoming(t, sum, in, NEREUS_STEP_CONNECT);
}

static void add_start(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_scenario *s,
                      const struct nereus_method *asked, const struct incoming *in)
{
    const enum nereus_strategy strategy = nereus_method_carried_out(asked).strategy;
    if (strategy == NEREUS_PLAIN || strategy == NEREUS_SINGLE) {
        add_one_world(t, sum, strategy == NEREUS_SINGLE, in);
        return;
    }
    struct nereus_groups groups;
    int64_t levels = 1;
    if (t->status == NEREUS_OK)
        t->status = nereus_groups_make(s, asked, in->first_new, in->count, &groups, t->err);
    if (t->status != NEREUS_OK)
        return;
    if (strategy == NEREUS_HYPERCUBE || strategy == NEREUS_DIFFUSIVE)
        levels = add_levels(t, sum, in, &groups);
    else
        add_flat(t, sum, in, strategy == NEREUS_LAUNCH ? NEREUS_STEP_LAUNCH : NEREUS_STEP_SPAWN,
                 groups.count);
    add_together(t, sum, in, groups.count, levels);
    nereus_groups_fini(&groups);
}

/* Of asynchronous methods: old and new wait for each other. Launched processes need no thread that would have to be met. */
static void add_meeting(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_method *method,
                        int64_t old_processes, int64_t new_processes)
{
    if (method->async && method->strategy != NEREUS_LAUNCH)
        add_step(t, sum, NEREUS_STEP_SYNCHRONISE, old_processes, new_processes);
}

/* What a commit takes longer for the old data that it frees: of its model the term of these bytes alone, since the
 * rest is in the process part. */
static void add_freed(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_step *commit)
{
    const struct nereus_linear_model *model =
        nereus_cost_model(t->profile, NEREUS_STEP_COMMIT, t->oversubscribed);
    struct nereus_cost_input input;
    nereus_cost_input_make(&t->context, commit, &input);
    for (int i = 0; i < model->terms && t->status == NEREUS_OK; i++) {
        if (nereus_cost_term(model, i) != NEREUS_FEATURE_FREED_BYTES)
            continue;
        struct nereus_linear_model term = *model;
        term.terms = 1;
        memcpy(term.names[0], model->names[i], sizeof term.names[0]);
        term.features[0] = model->features[i];
        term.coefficients[0] = model->coefficients[i];
        term.covariance[0][0] = model->covariance[i][i];
        nereus_cost_add(sum, &term, &t->context, &input);
        if (sum->stand_in == &term)
            sum->stand_in = model;
        if (sum->beyond == &term)
            sum->beyond = model;
    }
}

static int64_t asleep_in(const struct nereus_scenario *s)
{
    return s->state != NULL ? nereus_jobstate_zombies(s->state) : 0;
}

/* How many processes are started. */
static int64_t spawned(const struct nereus_scenario *s, const struct nereus_method *method)
{
    if (nereus_method_carried_out(method).process != NEREUS_MERGE)
        return s->nt;
    const int64_t missing = s->nt - s->ns - asleep_in(s);
    return missing > 0 ? missing : 0;
}

/* Is it a thread that starts them? A shrink starts none: whatever the strategy, there is a thread. */
static bool starts_in_thread(const struct nereus_scenario *s, const struct nereus_method *method)
{
    const bool shrinks = nereus_method_carried_out(method).process == NEREUS_MERGE && s->nt < s->ns;
    return method->async && (shrinks || method->strategy != NEREUS_LAUNCH);
}

static void add_redistribute(struct tally *t, const struct nereus_scenario *s, enum nereus_step_thread thread,
                             struct nereus_cost_sum *sum, double constant_bytes, double variable_bytes,
                             double replicated_bytes)
{
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .thread = thread,
                                     .repeat = 1,
                                     .old_processes = s->ns,
                                     .new_processes = s->nt,
                                     .constant_bytes = (int64_t)constant_bytes,
                                     .variable_bytes = (int64_t)variable_bytes,
                                     .replicated_bytes = (int64_t)replicated_bytes};
    add(t, sum, &step);
}

/* Of an overlap: constant data beside the application, a meeting unless the thread of the processes comes to one anyway, the rest. */
static void add_overlap(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *method,
                        struct nereus_price_parts *parts)
{
    add_redistribute(t, s, NEREUS_MAIN_THREAD, &parts->twin, s->constant_bytes, 0, 0);
    add_redistribute(t, s, method->overlap == NEREUS_THREAD ? NEREUS_AUXILIARY_THREAD : NEREUS_AT_POINTS,
                     &parts->beside, s->constant_bytes, 0, 0);
    if (!(starts_in_thread(s, method) && method->overlap == NEREUS_THREAD))
        add_step(t, &parts->data, NEREUS_STEP_SYNCHRONISE, s->ns, spawned(s, method));
    if (s->variable_bytes + s->replicated_bytes > 0)
        add_redistribute(t, s, NEREUS_MAIN_THREAD, &parts->data, 0, s->variable_bytes, s->replicated_bytes);
}

static void add_data(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *method,
                     struct nereus_price_parts *parts)
{
    if (s->constant_bytes + s->variable_bytes + s->replicated_bytes <= 0)
        return;
    const bool overlaps = nereus_method_overlaps(method, (int64_t)s->constant_bytes);
    struct nereus_cost_sum *first =
        overlaps && method->overlap == NEREUS_THREAD ? &parts->beside : &parts->data;
    struct nereus_step step = {.kind = NEREUS_STEP_ALLOCATE,
                               .repeat = 1,
                               .old_processes = s->ns,
                               .constant_bytes = (int64_t)s->constant_bytes,
                               .variable_bytes = (int64_t)s->variable_bytes,
                               .replicated_bytes = (int64_t)s->replicated_bytes};
    add(t, first, &step);
    add_step(t, first, NEREUS_STEP_AGREE, s->ns, 0);
    if (first == &parts->beside)
        parts->twin = parts->beside;
    if (overlaps)
        add_overlap(t, s, method, parts);
    else
        add_redistribute(t, s, NEREUS_MAIN_THREAD, &parts->data, s->constant_bytes, s->variable_bytes,
                         s->replicated_bytes);
    step.kind = NEREUS_STEP_COMMIT;
    step.new_processes = s->nt;
    add_freed(t, &parts->data, &step);
}

static void add_baseline(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *method,
                         struct nereus_cost_sum *sum)
{
    const struct incoming all = {s->ns, s->nt, 0};
    add_step(t, sum, NEREUS_STEP_DECIDE, s->ns, 0);
    add_start(t, sum, s, method, &all);
    if (method->process == NEREUS_BASELINE_INTRA)
        add_incoming(t, sum, &all, NEREUS_STEP_MERGE);
    add_meeting(t, sum, method, s->ns, s->nt);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, s->nt);
    add_step(t, sum, NEREUS_STEP_COMMIT, s->ns, s->nt);
    add_step(t, sum, NEREUS_STEP_DISCONNECT, s->ns, s->nt);
}

static void add_merge_expand(struct tally *t, const struct nereus_scenario *s,
                             const struct nereus_method *method, struct nereus_cost_sum *sum)
{
    const int64_t missing = s->nt - s->ns, asleep = asleep_in(s);
    const int64_t woken = asleep < missing ? asleep : missing;
    const struct incoming rest = {s->ns + woken, missing - woken, s->ns + woken};
    add_step(t, sum, NEREUS_STEP_DECIDE, s->ns, 0);
    if (woken > 0)
        add_step(t, sum, NEREUS_STEP_WAKE, s->ns, woken);
    if (missing > woken) {
        add_start(t, sum, s, method, &rest);
        add_incoming(t, sum, &rest, NEREUS_STEP_MERGE);
    }
    add_meeting(t, sum, method, s->ns, missing - woken);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, missing);
    add_step(t, sum, NEREUS_STEP_COMMIT, s->ns, missing);
}

/* Those who leave either all sleep, or all end with their worlds. */
static void add_merge_shrink(struct tally *t, const struct nereus_scenario *s,
                             const struct nereus_method *method, struct nereus_cost_sum *sum)
{
    const bool end = method->shrink == NEREUS_TS;
    struct nereus_method plain = *method; /* nothing starts, whatever the strategy */
    plain.strategy = NEREUS_PLAIN;
    add_step(t, sum, NEREUS_STEP_DECIDE, s->ns, 0);
    if (end && asleep_in(s) > 0)
        add_step(t, sum, NEREUS_STEP_WAKE, s->ns, asleep_in(s));
    add_step(t, sum, NEREUS_STEP_SPLIT, s->ns, 0);
    if (!end)
        add_step(t, sum, NEREUS_STEP_GATHER, s->ns, 0);
    add_meeting(t, sum, &plain, s->ns, 0);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, 0);
    add_step(t, sum, NEREUS_STEP_COMMIT, s->ns, 0);
    add_step(t, sum, end ? NEREUS_STEP_TERMINATE : NEREUS_STEP_SLEEP, s->ns, end ? s->ns - s->nt : 0);
}

static void add_whole(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *method,
                      struct nereus_cost_sum *sum)
{
    const struct nereus_linear_model *model = nereus_price_whole_model(t->profile, method);
    struct nereus_cost_input input;
    nereus_price_whole_input(s->machine, s->ns, s->nt, method, &input);
    nereus_cost_add(sum, model, &t->context, &input);
}

static void begin(const struct nereus_profile *profile, const struct nereus_scenario *s,
                  const struct nereus_method *method, struct nereus_step_values *values,
                  struct nereus_error *err, struct tally *t)
{
    t->profile = profile;
    t->context = nereus_price_context(profile, s, method);
    t->placings.somebody.known = t->placings.nobody.known = false;
    memset(&t->step, 0, sizeof t->step);
    t->context.values = values;
    t->context.placings = values != NULL ? &values->placings : &t->placings;
    t->oversubscribed = nereus_cost_oversubscribed(s->machine, s->ns, s->nt, method);
    t->status = NEREUS_OK;
    t->err = err;
}

/* Merge to the present size: there is nothing to do, nor any data to move. */
static bool nothing_to_do(const struct nereus_scenario *s, const struct nereus_method *method)
{
    return nereus_method_carried_out(method).process == NEREUS_MERGE && s->ns == s->nt;
}

static struct nereus_price_parts no_parts(void)
{
    const struct nereus_cost_sum none = NEREUS_COST_SUM_INIT;
    return (struct nereus_price_parts){none, none, none, none};
}

enum nereus_status nereus_price_data(const struct nereus_profile *profile, const struct nereus_scenario *s,
                                     const struct nereus_method *method, struct nereus_price_parts *parts,
                                     struct nereus_error *err)
{
    if (s->constant_bytes + s->variable_bytes + s->replicated_bytes <= 0) {
        *parts = no_parts();
        return NEREUS_OK;
    }
    struct tally t;
    begin(profile, s, method, NULL, err, &t);
    struct nereus_price_parts p = no_parts();
    if (!nothing_to_do(s, method))
        add_data(&t, s, method, &p);
    if (t.status == NEREUS_OK)
        *parts = p;
    return t.status;
}

static void add_process(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *m,
                        struct nereus_cost_sum *sum)
{
    const bool respawn = nereus_method_carried_out(m).process != NEREUS_MERGE;
    /* What was measured as a whole is known better than the sum of its steps. */
    const bool whole =
        nereus_price_is_whole(m, s->nt < s->ns) && nereus_price_whole_model(t->profile, m) != NULL;
    if (whole)
        add_whole(t, s, m, sum);
    else if (respawn)
        add_baseline(t, s, m, sum);
    else if (s->nt > s->ns)
        add_merge_expand(t, s, m, sum);
    else
        add_merge_shrink(t, s, m, sum);
    if (!whole)
        nereus_price_add_beyond_steps(t->profile, &t->context, t->oversubscribed, sum);
}

enum nereus_status nereus_price_process(const struct nereus_profile *profile, const struct nereus_scenario *s,
                                        const struct nereus_method *method, struct nereus_step_values *values,
                                        struct nereus_cost_sum *sum, struct nereus_error *err)
{
    struct tally t;
    struct nereus_scenario without_data = *s;
    struct nereus_method m = *method;
    without_data.constant_bytes = without_data.variable_bytes = 0; /* no search for what keep would move */
    m.shrink = nereus_price_shrink(profile, s, method);
    begin(profile, &without_data, method, values, err, &t);
    *sum = (struct nereus_cost_sum)NEREUS_COST_SUM_INIT;
    if (!nothing_to_do(s, method))
        add_process(&t, s, &m, sum);
    return t.status;
}

enum nereus_status nereus_price_parts(const struct nereus_profile *profile, const struct nereus_scenario *s,
                                      const struct nereus_method *method, struct nereus_price_parts *parts,
                                      struct nereus_error *err)
{
    struct nereus_price_parts p = no_parts();
    struct nereus_cost_sum process;
    enum nereus_status status = nereus_price_process(profile, s, method, NULL, &process, err);
    if (status == NEREUS_OK)
        status = nereus_price_data(profile, s, method, &p, err);
    if (status != NEREUS_OK)
        return status;
    *parts = p;
    parts->process = process;
    return NEREUS_OK;
}

enum nereus_status nereus_price_closed(const struct nereus_profile *profile,
                                       const struct nereus_scenario *scenario,
                                       const struct nereus_method *method, double *rt_s,
                                       struct nereus_error *err)
{
    struct nereus_price_parts parts;
    const enum nereus_status status = nereus_price_parts(profile, scenario, method, &parts, err);
    if (status == NEREUS_OK)
        *rt_s = parts.process.value_s + parts.data.value_s + parts.beside.value_s;
    return status;
}
