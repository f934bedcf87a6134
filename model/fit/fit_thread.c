/*
 * Iterations while a thread moves data, from whole reconfigurations: contention_price.c has the
 * terms. Residuals are relative to the iterations with data. Outliers count in the spread, as for
 * other iterations that share their cores (fit_contention.c).
 */
#include <math.h>

#include "fit.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/util/try.h"

enum { TERMS = 2 };
static const enum nereus_overlap_feature terms[TERMS] = {NEREUS_OVERLAP_ITER_EXCESS,
                                                         NEREUS_OVERLAP_PEERS_MOVE};
static const double few_log_sd = 0.3; /* least spread of hardly more rows than terms */

static bool is_by_thread(const struct nereus_sample *row)
{
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION && !row->method.async &&
           !row->oversubscribed && row->method.has_data && row->method.overlap == NEREUS_THREAD &&
           row->bytes > 0 && row->t_iter_ns_s > 0 && row->ct_s > 0 && row->iterations >= 1;
}

/* @return false: the profile has no price of the data alone */
static bool input_of(const struct nereus_sample *row, const struct nereus_profile *profile,
                     struct nereus_overlap_input *in)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_fit_machine(row, &node);
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

/* @return the number of rows */
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

enum nereus_status nereus_fit_thread(const struct nereus_fit_rows *rows,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    const struct nereus_fit_overlap fit = {
        .terms = terms, .term_count = TERMS, .few_log_sd = few_log_sd, .outliers_count = true};
    struct nereus_linear_model *const m = &profile->omega_by_thread;
    struct nereus_fit_problem problem;
    NEREUS_TRY(nereus_fit_problem_init(rows->count, TERMS, &problem, err));
    problem.rows = fill(rows, profile, &problem, m);
    m->rows = (int64_t)problem.rows;
    return nereus_fit_overlap(&fit, &problem, m, err);
}
