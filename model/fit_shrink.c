/*
 * Merge shrink without spawning: z0 on one node, else z1 log2(nodes(NS)) (equation 3: T_split + T_gather).
 *
 * Through medians of ratios, never a regression: there is a handful of rows, and the times of different sizes
 * lie two decades apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

/* Relative: a factor of 10 either way at 90 %. Two or three rows a decade apart say no more than that. */
static const double spread_most = 1.4;

/* Which rows: synchronous ones, or those of the auxiliary thread. */
struct rows_of {
    const struct nereus_fit_rows *rows;
    bool oversubscribed, async;
};

static bool belongs(const struct rows_of *of, const struct nereus_sample *s)
{
    if (of->async)
        return nereus_fit_is_async_shrink(s, of->oversubscribed);
    return s->oversubscribed == of->oversubscribed && nereus_fit_is_zombie_shrink(s);
}

/* Ratio of a row's time to its feature. */
static double ratio_of(const struct nereus_sample *s, bool *one_node)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(s->cores_per_node, s->oversubscribed, &node);
    const int64_t nodes = nereus_machine_nodes_used(&machine, s->ns);
    *one_node = nodes <= 1;
    return *one_node ? s->rt_s : s->rt_s / log2((double)nodes);
}

static double median_ratio(const struct rows_of *of, bool one_node, double *scratch, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < of->rows->count; i++) {
        bool one;
        if (!belongs(of, of->rows->rows[i]))
            continue;
        const double ratio = ratio_of(of->rows->rows[i], &one);
        if (one == one_node)
            scratch[(*count)++] = ratio;
    }
    return nereus_median(scratch, *count);
}

static void add_term(struct nereus_linear_model *m, enum nereus_feature feature, double value, size_t count)
{
    strncpy(m->names[m->terms], nereus_feature_name(feature), sizeof m->names[0] - 1);
    m->coefficients[m->terms] = value;
    /* A median's standard error is 1.2533 that of a mean. The spread is filled in by finish(). */
    m->covariance[m->terms][m->terms] = count > 0 ? 1.2533 * 1.2533 * value * value / (double)count : 0;
    m->terms++;
}

static void finish(const struct rows_of *of, double z0, double z1, double *scratch,
                   struct nereus_linear_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < of->rows->count; i++) {
        const struct nereus_sample *s = of->rows->rows[i];
        bool one;
        if (!belongs(of, s))
            continue;
        const double ratio = ratio_of(s, &one);
        scratch[n++] = log(ratio / (one ? z0 : z1));
        nereus_fit_range(m, s->ns, s->nt, 0);
    }
    m->rows = (int64_t)n;
    m->spread = fmin(nereus_fit_spread(scratch, n, (size_t)m->terms), spread_most);
    for (int i = 0; i < m->terms; i++)
        m->covariance[i][i] *= m->spread * m->spread;
    m->basis = NEREUS_BASIS_FITTED;
}

/* The other steps of such a shrink have no rows of their own: the two terms hold their time. */
static void contain_others(struct nereus_linear_model *models)
{
    static const enum nereus_step_kind others[] = {NEREUS_STEP_DECIDE, NEREUS_STEP_GATHER, NEREUS_STEP_AGREE,
                                                   NEREUS_STEP_COMMIT, NEREUS_STEP_SLEEP};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct nereus_linear_model *m = &models[others[i]];
        if (m->basis == NEREUS_BASIS_NONE) {
            m->basis = NEREUS_BASIS_CONTAINED;
            strncpy(m->fallback, "split", sizeof m->fallback - 1);
        }
    }
}

static double coefficient(const struct nereus_linear_model *m, enum nereus_feature feature)
{
    for (int i = 0; i < m->terms; i++)
        if (strcmp(m->names[i], nereus_feature_name(feature)) == 0)
            return m->coefficients[i];
    return 0;
}

/*
 * What was never measured of an asynchronous shrink. On one node: by as much slower than a synchronous one as on several.
 * On several: as fast as a synchronous one.
 */
static void fill_async(const struct nereus_linear_model *sync, size_t one, size_t several, double *z0,
                       double *z1)
{
    const double s0 = coefficient(sync, NEREUS_FEATURE_ONE_NODE),
                 s1 = coefficient(sync, NEREUS_FEATURE_LOG2_SOURCE_NODES);
    if (one == 0)
        *z0 = s0 > 0 && s1 > 0 ? *z1 * s0 / s1 : *z1;
    if (several == 0)
        *z1 = fmax(*z0, s1);
}

/* Both forms. sync: the model of synchronous ones; m itself of these. @return whether anything was measured */
static enum nereus_status fit_ratios(const struct rows_of *of, const struct nereus_linear_model *sync,
                                     struct nereus_linear_model *m, bool *any, struct nereus_error *err)
{
    size_t one, several;
    double *scratch = malloc((of->rows->count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", of->rows->count);
    double z0 = median_ratio(of, true, scratch, &one);
    double z1 = median_ratio(of, false, scratch, &several);
    *any = one + several > 0;
    if (*any) {
        if (of->async)
            fill_async(sync, one, several, &z0, &z1);
        else if (one == 0)
            z0 = z1; /* never measured on one node: as on two */
        const bool both = several > 0 || of->async;
        /* Never on several: the same constant on any number. */
        add_term(m, both ? NEREUS_FEATURE_ONE_NODE : NEREUS_FEATURE_CONST, z0, one);
        if (both)
            add_term(m, NEREUS_FEATURE_LOG2_SOURCE_NODES, z1, several);
        finish(of, z0, z1, scratch, m);
    }
    free(scratch);
    return NEREUS_OK;
}

enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model *models = oversubscribed ? profile->steps_oversubscribed : profile->steps;
    struct nereus_linear_model *m = &models[NEREUS_STEP_SPLIT];
    const struct rows_of of = {rows, oversubscribed, false};
    bool any;
    if (m->basis != NEREUS_BASIS_NONE)
        return NEREUS_OK; /* rows of `split` itself: part of the common regression */
    const enum nereus_status status = fit_ratios(&of, m, m, &any, err);
    if (status == NEREUS_OK && any)
        contain_others(models);
    return status;
}

enum nereus_status nereus_fit_async_shrink(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                           struct nereus_error *err)
{
    const struct rows_of of = {rows, false, true};
    bool any;
    return fit_ratios(&of, &profile->steps[NEREUS_STEP_SPLIT], &profile->async_shrink, &any, err);
}
