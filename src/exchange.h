/* Moving the data: who takes part, what goes to whom, and the table of methods. Private to src/. */
#ifndef NEREUS_EXCHANGE_H
#define NEREUS_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "method.h"
#include "registry.h"

/* Sources and targets of one redistribution. In an intra-communicator source s is rank s and target t is rank
 * t; in an inter-communicator the sources are one group and the targets the other. */
struct exchange {
    MPI_Comm comm;
    bool inter;
    int64_t ns, nt;
    int64_t source;    /* this process' rank among the sources, -1: none */
    int64_t target;    /* and among the targets */
    int64_t first_new; /* targets from this rank on hold no replicated values yet; nt: all do */
};

/* Bytes to or from one peer, at an offset of the batch's memory. */
struct message {
    int64_t peer, offset, bytes;
};

/* What this process sends and receives for one batch of arrays; never to itself. */
struct traffic {
    unsigned char *send_from, *receive_into;
    struct message *sends, *receives;
    int64_t send_count, receive_count;
};

/* One way to move a batch. Collective over exchange->comm. */
struct exchange_method {
    enum nereus_status (*move)(const struct exchange *exchange, const struct traffic *traffic,
                               struct nereus_error *err);
};
extern const struct exchange_method nereus_exchange_p2p, nereus_exchange_coll;

/* Arrays first .. first + count - 1 of the registry go together: one straight from its memory, or several
 * small ones packed. */
struct batch {
    int64_t first, count;
    bool packed;
};

/* The next batch from array `from` on; the same in every process. @return false when none is left */
bool nereus_batch_next(const struct registry *registry, const struct exchange *exchange, int64_t from,
                       struct batch *batch);
/* Copies what stays in this process, and lays out (packs) the rest. Free with nereus_traffic_fini. */
enum nereus_status nereus_traffic_make(const struct registry *registry, const struct exchange *exchange,
                                       const struct batch *batch, struct traffic *traffic,
                                       struct nereus_error *err);
/* After the move: unpack what was received. */
void nereus_traffic_unpack(const struct registry *registry, const struct exchange *exchange,
                           const struct batch *batch, const struct traffic *traffic);
void nereus_traffic_fini(const struct batch *batch, struct traffic *traffic);

/* Replicated values, from rank 0 of the sources to the targets that lack them. */
enum nereus_status nereus_exchange_replicated(const struct exchange *exchange, struct registry *registry,
                                              struct nereus_error *err);

/* Everything: distributed data from part to next_part, replicated values. Collective over exchange->comm. */
enum nereus_status nereus_exchange_run(const struct exchange *exchange, enum nereus_data method,
                                       struct registry *registry, struct nereus_error *err);

#endif
