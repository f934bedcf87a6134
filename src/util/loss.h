/**
 * @file loss.h
 * Has this process learnt that another one was lost? Only in a job that goes on without the lost
 * ones (nereus-mpiexec --on-failure continue; core/recover.h).
 */
#ifndef NEREUS_SRC_UTIL_LOSS_H
#define NEREUS_SRC_UTIL_LOSS_H

#include <stdbool.h>

/** NEREUS_ON_FAILURE=continue, under nereus-mpiexec, on an MPI that can. */
bool nereus_loss_survives(void);
/** Note a loss, if this code of MPI's tells of one. */
void nereus_loss_note(int code);
/** Has one been noted? */
bool nereus_loss_is_noted(void);
/** Note one, or forget it. */
void nereus_loss_set(bool noted);

#endif
