/*
 * Iterations beside threads, stage by stage and by what the threads do (contention.c has the terms).
 *
 * Rows are scaled by the iteration beside them, so that long and short iterations count alike. Where nothing is slower beside
 * naps no term remains: a fit without terms, not a missing one.
 */
#include <math.h>

#include "fit.h"
#include "model/price/overlap.h"

static const double starting_scatter = 0.3; /* relative, of rows beside processes that start */
static const double few_spread = 0.3;       /* where there are hardly more rows than terms */

static bool is_beside_starts(int which)
{
    return which % NEREUS_COMPANY_COUNT == NEREUS_COMPANY_STARTING;
}

/* Of the fullest core (contention.c). Threads are dealt out over the processes, and stay on the core that theirs is bound to. */
static double load_of(const struct nereus_sample *row)
{
    const double all = (double)(row->old_processes + row->new_processes) / (double)row->cores_per_node;
    const double threads = ceil((double)row->new_processes / (double)row->old_processes);
    return 1 + (is_beside_starts(row->contention) ? fmax(1, all) : threads);
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

/* Store a fit whose `measured` first rows are measurements. What the robust fit drops as outliers may be the other of two ways in which
 * cores are shared, so that it counts in the spread. */
static void store(const struct nereus_fit_result *result, size_t measured, const char *const *names,
                  struct nereus_linear_model *model)
{
    nereus_fit_store(result, 0, result->columns, names, model);
    model->spread = nereus_fit_spread_all(result->residuals, measured, result->kept_count);
    if (measured < result->kept_count + NEREUS_OVERLAP_FEW)
        model->spread = fmax(model->spread, few_spread);
    model->rows = (int64_t)measured;
    model->basis = NEREUS_BASIS_FITTED;
}

static enum nereus_status fit_one(const struct nereus_fit_rows *rows, int which,
                                  struct nereus_linear_model *model, struct nereus_error *err)
{
    enum { TERMS = 2 };
    const enum nereus_overlap_feature terms[TERMS] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                      is_beside_starts(which) ? NEREUS_OVERLAP_PEERS_EXCESS
                                                                              : NEREUS_OVERLAP_PLAIN_EXCESS};
    const char *names[TERMS];
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    enum nereus_status status = nereus_fit_problem_init(rows->count + TERMS, TERMS, &problem, err);
    if (status != NEREUS_OK)
        return status;
    const size_t measured = fill(rows, which, terms, &problem, model);
    problem.rows = measured;
    if (is_beside_starts(which)) /* a few iterations a row */
        problem.rows += nereus_fit_add_expectations(terms, TERMS, measured, starting_scatter, &problem);
    for (size_t t = 0; t < TERMS; t++)
        names[t] = nereus_overlap_feature_name(terms[t]);
    if (problem.rows > 0) {
        status = nereus_fit_linear(&problem, &result, err);
        if (status == NEREUS_OK) {
            store(&result, measured, names, model);
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
