/*
 * Iterations beside threads, stage by stage and by what the threads do (contention.c has the terms).
 *
 * Rows are scaled by the iteration beside them, so that long and short iterations count alike. Where nothing is slower beside
 * naps no term remains: a fit without terms, not a missing one.
 */
#include <math.h>

#include "fit.h"
#include "overlap.h"

static double load_of(const struct nereus_sample *row)
{
    return (double)(row->old_processes + row->new_processes) / (double)row->cores_per_node;
}

static bool is_of(const struct nereus_sample *row, int which)
{
    return row->kind == NEREUS_SAMPLE_CONTENTION && row->contention == which && row->t_iter_ns_s > 0;
}

/* Rows of the problem from samples. @return how many */
static size_t fill(const struct nereus_fit_rows *rows, int which, const enum nereus_overlap_feature *terms,
                   struct nereus_fit_problem *problem, struct nereus_linear_model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *row = rows->rows[i];
        if (!is_of(row, which))
            continue;
        const struct nereus_overlap_input in = {
            .t_iter_s = row->t_iter_ns_s, .ns = row->old_processes, .load.load_all = load_of(row)};
        for (size_t t = 0; t < problem->columns; t++)
            problem->x[n * problem->columns + t] = nereus_overlap_feature(terms[t], &in);
        problem->y[n] = row->time_s - row->t_iter_ns_s;
        problem->scale[n] = row->time_s;
        nereus_fit_range(model, row->old_processes, row->old_processes, load_of(row));
        n++;
    }
    return n;
}

static enum nereus_status fit_one(const struct nereus_fit_rows *rows, int which,
                                  struct nereus_linear_model *model, struct nereus_error *err)
{
    static const enum nereus_overlap_feature terms[] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                        NEREUS_OVERLAP_PLAIN_EXCESS};
    enum { TERMS = sizeof terms / sizeof terms[0] };
    const char *names[TERMS];
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    enum nereus_status status = nereus_fit_problem_init(rows->count, TERMS, &problem, err);
    if (status != NEREUS_OK)
        return status;
    problem.rows = fill(rows, which, terms, &problem, model);
    for (size_t t = 0; t < TERMS; t++)
        names[t] = nereus_overlap_feature_name(terms[t]);
    if (problem.rows > 0) {
        status = nereus_fit_linear(&problem, &result, err);
        if (status == NEREUS_OK) {
            nereus_fit_store(&result, 0, TERMS, names, model);
            model->spread = nereus_fit_spread(result.residuals, problem.rows, result.kept_count);
            model->rows = (int64_t)problem.rows;
            model->basis = NEREUS_BASIS_FITTED;
            nereus_fit_result_fini(&result);
        }
    }
    nereus_fit_problem_fini(&problem);
    return status;
}

enum nereus_status nereus_fit_contention(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                         struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int which = 0; which < NEREUS_CONTENTION_COUNT && status == NEREUS_OK; which++)
        status = fit_one(rows, which, &profile->contention[which], err);
    return status;
}
