/** @file steps.h  Declares one function per step kind. */
#pragma once

#include "reconfiguration.h"
#include "src/move/exchange.h"

/** Execute reconfig->step in this process. A step without a part for this role clears
 * reconfig->takes_part.
 * @return NEREUS_OK, also if the reason of a failure was left in reconfig->failure for the next
 *     agreement; any other status ends the plan */
typedef enum nereus_status nereus_run_step(struct reconfiguration *reconfig);

nereus_run_step nereus_run_wake;                              /**< step_wake.c */
nereus_run_step nereus_run_spawn, nereus_run_join;            /**< step_spawn.c */
nereus_run_step nereus_run_launch;                            /**< step_launch.c */
nereus_run_step nereus_run_synchronise;                       /**< step_synchronise.c */
nereus_run_step nereus_run_connect, nereus_run_reorder;       /**< step_connect.c */
nereus_run_step nereus_run_merge, nereus_run_split;           /**< step_merge.c */
nereus_run_step nereus_run_gather, nereus_run_agree;          /**< step_gather.c, step_agree.c */
nereus_run_step nereus_run_allocate, nereus_run_redistribute; /**< step_data.c */
nereus_run_step nereus_run_commit;                            /**< step_commit.c */
nereus_run_step nereus_run_sleep, nereus_run_disconnect;      /**< step_leave.c */
nereus_run_step nereus_run_terminate;                         /**< step_terminate.c */
nereus_run_step nereus_run_write, nereus_run_end;             /**< step_restart.c */

/* ---- parts that other steps use -------------------------------------------------------------- */

/** step_launch.c. Root only, calls no MPI: start a launch. */
enum nereus_status nereus_launch_begin(struct reconfiguration *reconfig,
                                       struct nereus_error *failure);
/** Pack the reply to a launched group: its ports and the payload. */
void nereus_launch_pack(struct pack_buffer *pack, struct port_list *ports, struct start_spec *spec);
/** The step "join" of the strategy launch. */
enum nereus_status nereus_launch_join(struct reconfiguration *reconfig);
/** Check a last time that all launched processes are alive. */
enum nereus_status nereus_launch_check_all_alive(struct reconfiguration *reconfig);
/** Connect to the port that the first launched group has announced. */
enum nereus_status nereus_launch_connect(struct reconfiguration *reconfig);
/** step_terminate.c. The root of the sources leaves: send its state to the root of the staying
 * processes. */
enum nereus_status nereus_hand_over_root(struct reconfiguration *reconfig,
                                         struct nereus_error *err);
/** step_terminate.c. Tell the called zombies whether their world ends, or they sleep on. Collective
 * over the pool. */
enum nereus_status nereus_answer_called_zombies(struct reconfiguration *reconfig, bool part,
                                                struct nereus_error *err);
/** step_connect.c. Disconnect every edge of the spawn tree in this process, after a barrier on
 * it. */
enum nereus_status nereus_disconnect_edges(struct reconfiguration *reconfig,
                                           struct nereus_error *err);

/* ---- zombies --------------------------------------------------------------------------------- */

/** The woken zombie's side of the step wake, up to the point from which the plan is the same for
 * all. */
enum nereus_status nereus_wake_join(struct reconfiguration *reconfig, const int64_t *pool_ranks,
                                    int64_t count, struct nereus_error *err);
/** A called zombie takes part in the disconnect, with the received list of ending worlds. */
enum nereus_status nereus_zombie_disconnect(nereus_job *job, const int64_t *list, int64_t count,
                                            struct nereus_error *err);

/* execute.c: Execution of plans. */

/** Execute the steps first .. end - 1 of reconfig->plan.
 * @return NEREUS_OK; the failure that all agreed on, after the roll-back; or NEREUS_ERR_MPI */
enum nereus_status nereus_execute(struct reconfiguration *reconfig, int first, int end);

/** Stamp the begin of a step that nereus_execute does not execute. */
void nereus_step_arrive(struct reconfiguration *reconfig, int index);
/** Stamp the end of such a step. */
void nereus_step_depart(struct reconfiguration *reconfig, int index);

/* transfer.c: The redistributions of a plan as transfers (src/move/exchange.h). */

/** Reserve memory for the plan's redistributions. New parts must exist. */
enum nereus_status nereus_transfers_reserve(struct reconfiguration *reconfig,
                                            struct nereus_error *err);
/** Must the size of this data be queried again? This is true of custom data if the application has
 * run between the decision and the step that moves it. */
bool nereus_is_measured_again(const struct nereus_plan *plan,
                              const struct nereus_data_entry *entry);
/** Is data of an overlap allocated in this step? Variable data is, as its size may have changed
 * since the decision. */
bool nereus_transfer_is_deferred(const struct reconfiguration *reconfig,
                                 const struct nereus_step *step);
/** Allocate the data that is deferred to this step (nereus_transfer_is_deferred). */
enum nereus_status nereus_transfer_renew(struct reconfiguration *reconfig,
                                         const struct nereus_step *step, struct nereus_error *err);
/** Free all transfers, if any. */
void nereus_transfers_free(struct reconfiguration *reconfig);
/** Participants of the reserved transfers. */
const struct exchange *nereus_transfers_exchange(const struct reconfiguration *reconfig);
/** Are windows open? */
bool nereus_transfers_hold_windows(const struct reconfiguration *reconfig);

/** Start the transfer of a step, after a successful allocate. */
enum nereus_status nereus_transfer_begin(struct reconfiguration *reconfig,
                                         const struct nereus_step *step);
/** The started transfer of a step. */
struct transfer *nereus_transfer_of_step(const struct reconfiguration *reconfig,
                                         const struct nereus_step *step);
/** End the transfer of a step, and free its memory. */
void nereus_transfer_end(struct reconfiguration *reconfig, const struct nereus_step *step);

/* constant_checksums.c: NEREUS_CHECK=1: detects constant data that is modified while it moves
 * during iterations. */

/** Store a checksum of each constant datum, before it moves. */
void nereus_constant_checksums_store(struct reconfiguration *reconfig);
/** Compare before the last agreement: a difference is a failure of this process. */
void nereus_constant_checksums_compare(struct reconfiguration *reconfig);

/* mover.c: Data that the application moves itself (options.mover), within the steps of a plan. */

/** Let the application allocate, in the step allocate. A failure is this process' own, and agreed
 * on before anything moves. */
enum nereus_status nereus_mover_prepare(struct reconfiguration *reconfig, struct nereus_error *err);
/** Let the application move its data, in the last redistribution; a failure is left in
 * reconfig->failure. Collective over sources and targets. */
enum nereus_status nereus_mover_move(struct reconfiguration *reconfig);
/** End the move, at the commit or at the roll-back. No effect if prepare was not called. */
void nereus_mover_end(struct reconfiguration *reconfig, bool committed);

/* shrink_completion.c: Completion of a shrink while the staying processes compute: leaving
 * processes send their stamps and wait for the message to sleep. */

/** Staying process: start the reduction to the root, which also posts receives for the stamps of
 * the leaving processes. Later calls do nothing. Collective over the staying processes;
 * non-blocking. */
enum nereus_status nereus_completion_begin(struct reconfiguration *reconfig,
                                           struct nereus_error *err);
/** Wait for all requests. */
enum nereus_status nereus_completion_wait(struct nereus_completion *completion,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err);
/** Leaving process: send its stamps to the root. Later calls do nothing. */
enum nereus_status nereus_completion_report(struct reconfiguration *reconfig,
                                            struct nereus_error *err);
/** Leaving process: poll with backoff, as it shares its core, until the root's message to sleep. */
enum nereus_status nereus_completion_await_sleep(struct reconfiguration *reconfig,
                                                 struct nereus_error *err);
/** Complete the shrink, at a later point or before the next reconfiguration (wait): once all stamps
 * have arrived, the root tells the leaving processes to sleep, and job->completion is NULL. */
enum nereus_status nereus_completion_finish(nereus_job *job, bool wait, struct nereus_error *err);

/* roll_back.c: Roll-back of a failed reconfiguration: the job continues with its old processes. */

/** Undo everything that was prepared: called by all processes of the plan after they agreed on a
 * failure. If launched processes were lost, only by the sources. */
void nereus_roll_back(struct reconfiguration *reconfig);
