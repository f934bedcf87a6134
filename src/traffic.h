/* What goes to whom in a redistribution: messages from the block distributions alone. Private to src/; no MPI. */
#ifndef NEREUS_TRAFFIC_H
#define NEREUS_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "rank_map.h"
#include "registry.h"

/* Sources and targets as this process sees them. Both are numbered from 0; the maps say which rank each is in the
 * communicator (the other group's ranks, where it is an inter-communicator). */
struct parties {
    int64_t ns, nt;
    int64_t source; /* this process' number among the sources, -1: none */
    int64_t target; /* and among the targets */
    struct rank_map source_ranks, target_ranks;
};

/* Bytes to or from one peer, at an offset of the batch's memory. */
struct message {
    int64_t peer; /* number among the sources, or the targets */
    int64_t rank; /* in the communicator */
    int64_t offset, bytes;
};

/* What this process sends and receives for one batch of arrays; never to itself. */
struct traffic {
    unsigned char *send_from, *receive_into;
    struct message *sends, *receives;
    int64_t send_count, receive_count;
};

/* Arrays first .. first + count - 1 of the registry go together: one straight from its memory, or several
 * small ones packed. */
struct batch {
    int64_t first, count;
    bool packed;
};

/* The next batch from array `from` on; the same in every process. @return false when none is left */
bool nereus_batch_next(const struct registry *registry, const struct parties *parties, int64_t from,
                       struct batch *batch);
/* Copies what stays in this process, and lays out (packs) the rest. Free with nereus_traffic_fini. */
enum nereus_status nereus_traffic_make(const struct registry *registry, const struct parties *parties,
                                       const struct batch *batch, struct traffic *traffic,
                                       struct nereus_error *err);
/* After the move: unpack what was received. */
void nereus_traffic_unpack(const struct registry *registry, const struct parties *parties,
                           const struct batch *batch, const struct traffic *traffic);
void nereus_traffic_fini(const struct batch *batch, struct traffic *traffic);

#endif
