/** @file restart.h  Restarts a job from a checkpoint (NEREUS_RESTART). */
#pragma once

#include "state_file.h"

/** Result of reading a checkpoint: the same in all processes, except the times. */
struct restart_result {
    bool restarted; /* false: NEREUS_RESTART is not set */
    char path[PATH_MAX];
    int64_t writers; /* number of processes that wrote it */
    /* The reconfiguration that this restart completes. Its record is owned. planned: false if the
     * restart has another reason, or another size */
    struct planned_restart reconfiguration;
    /* Times of this process: begin of reading; data were read; all have agreed */
    double began_s, read_s, agreed_s;
};
/** Free the record. */
void nereus_restart_result_fini(struct restart_result *restart);

/** NEREUS_RESTART of this process; NULL: not set, or the process was started by a reconfiguration,
 * which ignores it. */
const char *nereus_restart_path(void);
/** Is NEREUS_RESTART set, or was it set before it was read? */
bool nereus_is_restart(void);

/** Read the checkpoint in NEREUS_RESTART or, if that is damaged, an older one in the same folder.
 * Called in nereus_init, after rank 0 has set the options, and before the others have any.
 * Afterwards all processes have the settings, counters and registered data of the checkpoint.
 * @param[in,out] own_error  failure of this process; afterwards, why no checkpoint was read
 * @return an error only if MPI fails
 * Collective over control. */
enum nereus_status nereus_restart(nereus_job *job, struct restart_result *restart,
                                  struct nereus_error *own_error, struct nereus_error *err);
/** Read the newest checkpoint of the job's folder, without a restart: after a loss, in the
 * remaining processes, whose registry must be empty. Parameters and result as nereus_restart. */
enum nereus_status nereus_restart_in_place(nereus_job *job, struct restart_result *restart,
                                           struct nereus_error *own_error,
                                           struct nereus_error *err);
