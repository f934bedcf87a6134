/* RT_async by group of methods, within and above the cores, and omega. overlap.c has the terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/predict/lookup.h"
#include "model/price/overlap.h"
#include "model/util/try.h"

static const double usual_scatter = 0.08; /* relative, of asynchronous rows that are medians */

/* An asynchronous row with its inputs. */
struct overlapped {
    const struct nereus_sample *sample;
    struct nereus_overlap_input input;
};

static bool usable(const struct nereus_sample *s, bool oversubscribed)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && s->method.async &&
           !nereus_method_overlaps(&s->method, 1) && s->oversubscribed == oversubscribed &&
           s->t_iter_ns_s > 0 && s->ns != s->nt;
}

bool nereus_fit_is_async_shrink(const struct nereus_sample *s, bool oversubscribed)
{
    return usable(s, oversubscribed) && s->method.process == NEREUS_MERGE && s->nt < s->ns &&
           s->method.shrink != NEREUS_SS && s->method.shrink != NEREUS_TS;
}

/* Rows within the cores, or above them. */
static size_t collect(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                      bool oversubscribed, struct overlapped *all)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_node node;
        if (!usable(s, oversubscribed))
            continue;
        const struct nereus_machine machine = nereus_fit_machine(s, &node);
        nereus_overlap_input_make(&machine, s->ns, s->nt, &s->method, s->t_iter_ns_s,
                                  &all[n].input);
        all[n].input.rt_sync_s =
            nereus_lookup_synchronous_s(profile, &machine, s->ns, s->nt, &s->method);
        all[n].sample = s;
        n += all[n].input.rt_sync_s > 0 || all[n].input.group == NEREUS_ASYNC_SHRINK;
    }
    return n;
}

/* Target of a row in a regression, and the scale of its residual; false: the row is not part of
 * it. */
typedef bool (*value_function)(const struct overlapped *row, int group, double *y, double *scale);

static bool rt_value(const struct overlapped *row, int group, double *y, double *scale)
{
    *y = *scale = row->sample->rt_s;
    return (int)row->input.group == group;
}

/* omega T_iter - T_iter, relative to omega T_iter. */
static bool omega_value(const struct overlapped *row, int group, double *y, double *scale)
{
    const struct nereus_sample *s = row->sample;
    (void)group;
    if (!(s->ct_s > 0 && s->iterations >= 1))
        return false;
    *scale = s->ct_s / s->iterations;
    *y = *scale - s->t_iter_ns_s;
    return true;
}

/*
 * Least spread of a fit to few rows, where priors determine the terms: twice the usual scatter.
 * That is of medians; a single run scatters sqrt(n) / 1.25 times as much as a median of n.
 */
static double few_log_sd(const struct overlapped *all, size_t count)
{
    static const double usual_runs = 10;
    bool single = false;
    for (size_t i = 0; i < count; i++)
        single = single || all[i].sample->n <= 1;
    return 2 * usual_scatter * (single ? sqrt(usual_runs) / 1.25 : 1);
}

static enum nereus_status regress(const struct overlapped *all, size_t count, int group,
                                  value_function value_of, const enum nereus_overlap_feature *terms,
                                  size_t term_count, struct nereus_linear_model *m,
                                  struct nereus_error *err)
{
    const struct nereus_fit_overlap fit = {.terms = terms,
                                           .term_count = term_count,
                                           .expected_scatter = usual_scatter,
                                           .few_log_sd = few_log_sd(all, count)};
    struct nereus_fit_problem problem;
    size_t n = 0;
    NEREUS_TRY(nereus_fit_problem_init(count + term_count, term_count, &problem, err));
    for (size_t i = 0; i < count; i++) {
        if (!value_of(&all[i], group, &problem.y[n], &problem.scale[n]))
            continue;
        for (size_t t = 0; t < term_count; t++)
            problem.x[n * term_count + t] = nereus_overlap_feature(terms[t], &all[i].input);
        nereus_fit_range(m, all[i].sample->ns, all[i].sample->nt, all[i].input.load.load);
        n++;
    }
    problem.rows = n;
    m->rows = (int64_t)n;
    return nereus_fit_overlap(&fit, &problem, m, err);
}

/* RT_async of all groups, from rows within or above the cores. */
static enum nereus_status fit_load(const struct nereus_fit_rows *rows, const struct overlapped *all,
                                   size_t count, bool oversubscribed,
                                   struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model *const within[] = {&profile->async_plain, &profile->async_single};
    struct nereus_linear_model *const above[] = {&profile->async_plain_oversubscribed,
                                                 &profile->async_single_oversubscribed};
    const bool own = nereus_profile_has_steps(profile);
    enum nereus_status status = NEREUS_OK;
    for (int group = 0; group < NEREUS_ASYNC_SHRINK && status == NEREUS_OK; group++) {
        const enum nereus_overlap_feature *terms;
        const int terms_count = nereus_overlap_terms((enum nereus_async_group)group, own, &terms);
        status = regress(all, count, group, rt_value, terms, (size_t)terms_count,
                         oversubscribed ? above[group] : within[group], err);
    }
    if (status != NEREUS_OK)
        return status;
    return own ? nereus_fit_stops(rows, oversubscribed, profile, err)
               : nereus_fit_async_shrink(rows, oversubscribed, profile, err);
}

enum nereus_status nereus_fit_async(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    struct overlapped *all = malloc((rows->count + 1) * sizeof *all);
    if (all == NULL)
        return nereus_fit_no_memory(rows, err);
    enum nereus_status status =
        fit_load(rows, all, collect(rows, profile, true, all), true, profile, err);
    const size_t count = collect(rows, profile, false, all);
    if (status == NEREUS_OK)
        status = fit_load(rows, all, count, false, profile, err);
    if (status == NEREUS_OK) {
        const enum nereus_overlap_feature *terms;
        const int terms_count = nereus_overlap_omega_terms(&terms);
        status =
            regress(all, count, 0, omega_value, terms, (size_t)terms_count, &profile->omega, err);
    }
    free(all);
    return status;
}
