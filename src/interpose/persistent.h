/**
 * @file persistent.h
 * Records persistent requests of the program, for watch.c: the communication that MPI_Start begins.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"
#include "nereus/nereus.h"

#pragma GCC visibility push(hidden)

struct nereus_persistent {
    MPI_Request request;
    const char *function; /**< that made it */
    int kind;             /**< of the same call without _init: as of `end_call` in watch.c */
    long long bytes;
    long long peer;
};

/** Store a request for the calling thread; it replaces an earlier one with the same handle. */
void nereus_persistent_store(struct nereus_persistent request);

/** @return NULL: the request was made by an unknown call, or there are too many */
struct nereus_persistent *nereus_persistent_find(MPI_Request request);

#pragma GCC visibility pop
