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

struct ratios {
    double *values;
    size_t count;
    int64_t min_ns, max_ns, min_nt, max_nt;
};

/* Ratio of a row's time to its feature. */
static double ratio_of(const struct nereus_sample *s, bool *one_node)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(s->cores_per_node, s->oversubscribed, &node);
    const int64_t nodes = nereus_machine_nodes_used(&machine, s->ns);
    *one_node = nodes <= 1;
    return *one_node ? s->rt_s : s->rt_s / log2((double)nodes);
}

static double median_ratio(const struct nereus_fit_rows *rows, bool oversubscribed, bool one_node,
                           double *scratch, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        bool one;
        if (!nereus_fit_is_zombie_shrink(rows->rows[i]) || rows->rows[i]->oversubscribed != oversubscribed)
            continue;
        const double ratio = ratio_of(rows->rows[i], &one);
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

static void finish(const struct nereus_fit_rows *rows, bool oversubscribed, double z0, double z1,
                   double *scratch, struct nereus_linear_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        bool one;
        if (!nereus_fit_is_zombie_shrink(s) || s->oversubscribed != oversubscribed)
            continue;
        const double ratio = ratio_of(s, &one);
        scratch[n++] = 1 - (one ? z0 : z1) / ratio;
        nereus_fit_range(m, s->ns, s->nt, 0);
    }
    m->rows = (int64_t)n;
    m->spread = nereus_fit_spread(scratch, n, (size_t)m->terms);
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

enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model *models = oversubscribed ? profile->steps_oversubscribed : profile->steps;
    struct nereus_linear_model *m = &models[NEREUS_STEP_SPLIT];
    size_t one, several;
    if (m->basis != NEREUS_BASIS_NONE)
        return NEREUS_OK; /* rows of `split` itself: part of the common regression */
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows->count);
    double z0 = median_ratio(rows, oversubscribed, true, scratch, &one);
    double z1 = median_ratio(rows, oversubscribed, false, scratch, &several);
    if (one + several > 0) {
        /* Never measured on one node: as on two. Never on several: the same constant on any number. */
        if (one == 0)
            z0 = z1;
        add_term(m, several > 0 ? NEREUS_FEATURE_ONE_NODE : NEREUS_FEATURE_CONST, z0, one);
        if (several > 0)
            add_term(m, NEREUS_FEATURE_LOG2_SOURCE_NODES, z1, several);
        finish(rows, oversubscribed, z0, z1, scratch, m);
        contain_others(models);
    }
    free(scratch);
    return NEREUS_OK;
}
