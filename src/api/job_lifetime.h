/* A job in this process: made, open, freed. Private to src/. */
#ifndef NEREUS_SRC_JOB_LIFETIME_H
#define NEREUS_SRC_JOB_LIFETIME_H

#include "src/job/job.h"

/* An empty job, and the end of one (communicators too, if MPI still runs). */
nereus_job *nereus_job_new(struct nereus_error *err);
void nereus_job_free(nereus_job *job);
/* Between nereus_init and nereus_finalize: a process that exits in between with status 0 is
 * reported (missing_finalize.c). */
void nereus_job_is_open(bool is_open);
/* This thread calls MPI_Init or nereus_init: where it ends before MPI_Finalize, while its process
 * lives on, the job is ended. */
void nereus_thread_calls_mpi(void);
/* At MPI_Finalize: does not return if a job is open in this process. */
void nereus_job_forbids_finalize(void);
/* Remember the sentence of a nereus_init that failed: there is no job to hold it. */
void nereus_remember_error(const struct nereus_error *err);

#endif
