/*
 * Asynchronous merge shrinks by this library's runtime:
 *
 * RT_async = RT_sync + notice + c
 *
 * notice: until all processes stop at a malleability point. c: a new auxiliary thread, and each of
 * its synchronisations, waits for the time slice of the computing thread; that depends on the
 * scheduler, not on sizes. c is the median of the rest of the rows, within and above the cores;
 * without rows a stand-in is used (fit_fallback.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/predict/lookup.h"
#include "model/price/overlap.h"

/* Time of a row with c = 0; NAN: not known. */
static double without_slices_s(const struct nereus_sample *s, const struct nereus_profile *profile)
{
    struct nereus_node node;
    struct nereus_overlap_input in;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    nereus_overlap_input_make(&machine, s->ns, s->nt, &s->method, s->t_iter_ns_s, &in);
    return nereus_lookup_synchronous_s(profile, &machine, s->ns, s->nt, &s->method) +
           nereus_overlap_feature(NEREUS_OVERLAP_NOTICE, &in);
}

static void finish(double c_s, double *residuals, size_t n, struct nereus_linear_model *m)
{
    nereus_fit_add_term(m, nereus_overlap_feature_name(NEREUS_OVERLAP_RT_SYNC), 1);
    nereus_fit_add_term(m, nereus_overlap_feature_name(NEREUS_OVERLAP_NOTICE), 1);
    nereus_fit_add_term(m, nereus_overlap_feature_name(NEREUS_OVERLAP_CONST), c_s);
    m->basis = NEREUS_BASIS_FITTED;
    m->log_sd = nereus_fit_spread(residuals, n, 1);
    if ((int)n < 1 + NEREUS_OVERLAP_FEW)
        m->log_sd = fmax(m->log_sd, NEREUS_FIT_RELATED);
    m->rows = (int64_t)n;
}

/* Rows within or above the cores; without any the model stays as it is. */
static void fit_load(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                     bool oversubscribed, double *scratch, struct nereus_linear_model *m)
{
    size_t n = 0;
    double *rt_s = scratch, *rest_s = scratch + rows->count;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        if (!nereus_fit_is_async_shrink(s, oversubscribed))
            continue;
        rt_s[n] = s->rt_s;
        rest_s[n] = s->rt_s - without_slices_s(s, profile);
        n += isnan(rest_s[n]) ? 0 : 1;
        nereus_fit_range(m, s->ns, s->nt, 0);
    }
    if (n == 0)
        return;
    memcpy(scratch + 2 * rows->count, rest_s, n * sizeof *rest_s);
    const double c_s = fmax(0, nereus_median(scratch + 2 * rows->count, n));
    for (size_t i = 0; i < n; i++)
        rest_s[i] = log(rt_s[i] / (rt_s[i] - rest_s[i] + c_s));
    finish(c_s, rest_s, n, m);
}

enum nereus_status nereus_fit_stops(const struct nereus_fit_rows *rows, bool oversubscribed,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    double *scratch = malloc(3 * (rows->count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return nereus_fit_no_memory(rows, err);
    fit_load(rows, profile, oversubscribed, scratch,
             oversubscribed ? &profile->async_shrink_oversubscribed : &profile->async_shrink);
    free(scratch);
    return NEREUS_OK;
}
