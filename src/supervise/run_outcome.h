/** @file run_outcome.h  How a job has ended: its status, why, and whether that was a loss. */
#ifndef NEREUS_SRC_SUPERVISE_RUN_OUTCOME_H
#define NEREUS_SRC_SUPERVISE_RUN_OUTCOME_H

#include <stdbool.h>

#include "run.h"

/** Pass on the rest of the output.
 * @return the job's status */
int run_end_output(struct run *run, const struct supervisor *supervisor, int mpiexec_status);
/** Print why the job has ended with this status, if that has not been printed. */
void run_explain_end(struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                     int status);
/** Was the end a loss? Not if the program has set the status: it would end the next attempt, too.
 * @param further  not the first attempt of the job */
bool run_is_loss(const struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                 bool further);
/** Describe the loss that has ended the job, as the beginning of a sentence about the next
 * attempt. */
const char *run_get_loss(const struct run *run);

#endif
