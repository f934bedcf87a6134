/**
 * @file calls.h
 * The MPI calls of a program that was watched (src/watch), one file a process, and the iterations
 * that repeat in them.
 */
#ifndef NEREUS_TWIN_CALLS_H
#define NEREUS_TWIN_CALLS_H

#include <stdint.h>

#include "nereus/status.h"

/** Calls by what a stage of the synthetic application makes of them. */
enum nereus_call_kind {
    NEREUS_CALL_BARRIER,
    NEREUS_CALL_BCAST,
    NEREUS_CALL_REDUCE,
    NEREUS_CALL_ALLREDUCE,
    NEREUS_CALL_ALLGATHER,
    NEREUS_CALL_GATHER,
    NEREUS_CALL_SCATTER,
    NEREUS_CALL_ALLTOALL,
    NEREUS_CALL_SEND,
    NEREUS_CALL_RECV,
    NEREUS_CALL_SENDRECV,
    NEREUS_CALL_ISEND,
    NEREUS_CALL_IRECV,
    NEREUS_CALL_WAIT,
    NEREUS_CALL_WRITE,
    NEREUS_CALL_READ,
    NEREUS_CALL_MARK, /**< MPI_Pcontrol, or a malleability point */
    NEREUS_CALL_KINDS
};

struct nereus_call {
    enum nereus_call_kind kind;
    int64_t bytes;
    int peer;              /**< rank of the partner - own rank; messages only */
    double begin_s, end_s; /**< of the host's clock */
    double coreless_s;     /**< since the call before, ready to run and without a core */
};

/** Of one process, in order of time. */
struct nereus_calls {
    struct nereus_call *items; /**< owned */
    int64_t count;
    int processes;
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus; 0 without it */
};

/** @return NEREUS_ERR_IO, NEREUS_ERR_PARSE with file and line, NEREUS_ERR_MEMORY */
enum nereus_status nereus_calls_read(const char *path, struct nereus_calls *calls,
                                     struct nereus_error *err);
void nereus_calls_fini(struct nereus_calls *calls);

/** A range of calls that repeats: `count` iterations of `period` calls, from `first` on. */
struct nereus_cycle {
    int64_t first, period, count;
};

/**
 * Find the iterations: between marks, where there are some; else the shortest sequence of calls
 * that repeats until near the end. What comes before (start-up) and after them is left out.
 * @return NEREUS_ERR_NO_BASIS, with what to do
 */
enum nereus_status nereus_cycle_find(const struct nereus_calls *calls, struct nereus_cycle *cycle,
                                     struct nereus_error *err);

#endif
