/**
 * @file cost_sum.c
 * Adds prices and computes their 90 % intervals.
 *
 * A price is x'c, where the coefficients c have the covariance S: its variance is x'Sx, and the
 * residual scatter adds what no coefficient explains. Kinds were fitted together, but only each
 * kind's block of the covariance is kept: variances are added as if independent, scatters linearly
 * (the steps of one reconfiguration share its residual). Degrees of freedom are those of the whole
 * variance: the smallest of all parts would let one small part of few rows widen a sum by 8 %.
 *
 * Steps measured repeatedly by themselves (fit_factors.c) have factors instead of a scatter: the
 * 90 % range of one more measurement. Their scatter is independent (the late process differs from
 * step to step) and skewed, so that neither quantiles nor variances add: cost_scatter.c has the
 * quantiles of their sum. Coefficients, which all steps of a kind share, widen it further.
 */

#include "cost_sum.h"

#include "cost.h"

/* The covariance contains most of a model's error beyond the measured sizes, with the priors of
 * terms that the rows hardly show. What it lacks: with 5 % a doubling, the 90 % intervals of three
 * clusters hold 92 to 96 % at any distance (docs/results/accuracy.md). */
double nereus_cost_extrapolation_scatter(double doublings)
{
    return 0.05 * doublings;
}

static const double normal_95 = 1.6448536269514722; /* 95 % point of the normal distribution */

double nereus_cost_value(const struct nereus_linear_model *model,
                         const struct nereus_cost_input *input, double *features)
{
    double value = 0;
    for (int i = 0; i < model->terms; i++) {
        const double x = nereus_cost_feature(nereus_cost_term(model, i), input);
        value += model->coefficients[i] * x;
        if (features != NULL)
            features[i] = x;
    }
    return value;
}

/* Ratio of a value to the range [min, max]; 1 within. */
static double compute_range_ratio(double value, double min, double max)
{
    if (value > max)
        return value / max;
    return value < min ? min / value : 1;
}

double nereus_cost_doublings(double value, double min, double max)
{
    return log2(compute_range_ratio(value, min, max));
}

double nereus_cost_extrapolation(const struct nereus_linear_model *model, int64_t ns, int64_t nt,
                                 double load)
{
    if (model->max_ns <= 0)
        return 0; /* the model has no range */
    const double sources =
        compute_range_ratio((double)ns, (double)model->min_ns, (double)model->max_ns);
    const double targets =
        compute_range_ratio((double)nt, (double)model->min_nt, (double)model->max_nt);
    /* loads up to one process per core are equivalent */
    const double over =
        compute_range_ratio(fmax(load, 1), 0, fmax(model->max_load * (1 + 1e-9), 1));
    return log2(fmax(fmax(sources, targets), over));
}

void nereus_cost_set_extrapolated(struct nereus_cost_sum *sum,
                                  const struct nereus_linear_model *model, double load)
{
    sum->extrapolated = true;
    if (sum->extrapolated_model != NULL)
        return;
    sum->extrapolated_model = model;
    sum->extrapolated_load = load;
}

void nereus_cost_set_prior(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                           double value_s)
{
    sum->assumed_s += value_s;
    if (sum->prior != NULL && value_s <= sum->prior_s)
        return;
    sum->prior = model;
    sum->prior_s = value_s;
}

static bool is_outside(int64_t value, int64_t min, int64_t max)
{
    return max > 0 && (value < min || value > max);
}

struct nereus_note nereus_cost_note_extrapolation(const struct nereus_linear_model *model,
                                                  int64_t ns, int64_t nt, double load)
{
    if (is_outside(nt, model->min_nt, model->max_nt))
        return (struct nereus_note){
            NEREUS_NOTE_TARGETS, NULL, {(double)model->min_nt, (double)model->max_nt, (double)nt}};
    if (is_outside(ns, model->min_ns, model->max_ns))
        return (struct nereus_note){
            NEREUS_NOTE_SOURCES, NULL, {(double)model->min_ns, (double)model->max_ns, (double)ns}};
    if (load > fmax(1, model->max_load))
        return (struct nereus_note){NEREUS_NOTE_LOAD, NULL, {fmax(1, model->max_load), load}};
    if (model->max_bytes > 0)
        return (struct nereus_note){NEREUS_NOTE_BYTES, NULL, {model->min_bytes, model->max_bytes}};
    return (struct nereus_note){.code = NEREUS_NOTE_OVERLAPPED_DATA};
}

/* Find the 90 % range of a step as factors of its value. A delay of milliseconds is a factor of
 * hundreds for a step of microseconds; for a step of a second it is milliseconds, too. */
static void find_factors(const struct nereus_linear_model *model, double value_s, double *low,
                         double *high)
{
    *low = model->low_factor;
    *high = model->high_factor;
    if (!(model->long_high_factor > 0))
        return;
    *low = fmax(*low, model->long_low_factor - model->early_s / value_s);
    *high = fmin(*high, model->long_high_factor + model->late_s / value_s);
}

/* Add a part with its measured scatter, widened by the doublings outside the measured range. */
static void add_scattered_part(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                               double value_s, double doublings)
{
    double low, high;
    find_factors(model, value_s, &low, &high);
    const bool prepared =
        model->moments.mean > 0 && low <= model->low_factor && high >= model->high_factor;
    const struct nereus_cost_part part =
        nereus_scatter_part(value_s, low, high, prepared ? &model->moments : NULL,
                            normal_95 * nereus_cost_extrapolation_scatter(doublings));
    nereus_scatter_add(&sum->scatter, &part);
}

/* Add errors that are not in `scatter`. Degrees of freedom are those of a variance that is a sum
 * (Satterthwaite 1946): the more a part adds to it, the more its own count. */
static void add_errors(struct nereus_cost_sum *sum, double variance_s2, double common_scatter_s,
                       double degrees_of_freedom)
{
    const double common_s = sum->common_scatter_s + common_scatter_s;
    const double before = sum->variance_s2 + common_s * sum->common_scatter_s,
                 added = variance_s2 + common_s * common_scatter_s;
    const double squares =
        before * before / sum->degrees_of_freedom + added * added / degrees_of_freedom;
    sum->degrees_of_freedom = squares > 0 ? pow(before + added, 2) / squares : INFINITY;
    sum->variance_s2 += variance_s2;
    sum->common_scatter_s = common_s;
}

void nereus_cost_add(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                     const struct nereus_cost_context *context,
                     const struct nereus_cost_input *input)
{
    double x[NEREUS_TERMS_MAX];
    const double value = nereus_cost_value(model, input, x);
    sum->value_s += value;
    if (context->values_only)
        return;
    double variance_s2 = 0, common_scatter_s = 0;
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            variance_s2 += x[i] * model->covariance[i][j] * x[j];
    double doublings = 0;
    if ((model->basis == NEREUS_BASIS_FITTED || model->max_bytes > 0) && model->terms > 0)
        doublings =
            nereus_cost_extrapolation(model, context->ns, context->nt, input->load.core_load);
    if (model->max_bytes > 0)
        doublings = fmax(doublings, nereus_cost_doublings(input->between_bytes.all_bytes,
                                                          model->min_bytes, model->max_bytes));
    if (doublings > 0)
        nereus_cost_set_extrapolated(sum, model, input->load.core_load);
    if (model->high_factor > 0 && value > 0)
        add_scattered_part(sum, model, value, doublings);
    else
        common_scatter_s =
            hypot(model->log_sd, nereus_cost_extrapolation_scatter(doublings)) * value;
    add_errors(sum, variance_s2, common_scatter_s, (double)nereus_model_degrees_of_freedom(model));
    /* a fitted model has a prior for oversubscribed loads only (fit_steps.c) */
    const bool above = model->source[0] != '\0' && input->load.core_load > 1;
    if (model->basis == NEREUS_BASIS_PRIOR || (model->basis == NEREUS_BASIS_FITTED && above))
        nereus_cost_set_prior(sum, model, value);
}

void nereus_cost_add_sum(struct nereus_cost_sum *sum, const struct nereus_cost_sum *other)
{
    sum->value_s += other->value_s;
    add_errors(sum, other->variance_s2, other->common_scatter_s, other->degrees_of_freedom);
    sum->extrapolated = sum->extrapolated || other->extrapolated;
    sum->extrapolated_load =
        sum->extrapolated_model != NULL ? sum->extrapolated_load : other->extrapolated_load;
    sum->extrapolated_model =
        sum->extrapolated_model != NULL ? sum->extrapolated_model : other->extrapolated_model;
    sum->centred = sum->centred || other->centred;
    if (other->prior != NULL) {
        const double assumed_s = sum->assumed_s + other->assumed_s;
        nereus_cost_set_prior(sum, other->prior, other->prior_s);
        sum->assumed_s = assumed_s;
    }
    nereus_scatter_add_sum(&sum->scatter, &other->scatter);
}

void nereus_cost_scale(struct nereus_cost_sum *sum, double factor)
{
    sum->value_s *= factor;
    sum->common_scatter_s *= factor;
    sum->variance_s2 *= factor * factor;
    sum->prior_s *= factor;
    sum->assumed_s *= factor;
    nereus_scatter_scale(&sum->scatter, factor);
}

double nereus_cost_error_s(const struct nereus_cost_sum *sum)
{
    return sqrt(sum->variance_s2 + sum->common_scatter_s * sum->common_scatter_s +
                sum->scatter.error_s2);
}

/* Quantiles of all parts; a common scatter counts as one more part. */
static void compute_quantiles(const struct nereus_cost_sum *sum, double student_95,
                              double quantiles_s[3])
{
    struct nereus_scatter all = sum->scatter;
    const double common_s = sum->value_s - all.value_s;
    if (common_s > 1e-12 * sum->value_s) {
        const double factor = nereus_error_factor(student_95 * sum->common_scatter_s / common_s);
        const struct nereus_cost_part common =
            nereus_scatter_part(common_s, 1 / factor, factor, NULL, 0);
        nereus_scatter_add(&all, &common);
    }
    nereus_scatter_find_quantiles(&all, quantiles_s);
}

/* Interval of a sum with parts, by Student's 95 % point instead of the normal distribution's. */
static struct nereus_interval make_interval(const struct nereus_cost_sum *sum, double student_95)
{
    double quantiles_s[3];
    compute_quantiles(sum, student_95, quantiles_s);
    const double middle_s = sum->centred ? quantiles_s[1] : sum->value_s;
    /* log1p: a badly known coefficient with an error of n times the value is a factor of 1 + n, not
     * exp(n) */
    const double coefficients = log1p(student_95 * sqrt(fmax(0, sum->variance_s2)) / sum->value_s);
    const double down = hypot(fmax(0, log(middle_s / quantiles_s[0])), coefficients);
    const double up = hypot(fmax(0, log(quantiles_s[2] / middle_s)), coefficients);
    return (struct nereus_interval){sum->value_s, sum->value_s * exp(-down),
                                    sum->value_s * exp(up)};
}

struct nereus_interval nereus_cost_interval(const struct nereus_cost_sum *sum)
{
    struct nereus_interval interval = {sum->value_s, sum->value_s, sum->value_s};
    if (sum->value_s <= 0 ||
        (sum->variance_s2 <= 0 && sum->common_scatter_s <= 0 && sum->scatter.parts == 0))
        return interval;
    const double student_95 = nereus_student_95((int64_t)fmin(sum->degrees_of_freedom, 1000));
    if (sum->scatter.parts > 0)
        return make_interval(sum, student_95);
    const double relative =
        sqrt(fmax(0, sum->variance_s2) + sum->common_scatter_s * sum->common_scatter_s) /
        sum->value_s;
    const double factor = nereus_error_factor(student_95 * relative);
    interval.low = sum->value_s / factor;
    interval.high = sum->value_s * factor;
    return interval;
}
