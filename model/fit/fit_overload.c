/*
 * Stand-in for starts on nodes that are full already, where none was measured.
 *
 * Tables of merges, or of parallel baselines, have no plain MPI_Comm_spawn on occupied cores. A fit
 * then has no term for it, and a baseline, whose sources and targets share their nodes, would be
 * priced as cheap as a merge. Processes that share cores start one after the other: the coefficient
 * of sqrt(l-1) is taken to be the time of a start on a full node. In the one table with such starts
 * (spawning-methods, 20 cores a node) it is 0.84 of that.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"
#include "model/price/cost.h"

static bool has_overload(const struct nereus_linear_model *m)
{
    bool has = false;
    for (int i = 0; i < m->terms; i++)
        has = has || nereus_cost_term(m, i) == NEREUS_FEATURE_OVERLOAD ||
              nereus_cost_term(m, i) == NEREUS_FEATURE_OVERLOAD_AWAKE;
    return has;
}

/* Time of a start that fills one empty node. */
static double full_node_s(const struct nereus_linear_model *m, int64_t cores)
{
    const struct nereus_cost_input full = {.load = {.load = 1,
                                                    .fill = 1,
                                                    .new_per_node = cores,
                                                    .new_nodes = 1,
                                                    .target_nodes = 1,
                                                    .old_nodes = 1},
                                           .load_awake = 1,
                                           .old_processes = 1,
                                           .new_processes = cores};
    double sum_s = 0;
    for (int i = 0; i < m->terms; i++)
        sum_s += m->coefficients[i] * nereus_cost_feature(nereus_cost_term(m, i), &full);
    return sum_s;
}

void nereus_fit_overload(struct nereus_profile *profile)
{
    struct nereus_linear_model *m = &profile->steps[NEREUS_STEP_SPAWN];
    if (m->basis != NEREUS_BASIS_FITTED || m->terms == 0 || m->terms == NEREUS_TERMS_MAX ||
        m->max_load > 1 || has_overload(m))
        return;
    const int here = m->terms;
    const double more_s = full_node_s(m, profile->cores_per_node);
    m->covariance[here][here] = pow(NEREUS_FIT_RELATED * more_s, 2);
    nereus_fit_add_term(m, nereus_feature_name(NEREUS_FEATURE_OVERLOAD), more_s);
    snprintf(m->stand_in, sizeof m->stand_in, "a start on full nodes as its time once more");
}
