/*
 * Methods whose steps have no rows of their own (spawn trees, termination shrink in tables of the
 * papers): one linear model each, of whole reconfigurations. Their terms are in
 * price_common.c. If a calibration measured each step, the sum of the steps is used: whole
 * reconfigurations are measured at few sizes only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/price_parts.h"
#include "priors.h"

/*
 * Methods that are fitted together, with a constant each and shared other terms, as each alone has
 * hardly more sizes than terms. The strategies with few rounds all start a group on every node and
 * connect the groups in the same rounds. The rows of plain merge, which starts the same processes
 * on the same nodes, are used too.
 * With more rounds of starts other terms count, and the method is fitted by itself.
 */
struct family {
    struct nereus_method members[NEREUS_STRATEGY_COUNT];
    size_t member_count;
    const struct nereus_sample **rows; /* owned */
    size_t *member_of;                 /* owned; of each row */
    size_t row_count;
    const enum nereus_feature *terms; /* the first is the constant */
    size_t term_count;
};

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

/* Plain merge, only expansions: it shrinks without spawning. */
static bool lends(const struct nereus_sample *s, const struct nereus_method *plain)
{
    return plain->strategy == NEREUS_PLAIN && s->nt > s->ns && is_row_of(s, plain);
}

static bool has_rows(const struct nereus_fit_rows *rows, const struct nereus_method *method)
{
    for (size_t i = 0; i < rows->count; i++)
        if (belongs(rows->rows[i], method))
            return true;
    return false;
}

static void add_member(const struct nereus_method *method, enum nereus_strategy strategy,
                       struct family *f)
{
    struct nereus_method *member = &f->members[f->member_count++];
    *member = *method;
    member->strategy = strategy;
}

static void family_members(const struct nereus_fit_rows *rows, const struct nereus_method *method,
                           struct family *f)
{
    struct nereus_method other = *method;
    add_member(method, method->strategy, f);
    if (method->shrink == NEREUS_TS || !nereus_strategy_has_few_rounds(method->strategy))
        return;
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++) {
        other.strategy = (enum nereus_strategy)s;
        if (other.strategy != method->strategy && nereus_strategy_has_few_rounds(other.strategy) &&
            has_rows(rows, &other))
            add_member(method, other.strategy, f);
    }
    if (method->process == NEREUS_MERGE)
        add_member(method, NEREUS_PLAIN, f);
}

/* The rows of a method and of its family. */
static enum nereus_status family_make(const struct nereus_fit_rows *rows,
                                      const struct nereus_method *method, struct family *f,
                                      struct nereus_error *err)
{
    memset(f, 0, sizeof *f);
    family_members(rows, method, f);
    f->term_count = (size_t)nereus_price_whole_terms(method, &f->terms);
    f->rows = malloc((rows->count + 1) * sizeof(const struct nereus_sample *));
    f->member_of = malloc((rows->count + 1) * sizeof *f->member_of);
    if (f->rows == NULL || f->member_of == NULL)
        return nereus_fit_no_memory(rows, err);
    for (size_t i = 0; i < rows->count; i++)
        for (size_t m = 0; m < f->member_count; m++)
            if (belongs(rows->rows[i], &f->members[m]) || lends(rows->rows[i], &f->members[m])) {
                f->rows[f->row_count] = rows->rows[i];
                f->member_of[f->row_count++] = m;
                break;
            }
    return NEREUS_OK;
}

static void family_fini(struct family *f)
{
    free(f->rows);
    free(f->member_of);
}

/* Column of term t of a member: constants of the members first, then the shared terms. */
static size_t column_of(const struct family *f, size_t member, size_t term)
{
    return term == 0 ? member : f->member_count + term - 1;
}

static void fill(const struct family *f, struct nereus_regression *r)
{
    for (size_t i = 0; i < f->row_count; i++) {
        const struct nereus_sample *s = f->rows[i];
        struct nereus_node node;
        struct nereus_cost_input input;
        const struct nereus_machine machine = nereus_fit_machine(s, &node);
        nereus_price_whole_input(&machine, s->ns, s->nt, &s->method, &input);
        for (size_t t = 0; t < f->term_count; t++)
            r->x[i * r->columns + column_of(f, f->member_of[i], t)] =
                nereus_cost_feature(f->terms[t], &input);
        r->time_s[i] = s->rt_s;
    }
}

static bool any_single_run(const struct family *f)
{
    bool any = false;
    for (size_t i = 0; i < f->row_count; i++)
        any = any || f->rows[i]->n <= 1;
    return any;
}

/* Members start the same processes on the same nodes: a constant is expected to be that of the
 * first one. */
static void set_priors(const struct family *f, const char *model, const char *const *names,
                       struct nereus_regression *r)
{
    static const double alike = 0.1;
    nereus_priors_set(model, names, 1, 0, r);
    for (size_t m = 1; m < f->member_count; m++)
        r->priors[m] = (struct nereus_prior){1, alike, 1};
    for (size_t t = 1; t < f->term_count; t++) {
        const struct nereus_term_prior *prior = nereus_term_prior(model, names[t]);
        r->priors[column_of(f, 0, t)] =
            (struct nereus_prior){prior->value, prior->log_sd, prior->of != NULL ? 1 : 0};
    }
    r->usual[0] = nereus_usual_scatter(model, any_single_run(f));
}

/* Sizes that the member was measured at, not those of its family. */
static void store_range(const struct family *f, size_t member, struct nereus_linear_model *m)
{
    for (size_t r = 0; r < f->row_count; r++) {
        const struct nereus_sample *s = f->rows[r];
        struct nereus_node node;
        struct nereus_cost_input input;
        const struct nereus_machine machine = nereus_fit_machine(s, &node);
        if (f->member_of[r] != member)
            continue;
        nereus_price_whole_input(&machine, s->ns, s->nt, &s->method, &input);
        nereus_fit_range(m, s->ns, s->nt, input.load.load);
    }
}

static const char *model_name(const struct nereus_method *method)
{
    return method->shrink == NEREUS_TS                                 ? "ts method"
           : nereus_method_carried_out(method).process == NEREUS_MERGE ? "merge method"
                                                                       : "baseline method";
}

/* A member's share of the result: its constant and the shared terms. */
static void store(const struct family *f, const struct nereus_regression *r,
                  const char *const *names, struct nereus_linear_model *m)
{
    size_t columns[NEREUS_TERMS_MAX];
    for (size_t t = 0; t < f->term_count; t++)
        columns[t] = column_of(f, 0, t);
    nereus_fit_take(r, columns, f->term_count, names, m);
    store_range(f, 0, m);
    m->basis = NEREUS_BASIS_FITTED;
    m->rows = (int64_t)r->rows;
    m->log_sd = r->log_sd[0];
    m->degrees_of_freedom = (int64_t)r->degrees_of_freedom[0];
}

static enum nereus_status fit_method(const struct nereus_fit_rows *rows,
                                     const struct nereus_method *method,
                                     struct nereus_linear_model *m, struct nereus_error *err)
{
    struct family family;
    struct nereus_regression r = {0};
    const char *names[NEREUS_TERMS_MAX];
    enum nereus_status status = family_make(rows, method, &family, err);
    if (status == NEREUS_OK)
        status = nereus_regression_init(family.row_count,
                                        family.member_count + family.term_count - 1, &r, err);
    for (size_t t = 0; t < family.term_count; t++)
        names[t] = nereus_feature_name(family.terms[t]);
    if (status == NEREUS_OK) {
        set_priors(&family, model_name(method), names, &r);
        fill(&family, &r);
        status = nereus_regression_fit(&r, err);
    }
    if (status == NEREUS_OK)
        store(&family, &r, names, m);
    nereus_regression_fini(&r);
    family_fini(&family);
    return status;
}

enum nereus_status nereus_fit_whole(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_method method = rows->rows[i]->method;
        method.has_data = false;
        if (!belongs(rows->rows[i], &method) ||
            nereus_price_whole_model(profile, &method) != NULL ||
            nereus_fit_steps_known(profile, rows->rows[i]))
            continue;
        struct nereus_whole_model *grown =
            realloc(profile->whole, (size_t)(profile->whole_count + 1) * sizeof *grown);
        if (grown == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a profile");
        profile->whole = grown;
        struct nereus_whole_model *one = &grown[profile->whole_count];
        memset(one, 0, sizeof *one);
        one->method = method;
        profile->whole_count++;
        const enum nereus_status status = fit_method(rows, &method, &one->model, err);
        if (status != NEREUS_OK)
            return status;
    }
    return NEREUS_OK;
}
