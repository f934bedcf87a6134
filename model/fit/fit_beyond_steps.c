/*
 * Unattributed time of a reconfiguration: the weighted median over whole rows of RT less the
 * predicted steps, never negative. It is more than the waiting between steps: steps are
 * heavy-tailed, so that the median of their sum exceeds the sum of their medians, and it holds all
 * that no step accounts for.
 *
 * Only where each step has rows of its own: else the steps' coefficients hold this time already.
 * Weights are 1 / the sum of the steps: a shrink of 1 ms determines it better than a spawn of 200
 * ms.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "fit_cells.h"
#include "model/price/price_parts.h"

enum { ROWS_LEAST = 3 };

/* Unattributed time of one whole row. */
struct rest {
    double rest_s; /* RT less the predicted steps: its median makes predictions unbiased */
    double own_s;  /* RT less its own measured steps; NAN: not known */
    double weight;
    enum nereus_unattributed which;
    const struct nereus_sample *sample;
};

static int by_rest(const void *a, const void *b)
{
    const double x = ((const struct rest *)a)->rest_s, y = ((const struct rest *)b)->rest_s;
    return (x > y) - (x < y);
}

/* A calibration writes the steps of a reconfiguration before its row, `decide` first. */
static double own_rest_s(const struct nereus_fit_rows *rows, size_t whole)
{
    const struct nereus_sample *s = rows->rows[whole];
    double rest_s = s->rt_s;
    for (size_t i = whole; i-- > 0;) {
        const struct nereus_sample *step = rows->rows[i];
        if (step->kind != NEREUS_SAMPLE_STEP || step->ns != s->ns || step->nt != s->nt ||
            !nereus_method_equal(&step->method, &s->method))
            break;
        rest_s -= step->time_s;
        if (step->step == NEREUS_STEP_DECIDE)
            return fmax(0, rest_s);
    }
    return NAN;
}

static bool rest_of(const struct nereus_fit_rows *rows, size_t row,
                    const struct nereus_profile *profile, struct rest *rest)
{
    const struct nereus_sample *s = rows->rows[row];
    struct nereus_node node;
    struct nereus_price_parts parts;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = s->ns,
                                             .nt = s->nt,
                                             .constant_bytes =
                                                 s->method.has_data && s->bytes > 0 ? s->bytes : 0};
    if (!nereus_fit_steps_known(profile, s) ||
        nereus_price_parts(profile, &scenario, &s->method, &parts, NULL) != NEREUS_OK)
        return false;
    const double steps_s = parts.process.value_s + parts.data.value_s;
    const struct nereus_cost_context context = nereus_price_context(profile, &scenario, &s->method);
    if (!(steps_s > 0))
        return false;
    *rest = (struct rest){.rest_s = s->rt_s - steps_s,
                          .own_s = own_rest_s(rows, row),
                          .weight = 1 / steps_s,
                          .which = (enum nereus_unattributed)(
                              (int)nereus_price_unattributed_of(&context) +
                              (s->oversubscribed ? NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED : 0)),
                          .sample = s};
    return true;
}

/* Half of the weight lies below it. */
static double weighted_median_s(struct rest *rests, size_t n)
{
    double all = 0, below = 0;
    qsort(rests, n, sizeof *rests, by_rest);
    for (size_t i = 0; i < n; i++)
        all += rests[i].weight;
    size_t i = 0;
    while (i + 1 < n && below + rests[i].weight < 0.5 * all)
        below += rests[i++].weight;
    return rests[i].rest_s;
}

/* The time of single rows beyond their own steps, as factors of the value. */
static void find_factors(const struct rest *rests, size_t n, double value_s, double *logs,
                         struct nereus_linear_model *m)
{
    static const double unknown = 3, least = 1e-3; /* a factor either way; least low factor */
    size_t own = 0;
    for (size_t i = 0; i < n && value_s > 0; i++)
        if (!isnan(rests[i].own_s))
            logs[own++] = log(fmax(least, rests[i].own_s / value_s));
    m->low_factor = 1 / unknown;
    m->high_factor = unknown;
    if (own >= ROWS_LEAST)
        nereus_fit_factors(logs, own, 1, value_s, m);
    m->log_sd = 0.5 * log(m->high_factor / m->low_factor) / gsl_cdf_ugaussian_Pinv(0.95);
}

static void fit_one(struct rest *rests, size_t n, double *scratch, struct nereus_linear_model *m)
{
    const double value_s = fmax(0, weighted_median_s(rests, n));
    memset(m, 0, sizeof *m);
    m->basis = NEREUS_BASIS_FITTED;
    m->rows = (int64_t)n;
    nereus_fit_add_term(m, nereus_feature_name(NEREUS_FEATURE_CONST), value_s);
    find_factors(rests, n, value_s, scratch, m);
    for (size_t i = 0; i < n; i++)
        nereus_fit_range(m, rests[i].sample->ns, rests[i].sample->nt, 0);
}

/* Stored together at the end: until then the profile must price steps alone. */
static void fit_all(const struct nereus_fit_rows *rows, struct rest *rests, double *scratch,
                    struct nereus_profile *profile)
{
    struct nereus_linear_model found[NEREUS_UNATTRIBUTED_COUNT];
    memset(found, 0, sizeof found);
    for (int w = 0; w < NEREUS_UNATTRIBUTED_COUNT; w++) {
        size_t n = 0;
        for (size_t i = 0; i < rows->count; i++)
            if (nereus_fit_is_planned(rows->rows[i], rows->rows[i]->oversubscribed) &&
                rest_of(rows, i, profile, &rests[n]))
                n += rests[n].which == (enum nereus_unattributed)w;
        if (n >= ROWS_LEAST)
            fit_one(rests, n, scratch, &found[w]);
    }
    memcpy(profile->unattributed, found, sizeof found);
}

enum nereus_status nereus_fit_unattributed(const struct nereus_fit_rows *rows,
                                           struct nereus_profile *profile, struct nereus_error *err)
{
    struct rest *rests = malloc((rows->count + 1) * sizeof *rests);
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    const bool room = rests != NULL && scratch != NULL;
    if (room)
        fit_all(rows, rests, scratch, profile);
    free(rests);
    free(scratch);
    return room ? NEREUS_OK : nereus_fit_no_memory(rows, err);
}
