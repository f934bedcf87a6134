/*
 * Load balance at the same size (flex-mpi 4.3): is it worth while to move data? Relative computing
 * power and work of each process are gathered at rank 0 (equation 1); where the slowest process
 * takes too much longer than the mean a reconfiguration begins, and once the new bounds are known
 * it goes on only if the time saved until the end of the job is more than the move takes. Private
 * to src/.
 */
#ifndef NEREUS_SRC_BALANCE_H
#define NEREUS_SRC_BALANCE_H

#include "src/steps/reconfiguration.h"

/* What a process asks for at a malleability point. */
struct balance_settings {
    double threshold; /* of slowest / mean - 1 */
    /* Seconds that this process has computed in an iteration; 0: by the power that it has stated */
    double compute_s;
    struct nereus_method method; /* rebalances */
};

/* Look at the load, and move data if that pays. Collective over control.
 * @return of all, if a process cannot say what its elements weigh */
enum nereus_status nereus_balance_load(nereus_job *job, const struct balance_settings *settings,
                                       enum nereus_action *action, struct nereus_error *err);

#endif
