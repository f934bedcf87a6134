/**
 * @file cost_collective.c
 * Prices a collective in a world of any size from measured collectives.
 *
 * Beyond the largest measured number of processes, gather and exchange grow with the number of
 * parts, all others with log2; where the measurement was on one node and n processes are on
 * several, the time grows as a ping-pong's. A lower bound is the time of the bytes that pass the
 * link of a node with k of the n processes, at the link's rate (Gropp, Olson and Samfass (2016)):
 *
 *   bcast, reduce, allreduce   bytes
 *   gatherv, allgather         (n - k) bytes
 *   alltoall                   k (n - k) bytes
 */

#include "cost_data.h"

static double count_link_bytes(int64_t cores, const struct nereus_collective_call *call)
{
    const double node_processes = (double)nereus_min(call->processes, cores),
                 others = (double)call->processes - node_processes;
    switch (call->collective) {
    case NEREUS_COLLECTIVE_BCAST:
    case NEREUS_COLLECTIVE_REDUCE:
    case NEREUS_COLLECTIVE_ALLREDUCE:
        return call->bytes;
    case NEREUS_COLLECTIVE_GATHERV:
    case NEREUS_COLLECTIVE_ALLGATHER:
        return others * call->bytes;
    case NEREUS_COLLECTIVE_ALLTOALL:
        return node_processes * others * call->bytes;
    default:
        return 0;
    }
}

static double compute_growth(enum nereus_collective collective, int64_t processes, int64_t max)
{
    const bool by_parts = collective == NEREUS_COLLECTIVE_GATHERV ||
                          collective == NEREUS_COLLECTIVE_ALLGATHER ||
                          collective == NEREUS_COLLECTIVE_ALLTOALL;
    return by_parts ? (double)processes / (double)max
                    : log2((double)processes) / fmax(1, log2((double)max));
}

/* Ratio of message times between placements. */
static double compute_internode_factor(const struct nereus_profile *profile, bool was_one_node,
                                       bool is_one_node, double bytes)
{
    const struct nereus_hockney *was = nereus_cost_pair(profile->pairs, true, was_one_node),
                                *is = nereus_cost_pair(profile->pairs, true, is_one_node);
    const double was_s = was != NULL ? nereus_hockney_s(was, bytes) : 0;
    return was_s > 0 ? fmax(1, nereus_hockney_s(is, bytes) / was_s) : 1;
}

enum nereus_status nereus_cost_collective_s(const struct nereus_profile *profile,
                                            const struct nereus_machine *machine,
                                            const struct nereus_collective_call *call,
                                            double *time_s)
{
    const int64_t max = nereus_collective_max_processes(profile, call->collective);
    bool extrapolated;
    if (nereus_collective_s(profile, call->collective, call->processes, call->bytes, time_s,
                            &extrapolated) != NEREUS_OK)
        return NEREUS_ERR_NO_BASIS;
    if (call->processes <= max)
        return NEREUS_OK;
    const int64_t cores = machine != NULL ? machine->cores_per_node : profile->cores_per_node;
    const bool one_node = machine != NULL ? nereus_machine_is_one_node(machine, call->processes)
                                          : call->processes <= cores;
    *time_s *=
        compute_growth(call->collective, call->processes, max) *
        compute_internode_factor(profile, max <= profile->cores_per_node, one_node, call->bytes);
    if (!one_node)
        *time_s = fmax(*time_s, nereus_cost_through_link_s(profile, count_link_bytes(cores, call)));
    return NEREUS_OK;
}
