/** @file agree.h  Agrees: all processes learn whether all have succeeded, and the first
 * failure. */
#pragma once

#include <mpi.h>

#include "wait.h"

/** Agree whether all processes of comm succeeded. Collective.
 * @param own_error  status and sentence of this process
 * @param hash  must be the same in all processes
 * @param[out] verdict  OK, or the failure of the lowest rank that failed: the same in every
 * process */
enum nereus_status nereus_agree_intra(MPI_Comm comm, const struct nereus_error *own_error,
                                      uint64_t hash, struct nereus_wait_mode wait_mode,
                                      struct nereus_error *verdict, struct nereus_error *err);
/** Agree as nereus_agree_intra does, awake and without a hash; the failure of any process is this
 * process' error, too. */
enum nereus_status nereus_agree_or_fail(MPI_Comm comm, const struct nereus_error *own_error,
                                        struct nereus_error *err);
/** The two groups that agree, as this process sees them. */
struct nereus_sides {
    MPI_Comm intra; /**< intra-communicator of this process' group */
    MPI_Comm inter; /**< inter-communicator with the other group */
    bool is_source; /**< this group is the sources' group */
};

/** Agree as nereus_agree_intra does, for both groups of an inter-communicator. */
enum nereus_status nereus_agree_inter(struct nereus_sides sides,
                                      const struct nereus_error *own_error, uint64_t hash,
                                      struct nereus_wait_mode wait_mode,
                                      struct nereus_error *verdict, struct nereus_error *err);
