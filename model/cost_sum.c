/*
 * Sums of prices, and their 90 % intervals.
 *
 * A price is x'c with covariance S of the coefficients: variance x'Sx, to which the residual spread adds what
 * no coefficient explains. Kinds were fitted together, but only their own blocks of the covariance are kept:
 * variances are added as if independent, spreads linearly (one reconfiguration's residual is common to its
 * steps).
 */
#include "cost.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

/* Scatter that each doubling beyond the measured sizes adds: with 0.1, the intervals of fits to the smaller half of
 * the sizes in either table of tests/unit/data hold 84 to 100 % of the rest. */
static const double per_doubling = 0.1;

double nereus_cost_value(const struct nereus_linear_model *model, const struct nereus_cost_input *input,
                         double *features)
{
    double value = 0;
    for (int i = 0; i < model->terms; i++) {
        const double x = nereus_cost_feature(nereus_feature_from_name(model->names[i]), input);
        value += model->coefficients[i] * x;
        if (features != NULL)
            features[i] = x;
    }
    return value;
}

/* Doublings from a value to the range [least, most]; 0 within. */
static double doublings(double value, double least, double most)
{
    if (value > most)
        return log2(value / most);
    return value < least ? log2(least / value) : 0;
}

double nereus_cost_beyond(const struct nereus_linear_model *m, int64_t ns, int64_t nt, double load)
{
    if (m->max_ns <= 0)
        return 0; /* unknown */
    const double sources = doublings((double)ns, (double)m->min_ns, (double)m->max_ns);
    const double targets = doublings((double)nt, (double)m->min_nt, (double)m->max_nt);
    /* Loads up to one process a core are alike. */
    const double over = doublings(fmax(load, 1), 0, fmax(m->max_load * (1 + 1e-9), 1));
    return fmax(fmax(sources, targets), over);
}

void nereus_cost_add(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                     const struct nereus_cost_context *context, const struct nereus_cost_input *input)
{
    double x[NEREUS_TERMS_MAX];
    const double value = nereus_cost_value(model, input, x);
    sum->value_s += value;
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            sum->variance_s2 += x[i] * model->covariance[i][j] * x[j];
    sum->spread_s += model->spread * value;
    if (model->terms > 0 && model->basis == NEREUS_BASIS_FITTED && model->rows - model->terms < sum->freedom)
        sum->freedom = model->rows - model->terms;
    if (model->basis == NEREUS_BASIS_FITTED && model->terms > 0) {
        const double far = nereus_cost_beyond(model, context->ns, context->nt, input->load.load);
        sum->extrapolated = sum->extrapolated || far > 0;
        sum->spread_s += per_doubling * far * value;
    }
    if (model->basis == NEREUS_BASIS_FALLBACK && sum->stand_in == NULL)
        sum->stand_in = model;
}

struct nereus_interval nereus_cost_interval(const struct nereus_cost_sum *sum)
{
    struct nereus_interval interval = {sum->value_s, sum->value_s, sum->value_s};
    if (sum->value_s <= 0)
        return interval;
    const double freedom = sum->freedom < 1 ? 1 : (sum->freedom > 1000 ? 1000 : (double)sum->freedom);
    const double relative = sqrt(fmax(0, sum->variance_s2) + sum->spread_s * sum->spread_s) / sum->value_s;
    const double reach = exp(gsl_cdf_tdist_Pinv(0.95, freedom) * relative);
    interval.low = sum->value_s / reach;
    interval.high = sum->value_s * reach;
    return interval;
}
