/*
 * Stand-in for the steps that join groups: tokens up and down the tree, rounds of connections, new
 * ranks (parallel-spawning 4.3 to 4.6).
 *
 * If these steps were not measured, but merges with a spawn tree of few rounds and plain merges
 * were as a whole, then the former take longer by the sum of these steps: 2 + rounds + 1, and new
 * ranks from two groups on. Each step gets the same share, the median over the measured
 * reconfigurations.
 */
#include <stdlib.h>

#include "fit.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/price_parts.h"

static bool is_parallel_merge(const struct nereus_measured *m)
{
    return m->method.process == NEREUS_MERGE && !m->method.async && m->nt > m->ns &&
           !m->oversubscribed && nereus_strategy_has_few_rounds(m->method.strategy);
}

/* How much longer than a plain merge a reconfiguration took, per step; below 0: not known. */
static double share_s(const struct nereus_profile *profile, const struct nereus_measured *m)
{
    const struct nereus_machine machine = {.cores_per_node = m->cores_per_node};
    const struct nereus_scenario scenario = {.machine = &machine, .ns = m->ns, .nt = m->nt};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    struct nereus_load load;
    double merge_s;
    if (nereus_price_question(profile, &scenario, &merge, &merge_s, NULL) != NEREUS_OK)
        return -1;
    nereus_machine_load(&machine, m->ns, m->ns, m->nt - m->ns, m->nt, &load);
    const int64_t steps = 3 + nereus_connect_rounds(load.new_nodes) + (load.new_nodes > 1);
    return (m->rt_s - merge_s) / (double)steps;
}

void nereus_fit_parallel(struct nereus_profile *profile)
{
    static const enum nereus_step_kind joining[] = {NEREUS_STEP_SYNCHRONISE, NEREUS_STEP_CONNECT,
                                                    NEREUS_STEP_REORDER};
    double *shares = malloc(((size_t)profile->measured_count + 1) * sizeof *shares);
    size_t count = 0;
    for (int64_t i = 0; shares != NULL && i < profile->measured_count; i++)
        if (is_parallel_merge(&profile->measured[i]))
            shares[count++] = share_s(profile, &profile->measured[i]);
    const double median_s = count > 0 ? nereus_median(shares, count) : 0;
    free(shares);
    for (size_t k = 0; median_s > 0 && k < sizeof joining / sizeof joining[0]; k++)
        if (profile->steps[joining[k]].basis == NEREUS_BASIS_STAND_IN)
            nereus_fit_stand_in("share of measured parallel merges", "const", median_s,
                                NEREUS_FIT_RELATED, &profile->steps[joining[k]]);
}
