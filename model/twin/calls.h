/**
 * @file calls.h
 * Reads the MPI calls of a watched program (src/interpose), one file per process, and finds the
 * iterations in them, for nereus twin.
 */
#pragma once

#include "model/util/base.h"

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
    NEREUS_CALL_MARK,  /**< MPI_Pcontrol, or a malleability point */
    NEREUS_CALL_OTHER, /**< no stage does it: its time counts as computing */
    NEREUS_CALL_KINDS
};

struct nereus_call {
    enum nereus_call_kind kind;
    int64_t bytes; /**< of other calls: number of calls in a row */
    /** messages: rank of the partner - own rank; collectives: number of processes, below 1: all;
     * other calls: index in `functions`, -1 if they are part of the stage before or after them */
    int peer;
    int root; /**< of a collective that has one, in its communicator */
    double begin_s, end_s;
    double computing_s; /**< of other calls: what counts as computing of their time */
    double coreless_s;  /**< time ready to run without a core, since the call before */
};

/** Work of the program that its calls do not show (src/interpose/README.md has the names). */
struct nereus_fact {
    char name[40];
    double value;
};

enum { NEREUS_CALL_NAME = 48 };

/** The calls of one process. */
struct nereus_calls {
    struct nereus_call *items; /**< owned */
    int64_t count;
    int processes;
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus */
    struct nereus_fact *facts;              /**< owned */
    int fact_count;
    char (*functions)[NEREUS_CALL_NAME]; /**< of other calls; owned */
    int function_count;
};

enum nereus_status nereus_calls_read(const char *path, struct nereus_calls *calls,
                                     struct nereus_error *err);
void nereus_calls_fini(struct nereus_calls *calls);

/** Time outside MPI before a call, and in one that no stage does, without that in which the thread
 * had no core, as the twin will wait for cores itself. */
double nereus_calls_gap_s(const struct nereus_calls *calls, int64_t i);
/** Sum over `count` calls from `first` on. */
double nereus_calls_gaps_s(const struct nereus_calls *calls, int64_t first, int64_t count);
/** Time of `count` calls from `first` on, with the computing before each. */
double nereus_calls_span_s(const struct nereus_calls *calls, int64_t first, int64_t count);
/** As "MPI_Send": the call that has given its kind the name. */
const char *nereus_call_name(enum nereus_call_kind kind);
/** Does a call of this kind send a message to one process? */
bool nereus_call_sends(enum nereus_call_kind kind);
/** @return type of the stage that a collective call becomes; NULL: it is none */
const char *nereus_call_stage(enum nereus_call_kind kind);
/** Do all processes of a communicator make it together? */
static inline bool nereus_call_is_collective(enum nereus_call_kind kind)
{
    return nereus_call_stage(kind) != NULL;
}

/** Iterations: calls indices[k] to indices[k] + period - 1, in the order of time. Calls between
 * them belong to none. */
struct nereus_cycle {
    int64_t *indices; /**< owned */
    int64_t period, count;
};

/** Stages of the synthetic application from which an iteration is too long. */
enum { NEREUS_CYCLE_STAGES_MAX = 64 };

/** Find the iterations: between marks, where most of them have equally many calls that fit; else
 * the shortest body of calls that explains nearly as much time as any other (cycle.c).
 * @param wanted  number of iterations that is preferred: that of rank 0; 0: none
 * @param[out] cycle  to be ended with nereus_cycle_fini in any case
 * @return NEREUS_ERR_NO_BASIS: the message says what to do
 */
enum nereus_status nereus_cycle_find(const struct nereus_calls *calls, int64_t wanted,
                                     struct nereus_cycle *cycle, struct nereus_error *err);
void nereus_cycle_fini(struct nereus_cycle *cycle);
