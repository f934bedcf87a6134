/**
 * @file collective.h
 * Names collective operations, as a calibration measures them: as a whole for each number of
 * processes and size, so that the MPI library's choice of an algorithm is included. The word is the
 * kind of sample rows and the key in a profile.
 */
#ifndef NEREUS_COLLECTIVE_H
#define NEREUS_COLLECTIVE_H

#include "status.h"

NEREUS_BEGIN_C

/** X(enumerator, word, has bytes, help); bytes: of one process' part. */
#define NEREUS_COLLECTIVE_LIST(X)                                                                  \
    X(NEREUS_COLLECTIVE_BARRIER, "barrier", 0, "MPI_Barrier")                                      \
    X(NEREUS_COLLECTIVE_DUP, "dup", 0, "MPI_Comm_dup and MPI_Comm_free")                           \
    X(NEREUS_COLLECTIVE_THREAD, "thread", 0, "every process starts a thread, and it ends")         \
    X(NEREUS_COLLECTIVE_BCAST, "bcast", 1, "MPI_Bcast from rank 0")                                \
    X(NEREUS_COLLECTIVE_REDUCE, "reduce", 1, "MPI_Reduce of doubles to rank 0, a sum")             \
    X(NEREUS_COLLECTIVE_ALLREDUCE, "allreduce", 1, "MPI_Allreduce of doubles, a sum")              \
    X(NEREUS_COLLECTIVE_GATHERV, "gatherv", 1, "MPI_Gatherv at rank 0")                            \
    X(NEREUS_COLLECTIVE_ALLGATHER, "allgather", 1, "MPI_Allgather")                                \
    X(NEREUS_COLLECTIVE_ALLTOALL, "alltoall", 1, "MPI_Alltoall; bytes to each process")

#define NEREUS_ENUMERATOR(e, word, has_bytes, help) e,
enum nereus_collective {
    NEREUS_COLLECTIVE_LIST(NEREUS_ENUMERATOR) NEREUS_COLLECTIVE_COUNT,
    NEREUS_COLLECTIVE_NONE = NEREUS_COLLECTIVE_COUNT /**< a computation, or another word */
};
#undef NEREUS_ENUMERATOR

/** Name of a collective, such as "allreduce", and has it a number of bytes; NULL out of range. */
const char *nereus_collective_name(enum nereus_collective collective);
int nereus_collective_has_bytes(enum nereus_collective collective);
/** The collective of a name; NEREUS_COLLECTIVE_NONE: no such word. */
enum nereus_collective nereus_collective_from_name(const char *word);

NEREUS_END_C
#endif
