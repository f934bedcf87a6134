/*
 * Merge shrink without spawning: z0 on one node, else z1 log2(nodes(NS)) (equation 3: T_split +
 * T_gather). By an auxiliary thread: z0 + z1 log2(nodes(NS)), as z0 is mostly the thread's wait for
 * its core, on any number of nodes.
 *
 * Medians of ratios, not a regression: there are few rows, and the times of different sizes differ
 * by a factor of 100.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/price/overlap.h"

/* Log-sd: a factor of 10 either way at 90 %, for two or three rows that differ by a factor of
 * 10. */
static const double spread_most = 1.4;

/* The rows: synchronous ones, or those of the auxiliary thread. */
struct rows_of {
    const struct nereus_fit_rows *rows;
    bool oversubscribed, async;
};

/* The terms, and the numbers of their rows. */
struct terms {
    double z0, z1;
    size_t one, several;
    double borrowed_s2[2]; /* variances of terms that were not measured; else 0 */
};

static bool belongs(const struct rows_of *of, const struct nereus_sample *s)
{
    if (of->async)
        return nereus_fit_is_async_shrink(s, of->oversubscribed);
    return s->oversubscribed == of->oversubscribed && nereus_fit_is_zombie_shrink(s);
}

/* The nodes that a row's sources are on. */
static int64_t nodes_of(const struct nereus_sample *s)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    return nereus_machine_nodes_used(&machine, s->ns);
}

/* Time of such a shrink: z0 on one node and, by a thread, on more nodes as well. */
static double value_s(bool async, const struct terms *t, int64_t nodes)
{
    return nodes <= 1 ? t->z0 : (async ? t->z0 : 0) + t->z1 * log2((double)nodes);
}

/* Median of the time on one node; or of the time per doubling of the nodes, above `base_s`. */
static double median_ratio(const struct rows_of *of, bool one_node, double base_s, double *scratch,
                           size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < of->rows->count; i++) {
        const struct nereus_sample *s = of->rows->rows[i];
        if (!belongs(of, s) || (nodes_of(s) <= 1) != one_node)
            continue;
        scratch[(*count)++] = one_node ? s->rt_s : (s->rt_s - base_s) / log2((double)nodes_of(s));
    }
    return nereus_median(scratch, *count);
}

static void add_term(struct nereus_linear_model *m, enum nereus_feature feature, double value,
                     size_t count)
{
    /* A median's standard error is 1.2533 that of a mean. finish() multiplies by the spread. */
    m->covariance[m->terms][m->terms] =
        count > 0 ? 1.2533 * 1.2533 * value * value / (double)count : 0;
    nereus_fit_add_term(m, nereus_feature_name(feature), value);
}

/* @param few_spread  least spread where there are few rows: that of synchronous shrinks for
 * threads */
static void finish(const struct rows_of *of, const struct terms *t, double few_log_sd,
                   double *scratch, struct nereus_linear_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < of->rows->count; i++) {
        const struct nereus_sample *s = of->rows->rows[i];
        if (!belongs(of, s))
            continue;
        scratch[n++] = log(s->rt_s / value_s(of->async, t, nodes_of(s)));
        nereus_fit_range(m, s->ns, s->nt, 0);
    }
    m->rows = (int64_t)n;
    m->log_sd = nereus_fit_spread(scratch, n, (size_t)m->terms);
    if (m->rows < m->terms + NEREUS_OVERLAP_FEW)
        m->log_sd = fmax(m->log_sd, few_log_sd);
    m->log_sd = fmin(m->log_sd, spread_most);
    for (int i = 0; i < m->terms; i++)
        m->covariance[i][i] = m->covariance[i][i] * m->log_sd * m->log_sd + t->borrowed_s2[i];
    m->basis = NEREUS_BASIS_FITTED;
}

/* The other steps of such a shrink have no rows of their own: the two terms contain their time. */
static void contain_others(struct nereus_linear_model *models)
{
    static const enum nereus_step_kind others[] = {NEREUS_STEP_DECIDE, NEREUS_STEP_GATHER,
                                                   NEREUS_STEP_AGREE, NEREUS_STEP_COMMIT,
                                                   NEREUS_STEP_SLEEP};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct nereus_linear_model *m = &models[others[i]];
        if (m->basis == NEREUS_BASIS_NONE)
            nereus_fit_contain("split", m);
    }
}

static double squared(double x)
{
    return x * x;
}

/*
 * z0 of a thread, where one node was not measured: a synchronous shrink of a full node, and the
 * time slice that the thread waits for a core (the prior of overlap.c).
 */
static double thread_on_one_node_s(const struct rows_of *of, const struct nereus_linear_model *sync,
                                   double *variance_s2)
{
    const struct nereus_overlap_expected slice = nereus_overlap_expected(NEREUS_OVERLAP_SLICE);
    const int64_t cores = of->rows->count > 0 ? of->rows->rows[0]->cores_per_node : 1;
    const struct nereus_cost_input in = {.old_processes = cores, .load = {.old_nodes = 1}};
    double x[NEREUS_TERMS_MAX];
    const double sync_s = nereus_cost_value(sync, &in, x);
    *variance_s2 = squared(slice.deviation);
    for (int i = 0; i < sync->terms; i++)
        for (int j = 0; j < sync->terms; j++)
            *variance_s2 += x[i] * sync->covariance[i][j] * x[j];
    return sync_s + slice.value;
}

/* z1 of a thread as of a synchronous shrink: a stand-in. */
static double thread_per_doubling_s(const struct nereus_linear_model *sync, double *variance_s2)
{
    for (int i = 0; i < sync->terms; i++)
        if (nereus_cost_term(sync, i) == NEREUS_FEATURE_LOG2_SOURCE_NODES) {
            *variance_s2 =
                sync->covariance[i][i] + squared(NEREUS_FIT_RELATED * sync->coefficients[i]);
            return sync->coefficients[i];
        }
    return 0;
}

/* @return whether anything was measured */
static bool find_terms(const struct rows_of *of, const struct nereus_linear_model *sync,
                       double *scratch, struct terms *t)
{
    memset(t, 0, sizeof *t);
    t->z0 = median_ratio(of, true, 0, scratch, &t->one);
    if (of->async && t->one == 0)
        t->z0 = thread_on_one_node_s(of, sync, &t->borrowed_s2[0]);
    t->z1 = median_ratio(of, false, of->async ? t->z0 : 0, scratch, &t->several);
    if (!of->async && t->one == 0)
        t->z0 = t->z1; /* one node not measured: as two */
    if (of->async && !(t->several > 0 && t->z1 > 0))
        t->z1 = thread_per_doubling_s(sync, &t->borrowed_s2[1]);
    return t->one + t->several > 0;
}

/* Synchronous shrinks and those of a thread. sync: the model of synchronous ones, which may be
 * m. */
static enum nereus_status fit_ratios(const struct rows_of *of,
                                     const struct nereus_linear_model *sync,
                                     struct nereus_linear_model *m, bool *any,
                                     struct nereus_error *err)
{
    struct terms t;
    double *scratch = malloc((of->rows->count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return nereus_fit_no_memory(of->rows, err);
    *any = find_terms(of, sync, scratch, &t);
    if (*any) {
        /* Several nodes not measured: the same constant on any number. */
        const bool constant = of->async || t.several == 0;
        add_term(m, constant ? NEREUS_FEATURE_CONST : NEREUS_FEATURE_ONE_NODE, t.z0, t.one);
        if (of->async || t.several > 0)
            add_term(m, NEREUS_FEATURE_LOG2_SOURCE_NODES, t.z1, t.several);
        finish(of, &t, of->async ? sync->log_sd : 0, scratch, m);
    }
    free(scratch);
    return NEREUS_OK;
}

/* No shrink by a thread was measured: both terms from synchronous shrinks, as a stand-in. */
static void stand_in(const struct rows_of *of, const struct nereus_linear_model *sync,
                     struct nereus_linear_model *m)
{
    struct terms t;
    memset(&t, 0, sizeof t);
    t.z0 = thread_on_one_node_s(of, sync, &t.borrowed_s2[0]);
    t.z1 = thread_per_doubling_s(sync, &t.borrowed_s2[1]);
    add_term(m, NEREUS_FEATURE_CONST, t.z0, 0);
    add_term(m, NEREUS_FEATURE_LOG2_SOURCE_NODES, t.z1, 0);
    for (int i = 0; i < m->terms; i++)
        m->covariance[i][i] = t.borrowed_s2[i];
    m->log_sd = NEREUS_FIT_RELATED;
    m->basis = NEREUS_BASIS_STAND_IN;
    snprintf(m->stand_in, sizeof m->stand_in, "a synchronous shrink and a wait for a core");
}

enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model *models =
        oversubscribed ? profile->steps_oversubscribed : profile->steps;
    struct nereus_linear_model *m = &models[NEREUS_STEP_SPLIT];
    const struct rows_of of = {rows, oversubscribed, false};
    bool any;
    /* `split` has step rows: part of the common regression */
    if (m->basis != NEREUS_BASIS_NONE)
        return NEREUS_OK;
    const enum nereus_status status = fit_ratios(&of, m, m, &any, err);
    if (status == NEREUS_OK && any)
        contain_others(models);
    return status;
}

enum nereus_status nereus_fit_async_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                           struct nereus_profile *profile, struct nereus_error *err)
{
    const struct rows_of of = {rows, oversubscribed, true};
    const struct nereus_linear_model *const sync =
        nereus_cost_model(profile, NEREUS_STEP_SPLIT, oversubscribed);
    struct nereus_linear_model *const m =
        oversubscribed ? &profile->async_shrink_oversubscribed : &profile->async_shrink;
    bool any;
    const enum nereus_status status = fit_ratios(&of, sync, m, &any, err);
    if (status == NEREUS_OK && !any && !oversubscribed && sync->basis == NEREUS_BASIS_FITTED)
        stand_in(&of, sync, m);
    return status;
}
