/** @file state.h  Writes the job's state file. */
#pragma once

#include "job.h"

/** Write the state file, if there is one (rank 0). A failure is only printed. */
void nereus_job_write_state(const nereus_job *job);
