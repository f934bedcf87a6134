/*
 * Constant data beside the application: the coefficients of overlap_data.c, one set for points and one for the thread. A few rows of one size
 * do not tell them apart: each has an expectation (nereus_overlap_expected), which is what carries them to other bytes.
 *
 * A row is a reconfiguration that was synchronous but for its constant data (all of its bytes): what passed beside it is its iterations, the last
 * of them by half, as a transfer ends somewhere within one. At points it says two things: how long that took, and how many iterations passed,
 * that is how long these would have taken by themselves; what is between the two was done in the points. D is what the profile says that the
 * data takes by itself.
 */
#include <math.h>
#include <string.h>

#include "fit.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"

static const double few_spread = 0.7;    /* log spread: a factor of 3 either way at 90 % */
static const double usual_scatter = 0.3; /* relative, of such rows */
static const enum nereus_overlap_feature point_terms[] = {NEREUS_OVERLAP_PASSED, NEREUS_OVERLAP_MEANWHILE,
                                                          NEREUS_OVERLAP_IN_POINTS},
                                         thread_terms[] = {NEREUS_OVERLAP_MOVE, NEREUS_OVERLAP_POINTS,
                                                           NEREUS_OVERLAP_SLICE};
enum { TERMS = 3 };

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
        !(parts.overlapped.value_s > 0))
        return false;
    nereus_overlap_data_input(&machine, s->ns, s->nt, &s->method, s->t_iter_ns_s, parts.overlapped.value_s,
                              input);
    return true;
}

/* @param passed  not how long it took, but what the iterations that passed would have taken by themselves */
static void add_row(const struct nereus_sample *s, const struct nereus_overlap_input *input, bool passed,
                    const enum nereus_overlap_feature *terms, struct nereus_fit_problem *problem, size_t row)
{
    const double one_s = passed ? s->t_iter_ns_s : s->ct_s / s->iterations;
    problem->y[row] = one_s * (s->iterations - 0.5);
    for (size_t t = 0; t < TERMS; t++)
        if (!(passed && terms[t] == NEREUS_OVERLAP_IN_POINTS))
            problem->x[row * TERMS + t] = nereus_overlap_feature(terms[t], input);
}

/* @return how many equations there are */
static size_t fill(const struct nereus_fit_rows *rows, const struct nereus_profile *profile, bool thread,
                   struct nereus_fit_problem *problem, struct nereus_linear_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_overlap_input input;
        if (!usable(s, thread) || !input_of(s, profile, &input))
            continue;
        add_row(s, &input, false, thread ? thread_terms : point_terms, problem, n++);
        if (!thread)
            add_row(s, &input, true, point_terms, problem, n++);
        nereus_fit_range(m, s->ns, s->nt, input.load.load);
        m->max_move_s = fmax(m->max_move_s, input.move_s);
        m->rows++;
    }
    return n;
}

static void store(struct nereus_fit_result *result, size_t equations,
                  const enum nereus_overlap_feature *terms, struct nereus_linear_model *m)
{
    const char *names[TERMS];
    for (size_t t = 0; t < TERMS; t++)
        names[t] = nereus_overlap_feature_name(terms[t]);
    nereus_fit_store(result, 0, TERMS, names, m);
    m->spread = nereus_fit_spread(result->residuals, equations, result->kept_count);
    if (m->rows < (int64_t)result->kept_count + NEREUS_OVERLAP_FEW && m->spread < few_spread)
        m->spread = few_spread;
    m->basis = m->terms > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
}

static enum nereus_status fit_one(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                                  bool thread, struct nereus_linear_model *m, struct nereus_error *err)
{
    const enum nereus_overlap_feature *terms = thread ? thread_terms : point_terms;
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    enum nereus_status status = nereus_fit_problem_init(2 * rows->count + TERMS, TERMS, &problem, err);
    if (status != NEREUS_OK)
        return status;
    memset(m, 0, sizeof *m);
    const size_t equations = fill(rows, profile, thread, &problem, m);
    problem.rows = equations + nereus_fit_add_expectations(terms, TERMS, equations, usual_scatter, &problem);
    status = nereus_fit_linear(&problem, &result, err);
    if (status == NEREUS_OK) {
        store(&result, equations, terms, m);
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
