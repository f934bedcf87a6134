/*
 * Which of two methods survives more failures: what decides between predictions that cannot be told apart.
 *
 * One row a question, the weightiest first; the first that two methods answer differently decides. The reasons are the
 * live tests of docs/failures.md, and src/core/choose.c follows the same ones where a request names no method.
 */
#include <stddef.h>

#include "model/plan/strategies/strategy.h"
#include "nereus/goal.h"

/* Less is better. */
typedef int level(const struct nereus_prediction *p);

/* "New processes": what is spawned and dies in MPI_Init ends the job; what is launched does not. */
static int starting(const struct nereus_prediction *p)
{
    if (p->starts_nobody)
        return 0;
    return nereus_strategy_of(&p->method)->isolated ? 1 : 2;
}

/* A thread in MPI, and an application that may end first ("too-late"). */
static int beside(const struct nereus_prediction *p)
{
    return (p->method.async ? 2 : 0) + (p->method.overlap != NEREUS_SYNC ? 1 : 0);
}

/* "Steps of the plan": of launched worlds, those that merge and send messages are survived the longest. */
static int one_sided(const struct nereus_prediction *p)
{
    return p->method.data == NEREUS_RMA || p->method.data == NEREUS_SHARED ? 1 : 0;
}

/* A process that is slow for want of a core answers late, and is taken for lost. */
static int crowded(const struct nereus_prediction *p)
{
    return p->oversubscribed ? 1 : 0;
}

/* Baseline starts all targets, merge only what is missing: each start can fail. */
static int respawns(const struct nereus_prediction *p)
{
    return nereus_method_carried_out(&p->method).process == NEREUS_MERGE ? 0 : 1;
}

/* "The job itself": a process that sleeps can still be killed, and takes the job with it. */
static int sleepers(const struct nereus_prediction *p)
{
    return p->starts_nobody && p->shrinks && p->method.shrink != NEREUS_TS ? 1 : 0;
}

/* Each further world is a connection more that can break. */
static int worlds(const struct nereus_prediction *p)
{
    const struct nereus_strategy_ops *const strategy = nereus_strategy_of(&p->method);
    if (p->starts_nobody || strategy->channel == NEREUS_CHANNEL_SPAWN)
        return 0;
    return strategy->several_worlds ? 2 : 1;
}

static const struct {
    level *of;
    const char *why; /* the better one is preferred: its clause */
} questions[] = {
    {starting, "it starts nothing, or worlds that the job survives if they die before they join"},
    {beside, "less of it runs beside the application"},
    {one_sided, "messages and collectives are survived longer than one-sided access"},
    {crowded, "no core has more than one process"},
    {respawns, "it starts fewer processes"},
    {sleepers, "nobody is left asleep"},
    {worlds, "it connects fewer worlds"},
};

int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why)
{
    if (why != NULL)
        *why = NULL;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const int difference = questions[i].of(a) - questions[i].of(b);
        if (difference != 0) {
            if (why != NULL)
                *why = questions[i].why;
            return difference;
        }
    }
    return 0;
}
