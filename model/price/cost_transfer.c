/**
 * @file cost_transfer.c
 * Computes the time to move data by Hockney (1994), t(bytes) = alpha + beta bytes, by pair class
 * and protocol piece.
 *
 * The estimate is for the busiest process. Blocks on p and q processes overlap in at most ceil(max
 * / min) + 1 messages, and the smaller side moves ceil(bytes / min) each. Only non-empty messages
 * are sent, also by a collective. If the collective was measured between two processes
 * (cost_operation.c), a message costs that time.
 *
 * The processes of a node share its link: the transfer takes at least what the busiest node sends
 * or receives (node_traffic.c) at the rate of the link (Gropp, Olson and Samfass (2016): alpha + k
 * bytes / min(R_N, k R_C)).
 */

#include "cost.h"
#include "cost_data.h"
#include "transfer.h"

const struct nereus_hockney *nereus_cost_pair(const struct nereus_hockney *pairs, bool same_world,
                                              bool same_node)
{
    const int wanted = (same_world ? 0 : 2) + (same_node ? 0 : 1);
    const int order[4] = {wanted, wanted ^ 2, wanted ^ 1,
                          wanted ^ 3}; /* try another world first, then another place */
    for (int i = 0; i < 4; i++)
        if (pairs[order[i]].basis == NEREUS_BASIS_FITTED)
            return &pairs[order[i]];
    return NULL;
}

double nereus_cost_operation_s(const struct nereus_cost_context *context,
                               enum nereus_operation operation, double bytes)
{
    if (context->profile->operations[operation].basis != NEREUS_BASIS_FITTED)
        return 0;
    const bool same_world = operation != NEREUS_OPERATION_GET_INTER,
               one_node = nereus_machine_is_one_node(context->machine,
                                                     nereus_max(context->ns, context->nt));
    const struct nereus_hockney *was = nereus_cost_pair(context->profile->pairs, same_world, true);
    const struct nereus_hockney *here =
        nereus_cost_pair(context->profile->pairs, same_world, one_node);
    const double as_there = was != NULL ? nereus_hockney_s(was, bytes) : 0;
    const double times = as_there > 0 ? nereus_hockney_s(here, bytes) / as_there : 1;
    return nereus_hockney_s(&context->profile->operations[operation], bytes) * times;
}

/* Seconds of one message, by the collective if that was measured. */
static double compute_message_s(const struct nereus_cost_context *context,
                                const struct nereus_hockney *pair, double bytes)
{
    const double measured_s =
        context->collective ? nereus_cost_operation_s(context, NEREUS_OPERATION_ALLTOALLV, bytes)
                            : 0;
    return measured_s > 0 ? measured_s : nereus_hockney_s(pair, bytes);
}

double nereus_cost_node_bytes(const struct nereus_cost_context *context, double bytes)
{
    return context->range_elements > 0
               ? (double)context->ranges.node_elements * bytes / (double)context->range_elements
               : (double)nereus_node_traffic(context->machine, context->respawn, (int64_t)bytes,
                                             context->ns, context->nt);
}

double nereus_cost_through_link_s(const struct nereus_profile *profile, double bytes)
{
    const struct nereus_hockney *link = &profile->operations[NEREUS_OPERATION_NODE];
    return link->basis == NEREUS_BASIS_FITTED && bytes > 0 ? nereus_hockney_s(link, bytes) : 0;
}

double nereus_cost_link_s(const struct nereus_cost_context *context, double bytes)
{
    return context->profile->operations[NEREUS_OPERATION_NODE].basis == NEREUS_BASIS_FITTED
               ? nereus_cost_through_link_s(context->profile,
                                            nereus_cost_node_bytes(context, bytes))
               : 0;
}

double nereus_cost_transfer_s(const struct nereus_cost_context *context, double bytes)
{
    const int64_t max = nereus_max(context->ns, context->nt);
    const int64_t fewest = nereus_min(context->ns, context->nt);
    const bool same_node = nereus_machine_is_one_node(context->machine, max);
    /* spawned processes belong to another world than their parents, whatever communicator they
     * share */
    const bool same_world = !context->respawn && context->nt <= context->ns;
    const struct nereus_hockney *pair =
        nereus_cost_pair(context->profile->pairs, same_world, same_node);
    if (pair == NULL)
        return 0;
    const double own = (double)((max + fewest - 1) / fewest + (max % fewest != 0 ? 1 : 0));
    return fmax(
        own * compute_message_s(context, pair, ceil(bytes * context->share / (double)fewest) / own),
        nereus_cost_link_s(context, bytes));
}
