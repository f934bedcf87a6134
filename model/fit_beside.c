/*
 * How long constant data takes beside the application: a and b of overlap_data.c, one pair for points and one for the thread, which has c as well.
 * A few rows of one size do not tell them apart: each has an expectation (nereus_overlap_expected), which is what carries them to other bytes.
 *
 * A row is a reconfiguration that was synchronous but for its constant data (all of its bytes): what passed beside it is its iterations, the last
 * of them by half, as a transfer ends somewhere within one. D is what the profile says that the data takes by itself.
 */
#include <math.h>
#include <string.h>

#include "fit.h"
#include "overlap.h"
#include "price.h"

static const double few_spread = 0.7;    /* log spread: a factor of 3 either way at 90 % */
static const double usual_scatter = 0.3; /* relative, of such rows */
static const enum nereus_overlap_feature terms[] = {NEREUS_OVERLAP_MOVE, NEREUS_OVERLAP_POINTS,
                                                    NEREUS_OVERLAP_SLICE};
enum { POINT_TERMS = 2, THREAD_TERMS = 3 };

static bool usable(const struct nereus_sample *s, bool thread)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->method.async && !s->oversubscribed &&
           s->method.has_data && s->method.overlap != NEREUS_SYNC &&
           (s->method.overlap == NEREUS_THREAD) == thread && s->bytes > 0 && s->t_iter_ns_s > 0 &&
           s->ct_s > 0 && s->iterations >= 1;
}

/* @return false: the profile does not know what the data takes by itself */
static bool input_of(const struct nereus_sample *s, const struct nereus_profile *profile,
                     struct nereus_overlap_input *input)
{
    const struct nereus_machine machine = {.cores_per_node = s->cores_per_node};
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = s->ns,
                                             .nt = s->nt,
                                             .constant_bytes = s->bytes,
                                             .t_iter_ns_s = s->t_iter_ns_s};
    struct nereus_price_parts parts;
    if (nereus_price_data(profile, &scenario, &s->method, &parts, NULL) != NEREUS_OK ||
        !(parts.beside.value_s > 0))
        return false;
    nereus_overlap_data_input(&machine, s->ns, s->nt, &s->method, s->t_iter_ns_s, parts.beside.value_s,
                              input);
    return true;
}

static size_t fill(const struct nereus_fit_rows *rows, const struct nereus_profile *profile, bool thread,
                   struct nereus_fit_problem *problem, struct nereus_linear_model *m)
{
    const size_t columns = problem->columns;
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_overlap_input input;
        if (!usable(s, thread) || !input_of(s, profile, &input))
            continue;
        problem->y[n] = s->ct_s * (s->iterations - 0.5) / s->iterations;
        for (size_t t = 0; t < columns; t++)
            problem->x[n * columns + t] = nereus_overlap_feature(terms[t], &input);
        nereus_fit_range(m, s->ns, s->nt, input.load.load);
        m->max_move_s = fmax(m->max_move_s, input.move_s);
        n++;
    }
    return n;
}

static enum nereus_status fit_one(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                                  bool thread, struct nereus_linear_model *m, struct nereus_error *err)
{
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    const size_t columns = thread ? THREAD_TERMS : POINT_TERMS;
    const char *names[THREAD_TERMS];
    enum nereus_status status = nereus_fit_problem_init(rows->count + columns, columns, &problem, err);
    if (status != NEREUS_OK)
        return status;
    memset(m, 0, sizeof *m);
    const size_t measured = fill(rows, profile, thread, &problem, m);
    problem.rows = measured + nereus_fit_add_expectations(terms, columns, measured, usual_scatter, &problem);
    for (size_t t = 0; t < columns; t++)
        names[t] = nereus_overlap_feature_name(terms[t]);
    status = nereus_fit_linear(&problem, &result, err);
    if (status == NEREUS_OK) {
        nereus_fit_store(&result, 0, columns, names, m);
        m->spread = nereus_fit_spread(result.residuals, measured, result.kept_count);
        if (measured < result.kept_count + NEREUS_OVERLAP_FEW && m->spread < few_spread)
            m->spread = few_spread;
        m->rows = (int64_t)measured;
        m->basis = m->terms > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
        nereus_fit_result_fini(&result);
    }
    nereus_fit_problem_fini(&problem);
    return status;
}

enum nereus_status nereus_fit_beside(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                     struct nereus_error *err)
{
    const enum nereus_status status = fit_one(rows, profile, false, &profile->data_at_points, err);
    return status == NEREUS_OK ? fit_one(rows, profile, true, &profile->data_by_thread, err) : status;
}
