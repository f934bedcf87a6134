/* Moving the data: over which communicator, and the table of methods. Private to src/. */
#ifndef NEREUS_EXCHANGE_H
#define NEREUS_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "method.h"
#include "traffic.h"

/* One redistribution. In an inter-communicator the sources are one group and the targets the other; in an
 * intra-communicator a process may be both, and source 0 is rank 0. */
struct exchange {
    MPI_Comm comm;
    bool inter;
    struct parties parties;
    int64_t first_new; /* targets from this number on hold no replicated values yet; nt: all do */
};

/* One way to move a batch. Collective over exchange->comm. */
struct exchange_method {
    enum nereus_status (*move)(const struct exchange *exchange, const struct traffic *traffic,
                               struct nereus_error *err);
};
extern const struct exchange_method nereus_exchange_p2p, nereus_exchange_coll;

/* Replicated values, from rank 0 of the sources to the targets that lack them. */
enum nereus_status nereus_exchange_replicated(const struct exchange *exchange, struct registry *registry,
                                              struct nereus_error *err);

/* Everything: distributed data from part to next_part, replicated values. Collective over exchange->comm. */
enum nereus_status nereus_exchange_run(const struct exchange *exchange, enum nereus_data method,
                                       struct registry *registry, struct nereus_error *err);

#endif
