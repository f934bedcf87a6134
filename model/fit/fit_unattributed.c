/**
 * @file fit_unattributed.c
 * Fits the unattributed time of a reconfiguration: RT = predicted steps + unattributed time. This
 * exceeds the waits between steps: steps are heavy-tailed, so that the median of their sum exceeds
 * the sum of their medians, and whatever belongs to no step is unattributed.
 *
 * The unattributed time is fitted only where each step has rows of its own; elsewhere the steps'
 * coefficients contain it.
 */
#include <gsl/gsl_cdf.h>

#include "fit_factors.h"
#include "fit_formula.h"
#include "model/price/price_parts.h"

enum { ROWS_MIN = 3 };

static int set_unattributed_equation(const struct nereus_sample *s,
                                     const struct nereus_profile *profile, const void *context,
                                     struct nereus_fit_equation *e)
{
    (void)context;
    struct nereus_node node;
    struct nereus_price_parts parts;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = s->ns,
                                             .nt = s->nt,
                                             .constant_bytes =
                                                 s->method.has_data && s->bytes > 0 ? s->bytes : 0};
    if (s->method.process == NEREUS_RESTART || !nereus_fit_is_planned(s, s->oversubscribed) ||
        !nereus_fit_has_all_steps(profile, s) ||
        nereus_price_all_parts(profile, &scenario, &s->method, &parts, NULL) != NEREUS_OK)
        return 0;
    const struct nereus_cost_context cost = nereus_price_context(profile, &scenario, &s->method);
    /* the enum has the kinds again, in the same order, for oversubscribed sizes */
    e->model = (size_t)nereus_price_unattributed_of(&cost) +
               (s->oversubscribed ? NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED : 0);
    e->base_s = parts.process.value_s + parts.data.value_s;
    e->time_s = s->rt_s;
    return e->base_s > 0;
}

/* RT of a row minus its own measured steps; NAN: unknown. */
static double own_rest_s(const struct nereus_fit_rows *rows, size_t row)
{
    const size_t first = nereus_fit_find_first_step(rows, row);
    double rest_s = rows->rows[row]->rt_s;
    for (size_t i = first; i < row; i++)
        rest_s -= rows->rows[i]->time_s;
    return first < row && rows->rows[first]->step == NEREUS_STEP_DECIDE ? fmax(0, rest_s) : NAN;
}

/* Set the interval of the unattributed time: factors between single rows and the fitted value. */
static void find_factors(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                         size_t model, double *logs, struct nereus_linear_model *m)
{
    /* `unknown`: factor either way with too few rows; `min`: least low factor */
    static const double unknown = 3, min = 1e-3;
    size_t own = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_fit_equation e = {.core_load = 0};
        if (set_unattributed_equation(rows->rows[i], profile, NULL, &e) > 0 && e.model == model &&
            !isnan(own_rest_s(rows, i)))
            logs[own++] = log(fmax(min, own_rest_s(rows, i) / m->coefficients[0]));
    }
    m->covariance[0][0] = 0; /* in the factors */
    m->low_factor = 1 / unknown;
    m->high_factor = unknown;
    if (own >= ROWS_MIN)
        nereus_fit_factors(logs, own, 1, m->coefficients[0], m);
    m->log_sd = 0.5 * log(m->high_factor / m->low_factor) / gsl_cdf_ugaussian_Pinv(0.95);
}

enum nereus_status nereus_fit_unattributed(const struct nereus_fit_rows *rows,
                                           struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_term terms[] = {NEREUS_TERM_CONST};
    static const struct nereus_fit_formula formula = {.model = "unattributed",
                                                      .cost_terms = terms,
                                                      .term_count = 1,
                                                      .model_count = NEREUS_UNATTRIBUTED_COUNT,
                                                      .equations = set_unattributed_equation};
    double *logs = malloc((rows->count + 1) * sizeof *logs);
    enum nereus_status status = logs != NULL ? NEREUS_OK : nereus_fit_fail_memory(rows, err);
    if (status == NEREUS_OK)
        status = nereus_fit_models(&formula, rows, profile, profile->unattributed, err);
    for (size_t w = 0; w < NEREUS_UNATTRIBUTED_COUNT && status == NEREUS_OK; w++)
        if (profile->unattributed[w].basis == NEREUS_BASIS_FITTED)
            find_factors(rows, profile, w, logs, &profile->unattributed[w]);
    free(logs);
    return status;
}
