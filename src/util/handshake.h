/* The first messages between processes that have just been connected. Private to src/. */
#ifndef NEREUS_SRC_HANDSHAKE_H
#define NEREUS_SRC_HANDSHAKE_H

#include <mpi.h>
#include <stdbool.h>

#include "wait.h"

/* Does MPICH use its network module ofi (libfabric)? */
bool nereus_is_over_libfabric(void);

/* Before a collective in which both groups of an inter-communicator send to each other for the
 * first time: one side sends first, where the network needs that. Collective. */
enum nereus_status nereus_handshake_ordered(MPI_Comm inter, bool sends_first,
                                            struct nereus_error *err);

/* Each process of one side has sent to each of the other, and was answered where that is needed:
 * MPICH crashes when it sends its first message to a dead process. The side that may die sends
 * first. Allocates nothing. Collective. */
enum nereus_status nereus_handshake_all(MPI_Comm inter, bool sends_first,
                                        struct nereus_waiting waiting, struct nereus_error *err);

#endif
