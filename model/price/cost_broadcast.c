/*
 * The broadcast of replicated values: rank 0 of the sources has them, and who is new lacks them (src/move/exchange_replicated.c).
 *
 *   t = max(pieces x bcast(P, 1 MiB) + bcast(P, rest), message(bytes) - message(0))      P: who takes part; nobody lacks them in a merge that does not grow
 *
 * bcast(P, bytes) is measured as a whole (calibration/tasks/task_collective.c), within the cores, for a few P and up to 256 KiB: beyond these bytes its
 * last straight piece goes on, beyond these P it grows as log2(P), and where the nodes that it was measured on were one and here they are
 * several, as a ping-pong does. It is measured over and over on the same bytes, which stay in the caches, and in one world: so it takes at least as long as
 * the bytes of one message to another world, whose ping-pong was measured up to 16 MiB. Without it: a binomial tree of messages, ceil(log2(P)) of them one after
 * the other (MPICH's bcast_intra_binomial.c); its scattered and pipelined forms are faster, so for large values this is an upper bound.
 * First touch comes on top (cost_operation.c).
 */
#include "cost_broadcast.h"

#include <math.h>

static const double piece_bytes = 1024 * 1024;
static const double message_s = 1e-5,
                    message_s_per_byte = 1e-9; /* as fit_fallback.c has it for redistribute */

bool nereus_cost_lacks_replicated(const struct nereus_cost_context *c)
{
    return c->respawn || c->nt > c->ns;
}

/* Between two groups the root and those who lack the values. */
static int64_t taking_part(const struct nereus_cost_context *c)
{
    return c->inter ? c->nt + 1 : c->respawn ? c->ns + c->nt : c->nt;
}

/* How many times as long as with the most processes that were measured. */
static double times_beyond(const struct nereus_profile *profile, const struct nereus_cost_context *c,
                           int64_t processes, double bytes)
{
    const int64_t most = nereus_collective_most(profile, NEREUS_COLLECTIVE_BCAST);
    if (processes <= most)
        return 1;
    return log2((double)processes) / fmax(1, log2((double)most)) *
           nereus_cost_farther(c->pairs, most <= profile->cores_per_node,
                               nereus_machine_nodes_used(c->machine, processes) <= 1, bytes);
}

/* One message to a new process: of another world, whatever communicator they share. */
static double message_to_new_s(const struct nereus_cost_context *c, int64_t processes, double bytes)
{
    const bool one_node = nereus_machine_nodes_used(c->machine, processes) <= 1;
    const struct nereus_hockney *pair = nereus_cost_pair(c->pairs, false, one_node);
    return pair != NULL ? nereus_hockney_s(pair, bytes) : message_s + message_s_per_byte * bytes;
}

static double one_s(const struct nereus_profile *profile, const struct nereus_cost_context *c,
                    int64_t processes, double bytes, enum nereus_broadcast_basis *basis)
{
    double time_s;
    bool beyond;
    if (nereus_collective_s(profile, NEREUS_COLLECTIVE_BCAST, processes, bytes, &time_s, &beyond) ==
        NEREUS_OK) {
        *basis = NEREUS_BROADCAST_MEASURED;
        return time_s * times_beyond(profile, c, processes, bytes);
    }
    *basis = nereus_cost_pair(c->pairs, false, true) != NULL ? NEREUS_BROADCAST_MESSAGES
                                                             : NEREUS_BROADCAST_ASSUMED;
    return ceil(log2((double)processes)) * message_to_new_s(c, processes, bytes);
}

double nereus_cost_broadcast_s(const struct nereus_profile *profile, const struct nereus_cost_context *c,
                               double bytes, enum nereus_broadcast_basis *basis)
{
    const int64_t processes = taking_part(c);
    const double pieces = floor(bytes / piece_bytes), rest = bytes - pieces * piece_bytes;
    double time_s = 0;
    *basis = NEREUS_BROADCAST_MEASURED;
    if (pieces > 0)
        time_s += pieces * one_s(profile, c, processes, piece_bytes, basis);
    if (rest > 0)
        time_s += one_s(profile, c, processes, rest, basis);
    const bool known = *basis != NEREUS_BROADCAST_ASSUMED && nereus_cost_pair(c->pairs, false, true) != NULL;
    const double bytes_s = message_to_new_s(c, processes, bytes) - message_to_new_s(c, processes, 0);
    return known ? fmax(time_s, bytes_s) : time_s;
}
