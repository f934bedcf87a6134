/**
 * @file mix_with_glpk.c
 * Solves the mix of classes as a linear problem by GLPK:
 *
 *   minimise    sum c_k x_k          c_k: power (least power), or price + small share of power
 *   subject to  sum x_k = count,  sum power_k x_k >= needed,  0 <= x_k <= max_k
 *
 * Powers and prices are scaled to at most 1. With two rows at most two x_k are fractional, so that
 * rounding concerns one or two processes. It loses where many classes of nearly equal power make a
 * large tree: then the rounded solution is taken, and is_exact is false.
 */
#include <glpk.h>

#include "mix_solver.h"

/* Share of power in the objective, to decide between equal prices. */
static const double trifle = 1e-6;

static double compute_coefficient(const struct nereus_mix_question *q, int k, double max_power,
                                  double max_price)
{
    const double power = q->classes[k].power / max_power;
    const double price = max_price > 0 ? q->classes[k].price_per_core_hour / max_price : 0;
    return q->aim == NEREUS_MIX_MIN_POWER ? power : price + trifle * power;
}

static glp_prob *make_problem(const struct nereus_mix_question *q)
{
    double max_power = 0, max_price = 0;
    for (int k = 0; k < q->class_count; k++) {
        max_power = fmax(max_power, q->classes[k].power);
        max_price = fmax(max_price, q->classes[k].price_per_core_hour);
    }
    glp_prob *problem = glp_create_prob();
    glp_set_obj_dir(problem, GLP_MIN);
    glp_add_rows(problem, 2);
    glp_set_row_bnds(problem, 1, GLP_FX, (double)q->count, (double)q->count);
    glp_set_row_bnds(problem, 2, GLP_LO, q->needed_power / max_power, 0);
    glp_add_cols(problem, q->class_count);
    for (int k = 0; k < q->class_count; k++) {
        const int rows[] = {0, 1, 2};
        const double values[] = {0, 1, q->classes[k].power / max_power};
        glp_set_mat_col(problem, k + 1, 2, rows, values);
        glp_set_obj_coef(problem, k + 1, compute_coefficient(q, k, max_power, max_price));
        glp_set_col_bnds(problem, k + 1, q->max[k] > 0 ? GLP_DB : GLP_FX, 0, (double)q->max[k]);
        glp_set_col_kind(problem, k + 1, GLP_IV);
    }
    return problem;
}

/* Round down, then add processes where the fraction is largest; exchange weaker classes for
 * stronger ones if power is missing.
 * @return the mix has the power */
static bool round_mix(const struct nereus_mix_question *q, const double *x,
                      struct nereus_allocation *mix)
{
    int64_t left = q->count;
    memset(mix, 0, sizeof *mix);
    for (int k = 0; k < q->class_count; k++) {
        mix->processes[k] = (int64_t)floor(x[k] + 1e-9);
        left -= mix->processes[k];
    }
    while (left-- > 0) {
        int best = -1;
        for (int k = 0; k < q->class_count; k++)
            if (mix->processes[k] < q->max[k] &&
                (best < 0 ||
                 x[k] - (double)mix->processes[k] > x[best] - (double)mix->processes[best]))
                best = k;
        if (best < 0)
            return false;
        mix->processes[best]++;
    }
    return nereus_mix_power(q, mix) >= q->needed_power;
}

static void stop_large_tree(glp_tree *tree, void *unused)
{
    int nodes;
    (void)unused;
    glp_ios_tree_size(tree, NULL, NULL, &nodes);
    if (nodes > NEREUS_MIX_NODES_MAX)
        glp_ios_terminate(tree);
}

/* Find the integer optimum.
 * @return it was found, and has the power */
static bool solve_integer(glp_prob *problem, const struct nereus_mix_question *q,
                          struct nereus_allocation *mix)
{
    glp_iocp settings;
    glp_init_iocp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    settings.cb_func = stop_large_tree;
    if (glp_intopt(problem, &settings) != 0 || glp_mip_status(problem) != GLP_OPT)
        return false;
    memset(mix, 0, sizeof *mix);
    for (int k = 0; k < q->class_count; k++)
        mix->processes[k] = llround(glp_mip_col_val(problem, k + 1));
    return nereus_mix_power(q, mix) >= q->needed_power * (1 - 1e-12);
}

static void solve_problem(glp_prob *problem, const struct nereus_mix_question *q,
                          struct nereus_allocation *exact, struct nereus_mix_solution *solution)
{
    double x[NEREUS_NODE_CLASSES_MAX];
    glp_smcp settings;
    glp_init_smcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    if (glp_simplex(problem, &settings) != 0 || glp_get_status(problem) != GLP_OPT)
        return;
    for (int k = 0; k < q->class_count; k++)
        x[k] = glp_get_col_prim(problem, k + 1);
    solution->simplex_value = nereus_mix_value(q, x);
    solution->rounded_holds = round_mix(q, x, &solution->rounded_mix);
    solution->is_exact = solve_integer(problem, q, exact);
    if (!solution->is_exact && solution->rounded_holds)
        *exact = solution->rounded_mix;
}

enum nereus_status nereus_mix_check(int class_count, struct nereus_error *err)
{
    (void)class_count;
    (void)err;
    return NEREUS_OK;
}

enum nereus_status nereus_mix_solve(const struct nereus_mix_question *q,
                                    struct nereus_allocation *mix,
                                    struct nereus_mix_solution *solution, struct nereus_error *err)
{
    glp_prob *problem = make_problem(q);
    if (problem == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a linear problem");
    solve_problem(problem, q, mix, solution);
    glp_delete_prob(problem);
    return NEREUS_OK;
}
