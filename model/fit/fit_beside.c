/*
 * Constant data overlapped with the application: the coefficients of overlap_data.c, one set for
 * points and one for the thread. Few rows of one size do not determine all of them: each has a
 * prior (nereus_overlap_expected).
 *
 * A row is a reconfiguration in which only the constant data (all of its bytes) was overlapped. Its
 * iterations passed meanwhile, half of the last one on average. At points a row gives two
 * equations: the time that passed, and the time that the same iterations take without data; their
 * difference was spent in the points. D is the profile's price of the data alone.
 */
#include <math.h>
#include <string.h>

#include "fit.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/util/try.h"

static const double usual_scatter = 0.3; /* relative, of such rows */
static const enum nereus_overlap_feature point_terms[] = {NEREUS_OVERLAP_PASSED,
                                                          NEREUS_OVERLAP_MEANWHILE,
                                                          NEREUS_OVERLAP_IN_POINTS},
                                         thread_terms[] = {NEREUS_OVERLAP_MOVE,
                                                           NEREUS_OVERLAP_POINTS,
                                                           NEREUS_OVERLAP_SLICE};
enum { TERMS = 3 };

static bool usable(const struct nereus_sample *s, bool thread)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->method.async && !s->oversubscribed &&
           s->method.has_data && s->method.overlap != NEREUS_SYNC &&
           (s->method.overlap == NEREUS_THREAD) == thread && s->bytes > 0 && s->t_iter_ns_s > 0 &&
           s->ct_s > 0 && s->iterations >= 1;
}

/* @return false: the profile has no price of the data alone */
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
    nereus_overlap_data_input(&machine, s->ns, s->nt, &s->method, s->t_iter_ns_s,
                              parts.overlapped.value_s, input);
    return true;
}

/* @param passed  target: the time of the passed iterations without data, not the time that
 * passed */
static void add_row(const struct nereus_sample *s, const struct nereus_overlap_input *input,
                    bool passed, const enum nereus_overlap_feature *terms,
                    struct nereus_fit_problem *problem, size_t row)
{
    const double one_s = passed ? s->t_iter_ns_s : s->ct_s / s->iterations;
    problem->y[row] = one_s * (s->iterations - 0.5);
    for (size_t t = 0; t < TERMS; t++)
        if (!(passed && terms[t] == NEREUS_OVERLAP_IN_POINTS))
            problem->x[row * TERMS + t] = nereus_overlap_feature(terms[t], input);
}

/* @return the number of equations */
static size_t fill(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                   bool thread, struct nereus_fit_problem *problem, struct nereus_linear_model *m)
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

static enum nereus_status fit_one(const struct nereus_fit_rows *rows,
                                  const struct nereus_profile *profile, bool thread,
                                  struct nereus_linear_model *m, struct nereus_error *err)
{
    const struct nereus_fit_overlap fit = {.terms = thread ? thread_terms : point_terms,
                                           .term_count = TERMS,
                                           .expected_scatter = usual_scatter,
                                           .few_log_sd = NEREUS_FIT_RELATED};
    struct nereus_fit_problem problem;
    NEREUS_TRY(nereus_fit_problem_init(2 * rows->count + TERMS, TERMS, &problem, err));
    memset(m, 0, sizeof *m);
    problem.rows = fill(rows, profile, thread, &problem, m);
    return nereus_fit_overlap(&fit, &problem, m, err);
}

enum nereus_status nereus_fit_overlapped(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    NEREUS_TRY(fit_one(rows, profile, false, &profile->data_at_points, err));
    return fit_one(rows, profile, true, &profile->data_by_thread, err);
}
