/*
 * Redistributions between nodes that were measured alone (samples with redistribute_s):
 *
 *   at once      a B_n + b B + c B min(NS, NT) / max(NS, NT)
 *   in rounds    a B + b B_n [NT < NS] + c B e^2
 *
 * B all bytes, B_n what the busiest node's link carries (node_traffic.c), e processes / cores of
 * the nodes - 1.
 * Messages sent at once have the busiest link as their bottleneck (Gropp, Olson and Samfass 2016);
 * b and c are small unless it is none.
 * MPICH's blocking MPI_Alltoallv between two groups is max(NS, NT) rounds of MPI_Sendrecv, source s
 * with target (s + round) mod max (alltoallv_inter_pairwise_exchange.c). Blocks put few messages
 * into a round, so that bytes pass one after the other; and each round waits for processes that share
 * their cores, at both ends of a message: e^2.
 *
 * A way that was not measured is priced as coll in one group, else by the busiest link.
 */
#include "cost_between.h"

#include <math.h>
#include <string.h>

#include "model/util/arith.h"
#include "node_traffic.h"

static const double by_another = 0.42; /* log-sd: a factor of 2 at 90 % */

#define STAND_IN(name, text)                                                                       \
    static const struct nereus_linear_model name = {.basis = NEREUS_BASIS_STAND_IN,                \
                                                    .stand_in = text}
STAND_IN(as_collective, "redistribute as coll in one group");
STAND_IN(as_link, "redistribute at the rate of the busiest link");

static bool is_fitted(const struct nereus_linear_model *m)
{
    return m->basis == NEREUS_BASIS_FITTED && m->terms > 0;
}

static enum nereus_between one_group(const struct nereus_cost_context *c)
{
    return c->respawn || c->nt > c->ns ? NEREUS_BETWEEN_APART : NEREUS_BETWEEN_SAME_WORLD;
}

int nereus_between_of(const struct nereus_cost_context *c)
{
    if (nereus_machine_on_one_node(c->machine, nereus_max(c->ns, c->nt)))
        return -1;
    return (int)c->data * NEREUS_BETWEEN_ORIGINS +
           (int)(c->inter ? NEREUS_BETWEEN_TWO_GROUPS : one_group(c)) +
           (c->overlapped ? NEREUS_BETWEEN_OVERLAPPED : 0);
}

bool nereus_between_rounds(int which)
{
    return which == NEREUS_COLL * NEREUS_BETWEEN_ORIGINS + NEREUS_BETWEEN_TWO_GROUPS;
}

bool nereus_between_any(const struct nereus_profile *profile)
{
    bool any = false;
    for (int i = 0; i < NEREUS_BETWEEN_COUNT; i++)
        any = any || is_fitted(&profile->between[i]);
    return any;
}

/* Processes above the cores of the nodes that the larger side needs, relative to these. */
static double oversubscription(const struct nereus_cost_context *c)
{
    const struct nereus_machine *machine = c->machine;
    const int64_t used = nereus_machine_nodes_used(machine, nereus_max(c->ns, c->nt));
    const bool equal =
        machine->node_count == 0 ||
        nereus_machine_total_cores(machine) == machine->node_count * machine->cores_per_node;
    double cores = equal ? (double)used * (double)machine->cores_per_node : 0;
    for (int64_t i = 0; !equal && i < used; i++)
        cores += (double)nereus_machine_cores(machine, i);
    return cores > 0 ? fmax(0, (double)(c->ns + c->nt) / cores - 1) : 0;
}

struct nereus_between_bytes nereus_between_bytes(const struct nereus_cost_context *c, double bytes)
{
    const double all = bytes * c->share, e = oversubscription(c);
    const double through = (double)nereus_node_traffic(c->machine, (int64_t)all, c->ns, c->nt);
    return (struct nereus_between_bytes){.node_bytes = through,
                                         .all_bytes = all,
                                         .both_bytes = all * (double)nereus_min(c->ns, c->nt) /
                                                       (double)nereus_max(c->ns, c->nt),
                                         .gathered_bytes = c->nt < c->ns ? through : 0,
                                         .crowded_bytes = all * e * e};
}

/* One term: the busiest link. */
static void at_link(const struct nereus_profile *profile, struct nereus_linear_model *own)
{
    const enum nereus_feature feature = NEREUS_FEATURE_NODE_BYTES;
    memset(own, 0, sizeof *own);
    own->terms = 1;
    own->coefficients[0] = profile->operations[NEREUS_OPERATION_NODE].beta_s_per_byte[0];
    memcpy(own->names[0], nereus_feature_name(feature), strlen(nereus_feature_name(feature)) + 1);
    own->features[0] = (int8_t)(feature + 1);
}

static const struct nereus_linear_model *make_stand_in(const struct nereus_cost_context *c,
                                                       struct nereus_linear_model *own)
{
    /* sources and targets of a baseline are as far apart as those of a merge */
    const int merge = c->nt > c->ns ? NEREUS_BETWEEN_APART : NEREUS_BETWEEN_SAME_WORLD;
    const struct nereus_linear_model *other =
        &c->profile->between[NEREUS_COLL * NEREUS_BETWEEN_ORIGINS + merge];
    const bool measured = is_fitted(other);
    if (measured)
        *own = *other;
    else
        at_link(c->profile, own);
    own->basis = NEREUS_BASIS_STAND_IN;
    own->rows = own->max_ns = 0; /* its own sizes are unknown */
    own->log_sd = fmax(own->log_sd, by_another);
    return measured ? &as_collective : &as_link;
}

const struct nereus_linear_model *nereus_between_model(const struct nereus_cost_context *c,
                                                       struct nereus_linear_model *own,
                                                       const struct nereus_linear_model **stand_in)
{
    const int which = nereus_between_of(c);
    *stand_in = NULL;
    if (!nereus_between_any(c->profile) ||
        nereus_machine_on_one_node(c->machine, nereus_max(c->ns, c->nt)))
        return NULL;
    if (which >= 0 && is_fitted(&c->profile->between[which]))
        return &c->profile->between[which];
    *stand_in = make_stand_in(c, own);
    return own;
}
