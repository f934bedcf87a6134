/** @file steps.h  Declares one function per step kind. */
#pragma once

#include "reconfiguration.h"

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

/** step_agree.c. Broadcast the root's failure or success to all parents, as the verdict. */
enum nereus_status nereus_broadcast_verdict(struct reconfiguration *reconfig,
                                            const struct nereus_error *failure,
                                            struct nereus_wait_mode wait_mode);
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
