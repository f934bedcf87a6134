/*
 * One regression over the terms of all step kinds.
 *
 * A row of a step kind measures the terms of that kind; a row of a whole reconfiguration measures
 * the sum over the steps of its plan. Both are lines of one design matrix, so that tables of whole
 * reconfigurations and a calibration's single steps are fitted in the same way, alone or together.
 * Groups of rows scatter differently (a spawn repeats to a few per cent, an agreement of
 * microseconds does not): each has its own scatter (regression.h).
 *
 * Step rows are gathered into cells first, one median each (fit_cells.c). Kinds without whole rows
 * are fitted one by one. A whole row all of whose steps have rows of their own is not used here, but
 * for the unattributed time (fit_beyond_steps.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "fit_cells.h"
#include "model/price/cost_operation.h"
#include "model/price/price_parts.h"
#include "model/util/try.h"
#include "priors.h"

enum {
    COLUMNS_MAX = NEREUS_STEP_KIND_COUNT * NEREUS_TERMS_MAX,
    GROUPS = NEREUS_STEP_KIND_COUNT + 1,
    WHOLE_GROUP = 0
};

struct column {
    enum nereus_step_kind kind;
    enum nereus_feature feature;
};

struct line {
    int group; /* WHOLE_GROUP, or 1 + step kind */
    const struct nereus_sample *sample;
    const struct nereus_fit_cell *cell; /* NULL: a whole row */
};

struct steps_fit {
    struct line *lines;
    size_t line_count;
    struct column columns[COLUMNS_MAX];
    size_t column_count;
    bool measured[NEREUS_STEP_KIND_COUNT]; /* has step rows */
    bool occurs[NEREUS_STEP_KIND_COUNT];   /* in a whole reconfiguration */
    const struct nereus_hockney *pairs, *operations;
    struct nereus_linear_model *models; /* by step kind */
    double *scratch;                    /* as many as there are rows */
};

/* Add a whole row, unless each step of its plan has rows of its own. */
static enum nereus_status add_whole(const struct nereus_sample *s, struct steps_fit *fit,
                                    struct nereus_error *err)
{
    struct nereus_plan plan;
    NEREUS_TRY(nereus_fit_row_plan(s, &plan, err));
    bool known = true;
    for (int i = 0; i < plan.step_count; i++)
        known = known && fit->measured[plan.steps[i].kind];
    if (!known)
        fit->lines[fit->line_count++] = (struct line){WHOLE_GROUP, s, NULL};
    for (int i = 0; i < plan.step_count && !known; i++)
        fit->occurs[plan.steps[i].kind] = true;
    nereus_plan_fini(&plan);
    return NEREUS_OK;
}

/* Collect lines, and the kinds that have rows of their own or occur in whole rows. */
static enum nereus_status collect(const struct nereus_fit_rows *rows, bool oversubscribed,
                                  const struct nereus_fit_cells *cells, struct steps_fit *fit,
                                  struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (size_t i = 0; i < cells->count; i++) {
        const struct nereus_fit_cell *cell = &cells->cells[i];
        fit->measured[cell->sample.step] = true;
        fit->lines[fit->line_count++] =
            (struct line){1 + (int)cell->sample.step, &cell->sample, cell};
    }
    for (size_t i = 0; i < rows->count && status == NEREUS_OK; i++) {
        const struct nereus_sample *s = rows->rows[i];
        /* Without rows of `split` itself, zombie shrinks are fitted apart (fit_whole.c). */
        if (nereus_fit_is_planned(s, oversubscribed) &&
            !(nereus_fit_is_zombie_shrink(s) && !fit->measured[NEREUS_STEP_SPLIT]))
            status = add_whole(s, fit, err);
    }
    return status;
}

static void offer(struct steps_fit *fit, enum nereus_step_kind kind,
                  const enum nereus_feature *terms, int count)
{
    for (int i = 0; i < count; i++)
        fit->columns[fit->column_count++] = (struct column){kind, terms[i]};
}

static void offer_columns(struct steps_fit *fit)
{
    const enum nereus_feature rest = NEREUS_FEATURE_CONST;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        const enum nereus_step_kind kind = (enum nereus_step_kind)k;
        const struct nereus_cost_kind *row = nereus_cost_kind(kind);
        if (fit->measured[k])
            offer(fit, kind, row->terms, row->term_count);
        else if (fit->occurs[k])
            offer(fit, kind, row->whole_terms, row->whole_term_count);
        /* The rest of whole reconfigurations if spawn has rows of its own: one constant. */
        if (kind == NEREUS_STEP_DECIDE && fit->measured[NEREUS_STEP_SPAWN] && fit->occurs[k] &&
            !fit->measured[k])
            offer(fit, kind, &rest, 1);
    }
}

/* The priors of a kind's terms: by themselves, or as part of whole reconfigurations. */
static const char *priors_of(const struct steps_fit *fit, enum nereus_step_kind kind)
{
    if (fit->measured[kind])
        return nereus_step_name(kind);
    return kind == NEREUS_STEP_DECIDE  ? "rest"
           : kind == NEREUS_STEP_MERGE ? "merge in whole rows"
                                       : nereus_step_name(kind);
}

/* Priors of the columns of each kind, which are adjacent. */
static void set_priors(const struct steps_fit *fit, struct nereus_regression *r)
{
    const char *names[COLUMNS_MAX];
    bool single_runs = false;
    for (size_t c = 0; c < fit->column_count; c++)
        names[c] = nereus_feature_name(fit->columns[c].feature);
    for (size_t c = 0, count = 0; c < fit->column_count; c += count) {
        const enum nereus_step_kind kind = fit->columns[c].kind;
        for (count = 0; c + count < fit->column_count && fit->columns[c + count].kind == kind;)
            count++;
        nereus_priors_set(priors_of(fit, kind), names + c, count, c, r);
    }
    for (size_t i = 0; i < fit->line_count; i++)
        single_runs =
            single_runs || (fit->lines[i].group == WHOLE_GROUP && fit->lines[i].sample->n <= 1);
    for (int g = 0; g < GROUPS; g++)
        r->usual[g] = g == WHOLE_GROUP ? nereus_usual_scatter("whole", single_runs)
                                       : nereus_usual_scatter("step", false);
}

/* The plan step that a step row measured. New processes are taken to be placed after the old
 * ones. */
static struct nereus_step row_step(const struct nereus_sample *s)
{
    struct nereus_step step = {.kind = s->step,
                               .repeat = 1,
                               .old_processes = s->old_processes,
                               .new_processes = s->new_processes,
                               .first_new = s->old_processes};
    step.constant_bytes = s->bytes > 0 ? (int64_t)s->bytes : 0;
    return step;
}

static void row_context(const struct steps_fit *fit, const struct nereus_sample *s,
                        const struct nereus_machine *machine, struct nereus_cost_context *context)
{
    struct nereus_method method = s->method;
    const int64_t ns = s->ns > 0 ? s->ns : s->old_processes, nt = s->nt > 0 ? s->nt
                                                                  : s->new_processes > 0
                                                                      ? s->new_processes
                                                                      : s->old_processes;
    if (s->kind == NEREUS_SAMPLE_STEP && !method.has_data)
        method.process = NEREUS_MERGE; /* no method given */
    nereus_cost_context_init(machine, fit->pairs, ns > 0 ? ns : 1, nt, &method, context);
    context->operations = fit->operations;
}

/* Add the features of one step to a line of the matrix, and widen the range of its kind's model. */
static void add_features(const struct steps_fit *fit, const struct nereus_cost_context *context,
                         const struct nereus_step *step, double *x)
{
    struct nereus_cost_input input;
    nereus_cost_input_make(context, step, &input);
    for (size_t c = 0; c < fit->column_count; c++)
        if (fit->columns[c].kind == step->kind)
            x[c] += nereus_cost_feature(fit->columns[c].feature, &input);
    struct nereus_linear_model *model = &fit->models[step->kind];
    nereus_fit_range(model, context->ns, context->nt, input.load.load);
}

static enum nereus_status fill_line(const struct steps_fit *fit, const struct line *line, double *x,
                                    double *y, struct nereus_error *err)
{
    struct nereus_node node;
    const struct nereus_sample *s = line->sample;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    struct nereus_cost_context context;
    row_context(fit, s, &machine, &context);
    if (line->group != WHOLE_GROUP) {
        context.starts = line->cell->starts;
        const struct nereus_step step = row_step(s);
        *y = s->time_s;
        add_features(fit, &context, &step, x);
        /* A merge of old and new processes makes old + new targets. */
        nereus_fit_range(&fit->models[step.kind], context.ns,
                         step.old_processes + step.new_processes, 0);
        return NEREUS_OK;
    }
    struct nereus_plan plan;
    NEREUS_TRY(nereus_fit_row_plan(s, &plan, err));
    *y = s->rt_s;
    for (int i = 0; i < plan.step_count; i++)
        add_features(fit, &context, &plan.steps[i], x);
    nereus_plan_fini(&plan);
    return NEREUS_OK;
}

/* Do the rows say anything of a column: a hundredth of one of them, or more than its prior? */
static bool is_seen(const struct nereus_regression *r, size_t column)
{
    static const double least = 0.01, known = 0.9;
    bool seen = sqrt(r->covariance[column * (r->columns + 1)]) < known * r->priors[column].log_sd;
    for (size_t i = 0; i < r->rows; i++)
        seen = seen || r->x[i * r->columns + column] * r->coefficients[column] >
                           least * nereus_regression_value_s(r, i);
    return seen;
}

/* What a start adds, and a start on full nodes, keep their priors where no row has them: without the
 * latter a respawn, whose sources and targets share their nodes, would be as cheap as an
 * expansion. */
static bool keeps_prior(const struct steps_fit *fit, const struct nereus_regression *r, size_t c)
{
    const enum nereus_feature feature = fit->columns[c].feature;
    bool zero = feature == NEREUS_FEATURE_OVERLOAD || feature == NEREUS_FEATURE_OVERLOAD_AWAKE ||
                feature == NEREUS_FEATURE_STARTS;
    for (size_t i = 0; i < r->rows && zero; i++)
        zero = !(r->x[i * r->columns + c] > 0);
    return zero;
}

/* Of a kind with rows of its own: scatter and factors of single measurements relative to the fit of
 * their cells; else the scatter of the whole rows. */
static void store_scatter(const struct steps_fit *fit, const struct nereus_regression *r,
                          enum nereus_step_kind kind, struct nereus_linear_model *m)
{
    const bool own = fit->measured[kind];
    const size_t terms = (size_t)m->terms;
    size_t n = 0;
    double log_s = 0; /* sum of the times' logarithms */
    m->rows = 0;
    for (size_t i = 0; i < fit->line_count; i++) {
        const struct nereus_fit_cell *cell = fit->lines[i].cell;
        const double value_s = nereus_regression_value_s(r, i);
        m->rows += !own && cell == NULL;
        if (!own || fit->lines[i].group != 1 + (int)kind || !(value_s > 0))
            continue;
        for (size_t k = 0; k < cell->count; k++) {
            log_s += log(cell->times_s[k]);
            fit->scratch[n++] = log(cell->times_s[k] / value_s);
        }
    }
    if (own) {
        m->rows = (int64_t)n;
        nereus_fit_factors(fit->scratch, n, terms, n > 0 ? exp(log_s / (double)n) : 0, m);
        m->log_sd = nereus_fit_log_sd(fit->scratch, n, terms);
    } else {
        m->log_sd = r->log_sd[WHOLE_GROUP];
        m->degrees_of_freedom = (int64_t)r->degrees_of_freedom[WHOLE_GROUP];
    }
}

static void store_kind(const struct steps_fit *fit, const struct nereus_regression *r,
                       enum nereus_step_kind kind)
{
    struct nereus_linear_model *m = &fit->models[kind];
    const char *names[NEREUS_TERMS_MAX];
    size_t columns[NEREUS_TERMS_MAX], count = 0;
    for (size_t c = 0; c < fit->column_count; c++) {
        const char *name = nereus_feature_name(fit->columns[c].feature);
        const bool kept = keeps_prior(fit, r, c);
        if (fit->columns[c].kind != kind || count == NEREUS_TERMS_MAX || (!kept && !is_seen(r, c)))
            continue;
        columns[count] = c;
        names[count++] = name;
        if (kept && fit->columns[c].feature != NEREUS_FEATURE_STARTS)
            snprintf(m->stand_in, sizeof m->stand_in, "%s",
                     nereus_term_prior(nereus_step_name(kind), name)->source);
    }
    nereus_fit_take(r, columns, count, names, m);
    store_scatter(fit, r, kind, m);
    if (m->terms > 0) {
        m->basis = NEREUS_BASIS_FITTED;
        return;
    }
    memset(m, 0, sizeof *m);
    /* decide is the first kind: the rest, if any, is stored already. */
    const bool rest = !fit->measured[NEREUS_STEP_DECIDE] &&
                      fit->models[NEREUS_STEP_DECIDE].basis == NEREUS_BASIS_FITTED;
    if (fit->occurs[kind] && kind != NEREUS_STEP_ALLOCATE && kind != NEREUS_STEP_REDISTRIBUTE)
        nereus_fit_contain(rest ? "decide" : "spawn or split", m);
}

/* If transfers were fitted, their coefficients contain the time of allocations. */
static void contain_allocation(const struct steps_fit *fit)
{
    struct nereus_linear_model *m = &fit->models[NEREUS_STEP_ALLOCATE];
    if (m->basis == NEREUS_BASIS_NONE && fit->occurs[NEREUS_STEP_ALLOCATE] &&
        fit->models[NEREUS_STEP_REDISTRIBUTE].basis == NEREUS_BASIS_FITTED)
        nereus_fit_contain("redistribute", m);
}

static enum nereus_status fill(const struct steps_fit *fit, struct nereus_regression *r,
                               struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (size_t i = 0; i < fit->line_count && status == NEREUS_OK; i++) {
        status = fill_line(fit, &fit->lines[i], r->x + i * r->columns, &r->time_s[i], err);
        r->group[i] = fit->lines[i].group;
        if (fit->lines[i].cell != NULL)
            r->sigma[i] = fit->lines[i].cell->sigma;
    }
    return status;
}

static enum nereus_status regress(const struct steps_fit *fit, struct nereus_regression *r,
                                  struct nereus_error *err)
{
    NEREUS_TRY(fill(fit, r, err));
    set_priors(fit, r);
    NEREUS_TRY(nereus_regression_fit(r, err));
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++)
        if (fit->measured[kind] || fit->occurs[kind])
            store_kind(fit, r, (enum nereus_step_kind)kind);
    contain_allocation(fit);
    return NEREUS_OK;
}

/* Fit one kind that occurs in no whole row, or all others together (kind
 * NEREUS_STEP_KIND_COUNT). @param lines  room for those of it */
static enum nereus_status fit_share(const struct steps_fit *all, int kind, struct line *lines,
                                    struct nereus_error *err)
{
    struct steps_fit fit = *all;
    struct nereus_regression r;
    fit.lines = lines;
    fit.line_count = 0;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        const bool alone = all->measured[k] && !all->occurs[k];
        const bool mine = kind == k ? alone : kind == NEREUS_STEP_KIND_COUNT && !alone;
        fit.measured[k] = mine && all->measured[k];
        fit.occurs[k] = mine && all->occurs[k];
    }
    for (size_t i = 0; i < all->line_count; i++) {
        const int group = all->lines[i].group;
        if (group == WHOLE_GROUP ? kind == NEREUS_STEP_KIND_COUNT : fit.measured[group - 1])
            fit.lines[fit.line_count++] = all->lines[i];
    }
    if (fit.line_count == 0)
        return NEREUS_OK;
    offer_columns(&fit);
    enum nereus_status status = nereus_regression_init(fit.line_count, fit.column_count, &r, err);
    if (status == NEREUS_OK)
        status = regress(&fit, &r, err);
    nereus_regression_fini(&r);
    return status;
}

enum nereus_status nereus_fit_steps(const struct nereus_fit_rows *rows, bool oversubscribed,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    struct steps_fit fit = {.pairs = profile->pairs,
                            .operations = profile->operations,
                            .models =
                                oversubscribed ? profile->steps_oversubscribed : profile->steps};
    struct nereus_fit_cells cells;
    NEREUS_TRY(nereus_fit_cells_make(rows, oversubscribed, &cells, err));
    struct line *lines = fit.lines = malloc(2 * (rows->count + 1) * sizeof *lines);
    fit.scratch = malloc((rows->count + 1) * sizeof *fit.scratch);
    enum nereus_status status = lines != NULL && fit.scratch != NULL
                                    ? collect(rows, oversubscribed, &cells, &fit, err)
                                    : nereus_fit_no_memory(rows, err);
    for (int kind = 0; kind <= NEREUS_STEP_KIND_COUNT && status == NEREUS_OK; kind++)
        status = fit_share(&fit, kind, lines + rows->count, err);
    free(lines);
    free(fit.scratch);
    nereus_fit_cells_fini(&cells);
    return status;
}
