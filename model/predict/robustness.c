/**
 * @file robustness.c
 * Compares two methods by criteria of robustness, the most important first; the first difference
 * decides. The reasons in quotes are sections of docs/failures.md. src/core/choose.c uses the same
 * order if a request names no method.
 */

#include "model/plan/strategies/strategy.h"
#include "nereus/goal.h"

/* A criterion; a smaller value is better. */
typedef int level(const struct nereus_prediction *p);

/* "New processes": spawned processes that die in MPI_Init end the job, launched ones do not. */
static int get_start_level(const struct nereus_prediction *p)
{
    if (p->starts_nobody)
        return 0;
    return nereus_strategy_of(&p->method)->isolated ? 1 : 2;
}

/* An auxiliary thread in MPI, and an application that may end first ("too-late"). */
static int get_overlap_level(const struct nereus_prediction *p)
{
    return (p->method.async ? 2 : 0) + (p->method.overlap != NEREUS_SYNC ? 1 : 0);
}

/* "Steps of the plan": launched worlds that merge and use messages survive longest. */
static int get_one_sided_level(const struct nereus_prediction *p)
{
    return p->method.data == NEREUS_RMA || p->method.data == NEREUS_SHARED ? 1 : 0;
}

/* A process without a core answers late and may be declared failed. */
static int get_oversubscription_level(const struct nereus_prediction *p)
{
    return p->oversubscribed ? 1 : 0;
}

/* Baseline starts all targets, merge only the missing ones: each start can fail. */
static int get_respawn_level(const struct nereus_prediction *p)
{
    return nereus_method_resolve(&p->method).process == NEREUS_MERGE ? 0 : 1;
}

/* A zombie can still be killed, which ends the job. */
static int get_zombie_level(const struct nereus_prediction *p)
{
    return p->starts_nobody && p->shrinks && p->method.shrink != NEREUS_TS ? 1 : 0;
}

/* Each further world is one more connection that can fail. */
static int get_worlds_level(const struct nereus_prediction *p)
{
    const struct nereus_strategy_ops *const strategy = nereus_strategy_of(&p->method);
    if (p->starts_nobody || strategy->channel == NEREUS_CHANNEL_SPAWN)
        return 0;
    return strategy->several_worlds ? 2 : 1;
}

static const struct {
    level *compute;
    const char *why; /* clause about the better method */
} criteria[] = {
    {get_start_level,
     "it starts nothing, or worlds that the job survives if they die before they join"},
    {get_overlap_level, "less of it overlaps with the application"},
    {get_one_sided_level, "messages and collectives are survived longer than one-sided access"},
    {get_oversubscription_level, "no core has more than one process"},
    {get_respawn_level, "it starts fewer processes"},
    {get_zombie_level, "nobody is left asleep"},
    {get_worlds_level, "it connects fewer worlds"},
};

int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why)
{
    if (why != NULL)
        *why = NULL;
    for (size_t i = 0; i < NEREUS_COUNT_OF(criteria); i++) {
        const int difference = criteria[i].compute(a) - criteria[i].compute(b);
        if (difference != 0) {
            if (why != NULL)
                *why = criteria[i].why;
            return difference;
        }
    }
    return 0;
}
