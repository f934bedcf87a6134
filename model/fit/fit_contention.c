/*
 * Iterations that share their cores with threads, by stage and by what the threads do
 * (contention_price.c has the terms).
 *
 * Residuals are relative to the iteration with threads: long and short ones count alike. Where
 * sleeping threads slow nothing down, no term remains: that is a fit, too.
 */
#include <math.h>

#include "fit.h"
#include "model/price/overlap.h"
#include "model/util/try.h"

/* relative, of rows beside processes that start: a few iterations each */
static const double starting_scatter = 0.3;
static const double few_log_sd = 0.3; /* where there are hardly more rows than terms */

static bool is_beside_starts(int which)
{
    return which % NEREUS_BACKGROUND_COUNT == NEREUS_BACKGROUND_STARTING;
}

/* Load of the fullest core. Threads are distributed over the processes and stay on the core of
 * theirs. */
static double load_of(const struct nereus_sample *row)
{
    const double all =
        (double)(row->old_processes + row->new_processes) / (double)row->cores_per_node;
    const double threads = ceil((double)row->new_processes / (double)row->old_processes);
    return 1 + (is_beside_starts(row->contention) ? fmax(1, all) : threads);
}

static bool is_of(const struct nereus_sample *row, int which)
{
    return row->kind == NEREUS_SAMPLE_CONTENTION && row->contention == which &&
           row->t_iter_ns_s > 0;
}

/* Rows of the problem from samples. @return their number */
static size_t fill(const struct nereus_fit_rows *rows, int which,
                   const enum nereus_overlap_feature *terms, struct nereus_fit_problem *problem,
                   struct nereus_linear_model *model)
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
    enum { TERMS = 2 };
    const bool starting = is_beside_starts(which);
    const enum nereus_overlap_feature terms[TERMS] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                      starting ? NEREUS_OVERLAP_PEERS_EXCESS
                                                               : NEREUS_OVERLAP_PLAIN_EXCESS};
    const struct nereus_fit_overlap fit = {.terms = terms,
                                           .term_count = TERMS,
                                           .expected_scatter = starting ? starting_scatter : 0,
                                           .few_log_sd = few_log_sd,
                                           .outliers_count = true};
    struct nereus_fit_problem problem;
    NEREUS_TRY(nereus_fit_problem_init(rows->count + TERMS, TERMS, &problem, err));
    problem.rows = fill(rows, which, terms, &problem, model);
    model->rows = (int64_t)problem.rows;
    return nereus_fit_overlap(&fit, &problem, model, err);
}

enum nereus_status nereus_fit_contention(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int which = 0; which < NEREUS_CONTENTION_COUNT && status == NEREUS_OK; which++)
        status = fit_one(rows, which, &profile->contention[which], err);
    return status;
}
