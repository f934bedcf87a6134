/**
 * @file supervise_requests.h
 * Reports to nereus-supervise, and requests of it (supervisor_lines.h): start records of guards,
 * the end of the job, its next attempt, which begins from a checkpoint (supervise/attempt.h).
 */
#pragma once

#include "src/util/error.h"

/** Store the guards' start record in nereus-supervise, from where guards fetch it by this name. The
 * words are described in guard/guard.c: a letter and a value each. Errors: NEREUS_ERR_SPAWN (no
 * answer). */
enum nereus_status nereus_supervise_store_record(const char *name, char *const *words,
                                                 struct nereus_error *err);
/** The command line of the job's first process, as given to nereus-mpiexec, and the folder in which
 * nereus-mpiexec was started; both owned. Folder NULL: unknown. */
char **nereus_supervise_command(char **folder);

/** The initial world leaves the job while others continue: the status of its mpiexec is not the
 * job's. Called by one of its processes, before MPI_Finalize. */
void nereus_supervise_report_initial_world_left(void);

/** End a job that hangs inside MPI: nereus-supervise prints the message and ends it. Without
 * nereus-supervise this process prints it, and the caller ends itself. */
void nereus_supervise_end_job(const char *sentence);
/** End the job because of an error in the program. The job is not restarted, as the program would
 * repeat the error. */
void nereus_supervise_end_mistaken_job(const char *sentence);
/** Report that the program ends the job with this status (MPI_Abort). Without nereus-supervise only
 * MPI's own messages appear. */
void nereus_supervise_abort(int status, const char *sentence);

/** Report a complete checkpoint, which was just written or read: after a loss the job can continue
 * from it. No effect without nereus-supervise.
 * @param path  absolute
 * @param is_new  true: written; false: read */
void nereus_supervise_report_checkpoint(const char *path, bool is_new);
/** Report that the job has recovered by itself from the loss of so many processes.
 * @param how  end of the message, after the description of the loss */
void nereus_supervise_report_recovery(int lost, const char *how);
/** Restart the job as nt processes from this checkpoint when all its processes have ended with
 * status 0. The new ones have NEREUS_RESTART and NEREUS_RESTARTS in their environment. A later call
 * replaces an earlier one.
 * @param path   absolute
 * @param hosts  "host0:2,host1:2"; NULL, "": as mpiexec's command line says
 * Errors: NEREUS_ERR_UNSUPPORTED (no nereus-supervise, or not with its command line), SPAWN (no
 * answer), ARGUMENT. */
enum nereus_status nereus_supervise_restart(int64_t nt, const char *path, const char *hosts,
                                            struct nereus_error *err);
/** Open the connection on which nereus-supervise tells rank 0 to write a checkpoint, because
 * Slurm's time limit is near.
 * @return the descriptor, which the caller closes; -1: none */
int nereus_supervise_await_warning(void);
/** Has nereus-supervise sent that message? Does not wait. */
bool nereus_supervise_is_warned(int fd);
