/** @file join.h  New processes: nereus_init after MPI_Init. */
#ifndef NEREUS_SRC_CORE_JOIN_H
#define NEREUS_SRC_CORE_JOIN_H

#include "src/job/job.h"

/** Join as a spawned process.
 * @param failure  not OK: this process replaces a program that could not be started, and makes all
 *     cancel the reconfiguration */
enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err);
/** Join as a launched process, which has no parents. */
enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err);

#endif
