/** @file state.h  The job's state file. */
#ifndef NEREUS_SRC_JOB_STATE_H
#define NEREUS_SRC_JOB_STATE_H

#include "job.h"

/** Write the state file, if there is one (rank 0). A failure is only printed. */
void nereus_job_write_state(const nereus_job *job);

#endif
