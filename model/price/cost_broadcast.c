/**
 * @file cost_broadcast.c
 * Prices the broadcast of replicated values from rank 0 of the sources to the new processes
 * (src/move/exchange_replicated.c):
 *
 *   t = max(pieces x bcast(P, 1 MiB) + bcast(P, rest), message(bytes) - message(0))
 *
 * with P participants; 0 in a merge that does not grow, where no process lacks the values.
 *
 * bcast(P, bytes) is measured as a whole (calibration/tasks/task_collective.c), within the cores,
 * for a few P and up to 256 KiB. Above that its last linear piece is continued in bytes, and beyond
 * the measured P it grows (cost_collective.c). The measurement repeats the same bytes, which stay
 * in the caches, in one world; so the price is at least the time of one message to another world,
 * measured up to 16 MiB, or of one copy through the link of a node. Without such a measurement the
 * price is that of a binomial tree of ceil(log2(P)) messages one after the other (MPICH's
 * bcast_intra_binomial.c); scattered and pipelined forms are faster, so this is an upper bound for
 * large values. First touch is added (cost_operation.c).
 */
#include "cost.h"
#include "cost_data.h"

static const double piece_bytes = 1024 * 1024;
/* Cost of a message without ping-pongs, as in fit_unmeasured.c for redistribute. */
static const double message_s = 1e-5, message_s_per_byte = 1e-9;

bool nereus_cost_lacks_replicated(const struct nereus_cost_context *context)
{
    return context->respawn || context->nt > context->ns;
}

/* Count the participants: between two groups the root and the targets. */
static int64_t count_participants(const struct nereus_cost_context *context)
{
    return context->inter     ? context->nt + 1
           : context->respawn ? context->ns + context->nt
                              : context->nt;
}

/* Seconds of one message to a new process, which belongs to another world. */
static double compute_message_to_new_s(const struct nereus_cost_context *context, int64_t processes,
                                       double bytes)
{
    const bool one_node = nereus_machine_is_one_node(context->machine, processes);
    const struct nereus_hockney *pair = nereus_cost_pair(context->profile->pairs, false, one_node);
    const double own_s =
        pair != NULL ? nereus_hockney_s(pair, bytes) : message_s + message_s_per_byte * bytes;
    return one_node ? own_s : fmax(own_s, nereus_cost_through_link_s(context->profile, bytes));
}

static double compute_one_broadcast_s(const struct nereus_cost_context *context, int64_t processes,
                                      double bytes, enum nereus_broadcast_basis *basis)
{
    const struct nereus_collective_call call = {NEREUS_COLLECTIVE_BCAST, processes, bytes};
    double time_s;
    if (nereus_cost_collective_s(context->profile, context->machine, &call, &time_s) == NEREUS_OK) {
        *basis = NEREUS_BROADCAST_MEASURED;
        return time_s;
    }
    *basis = nereus_cost_pair(context->profile->pairs, false, true) != NULL
                 ? NEREUS_BROADCAST_MESSAGES
                 : NEREUS_BROADCAST_ASSUMED;
    return ceil(log2((double)processes)) * compute_message_to_new_s(context, processes, bytes);
}

double nereus_cost_broadcast_s(const struct nereus_cost_context *context, double bytes,
                               enum nereus_broadcast_basis *basis)
{
    const int64_t processes = count_participants(context);
    const double pieces = floor(bytes / piece_bytes), rest = bytes - pieces * piece_bytes;
    double time_s = 0;
    *basis = NEREUS_BROADCAST_MEASURED;
    if (pieces > 0)
        time_s += pieces * compute_one_broadcast_s(context, processes, piece_bytes, basis);
    if (rest > 0)
        time_s += compute_one_broadcast_s(context, processes, rest, basis);
    const bool known = *basis != NEREUS_BROADCAST_ASSUMED &&
                       nereus_cost_pair(context->profile->pairs, false, true) != NULL;
    const double bytes_s = compute_message_to_new_s(context, processes, bytes) -
                           compute_message_to_new_s(context, processes, 0);
    return known ? fmax(time_s, bytes_s) : time_s;
}
