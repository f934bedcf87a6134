/**
 * @file job_lifetime.h
 * Allocates and frees the job handle (job_lifetime.c); notices programs that end without
 * nereus_finalize (missing_finalize.c), and replaces their MPI_Finalize (mpi_init.c).
 */
#pragma once

#include "src/job/job.h"

/** Allocate an empty job. */
nereus_job *nereus_job_new(struct nereus_error *err);
/** Free a job, with its communicators while MPI runs. */
void nereus_job_free(nereus_job *job);
/** Set whether this process is between nereus_init and nereus_finalize: an exit with status 0 in
 * between is reported (missing_finalize.c). */
void nereus_set_job_open(bool is_open);
bool nereus_job_is_open(void);
/** Note the thread that calls MPI_Init or nereus_init: if it ends before MPI_Finalize while its
 * process lives on, the job is ended. */
void nereus_record_mpi_thread(void);
/** At MPI_Finalize: if a job is open in this process, end it and do not return. */
void nereus_abort_if_job_open(void);
/** Replace MPI's own MPI_Finalize, which would abort or wait forever, by a barrier over these
 * processes and a message to the launcher that MPI has ended.
 * @param peers  all connected processes; owned from now on */
void nereus_skip_finalize(MPI_Comm peers);
/** Keep the error sentence of a failed nereus_init, as there is no job to hold it. */
void nereus_store_last_error(const struct nereus_error *err);
