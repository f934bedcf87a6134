/*
 * The second form of price: the same sum as a walk over the plan, from sizes, loads and bytes alone.
 *
 *   baseline       decide + spawn(NS, NT) [+ connect] + join [+ data] + agree + commit + disconnect
 *   merge expand   decide [+ wake] [+ spawn(NS, missing) [+ connect] + join + merge] [+ data] + agree +
 * commit merge shrink   decide [+ data] + split + gather + agree + commit + sleep
 *   data           allocate + agree + redistribute + what the commit frees
 *   all of them    + waits, where the profile has them
 *
 * It must follow the builders plan_*.c: tests/unit/test_price.c compares both on random cases.
 */
#include <string.h>

#include "price.h"

/* One closed price being added up: a step template goes through the same features as in the walk. */
struct tally {
    const struct nereus_profile *profile;
    struct nereus_cost_context context;
    bool oversubscribed;
    enum nereus_status status;
    struct nereus_error *err;
};

static void add(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_step *step)
{
    struct nereus_cost_input input;
    if (t->status != NEREUS_OK)
        return;
    nereus_cost_input_make(&t->context, step, &input);
    t->status = nereus_price_add(t->profile, &t->context, &input, step->kind, t->oversubscribed, sum, t->err);
}

static void add_step(struct tally *t, struct nereus_cost_sum *sum, enum nereus_step_kind kind,
                     int64_t old_processes, int64_t new_processes)
{
    const struct nereus_step step = {
        .kind = kind, .repeat = 1, .old_processes = old_processes, .new_processes = new_processes};
    add(t, sum, &step);
}

/* Spawn and what follows from it: the placement is computed once for all of these steps. */
static void add_spawn(struct tally *t, struct nereus_cost_sum *sum, bool single, bool merge,
                      int64_t old_processes, int64_t count, int64_t first_new)
{
    const struct nereus_step spawn = {.kind = NEREUS_STEP_SPAWN,
                                      .repeat = 1,
                                      .old_processes = old_processes,
                                      .new_processes = count,
                                      .first_new = first_new};
    const enum nereus_step_kind group[] = {NEREUS_STEP_SPAWN, NEREUS_STEP_CONNECT, NEREUS_STEP_JOIN,
                                           NEREUS_STEP_MERGE};
    const bool present[] = {true, single, true, merge};
    struct nereus_cost_input input;
    nereus_cost_input_make(&t->context, &spawn, &input);
    for (int i = 0; i < 4 && t->status == NEREUS_OK; i++)
        if (present[i])
            t->status =
                nereus_price_add(t->profile, &t->context, &input, group[i], t->oversubscribed, sum, t->err);
}

/* What a commit takes longer for the old data that it frees: of its model the term of these bytes alone, since the
 * rest is in the process part. */
static void add_freed(struct tally *t, struct nereus_cost_sum *sum, const struct nereus_step *commit)
{
    const struct nereus_linear_model *model =
        nereus_cost_model(t->profile, NEREUS_STEP_COMMIT, t->oversubscribed);
    const char *freed = nereus_feature_name(NEREUS_FEATURE_FREED_BYTES);
    struct nereus_cost_input input;
    nereus_cost_input_make(&t->context, commit, &input);
    for (int i = 0; i < model->terms && t->status == NEREUS_OK; i++) {
        if (strcmp(model->names[i], freed) != 0)
            continue;
        struct nereus_linear_model term = *model;
        term.terms = 1;
        memcpy(term.names[0], model->names[i], sizeof term.names[0]);
        term.coefficients[0] = model->coefficients[i];
        term.covariance[0][0] = model->covariance[i][i];
        nereus_cost_add(sum, &term, &t->context, &input);
        if (sum->stand_in == &term)
            sum->stand_in = model;
    }
}

static void add_data(struct tally *t, const struct nereus_scenario *s, struct nereus_cost_sum *sum)
{
    if (s->constant_bytes + s->variable_bytes <= 0)
        return;
    struct nereus_step step = {.kind = NEREUS_STEP_ALLOCATE,
                               .repeat = 1,
                               .old_processes = s->ns,
                               .constant_bytes = (int64_t)s->constant_bytes,
                               .variable_bytes = (int64_t)s->variable_bytes};
    add(t, sum, &step);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, 0);
    step.kind = NEREUS_STEP_REDISTRIBUTE;
    step.new_processes = s->nt;
    add(t, sum, &step);
    step.kind = NEREUS_STEP_COMMIT;
    add_freed(t, sum, &step);
}

static void add_baseline(struct tally *t, const struct nereus_scenario *s, bool single,
                         struct nereus_cost_sum *sum)
{
    add_step(t, sum, NEREUS_STEP_DECIDE, s->ns, 0);
    add_spawn(t, sum, single, false, s->ns, s->nt, 0);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, s->nt);
    add_step(t, sum, NEREUS_STEP_COMMIT, s->ns, s->nt);
    add_step(t, sum, NEREUS_STEP_DISCONNECT, s->ns, s->nt);
}

static void add_merge_expand(struct tally *t, const struct nereus_scenario *s, bool single,
                             struct nereus_cost_sum *sum)
{
    const int64_t missing = s->nt - s->ns;
    const int64_t asleep = s->state != NULL ? nereus_jobstate_zombies(s->state) : 0;
    const int64_t woken = asleep < missing ? asleep : missing;
    add_step(t, sum, NEREUS_STEP_DECIDE, s->ns, 0);
    if (woken > 0)
        add_step(t, sum, NEREUS_STEP_WAKE, s->ns, woken);
    if (missing > woken)
        add_spawn(t, sum, single, true, s->ns + woken, missing - woken, s->ns + woken);
    add_step(t, sum, NEREUS_STEP_AGREE, s->ns, missing);
    add_step(t, sum, NEREUS_STEP_COMMIT, s->ns, missing);
}

static void add_merge_shrink(struct tally *t, const struct nereus_scenario *s, struct nereus_cost_sum *sum)
{
    static const enum nereus_step_kind kinds[] = {NEREUS_STEP_DECIDE, NEREUS_STEP_SPLIT,  NEREUS_STEP_GATHER,
                                                  NEREUS_STEP_AGREE,  NEREUS_STEP_COMMIT, NEREUS_STEP_SLEEP};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        add_step(t, sum, kinds[i], s->ns, 0);
}

static void add_whole(struct tally *t, const struct nereus_scenario *s, const struct nereus_method *method,
                      struct nereus_cost_sum *sum)
{
    const struct nereus_linear_model *model = nereus_price_whole_model(t->profile, method);
    char text[NEREUS_METHOD_TEXT_MAX];
    if (model == NULL) {
        t->status =
            nereus_fail(t->err, NEREUS_ERR_NO_BASIS,
                        "the profile holds no measurement of '%s', and no plan of it can be priced: add "
                        "samples of it and fit again",
                        nereus_method_print(method, text));
        return;
    }
    struct nereus_cost_input input;
    nereus_price_whole_input(s->machine, s->ns, s->nt, method, &input);
    nereus_cost_add(sum, model, &t->context, &input);
}

static struct tally begin(const struct nereus_profile *profile, const struct nereus_scenario *s,
                          const struct nereus_method *method, struct nereus_error *err)
{
    return (struct tally){.profile = profile,
                          .context = nereus_price_context(profile, s, method),
                          .oversubscribed = nereus_cost_oversubscribed(s->machine, s->ns, s->nt, method),
                          .status = NEREUS_OK,
                          .err = err};
}

/* Merge to the present size: there is nothing to do, nor any data to move. */
static bool nothing_to_do(const struct nereus_scenario *s, const struct nereus_method *method)
{
    return method->process == NEREUS_MERGE && s->ns == s->nt;
}

enum nereus_status nereus_price_data(const struct nereus_profile *profile, const struct nereus_scenario *s,
                                     const struct nereus_method *method, struct nereus_cost_sum *data,
                                     struct nereus_error *err)
{
    struct tally t = begin(profile, s, method, err);
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    if (!nothing_to_do(s, method))
        add_data(&t, s, &sum);
    if (t.status == NEREUS_OK)
        *data = sum;
    return t.status;
}

enum nereus_status nereus_price_parts(const struct nereus_profile *profile, const struct nereus_scenario *s,
                                      const struct nereus_method *method, struct nereus_price_parts *parts,
                                      struct nereus_error *err)
{
    struct tally t = begin(profile, s, method, err);
    struct nereus_price_parts p = {NEREUS_COST_SUM_INIT, NEREUS_COST_SUM_INIT};
    const bool single = method->strategy == NEREUS_SINGLE;
    struct nereus_method m = *method;
    m.shrink = nereus_price_shrink(profile, s, method);
    if (nothing_to_do(s, method)) {
        *parts = p;
        return NEREUS_OK;
    }
    const bool whole = nereus_price_is_whole(&m, s->nt < s->ns);
    if (whole)
        add_whole(&t, s, &m, &p.process);
    else if (m.process != NEREUS_MERGE)
        add_baseline(&t, s, single, &p.process);
    else if (s->nt > s->ns)
        add_merge_expand(&t, s, single, &p.process);
    else
        add_merge_shrink(&t, s, &p.process);
    if (!whole)
        nereus_price_add_waits(profile, &t.context, t.oversubscribed, &p.process);
    add_data(&t, s, &p.data);
    if (t.status == NEREUS_OK)
        *parts = p;
    return t.status;
}

enum nereus_status nereus_price_closed(const struct nereus_profile *profile,
                                       const struct nereus_scenario *scenario,
                                       const struct nereus_method *method, double *rt_s,
                                       struct nereus_error *err)
{
    struct nereus_price_parts parts;
    const enum nereus_status status = nereus_price_parts(profile, scenario, method, &parts, err);
    if (status == NEREUS_OK)
        *rt_s = parts.process.value_s + parts.data.value_s;
    return status;
}
