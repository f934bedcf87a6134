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

/* Columns: the members' constants, then the shared terms. Physics asks for each of these: one goes
 * only where the rows contradict its sign. */
static void fill(const struct family *f, struct nereus_fit_problem *problem)
{
    for (size_t c = f->member_count; c < problem->columns; c++)
        problem->needed[c] = true;
    for (size_t r = 0; r < f->row_count; r++) {
        const struct nereus_sample *s = f->rows[r];
        struct nereus_node node;
        struct nereus_cost_input input;
        const struct nereus_machine machine = nereus_fit_machine(s, &node);
        double *x = problem->x + r * problem->columns;
        nereus_price_whole_input(&machine, s->ns, s->nt, &s->method, &input);
        x[f->member_of[r]] = nereus_cost_feature(f->terms[0], &input);
        for (size_t t = 1; t < f->term_count; t++)
            x[f->member_count + t - 1] = nereus_cost_feature(f->terms[t], &input);
        problem->y[r] = problem->log_of[r] = s->rt_s;
    }
}

/* A member's share of the result: its constant and the shared terms. */
static void store(const struct family *f, const struct nereus_fit_result *result, size_t member,
                  struct nereus_linear_model *m)
{
    size_t from[NEREUS_TERMS_MAX];
    for (size_t t = 0; t < f->term_count; t++) {
        const size_t c = t == 0 ? member : f->member_count + t - 1;
        if (!result->kept[c])
            continue;
        from[m->terms] = c;
        nereus_fit_add_term(m, nereus_feature_name(f->terms[t]), result->coefficients[c]);
    }
    for (int i = 0; i < m->terms; i++)
        for (int j = 0; j < m->terms; j++)
            m->covariance[i][j] = result->covariance[from[i] * result->columns + from[j]];
    m->basis = m->terms > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
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

static enum nereus_status fit_method(const struct nereus_fit_rows *rows,
                                     const struct nereus_method *method,
                                     struct nereus_linear_model *m, struct nereus_error *err)
{
    struct family family;
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    enum nereus_status status = family_make(rows, method, &family, err);
    if (status == NEREUS_OK)
        status = nereus_fit_problem_init(
            family.row_count, family.member_count + family.term_count - 1, &problem, err);
    if (status != NEREUS_OK) {
        family_fini(&family);
        return status;
    }
    fill(&family, &problem);
    status = nereus_fit_log(&problem, 1e-6, &result, err);
    if (status == NEREUS_OK) {
        store(&family, &result, 0, m);
        store_range(&family, 0, m);
        /* The constants of the other members are degrees of freedom, too. */
        m->rows = (int64_t)family.row_count + m->terms - (int64_t)result.kept_count;
        m->log_sd = nereus_fit_spread(result.residuals, family.row_count, result.kept_count);
        nereus_fit_result_fini(&result);
    }
    nereus_fit_problem_fini(&problem);
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
