/**
 * @file outages.c
 * Draws the failures of N nodes that fail independently, each with an MTBF M while it is not in
 * repair: a Poisson process of rate N / M, in which each failure hits a node drawn from all, and
 * has no effect on a node in repair. So failures do not depend on the jobs: policies are compared
 * under the same failures of a seed.
 */
#include "outages.h"

#include <gsl/gsl_randist.h>

static void draw_failure(struct nereus_outages *outages)
{
    const struct nereus_sim_failures *settings = outages->settings;
    outages->next.time_s += gsl_ran_exponential(outages->rng, settings->mtbf_s / outages->nodes);
    outages->next.node = (int32_t)gsl_rng_uniform_int(outages->rng, (unsigned long)outages->nodes);
    outages->next.repair_s = settings->repair_s;
}

static void fetch_next_failure(struct nereus_outages *outages)
{
    const struct nereus_sim_failures *settings = outages->settings;
    if (outages->rng != NULL)
        draw_failure(outages);
    else if (outages->taken < settings->count)
        outages->next = settings->list[outages->taken++];
    else
        outages->next.time_s = INFINITY;
}

enum nereus_status nereus_outages_init(const struct nereus_sim_failures *settings, int32_t nodes,
                                       double from_s, struct nereus_outages *outages,
                                       struct nereus_error *err)
{
    *outages =
        (struct nereus_outages){.settings = settings, .nodes = nodes, .next = {.time_s = from_s}};
    outages->down = calloc((size_t)nodes, sizeof *outages->down);
    outages->is_down = calloc((size_t)nodes, sizeof *outages->is_down);
    outages->rng = settings->list == NULL ? gsl_rng_alloc(gsl_rng_taus2) : NULL;
    NEREUS_TRY_MEMORY(outages->down != NULL && outages->is_down != NULL &&
                          (outages->rng != NULL || settings->list != NULL),
                      err, "for failures of %d nodes", nodes);
    if (outages->rng != NULL)
        gsl_rng_set(outages->rng, (unsigned long)settings->seed);
    fetch_next_failure(outages);
    return NEREUS_OK;
}

void nereus_outages_fini(struct nereus_outages *outages)
{
    free(outages->down);
    free(outages->is_down);
    if (outages->rng != NULL)
        gsl_rng_free(outages->rng);
    *outages = (struct nereus_outages){0};
}

double nereus_outages_next_s(const struct nereus_outages *outages)
{
    if (outages->settings == NULL)
        return INFINITY;
    return outages->down_count > 0 ? fmin(outages->down[0].end_s, outages->next.time_s)
                                   : outages->next.time_s;
}

int32_t nereus_outages_repair(struct nereus_outages *outages, double now_s)
{
    if (outages->down_count == 0 || outages->down[0].end_s > now_s)
        return NEREUS_SIM_NONE;
    const struct nereus_outage over = outages->down[0];
    outages->down_count--;
    memmove(outages->down, outages->down + 1, (size_t)outages->down_count * sizeof over);
    outages->is_down[over.node] = false;
    outages->down_node_s += over.end_s - over.begin_s;
    return over.node;
}

static void begin_repair(struct nereus_outages *outages, const struct nereus_sim_failure *failure)
{
    const double end_s = failure->time_s + failure->repair_s;
    int32_t at = outages->down_count++;
    for (; at > 0 && outages->down[at - 1].end_s > end_s; at--)
        outages->down[at] = outages->down[at - 1];
    outages->down[at] = (struct nereus_outage){failure->time_s, end_s, failure->node};
    outages->is_down[failure->node] = true;
    outages->failures++;
}

int32_t nereus_outages_fail(struct nereus_outages *outages, double now_s)
{
    while (outages->settings != NULL && outages->next.time_s <= now_s) {
        const struct nereus_sim_failure failure = outages->next;
        fetch_next_failure(outages);
        if (!outages->is_down[failure.node]) {
            begin_repair(outages, &failure);
            return failure.node;
        }
    }
    return NEREUS_SIM_NONE;
}

void nereus_outages_finish(struct nereus_outages *outages, double now_s)
{
    for (int32_t i = 0; i < outages->down_count; i++)
        outages->down_node_s += now_s - outages->down[i].begin_s;
    outages->down_count = 0;
}
