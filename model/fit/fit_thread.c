/*
 * Iterations beside data that a thread moves, of whole reconfigurations: contention.c has the terms. Rows are relative to the iterations
 * beside the data, and compute. What the robust fit drops counts in the spread, as of other iterations beside threads.
 */
#include <math.h>

#include "fit.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"

enum { TERMS = 2 };
static const enum nereus_overlap_feature terms[TERMS] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                         NEREUS_OVERLAP_PEERS_MOVE};
static const double few_spread = 0.3; /* where there are hardly more rows than terms */

static bool is_by_thread(const struct nereus_sample *row)
{
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION && !row->method.async && !row->oversubscribed &&
           row->method.has_data && row->method.overlap == NEREUS_THREAD && row->bytes > 0 &&
           row->t_iter_ns_s > 0 && row->ct_s > 0 && row->iterations >= 1;
}

/* @return false: the profile does not know what the data takes by itself */
static bool input_of(const struct nereus_sample *row, const struct nereus_profile *profile,
                     struct nereus_overlap_input *in)
{
    const struct nereus_machine machine = {.cores_per_node = row->cores_per_node};
    const struct nereus_scenario scenario = {
        .machine = &machine, .ns = row->ns, .nt = row->nt, .constant_bytes = row->bytes};
    struct nereus_price_parts parts;
    if (nereus_price_data(profile, &scenario, &row->method, &parts, NULL) != NEREUS_OK)
        return false;
    nereus_overlap_data_input(&machine, row->ns, row->nt, &row->method, row->t_iter_ns_s,
                              parts.overlapped.value_s, in);
    in->load.load_all = nereus_contention_load(in);
    in->group = NEREUS_ASYNC_PLAIN;
    return true;
}

/* @return how many rows there are */
static size_t fill(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                   struct nereus_fit_problem *problem, struct nereus_linear_model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *row = rows->rows[i];
        struct nereus_overlap_input in;
        if (!is_by_thread(row) || !input_of(row, profile, &in))
            continue;
        for (size_t t = 0; t < TERMS; t++)
            problem->x[n * TERMS + t] = nereus_overlap_feature(terms[t], &in);
        problem->scale[n] = row->ct_s / row->iterations;
        problem->y[n] = problem->scale[n] - row->t_iter_ns_s;
        nereus_fit_range(model, row->ns, row->nt, in.load.load_all);
        model->max_move_s = fmax(model->max_move_s, in.move_s);
        n++;
    }
    return n;
}

enum nereus_status nereus_fit_thread(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                     struct nereus_error *err)
{
    struct nereus_linear_model *const m = &profile->omega_by_thread;
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    const char *names[TERMS];
    enum nereus_status status = nereus_fit_problem_init(rows->count, TERMS, &problem, err);
    if (status != NEREUS_OK)
        return status;
    problem.rows = fill(rows, profile, &problem, m);
    for (size_t t = 0; t < TERMS; t++)
        names[t] = nereus_overlap_feature_name(terms[t]);
    if (problem.rows > 0)
        status = nereus_fit_linear(&problem, &result, err);
    if (problem.rows > 0 && status == NEREUS_OK) {
        nereus_fit_store(&result, 0, TERMS, names, m);
        m->spread = nereus_fit_spread_all(result.residuals, problem.rows, result.kept_count);
        if (problem.rows < result.kept_count + NEREUS_OVERLAP_FEW)
            m->spread = fmax(m->spread, few_spread);
        m->rows = (int64_t)problem.rows;
        m->basis = NEREUS_BASIS_FITTED;
        nereus_fit_result_fini(&result);
    }
    nereus_fit_problem_fini(&problem);
    return status;
}
