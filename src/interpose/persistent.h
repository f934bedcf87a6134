/**
 * @file persistent.h
 * Persistent requests of the program, for watch.c: what MPI_Start begins with them.
 */
#ifndef NEREUS_SRC_INTERPOSE_PERSISTENT_H
#define NEREUS_SRC_INTERPOSE_PERSISTENT_H

#include <mpi.h>

#include "nereus/nereus.h"

#pragma GCC visibility push(hidden)

struct nereus_persistent {
    MPI_Request request;
    enum nereus_mpi_kind kind; /**< of the same call without _init */
    long long bytes;
    int peer;
};

/** Keep a request, instead of an earlier one with the same handle. For the calling thread. */
void nereus_persistent_put(struct nereus_persistent request);

/** @return NULL: it was made by a call that is not known, or there are too many */
struct nereus_persistent *nereus_persistent_find(MPI_Request request);

#pragma GCC visibility pop

#endif
