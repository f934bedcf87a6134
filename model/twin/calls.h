/**
 * @file calls.h
 * Reads the MPI calls of a watched program (src/interpose), one file per process, and finds the
 * iterations in them, for nereus twin.
 */
#ifndef NEREUS_MODEL_TWIN_CALLS_H
#define NEREUS_MODEL_TWIN_CALLS_H

#include <stdint.h>

#include "nereus/status.h"

/** Kinds of calls by the stage of the synthetic application that they become. */
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
    int peer; /**< messages: rank of the partner - own rank */
    double begin_s, end_s;
    double coreless_s; /**< time ready to run without a core, since the call before */
};

/** The calls of one process. */
struct nereus_calls {
    struct nereus_call *items; /**< owned */
    int64_t count;
    int processes;
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus */
};

enum nereus_status nereus_calls_read(const char *path, struct nereus_calls *calls,
                                     struct nereus_error *err);
void nereus_calls_fini(struct nereus_calls *calls);

/** `count` iterations of `period` calls from `first` on. */
struct nereus_cycle {
    int64_t first, period, count;
};

/** Find the iterations: between marks, if there are any; else the shortest sequence of calls that
 * repeats until near the end.
 * @return NEREUS_ERR_NO_BASIS: the message says what to do
 */
enum nereus_status nereus_cycle_find(const struct nereus_calls *calls, struct nereus_cycle *cycle,
                                     struct nereus_error *err);

#endif
