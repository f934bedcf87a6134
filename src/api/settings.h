/** @file settings.h  Checks and stores the options of nereus_init. */
#pragma once

#include "src/job/job.h"

/** Store the callbacks, which each process has. */
void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options);
/** Parse and check all other options. Only in initial processes. */
enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);

/** Hosts, slots and cores. This and the next functions are parts of nereus_job_set_options, private
 * to src/api. */
enum nereus_status nereus_settings_read_machine(nereus_job *job,
                                                const struct nereus_options *options,
                                                struct nereus_error *err);
/** Default method */
enum nereus_status nereus_settings_read_method(nereus_job *job,
                                               const struct nereus_options *options,
                                               struct nereus_error *err);
/** Goal, policy, load balance and monitoring. */
enum nereus_status nereus_settings_read_decisions(nereus_job *job,
                                                  const struct nereus_options *options,
                                                  struct nereus_error *err);
/** Folder and interval of checkpoints. */
enum nereus_status nereus_settings_read_checkpoints(nereus_job *job,
                                                    const struct nereus_options *options,
                                                    struct nereus_error *err);

/* job_lifetime.c: Creation and destruction of the job handle, and when the job counts as open. */

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

/* point.c: Shared by the calls that make requests. */

/** Check rank 0's request and make it pending: all carry it out at an agreed point. */
enum nereus_status nereus_make_pending(nereus_job *job, struct resize_request *wanted,
                                       const char *method);

/** Default method of load balance. */
#define NEREUS_DEFAULT_BALANCE "merge/coll-weighted"
