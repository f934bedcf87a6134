/**
 * @file loss.h
 * Notes that another process was lost, in a job that continues without lost processes
 * (nereus-mpiexec --on-failure continue; core/recover.c).
 */
#pragma once

#include "model/util/base.h"

/** Does the job recover from losses (NEREUS_ON_FAILURE=continue, under nereus-mpiexec, on an MPI
 * with ULFM)? */
bool nereus_job_survives_loss(void);
/** Note a loss, if this error code of MPI means one. */
void nereus_loss_note(int code);
/** Has a loss been noted? */
bool nereus_loss_is_noted(void);
/** Record a loss, or clear the record. */
void nereus_loss_set(bool noted);
