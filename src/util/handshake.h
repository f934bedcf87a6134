/** @file handshake.h  Exchanges first messages between processes that have just been connected. */
#pragma once

#include <mpi.h>

#include "wait.h"

/** Call before the first collective in which both groups of an inter-communicator send to each
 * other: one side sends first, if the network needs that. Collective. */
enum nereus_status nereus_handshake_ordered(MPI_Comm inter, bool sends_first,
                                            struct nereus_error *err);

/** Each process of one side sends a message to each process of the other, and receives an answer if
 * the network needs it: MPICH crashes when it sends its first message to a dead process. The side
 * that may die sends first. Allocates nothing. Collective. */
enum nereus_status nereus_handshake_all(MPI_Comm inter, bool sends_first,
                                        struct nereus_wait_mode wait_mode,
                                        struct nereus_error *err);
