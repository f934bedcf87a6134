/* New processes: the whole of nereus_init's part after MPI_Init. Private to src/. */
#ifndef NEREUS_SRC_JOIN_H
#define NEREUS_SRC_JOIN_H

#include "src/job/job.h"

/* Spawned ones.
 * @param failure not OK: this process takes the place of a program that could not be started, and
 * makes the others call the reconfiguration off */
enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err);
/* Launched ones, which have no parents. */
enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err);

#endif
