/**
 * @file fit_steps.c
 * Fits the terms of all step kinds by one regression.
 *
 * A row of a step kind measures the terms of that kind; a row of a whole reconfiguration (a whole
 * row) measures the sum over the steps of its plan. Both are lines of one design matrix, so that
 * tables of whole reconfigurations and a calibration's single steps are fitted in the same way,
 * alone or together. Groups of rows scatter differently (a spawn repeats to a few per cent, an
 * agreement of microseconds does not): each has its own scatter (regression.h).
 *
 * Step rows are gathered into cells first, one median each (fit_cells.c). Kinds that occur in no
 * whole row are fitted one by one, which is faster and converges better. A whole row whose steps
 * all have rows of their own is used only for the unattributed time (fit_unattributed.c). Without
 * rows of `split`, shrinks by merge form a group of their own: z0 on one node, else z1
 * log2(nodes(NS)) (equation 3: T_split + T_gather), contains all their steps.
 */

#include "fit.h"
#include "fit_cells.h"
#include "fit_factors.h"
#include "fit_model.h"
#include "model/price/cost.h"
#include "priors.h"
#include "scatter.h"

enum { KINDS = NEREUS_STEP_KIND_COUNT, COLUMNS_MAX = KINDS * NEREUS_TERMS_MAX };
/* Groups of rows: one per step kind, whole shrinks, and all other whole reconfigurations. */
enum { SHRINKS = NEREUS_STEP_SPLIT, WHOLE = KINDS };

struct steps_fit {
    const struct nereus_profile *profile;
    struct nereus_linear_model *models; /* indexed by step kind */
    struct nereus_fit_cells cells;
    double *scratch;                   /* one value per row */
    struct nereus_fit_single *singles; /* one per row */
    bool oversubscribed, single_runs;
    bool measured[KINDS];    /* the kind has step rows */
    bool occurs[KINDS];      /* the kind occurs in a whole row that is used */
    bool fitted[KINDS];      /* this regression sets the kind */
    size_t first[KINDS + 1]; /* first column of a kind; its last is before the next kind's first */
    enum nereus_term terms[COLUMNS_MAX];
    const char *names[COLUMNS_MAX];
};

/* Does the kind have rows? `end` may have rows, but no cell: a trace's start begins when the last
 * source has agreed to end (src/core/restarted.c), so that `end` takes no time. */
static bool is_measured(const struct steps_fit *fit, enum nereus_step_kind kind)
{
    return fit->measured[kind] || (kind == NEREUS_STEP_END && fit->measured[NEREUS_STEP_START]);
}

/* Make the plan of a whole row; it is empty where each of its steps has rows of its own. */
static enum nereus_status make_plan(const struct steps_fit *fit, const struct nereus_sample *s,
                                    struct nereus_plan *plan, struct nereus_error *err)
{
    bool known = true;
    memset(plan, 0, sizeof *plan);
    if (!nereus_fit_is_planned(s, fit->oversubscribed))
        return NEREUS_OK;
    NEREUS_TRY(nereus_fit_row_plan(s, plan, err));
    for (int i = 0; i < plan->step_count; i++)
        known = known && is_measured(fit, plan->steps[i].kind);
    if (known)
        nereus_plan_fini(plan);
    return NEREUS_OK;
}

static enum nereus_status find_kinds(const struct nereus_fit_rows *rows, struct steps_fit *fit,
                                     struct nereus_error *err)
{
    for (size_t i = 0; i < fit->cells.count; i++)
        fit->measured[fit->cells.cells[i].sample.step] = true;
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_plan plan;
        NEREUS_TRY(make_plan(fit, rows->rows[i], &plan, err));
        for (int s = 0; s < plan.step_count; s++)
            fit->occurs[plan.steps[s].kind] = true;
        nereus_plan_fini(&plan);
    }
    return NEREUS_OK;
}

static void offer_columns(struct steps_fit *fit)
{
    static const enum nereus_term rest = NEREUS_TERM_CONST;
    size_t n = 0;
    for (int k = 0; k < KINDS; k++) {
        const struct nereus_cost_kind *kind = nereus_cost_kind_of((enum nereus_step_kind)k);
        const bool is_measured = fit->measured[k];
        const enum nereus_term *terms = is_measured ? kind->terms : kind->whole_terms;
        int count = !fit->fitted[k]  ? 0
                    : is_measured    ? kind->term_count
                    : fit->occurs[k] ? kind->whole_term_count
                                     : 0;
        /* If spawn has rows of its own, the rest of whole reconfigurations (all other steps) is one
         * constant, stored as decide's. */
        if (k == NEREUS_STEP_DECIDE && fit->fitted[k] && !is_measured && fit->occurs[k] &&
            fit->measured[NEREUS_STEP_SPAWN]) {
            terms = &rest;
            count = 1;
        }
        fit->first[k] = n;
        for (int i = 0; i < count; i++, n++) {
            fit->terms[n] = terms[i];
            fit->names[n] = nereus_term_name(terms[i]);
        }
    }
    fit->first[KINDS] = n;
}

/* Model name in the table of priors of a kind's terms: measured by themselves, or as part of whole
 * reconfigurations. */
static const char *find_priors_name(const struct steps_fit *fit, enum nereus_step_kind kind)
{
    static const char *const parts[KINDS] = {[NEREUS_STEP_DECIDE] = "rest",
                                             [NEREUS_STEP_MERGE] = "merge in whole rows",
                                             [NEREUS_STEP_SPLIT] = "shrink"};
    return fit->measured[kind] || parts[kind] == NULL ? nereus_step_name(kind) : parts[kind];
}

static void set_priors(const struct steps_fit *fit, struct nereus_regression *r)
{
    for (int k = 0; k < KINDS; k++) {
        const size_t first = fit->first[k];
        nereus_priors_set(find_priors_name(fit, (enum nereus_step_kind)k), fit->names + first,
                          fit->first[k + 1] - first, first, r);
        r->prior_scatter[k] = nereus_prior_scatter_of("step", false);
    }
    if (!fit->measured[NEREUS_STEP_SPLIT])
        r->prior_scatter[SHRINKS] = nereus_prior_scatter_of("shrink", false);
    r->prior_scatter[WHOLE] = nereus_prior_scatter_of("whole", fit->single_runs);
}

/* The plan step that a step row measured, assuming that new processes are placed after the old
 * ones. */
static struct nereus_step make_row_step(const struct nereus_sample *s)
{
    struct nereus_step step = {.kind = s->step,
                               .repeat = 1,
                               .old_processes = s->old_processes,
                               .new_processes = s->new_processes,
                               .first_new = s->old_processes};
    step.constant_bytes = s->bytes > 0 ? (int64_t)s->bytes : 0;
    return step;
}

static void make_row_context(const struct steps_fit *fit, const struct nereus_sample *s,
                             const struct nereus_machine *machine,
                             struct nereus_cost_context *context)
{
    struct nereus_method method = s->method;
    const int64_t ns = s->ns > 0 ? s->ns : s->old_processes;
    const int64_t targets = s->new_processes > 0 ? s->new_processes : s->old_processes;
    const int64_t nt = s->nt > 0 ? s->nt : targets;
    if (s->kind == NEREUS_SAMPLE_STEP && !method.has_data)
        method.process = NEREUS_MERGE; /* the row names no method */
    nereus_cost_context_init(fit->profile, machine, ns > 0 ? ns : 1, nt, &method, context);
    context->oversubscribed = fit->oversubscribed;
}

/* Add the features of one step to the next row, and widen the range of its kind's model. */
static void add_features(const struct steps_fit *fit, const struct nereus_cost_context *context,
                         const struct nereus_step *step, struct nereus_regression *r)
{
    struct nereus_cost_input input;
    nereus_cost_input_make(context, step, &input);
    for (size_t c = fit->first[step->kind]; c < fit->first[step->kind + 1]; c++)
        r->x[r->rows * r->columns + c] += nereus_cost_feature(fit->terms[c], &input);
    nereus_fit_widen_range(&fit->models[step->kind], context->ns, context->nt,
                           input.load.core_load);
}

static void add_cell(const struct steps_fit *fit, const struct nereus_fit_cell *cell,
                     struct nereus_regression *r)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(&cell->sample, &node);
    const struct nereus_step step = make_row_step(&cell->sample);
    struct nereus_cost_context context;
    make_row_context(fit, &cell->sample, &machine, &context);
    context.starts = cell->starts;
    add_features(fit, &context, &step, r);
    /* the merge of old and new processes has old + new targets */
    nereus_fit_widen_range(&fit->models[step.kind], context.ns,
                           step.old_processes + step.new_processes, 0);
    r->time_s[r->rows] = cell->sample.time_s;
    r->sigma[r->rows] = cell->sigma;
    r->group[r->rows++] = (int)step.kind;
}

static enum nereus_status add_whole(struct steps_fit *fit, const struct nereus_sample *s,
                                    struct nereus_regression *r, struct nereus_error *err)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    struct nereus_cost_context context;
    struct nereus_plan plan;
    bool shrinks = false;
    NEREUS_TRY(make_plan(fit, s, &plan, err));
    if (plan.step_count == 0)
        return NEREUS_OK;
    make_row_context(fit, s, &machine, &context);
    for (int i = 0; i < plan.step_count && !fit->measured[NEREUS_STEP_SPLIT]; i++)
        shrinks = shrinks || plan.steps[i].kind == NEREUS_STEP_SPLIT;
    for (int i = 0; i < plan.step_count; i++)
        if (!shrinks || plan.steps[i].kind == NEREUS_STEP_SPLIT)
            add_features(fit, &context, &plan.steps[i], r);
    nereus_plan_fini(&plan);
    fit->single_runs = fit->single_runs || (!shrinks && s->n <= 1);
    r->time_s[r->rows] = s->rt_s;
    r->group[r->rows++] = shrinks ? SHRINKS : WHOLE;
    return NEREUS_OK;
}

/* Do the rows determine a coefficient: is its term at least 1 % of a row, or its posterior narrower
 * than its prior? */
static bool is_seen(const struct nereus_regression *r, size_t column)
{
    static const double min_share = 0.01, narrower = 0.9;
    bool seen =
        sqrt(r->covariance[column * (r->columns + 1)]) < narrower * r->priors[column].log_sd;
    for (size_t i = 0; i < r->rows; i++)
        seen = seen || r->x[i * r->columns + column] * r->coefficients[column] >
                           min_share * nereus_regression_value_s(r, i);
    return seen;
}

/* Does a term that is 0 in every row stay in the model, with its prior as coefficient? Start, start
 * on full nodes and shrinks do. Without the prior of full nodes a respawn, whose sources and
 * targets share nodes, would be priced as an expansion. */
static bool keeps_prior(const struct steps_fit *fit, const struct nereus_regression *r,
                        enum nereus_step_kind kind, size_t column)
{
    const enum nereus_term term = fit->terms[column];
    bool zero = term == NEREUS_TERM_OVERLOAD || term == NEREUS_TERM_OVERLOAD_AWAKE ||
                term == NEREUS_TERM_STARTS || (kind == NEREUS_STEP_SPLIT && !fit->measured[kind]);
    for (size_t i = 0; i < r->rows && zero; i++)
        zero = !(r->x[i * r->columns + column] > 0);
    return zero;
}

/* Store scatter and factors of a kind's single measurements relative to the fit of their cells. */
static void store_singles(const struct steps_fit *fit, const struct nereus_regression *r,
                          enum nereus_step_kind kind, struct nereus_linear_model *m)
{
    const size_t terms = (size_t)m->terms;
    size_t n = 0, row = 0;
    double log_s = 0; /* sum of the times' logarithms */
    for (size_t i = 0; i < fit->cells.count; i++) {
        const struct nereus_fit_cell *cell = &fit->cells.cells[i];
        for (size_t k = 0; k < cell->count && cell->sample.step == kind; k++) {
            const double value_s = nereus_regression_value_s(r, row);
            log_s += log(cell->times_s[k]);
            fit->singles[n] = (struct nereus_fit_single){cell->times_s[k], value_s};
            fit->scratch[n++] = log(cell->times_s[k] / value_s);
        }
        row += fit->fitted[cell->sample.step];
    }
    m->rows = (int64_t)n;
    nereus_fit_factors(fit->scratch, n, terms, exp(log_s / (double)n), m);
    m->log_sd = nereus_fit_log_sd(fit->scratch, n, terms);
    nereus_fit_set_long_and_short(fit->singles, n, terms, fit->scratch, m);
}

static void store_scatter(const struct steps_fit *fit, const struct nereus_regression *r,
                          enum nereus_step_kind kind, struct nereus_linear_model *m)
{
    const int group = kind == NEREUS_STEP_SPLIT ? SHRINKS : WHOLE;
    if (fit->measured[kind]) {
        store_singles(fit, r, kind, m);
        return;
    }
    m->rows = 0;
    for (size_t i = 0; i < r->rows; i++)
        m->rows += r->group[i] == group;
    m->log_sd = r->log_sd[group];
    m->degrees_of_freedom = (int64_t)r->degrees_of_freedom[group];
}

static void store_kind(const struct steps_fit *fit, const struct nereus_regression *r,
                       enum nereus_step_kind kind)
{
    struct nereus_linear_model *m = &fit->models[kind];
    const char *names[NEREUS_TERMS_MAX];
    size_t columns[NEREUS_TERMS_MAX], count = 0;
    for (size_t c = fit->first[kind]; c < fit->first[kind + 1]; c++) {
        const bool kept = keeps_prior(fit, r, kind, c);
        if (!kept && !is_seen(r, c))
            continue;
        columns[count] = c;
        names[count++] = fit->names[c];
        if (kept && fit->terms[c] != NEREUS_TERM_STARTS)
            snprintf(m->source, sizeof m->source, "%s",
                     nereus_term_prior_of(find_priors_name(fit, kind), fit->names[c])->source);
    }
    nereus_fit_store_terms(r, columns, count, names, m);
    store_scatter(fit, r, kind, m);
    if (m->terms > 0) {
        m->basis = NEREUS_BASIS_FITTED;
        return;
    }
    memset(m, 0, sizeof *m);
    /* decide is the first kind, so the rest, if any, is stored already */
    const bool rest = !fit->measured[NEREUS_STEP_DECIDE] &&
                      fit->models[NEREUS_STEP_DECIDE].basis == NEREUS_BASIS_FITTED;
    if (fit->occurs[kind] && kind != NEREUS_STEP_ALLOCATE && kind != NEREUS_STEP_REDISTRIBUTE)
        nereus_fit_set_contained(rest ? "decide" : "spawn or split", m);
}

/* Mark allocations as contained in the coefficients of transfers, if those were fitted. */
static void contain_allocation(const struct steps_fit *fit)
{
    struct nereus_linear_model *m = &fit->models[NEREUS_STEP_ALLOCATE];
    if (m->basis == NEREUS_BASIS_NONE && fit->occurs[NEREUS_STEP_ALLOCATE] &&
        fit->models[NEREUS_STEP_REDISTRIBUTE].basis == NEREUS_BASIS_FITTED)
        nereus_fit_set_contained("redistribute", m);
}

static void contain_end(struct steps_fit *fit)
{
    struct nereus_linear_model *m = &fit->models[NEREUS_STEP_END];
    if (m->basis == NEREUS_BASIS_NONE && is_measured(fit, NEREUS_STEP_END))
        nereus_fit_set_contained("start", m);
}

/* Fit one share of the kinds. Whole rows are used only with kinds that occur in them. */
static enum nereus_status fit_rows(const struct nereus_fit_rows *rows, struct steps_fit *fit,
                                   bool whole, struct nereus_regression *r,
                                   struct nereus_error *err)
{
    r->rows = 0;
    for (size_t i = 0; i < fit->cells.count; i++)
        if (fit->fitted[fit->cells.cells[i].sample.step])
            add_cell(fit, &fit->cells.cells[i], r);
    for (size_t i = 0; whole && i < rows->count; i++)
        NEREUS_TRY(add_whole(fit, rows->rows[i], r, err));
    set_priors(fit, r);
    NEREUS_TRY(nereus_regression_fit(r, err));
    for (int kind = 0; kind < KINDS; kind++)
        if (fit->fitted[kind] && (fit->measured[kind] || fit->occurs[kind]))
            store_kind(fit, r, (enum nereus_step_kind)kind);
    return NEREUS_OK;
}

/* Fit one kind that occurs in no whole row, or (KINDS) all others together. */
static enum nereus_status fit_share(const struct nereus_fit_rows *rows, struct steps_fit *fit,
                                    int share, struct nereus_error *err)
{
    struct nereus_regression r;
    for (int k = 0; k < KINDS; k++) {
        const bool alone = fit->measured[k] && !fit->occurs[k];
        fit->fitted[k] = share == KINDS ? !alone : alone && k == share;
    }
    offer_columns(fit);
    if (fit->first[KINDS] == 0)
        return NEREUS_OK;
    enum nereus_status status =
        nereus_regression_init(fit->cells.count + rows->count, fit->first[KINDS], &r, err);
    if (status == NEREUS_OK)
        status = fit_rows(rows, fit, share == KINDS, &r, err);
    nereus_regression_fini(&r);
    return status;
}

static enum nereus_status fit_load(const struct nereus_fit_rows *rows, bool oversubscribed,
                                   struct nereus_profile *profile, struct nereus_error *err)
{
    struct steps_fit fit = {.profile = profile,
                            .oversubscribed = oversubscribed,
                            .models =
                                oversubscribed ? profile->steps_oversubscribed : profile->steps,
                            .scratch = malloc((rows->count + 1) * sizeof *fit.scratch),
                            .singles = malloc((rows->count + 1) * sizeof *fit.singles)};
    enum nereus_status status = fit.scratch != NULL && fit.singles != NULL
                                    ? nereus_fit_cells_make(rows, oversubscribed, &fit.cells, err)
                                    : nereus_fit_fail_memory(rows, err);
    if (status == NEREUS_OK)
        status = find_kinds(rows, &fit, err);
    for (int share = 0; share <= KINDS && status == NEREUS_OK; share++)
        status = fit_share(rows, &fit, share, err);
    contain_allocation(&fit);
    contain_end(&fit);
    nereus_fit_cells_fini(&fit.cells);
    free(fit.scratch);
    free(fit.singles);
    return status;
}

enum nereus_status nereus_fit_steps(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    NEREUS_TRY(fit_load(rows, false, profile, err));
    return fit_load(rows, true, profile, err);
}
