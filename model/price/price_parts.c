/**
 * @file price_parts.c
 * Prices a reconfiguration step by step, as the steps are emitted (model/plan/emit.h), without a
 * plan in memory.
 *
 * The plan is made of the same steps, so that both have the same price. Steps for processes are
 * added to one sum, steps for data to three: with the application stopped, overlapped, and the
 * overlapped ones by blocking calls. A method that was measured as a whole is priced as a whole,
 * which is more accurate than the sum of its steps.
 */
#include "price_parts.h"

#include "model/plan/groups.h"

struct price_sink {
    struct nereus_step_sink sink;
    struct nereus_cost_context context;
    unsigned wanted;
    struct nereus_price_parts *parts;
};

static enum nereus_status add_step(struct price_sink *p, struct nereus_cost_sum *sum,
                                   const struct nereus_step *step, struct nereus_error *err)
{
    return nereus_price_step(&p->context, step, sum, err);
}

/* Time of a commit for the old data that it frees: only the term of these bytes, as the process
 * part contains the rest. */
static void add_freed(struct price_sink *p, const struct nereus_step *commit)
{
    const struct nereus_linear_model *model = nereus_context_model(&p->context, NEREUS_STEP_COMMIT);
    struct nereus_cost_sum *sum = &p->parts->data;
    struct nereus_cost_input input;
    nereus_cost_input_make(&p->context, commit, &input);
    for (int i = 0; i < model->terms; i++) {
        if (nereus_cost_term(model, i) != NEREUS_TERM_FREED_BYTES)
            continue;
        struct nereus_linear_model term = *model;
        term.terms = 1;
        memcpy(term.names[0], model->names[i], sizeof term.names[0]);
        term.term_numbers[0] = model->term_numbers[i];
        term.coefficients[0] = model->coefficients[i];
        term.covariance[0][0] = model->covariance[i][i];
        nereus_cost_add(sum, &term, &p->context, &input);
        if (sum->prior == &term)
            sum->prior = model;
        if (sum->extrapolated_model == &term)
            sum->extrapolated_model = model;
    }
}

static enum nereus_status add_commit(struct price_sink *p, const struct nereus_step *step,
                                     struct nereus_error *err)
{
    if ((p->wanted & NEREUS_PART_DATA) != 0 && step->constant_bytes + step->variable_bytes > 0)
        add_freed(p, step);
    if ((p->wanted & NEREUS_PART_PROCESSES) == 0)
        return NEREUS_OK;
    struct nereus_step process = *step;
    process.constant_bytes = process.variable_bytes = 0;
    return add_step(p, &p->parts->process, &process, err);
}

/* Price overlapped data by blocking calls, too. */
static enum nereus_status add_overlapped(struct price_sink *p, const struct nereus_step *step,
                                         struct nereus_error *err)
{
    struct nereus_step blocking = *step;
    blocking.thread = NEREUS_MAIN_THREAD;
    NEREUS_TRY(add_step(p, &p->parts->blocking, &blocking, err));
    return add_step(p, &p->parts->overlapped, step, err);
}

static enum nereus_status take_step(struct nereus_step_sink *sink, const struct nereus_step *step,
                                    struct nereus_error *err)
{
    struct price_sink *p = (struct price_sink *)sink;
    if (step->kind == NEREUS_STEP_COMMIT)
        return add_commit(p, step, err);
    if (!step->for_data)
        return add_step(p, &p->parts->process, step, err);
    return nereus_step_is_overlapped(step) ? add_overlapped(p, step, err)
                                           : add_step(p, &p->parts->data, step, err);
}

static void begin_sink(const struct nereus_profile *profile, const struct nereus_scenario *s,
                       const struct nereus_method *method, unsigned wanted_parts,
                       struct nereus_price_parts *parts, struct price_sink *p)
{
    p->sink.take = take_step;
    p->context = nereus_price_context(profile, s, method);
    p->wanted = wanted_parts;
    p->parts = parts;
}

/* Make the outline of a reconfiguration in which all leavers sleep, or all end with their worlds.
 * @param method  with a definite shrink kind */
static void make_outline(const struct nereus_scenario *s, const struct nereus_method *method,
                         struct nereus_outline *o)
{
    const int64_t asleep = nereus_jobstate_zombies(s->state);
    *o = (struct nereus_outline){
        .method = nereus_method_resolve(method),
        .ns = s->ns,
        .nt = s->nt,
        .has_data = s->constant_bytes + s->variable_bytes + s->replicated_bytes > 0,
        .bytes = {(int64_t)s->constant_bytes, (int64_t)s->variable_bytes,
                  (int64_t)s->replicated_bytes}};
    nereus_outline_set_starts(asleep, o);
    if (o->method.process == NEREUS_MERGE && s->nt < s->ns) {
        /* as in nereus_request_place, because no process is started */
        o->method.strategy = NEREUS_PLAIN;
        *(o->method.shrink == NEREUS_TS ? &o->ending : &o->sleeping) = s->ns - s->nt;
        o->releasing = o->ending > 0 ? asleep : 0;
    }
}

enum nereus_status nereus_price_emit(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method, unsigned wanted_parts,
                                     struct nereus_step_sink *sink, struct nereus_error *err)
{
    struct nereus_outline outline;
    struct nereus_groups groups;
    enum nereus_status status = NEREUS_OK;
    make_outline(scenario, method, &outline);
    const bool several = (wanted_parts & NEREUS_PART_PROCESSES) != 0 && outline.spawned > 0 &&
                         nereus_strategy_ops_of(outline.method.strategy)->several_worlds;
    if (several) {
        outline.groups = &groups;
        status = nereus_groups_make(scenario->machine, scenario->state, &outline, &groups, err);
    }
    if (status != NEREUS_OK)
        return status;
    status = nereus_emit_steps(&outline, wanted_parts, sink, err);
    if (several)
        nereus_groups_fini(&groups);
    return status;
}

static void add_whole(struct price_sink *p, const struct nereus_scenario *s,
                      const struct nereus_method *method)
{
    struct nereus_cost_input input;
    nereus_price_whole_input(s->machine, s->ns, s->nt, method, &input);
    nereus_cost_add(&p->parts->process, nereus_price_whole_model(p->context.profile, method),
                    &p->context, &input);
}

static enum nereus_status price_wanted(const struct nereus_profile *profile,
                                       const struct nereus_scenario *s,
                                       const struct nereus_method *method, unsigned wanted_parts,
                                       struct nereus_price_parts *parts, struct nereus_error *err)
{
    const struct nereus_cost_sum none = NEREUS_COST_SUM_INIT;
    struct price_sink sink;
    *parts = (struct nereus_price_parts){none, none, none, none};
    if (nereus_price_does_nothing(s, method))
        return NEREUS_OK;
    const struct nereus_method m = nereus_priced_method(profile, s, method);
    begin_sink(profile, s, method, wanted_parts, parts, &sink);
    const bool processes = (wanted_parts & NEREUS_PART_PROCESSES) != 0;
    const bool whole = processes && nereus_price_uses_one_model(&m, s->nt <= s->ns) &&
                       nereus_price_whole_model(profile, &m) != NULL;
    if (whole) {
        add_whole(&sink, s, &m);
        sink.wanted &= ~(unsigned)NEREUS_PART_PROCESSES;
    }
    const enum nereus_status status =
        sink.wanted != 0 ? nereus_price_emit(s, &m, sink.wanted, &sink.sink, err) : NEREUS_OK;
    if (status == NEREUS_OK && processes && !whole)
        nereus_price_add_unattributed(&sink.context, &parts->process);
    return status;
}

enum nereus_status nereus_price_data(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_method *method,
                                     struct nereus_price_parts *parts, struct nereus_error *err)
{
    return price_wanted(profile, scenario, method, NEREUS_PART_DATA, parts, err);
}

enum nereus_status nereus_price_process(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method,
                                        struct nereus_cost_sum *sum, struct nereus_error *err)
{
    struct nereus_scenario without_data = *scenario;
    struct nereus_price_parts parts;
    /* skip the search for what keep moves; but without data load balance would have no steps at all
     */
    if (!nereus_method_rebalances(method, scenario->ns, scenario->nt))
        without_data.constant_bytes = without_data.variable_bytes = 0;
    const enum nereus_status status =
        price_wanted(profile, &without_data, method, NEREUS_PART_PROCESSES, &parts, err);
    *sum = parts.process;
    return status;
}

enum nereus_status nereus_price_all_parts(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_price_parts *parts,
                                          struct nereus_error *err)
{
    return price_wanted(profile, scenario, method, NEREUS_PART_PROCESSES | NEREUS_PART_DATA, parts,
                        err);
}
