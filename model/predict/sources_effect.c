/*
 * An offset for each number of sources, partially pooled.
 *
 * A respawn by several worlds has all sources start groups and wait for them, so what the model
 * does not know of so many sources is in each of their rows, whatever NT, and whether it expands or
 * shrinks: on the cluster of parallel-spawning 5.3, those from 10 and 16 nodes take a sixth longer
 * than those from 8 would suggest.
 *
 * Residuals log(measured / model) are a one-way layout: variance within the rows of a number of
 * sources, and between numbers (method of moments). If the F test finds no difference (5 %), there
 * is no effect. Else the offsets are a Gaussian process in log NS with an exponential covariance,
 * which does not overshoot between two levels: sizes between the measured ones take part as far as
 * they are near, and the variance that is left says how sure that is.
 */
#include "sources_effect.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "model/price/price_parts.h"

static const double by_chance = 0.05;
static const double length = 0.7; /* of the process, in log NS: a factor of 2 */

/* Rows of one number of sources. */
struct level {
    double log_ns, sum, squares;
    int rows;
};

struct layout {
    struct level levels[NEREUS_SOURCES_LEVELS];
    int count, rows;
    bool too_many;
};

static void layout_add(struct layout *l, double log_ns, double residual)
{
    int i = 0;
    while (i < l->count && fabs(l->levels[i].log_ns - log_ns) > 1e-9)
        i++;
    if (i == NEREUS_SOURCES_LEVELS) {
        l->too_many = true;
        return;
    }
    if (i == l->count)
        l->levels[l->count++] = (struct level){.log_ns = log_ns};
    l->levels[i].sum += residual;
    l->levels[i].squares += residual * residual;
    l->levels[i].rows++;
    l->rows++;
}

static void layout_make(const struct nereus_profile *profile, const struct nereus_method *method,
                        struct layout *l)
{
    memset(l, 0, sizeof *l);
    for (int64_t i = 0; i < profile->measured_count; i++) {
        const struct nereus_measured *m = &profile->measured[i];
        if (m->model_s > 0 && !(m->method.has_data && m->bytes > 0) &&
            nereus_same_process(&m->method, method, m->nt < m->ns))
            layout_add(l, log((double)m->ns), log(m->rt_s / m->model_s));
    }
}

/* Variances within and between levels. @return false: no difference that is not by chance */
static bool split_variance(const struct layout *l, double *within, double *between)
{
    double sum = 0, inside = 0, outside = 0, squared_rows = 0;
    const double k = l->count, n = l->rows;
    if (l->count < 3 || l->rows <= l->count || l->too_many)
        return false;
    for (int i = 0; i < l->count; i++)
        sum += l->levels[i].sum;
    for (int i = 0; i < l->count; i++) {
        const struct level *at = &l->levels[i];
        const double mean = at->sum / at->rows;
        inside += fmax(0, at->squares - at->rows * mean * mean);
        outside += at->rows * (mean - sum / n) * (mean - sum / n);
        squared_rows += (double)at->rows * at->rows;
    }
    *within = inside / (n - k);
    *between = (outside / (k - 1) - *within) / ((n - squared_rows / n) / (k - 1));
    return *within > 0 && *between > 0 &&
           gsl_cdf_fdist_Q(outside / (k - 1) / *within, k - 1, n - k) < by_chance;
}

static double covariance(const struct nereus_sources_effect *e, double a, double b)
{
    return e->between * exp(-fabs(a - b) / length);
}

/* The inverse of the covariance of the levels' means, and its product with these means. */
static void solve(const struct layout *l, struct nereus_sources_effect *e)
{
    double storage[NEREUS_SOURCES_LEVELS * NEREUS_SOURCES_LEVELS];
    const size_t n = (size_t)l->count;
    gsl_matrix_view matrix = gsl_matrix_view_array(storage, n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(&matrix.matrix, i, j,
                           covariance(e, l->levels[i].log_ns, l->levels[j].log_ns) +
                               (i == j ? e->within / l->levels[i].rows : 0));
    /* cannot fail: positive definite, by the diagonal */
    gsl_linalg_cholesky_decomp1(&matrix.matrix);
    gsl_linalg_cholesky_invert(&matrix.matrix);
    for (size_t i = 0; i < n; i++) {
        e->log_ns[i] = l->levels[i].log_ns;
        for (size_t j = 0; j < n; j++) {
            e->inverse[i][j] = gsl_matrix_get(&matrix.matrix, i, j);
            e->weights[i] += e->inverse[i][j] * l->levels[j].sum / l->levels[j].rows;
        }
    }
    e->levels = l->count;
}

void nereus_sources_effect_make(const struct nereus_profile *profile,
                                const struct nereus_method *method,
                                struct nereus_sources_effect *effect)
{
    struct layout l;
    memset(effect, 0, sizeof *effect);
    if (nereus_method_carried_out(method).process != NEREUS_BASELINE)
        return;
    layout_make(profile, method, &l);
    if (split_variance(&l, &effect->within, &effect->between))
        solve(&l, effect);
}

void nereus_sources_effect_at(const struct nereus_sources_effect *e, int64_t ns, double *mean,
                              double *variance)
{
    double with[NEREUS_SOURCES_LEVELS];
    *mean = 0;
    *variance = e->between + e->within;
    for (int i = 0; i < e->levels; i++) {
        with[i] = covariance(e, log((double)ns), e->log_ns[i]);
        *mean += with[i] * e->weights[i];
    }
    for (int i = 0; i < e->levels; i++)
        for (int j = 0; j < e->levels; j++)
            *variance -= with[i] * e->inverse[i][j] * with[j];
    *variance = fmax(*variance, e->within);
}
