/**
 * @file data_operations.h
 * Operations that move data, one by one, between two processes: the source is rank 0, the target
 * rank 1.
 *
 * Errors: `begin` says whether the system allows the operation; in `round`, `after` and `end` an
 * error aborts the job, since the other process waits.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "nereus/operation.h"

/** The two processes. */
struct nereus_data_pair {
    MPI_Comm both; /**< intra-communicator of the two */
    MPI_Comm comm; /**< carries the data: `both`, or an inter-communicator */
    bool inter;    /**< comm is an inter-communicator of two groups of one process */
    bool is_source;
    unsigned char *buffer; /**< largest_bytes in each process, touched before it is timed */
    size_t largest_bytes;
    void *fresh;                /**< pages of a round; NULL: none */
    MPI_Win window;             /**< window of the current operation */
    long long process, address; /**< process id of the source and address of its buffer */
};

/** One operation. */
struct nereus_data_operation {
    enum nereus_operation operation;
    bool inter;
    size_t largest_bytes; /**< limit of a message; 0: the size of the buffers */
    /**
     * Optional, collective: prepare the pair before the first round.
     * @return false, in both processes, if the system refuses it
     */
    bool (*begin)(struct nereus_data_pair *pair);
    /** One round; timed until both have left it. */
    void (*round)(struct nereus_data_pair *pair, size_t bytes);
    /** Optional: undo a round; this is not timed. */
    void (*after)(struct nereus_data_pair *pair, size_t bytes);
    /** Optional, collective: release what `begin` made. */
    void (*end)(struct nereus_data_pair *pair);
};

extern const struct nereus_data_operation nereus_data_alltoallv, nereus_data_get,
    nereus_data_get_inter, nereus_data_window, nereus_data_shared, nereus_data_touch,
    nereus_data_touch_huge, nereus_data_reduce_local;
