/**
 * @file submitted.h
 * Submits the jobs of a workload as synthetic applications to a real Slurm, and records when each
 * of them started and ended.
 */
#pragma once

#include "nereus/workload.h"
#include "predictor/slurm/slurm_command.h"

enum nereus_submitted_state {
    NEREUS_SUBMITTED_WAITING, /**< not submitted, or not started */
    NEREUS_SUBMITTED_RUNNING,
    NEREUS_SUBMITTED_ENDED,
    NEREUS_SUBMITTED_FAILED /**< it ended with a status, or Slurm ended it */
};

struct nereus_submitted_job {
    enum nereus_submitted_state state;
    char id[NEREUS_SLURM_ID_MAX];    /**< Slurm's number; "": not submitted */
    double submit_s, start_s, end_s; /**< since the first submission */
    int status;                      /**< exit status of the application */
};

struct nereus_submitted {
    const struct nereus_workload *workload; /**< prepared; owned by the caller */
    int32_t cores_per_node;
    /** absolute; folder of configurations, scripts and outputs */
    char folder[PATH_MAX / 2];
    char nereus[PATH_MAX];             /**< this program */
    struct nereus_submitted_job *jobs; /**< same index as the workload's jobs; owned */
    double begin_s;                    /**< clock of the first submission */
    bool interrupted;
};

/**
 * @param folder  made where it is missing
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_submitted_init(const struct nereus_workload *workload,
                                         int32_t cores_per_node, const char *folder,
                                         struct nereus_submitted *submitted,
                                         struct nereus_error *err);
void nereus_submitted_fini(struct nereus_submitted *submitted);

/** Write the configuration of `nereus run` and the script of a job.
 * @return NEREUS_ERR_IO */
enum nereus_status nereus_submitted_write(const struct nereus_submitted *submitted, int64_t job,
                                          struct nereus_error *err);

/**
 * Submit each job at its time, wait until all have ended or failed. After an interrupt, jobs that
 * have not ended are cancelled.
 * @param on_change  called whenever a job's state has changed; may be NULL
 * @return NEREUS_ERR_IO: sbatch does not take a job; those that were submitted are cancelled
 */
enum nereus_status nereus_submitted_run(struct nereus_submitted *submitted,
                                        void (*on_change)(void *user,
                                                          const struct nereus_submitted *submitted),
                                        void *user, struct nereus_error *err);
