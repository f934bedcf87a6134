/*
 * A stand-in for what joins groups: tokens up and down the tree, rounds of connections, new ranks (parallel-spawning 4.3 to 4.6).
 *
 * Where nobody measured these steps, but merges with a spawn tree of few rounds and plain merges as wholes, the former take longer
 * by the sum of them: 2 + rounds + 1 steps, and new ranks from two groups on. Each gets the same share, the median over the
 * reconfigurations that were measured. Wide: it is not known which of them it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "fit_linear.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/price_parts.h"

static const double related = 0.7; /* log spread: a factor of 3 either way at 90 % */
static const char name[] = "share of measured parallel merges";

static bool is_parallel_merge(const struct nereus_measured *m)
{
    return m->method.process == NEREUS_MERGE && !m->method.async && m->nt > m->ns && !m->oversubscribed &&
           nereus_strategy_has_few_rounds(m->method.strategy);
}

/* What a reconfiguration took longer than a plain merge, by step; below 0: not known. */
static double share_s(const struct nereus_profile *profile, const struct nereus_measured *m)
{
    const struct nereus_machine machine = {.cores_per_node = m->cores_per_node};
    const struct nereus_scenario scenario = {.machine = &machine, .ns = m->ns, .nt = m->nt};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    struct nereus_load load;
    double merge_s;
    if (nereus_price_closed(profile, &scenario, &merge, &merge_s, NULL) != NEREUS_OK)
        return -1;
    nereus_machine_load(&machine, m->ns, m->ns, m->nt - m->ns, m->nt, &load);
    const int64_t steps = 3 + nereus_connect_rounds(load.new_nodes) + (load.new_nodes > 1);
    return (m->rt_s - merge_s) / (double)steps;
}

static void stand_in(double value_s, struct nereus_linear_model *m)
{
    memset(m, 0, sizeof *m);
    m->basis = NEREUS_BASIS_FALLBACK;
    m->terms = 1;
    m->coefficients[0] = value_s;
    m->spread = related;
    snprintf(m->names[0], sizeof m->names[0], "const");
    snprintf(m->fallback, sizeof m->fallback, "%s", name);
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
        if (profile->steps[joining[k]].basis == NEREUS_BASIS_FALLBACK)
            stand_in(median_s, &profile->steps[joining[k]]);
}
