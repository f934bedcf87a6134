/** @file core.h  What the files of this component offer, in the order of a request's life. */
#pragma once

#include "src/checkpoint/restart.h"
#include "src/checkpoint/write.h"
#include "src/job/job.h"
#include "src/steps/reconfiguration.h"

/* reconfigure.c: Entry point of a reconfiguration, at a malleability point. */

/** Carry out a request at this point. Collective over the active processes. */
enum nereus_status nereus_reconfigure(nereus_job *job, const struct resize_request *request,
                                      enum nereus_action *action, struct nereus_error *err);
/** Warn, once in a job, that the size exceeds the cores. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt);

/* check_request.c: Validation of a request before it is decided. */

/** Can this request be carried out at all (size, slots, method)? Local. */
enum nereus_status nereus_check_request(const nereus_job *job, const struct resize_request *request,
                                        struct nereus_error *err);

/** Can this MPI carry out the method rma? */
enum nereus_status nereus_check_windows(const struct nereus_method *method,
                                        struct nereus_error *err);

/** Asynchronous methods need MPI_THREAD_MULTIPLE. */
enum nereus_status nereus_check_threads(const nereus_job *job, const struct nereus_method *method,
                                        struct nereus_error *err);

/** Refuse a size that a grid's fixed numbers of processes do not allow. */
enum nereus_status nereus_check_grids(const nereus_job *job, int64_t nt, struct nereus_error *err);

/* choose.c: The method of a request that names none, or auto. */

/** Place the processes of a complete request, and choose those that leave.
 * @param machine  the job's, with the nodes that the request adds */
enum nereus_status nereus_job_place_request(const nereus_job *job,
                                            const struct nereus_machine *machine,
                                            const struct resize_request *resize,
                                            struct nereus_request *request,
                                            struct nereus_error *err);
/** Can the request be placed in the job's present state?
 * @param[out] shrink  the resulting kind of shrink */
enum nereus_status nereus_job_check_placement(const nereus_job *job,
                                              const struct resize_request *resize, int64_t zombies,
                                              enum nereus_shrink *shrink, struct nereus_error *err);

/** Set the method of a request, or note that the method is to be chosen.
 * @param[in] text  as "merge/coll"; "auto": chosen; NULL: as options.method says */
enum nereus_status nereus_set_requested_method(const nereus_job *job, const char *text,
                                               struct resize_request *request,
                                               struct nereus_error *err);

/** Why the job can get no new processes by this method while it runs; NULL: it can. */
const char *nereus_start_refusal_reason(const nereus_job *job, const struct nereus_method *method);

/** Root: choose restart if no process can be started and the job has a folder for checkpoints, else
 * by the model, else by a rule; nothing if a method was named. */
void nereus_choose_method(nereus_job *job, int64_t zombies, struct resize_request *request,
                          struct method_choice *choice);

/* model_choice.c: Choice of a method by the cost model, from what rank 0 knows of the machine (its
 * profile) and of the application (iteration times, bytes, iterations left). */

/** Rank 0, when a job begins: read the profile, which takes some milliseconds, and set from it the
 * settings that were left open (huge pages). */
void nereus_model_choice_begin(nereus_job *job);
/** Rank 0: choose the method with the best prediction for the job's goal. can_launch: new processes
 * can be launched.
 * @return false: no profile, or no prediction is possible; request is unchanged, and the reason is
 *     in the choice */
bool nereus_choose_by_model(nereus_job *job, bool can_launch, struct resize_request *request,
                            struct method_choice *choice);
/** Local: iterations of this size are timed from now on.
 * @param points  points passed so far */
void nereus_model_choice_start_timing(nereus_job *job, int64_t points);
/** Local: measured seconds of an iteration at this size; NAN: never measured. */
double nereus_model_choice_measured_s(const nereus_job *job, int64_t size);
/** Rank 0: seconds of an iteration at this size, measured since the job has this size, else when it
 * last had it; 0: unknown. */
double nereus_model_choice_iteration_s(nereus_job *job);
/** Iterations until the end of the job; if unknown, as many as pay off for any method. */
double nereus_model_choice_iterations_left(const nereus_job *job, double t_iter_s);
/** Rank 0: predicted RT of a method; the registered bytes are added to the scenario.
 * @return false: no profile, or no prediction is possible */
bool nereus_model_choice_price(nereus_job *job, struct nereus_scenario *scenario,
                               const struct nereus_method *method, double *rt_s);
/** Rank 0: the profile of this machine, owned by the job. NULL: none was found. */
const struct nereus_profile *nereus_model_choice_profile(nereus_job *job);
/** Free the profile and the measured iteration times. */
void nereus_model_choice_fini(nereus_job *job);

/* decide.c: Rank 0 decides on a request; afterwards all processes have the record. */

/** Make reconfig->record from rank 0's reconfig->request, and prepare what rank 0 needs. Collective
 * over control. The root also makes reconfig->plan, unless the record is complete only after
 * partitions are computed. reconfig->verdict: why the request cannot be carried out, the same in
 * all processes. reconfig->failure: this process' failure, to be agreed on. */
enum nereus_status nereus_decide(struct reconfiguration *reconfig, struct nereus_error *err);

/** Is the job of that size already, and does no data have to move? */
bool nereus_request_changes_nothing(const nereus_job *job, const struct resize_request *request);

/* balance.c: Load balance at the same size (Martín et al. (2015), section 4.3). Relative computing
 * power and work of each process are gathered at rank 0 (equation 1). If the slowest process takes
 * too much longer than the mean, a reconfiguration begins; once the new bounds are known it
 * continues only if the time saved until the end of the job exceeds its own cost. */

/** Arguments of a process at a malleability point. */
struct balance_settings {
    double threshold; /**< least value of slowest / mean - 1 at which data moves */
    /** Compute seconds per iteration of this process; 0: derived from the power that the
     * application has stated */
    double compute_s;
    struct nereus_method method; /**< merge to the present size */
};

/** Compare loads, and move data if that pays. Collective over control.
 * @return an error in all processes if one cannot determine its weights */
enum nereus_status nereus_balance_load(nereus_job *job, const struct balance_settings *settings,
                                       enum nereus_action *action, struct nereus_error *err);

/** balance_pays.c. Rank 0, with a complete record: does data move between processes that stay, and
 * does that pay? If not, reconfig->unchanged_reason has the reason. No effect for a change of
 * size. */
void nereus_balance_check_gain(struct reconfiguration *reconfig);

/* finish.c: End of a reconfiguration in its sources. */

/** End of a reconfiguration in a source, after its last step or after a step that failed with this
 * status. Frees reconfig. */
enum nereus_status nereus_reconfig_finish(struct reconfiguration *reconfig,
                                          enum nereus_status status, enum nereus_action *action,
                                          struct nereus_error *err);
/** Complete the latest reconfiguration, of which two parts take place at later points: send
 * processes to sleep, then write its times. wait: until all is complete, as before the next change
 * or the end. Collective over control if it waits. */
enum nereus_status nereus_finish_pending(nereus_job *job, bool wait, struct nereus_error *err);
/** Free a reconfiguration and its parts. */
void nereus_reconfig_free(struct reconfiguration *reconfig);

/* outcome.c: The outcome of a request in this process. */

/** Call options.after, if there is one. */
void nereus_call_after_callback(nereus_job *job);
/** Report in a target that the request was carried out: set the outcome, call options.after, begin
 * the trace's and the monitor's reports. Collective over control. */
enum nereus_status nereus_report_carried_out(struct reconfiguration *reconfig,
                                             struct nereus_error *err);
/** Report that the request was cancelled, for the reason in reconfig->verdict, and restore the
 * machine: the job is as before. */
void nereus_report_cancelled(struct reconfiguration *reconfig);
/** Report that the job is unchanged, for reconfig->unchanged_reason: it has the size already, or
 * moving data would not pay. */
void nereus_report_unchanged(struct reconfiguration *reconfig);

/* trace.c: The trace: the times of each reconfiguration, as lines of JSON. */

/** Begin the gather of the targets' stamps, and move the plan, the groups and the leaving
 * processes' stamps from the reconfiguration to the trace. No effect if no trace is written:
 * nereus_reconfig_fini frees them then. Collective over control; non-blocking. */
enum nereus_status nereus_trace_report(struct reconfiguration *reconfig, struct nereus_error *err);
/** Complete a pending report. wait: block until it is complete. */
enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err);
/** Name of an outcome in files. */
const char *nereus_outcome_name(enum nereus_outcome outcome);
/** Note the time of a point, if there is a trace. Local. */
void nereus_trace_record_point(nereus_job *job);
/** Rank 0: line about the iterations of a size that ends. */
void nereus_trace_write_size(nereus_job *job);
/** Rank 0: line about the choice of a method, if none was named. */
void nereus_trace_write_choice(const struct reconfiguration *reconfig);
/** Rank 0: line about the program of new processes, if any start. */
void nereus_trace_write_start(const struct reconfiguration *reconfig);
/** Rank 0: line about a checkpoint that was written. */
void nereus_trace_write_checkpoint(const nereus_job *job,
                                   const struct written_checkpoint *checkpoint);
/** Write the line of a checkpoint from which the job continues; rank 0. */
void nereus_trace_write_restart(const nereus_job *job, const struct restart_result *restart);
/** Rank 0: line about a request that was not carried out or changed nothing. */
void nereus_trace_write_outcome(nereus_job *job, const struct resize_request *request,
                                enum nereus_outcome outcome, const char *sentence);

/* learn.c: NEREUS_LEARN=FILE: measured reconfigurations as samples for `nereus profile fit`. */

/** Rank 0 of the targets, after the commit: append a row, if a file was named. A write error is
 * logged once, and the job continues. */
void nereus_learn_append_row(const struct reconfiguration *reconfig);

/* join.c: New processes: nereus_init after MPI_Init. */

/** Join as a spawned process.
 * @param failure  not OK: this process replaces a program that could not be started, and makes all
 *     cancel the reconfiguration */
enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err);
/** Join as a launched process, which has no parents. */
enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err);

/* zombie_loop.c: The time of a zombie between falling asleep and being woken (zombie shrink). */

/** Sleep until woken for work (RESIZED) or for the end (LEAVE). Closes the endpoint. */
enum nereus_status nereus_zombie_loop(nereus_job *job, struct zombie_endpoint *endpoint,
                                      enum nereus_action *action, struct nereus_error *err);

/* release.c: Release of nodes by name. */

/** Refuse requests that name nodes if initial processes are on other hosts than in the host
 * file. */
enum nereus_status nereus_check_placed(const nereus_job *job, struct nereus_error *err);

/** Make the request that releases these nodes: the nodes, the processes that stay, the method
 * (NULL: the job's own). Local. */
enum nereus_status nereus_make_release_request(const nereus_job *job, const char *const *nodes,
                                               int64_t count, const char *method,
                                               struct resize_request *request,
                                               struct nereus_error *err);

/* clock_align.c: Alignment of the clocks of several hosts, for time stamps of different processes.
 * */

/** Set the job's time in all active processes; nothing to do if they are on one host. Collective
 * over control. */
enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err);

/* checkpoints.c: When checkpoints are written: at points of an interval, when the program requests
 * one, and when Slurm's time limit is near. */

/** Is a checkpoint due, or can a checkpoint that was written while the application computed be
 * completed? Called at every point. False in all processes but rank 0. */
bool nereus_checkpoint_is_due(nereus_job *job);
/** Tell rank 0, without waiting, that this process has written its part. Called at every point
 * while a checkpoint is written (job->overlap.writing). */
enum nereus_status nereus_checkpoint_poll(nereus_job *job, struct nereus_error *err);
/** Begin or complete a checkpoint, at the point that all have agreed on. A failure is logged, once
 * until a checkpoint succeeds, and the job continues.
 * @param overlapped  write while the application computes; the same in all processes
 * @param goes_on     a request follows at this point, which ends the agreement
 * Collective over control. */
enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool overlapped, bool goes_on,
                                              struct nereus_error *err);
/** Note, at the first point, that the job has read all data of the checkpoint from which it began,
 * if any: the checkpoint is not the reason of a later loss. */
void nereus_checkpoint_record_read(nereus_job *job);
/** Wait until a checkpoint that is being written is complete, if there is one: before data moves,
 * and at the end of the job. Collective over control. */
void nereus_checkpoint_complete(nereus_job *job);
/** Write a checkpoint now.
 * @return why none was written, the same in all processes. Collective over control. */
enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err);

/* recover.c: Recovery of a job without a restart, after processes were lost (nereus-mpiexec
 * --on-failure continue; README.md, "After a loss"). */

/** Find out, at most every 10 ms, whether a process was lost: a process that calls no MPI function
 * would not learn of it. Called at every point. Local. */
void nereus_recover_poll(nereus_job *job);
/** Continue with the remaining processes, with the data of the newest checkpoint, and with new
 * processes in place of the lost ones. If the job cannot be recovered it ends, and nereus-supervise
 * restarts it.
 * @param[out] action  NEREUS_RESIZED
 * Collective over the remaining processes. */
enum nereus_status nereus_recover(nereus_job *job, enum nereus_action *action,
                                  struct nereus_error *err);

/* restarted.c: The first moments of a restarted job. */

/** Complete a restart whose data has been read, when the job is ready: report the restart, call
 * options.after, and complete the reconfiguration if the restart carries out one. Collective over
 * control. */
enum nereus_status nereus_restarted_complete(nereus_job *job, struct restart_result *restart,
                                             struct nereus_error *err);
