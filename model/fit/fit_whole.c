/*
 * Reconfigurations measured as a whole, without steps of their own.
 *
 * Methods that start several worlds, and termination shrink: one linear model each; price_common.c
 * has their terms. If a calibration measured each step, the sum of the steps is used: whole
 * reconfigurations are measured at few sizes only.
 *
 * Shrinks by merge without spawning: z0 on one node, else z1 log2(nodes(NS)) (equation 3: T_split +
 * T_gather). The two terms contain the time of all steps of such a shrink.
 */
#include <stdlib.h>
#include <string.h>

#include "fit_question.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/price_parts.h"
#include "model/util/try.h"

/* ---- methods ---- */

static bool is_row_of(const struct nereus_sample *s, const struct nereus_method *method)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->oversubscribed &&
           !nereus_method_is_overlapped(&s->method) &&
           nereus_same_process(&s->method, method, method->shrink == NEREUS_TS);
}

static bool belongs(const struct nereus_sample *s, const struct nereus_method *method)
{
    return nereus_price_is_whole(&s->method, s->nt < s->ns) && is_row_of(s, method);
}

/*
 * Which variant of a method a row is of: 0 the method itself, -1 none.
 *
 * Methods are fitted together, with a constant each and shared other terms, as each alone has hardly
 * more sizes than terms: the strategies with few rounds all start a group on every node and connect
 * the groups in the same rounds, and a plain merge, if it expands, starts the same processes on the
 * same nodes. With more rounds of starts other terms count: that method is fitted by itself.
 */
static int variant_of(const struct nereus_sample *s, const struct nereus_method *method)
{
    struct nereus_method other = *method;
    if (belongs(s, method))
        return 0;
    other.strategy = s->method.strategy;
    if (method->shrink == NEREUS_TS || !nereus_strategy_has_few_rounds(method->strategy))
        return -1;
    const bool plain = method->process == NEREUS_MERGE && other.strategy == NEREUS_PLAIN &&
                       s->nt > s->ns && is_row_of(s, &other);
    const bool alike = nereus_strategy_has_few_rounds(other.strategy) && belongs(s, &other);
    return plain || alike ? 1 + (int)other.strategy : -1;
}

/* context: the method. */
static int method_equation(const struct nereus_sample *s, const void *method,
                           struct nereus_fit_equation *e)
{
    struct nereus_node node;
    e->variant = variant_of(s, method);
    if (e->variant < 0)
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    nereus_price_whole_input(&machine, s->ns, s->nt, &s->method, &e->cost);
    e->load = e->cost.load.load;
    e->time_s = s->rt_s;
    return 1;
}

static enum nereus_status fit_method(const struct nereus_fit_rows *rows,
                                     const struct nereus_method *method,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_whole_model *one,
        *grown = realloc(profile->whole, (size_t)(profile->whole_count + 1) * sizeof *grown);
    if (grown == NULL)
        return nereus_fit_no_memory(rows, err);
    profile->whole = grown;
    one = &grown[profile->whole_count++];
    *one = (struct nereus_whole_model){.method = *method};
    struct nereus_fit_question question = {
        .model = method->shrink == NEREUS_TS                                 ? "ts method"
                 : nereus_method_carried_out(method).process == NEREUS_MERGE ? "merge method"
                                                                             : "baseline method",
        .variants = method->shrink == NEREUS_TS ? 0 : NEREUS_STRATEGY_COUNT,
        .equations = method_equation,
        .context = method};
    question.term_count = (size_t)nereus_price_whole_terms(method, &question.cost);
    return nereus_fit_answer(&question, rows, &one->model, err);
}

enum nereus_status nereus_fit_whole(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_method method = rows->rows[i]->method;
        method.has_data = false;
        if (belongs(rows->rows[i], &method) && nereus_price_whole_model(profile, &method) == NULL &&
            !nereus_fit_steps_known(profile, rows->rows[i]))
            NEREUS_TRY(fit_method(rows, &method, profile, err));
    }
    return NEREUS_OK;
}

/* ---- shrinks by merge ---- */

/* context: oversubscribed or not (bool). */
static int shrink_equation(const struct nereus_sample *s, const void *context,
                           struct nereus_fit_equation *e)
{
    struct nereus_node node;
    if (s->oversubscribed != *(const bool *)context || !nereus_fit_is_zombie_shrink(s))
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    e->cost.load.old_nodes = nereus_machine_nodes_used(&machine, s->ns);
    e->time_s = s->rt_s;
    return 1;
}

enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_feature terms[] = {NEREUS_FEATURE_ONE_NODE,
                                                NEREUS_FEATURE_LOG2_SOURCE_NODES};
    static const enum nereus_step_kind others[] = {NEREUS_STEP_DECIDE, NEREUS_STEP_GATHER,
                                                   NEREUS_STEP_AGREE, NEREUS_STEP_COMMIT,
                                                   NEREUS_STEP_SLEEP};
    const struct nereus_fit_question question = {.model = "shrink",
                                                 .cost = terms,
                                                 .term_count = 2,
                                                 .equations = shrink_equation,
                                                 .context = &oversubscribed};
    struct nereus_linear_model *models =
                                   oversubscribed ? profile->steps_oversubscribed : profile->steps,
                               *split = &models[NEREUS_STEP_SPLIT];
    if (split->basis != NEREUS_BASIS_NONE) /* fitted with the other steps */
        return NEREUS_OK;
    NEREUS_TRY(nereus_fit_answer(&question, rows, split, err));
    /* The other steps of such a shrink have no rows of their own. */
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (split->basis == NEREUS_BASIS_FITTED && models[others[i]].basis == NEREUS_BASIS_NONE)
            nereus_fit_contain("split", &models[others[i]]);
    return NEREUS_OK;
}
