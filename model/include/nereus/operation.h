/**
 * @file operation.h
 * Names operations that move data, as a calibration measures them. The word is the kind of sample
 * rows and the key in a profile.
 */
#ifndef NEREUS_OPERATION_H
#define NEREUS_OPERATION_H

#include "status.h"

NEREUS_BEGIN_C

/** X(enumerator, word, help); measured between two processes of a node, but for `node` and
 * `node-memory`: pairs of processes at once, whose bytes are summed up. */
#define NEREUS_OPERATION_LIST(X)                                                                   \
    X(NEREUS_OPERATION_ALLTOALLV, "alltoallv", "MPI_Alltoallv on an intra-communicator")           \
    X(NEREUS_OPERATION_GET, "get", "MPI_Rget from a process of the same world")                    \
    X(NEREUS_OPERATION_GET_INTER, "get-apart", "MPI_Rget from a process of another world")         \
    X(NEREUS_OPERATION_WINDOW, "window", "MPI_Win_create and MPI_Win_free of so many bytes")       \
    X(NEREUS_OPERATION_SHARED, "shared", "process_vm_readv from another process of the node")      \
    X(NEREUS_OPERATION_TOUCH, "touch", "first touch of fresh pages")                               \
    X(NEREUS_OPERATION_TOUCH_HUGE, "touch-huge",                                                   \
      "first touch of fresh pages that may be huge (MADV_HUGEPAGE)")                               \
    X(NEREUS_OPERATION_NODE, "node",                                                               \
      "all processes of a node to those of another: bytes through its link")                       \
    X(NEREUS_OPERATION_NODE_MEMORY, "node-memory",                                                 \
      "half of a node's processes to the other half: bytes through its memory")                    \
    X(NEREUS_OPERATION_REDUCE_LOCAL, "reduce-local", "MPI_Reduce_local of doubles, a sum: gamma")

#define NEREUS_ENUMERATOR(e, word, help) e,
enum nereus_operation { NEREUS_OPERATION_LIST(NEREUS_ENUMERATOR) NEREUS_OPERATION_COUNT };
#undef NEREUS_ENUMERATOR

/** Name and description of an operation, such as "alltoallv"; NULL out of range. */
const char *nereus_operation_name(enum nereus_operation operation);
const char *nereus_operation_help(enum nereus_operation operation);
/** The operation of a name; NEREUS_OPERATION_COUNT: no such word. */
enum nereus_operation nereus_operation_from_name(const char *word);

NEREUS_END_C
#endif
