/**
 * @file reconfiguration.c
 * Makes and frees the context: memory in one place, so that a failure in any step frees all of it.
 * Most communicators are freed where all processes call that: in the steps (step_commit.c,
 * step_leave.c), or in the roll-back (roll_back.c).
 */
#include "reconfiguration.h"

#include "model/plan/strategies/strategy.h"
#include "src/interpose/objects.h"
#include "src/job/calls.h"
#include "src/job/stamps.h"
#include "src/link/launch.h"
#include "src/mpi/mpi_library.h"
#include "src/start/hosts.h"
#include "src/util/fault.h"
#include "transfer.h"

void nereus_reconfig_init(struct reconfiguration *reconfig, nereus_job *job)
{
    memset(reconfig, 0, sizeof *reconfig);
    reconfig->job = job;
    reconfig->comms = (struct reconfig_comms){.inter = MPI_COMM_NULL,
                                              .next = MPI_COMM_NULL,
                                              .next_app = MPI_COMM_NULL,
                                              .duplicating = {MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                                              .new_processes = MPI_COMM_NULL,
                                              .parent = MPI_COMM_NULL,
                                              .overlapped = MPI_COMM_NULL,
                                              .old_control = MPI_COMM_NULL};
    reconfig->comms.merged = reconfig->comms.parents = job->control;
    reconfig->detector.sources = MPI_COMM_NULL;
    reconfig->source_rank = reconfig->target_rank = -1;
    reconfig->group.number = reconfig->group.rank = -1;
    reconfig->group.port = (struct nereus_port)NEREUS_PORT_NONE;
    reconfig->shrink.endpoint.socket = -1;
}

/* Do all old and new processes together exceed the cores? */
static bool shares_cores(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    const bool ends_first = reconfig->record.method.process == NEREUS_RESTART;
    const int64_t alive =
        ends_first ? (reconfig->plan.ns > reconfig->plan.nt ? reconfig->plan.ns : reconfig->plan.nt)
                   : reconfig->plan.ns + reconfig->plan.woken + reconfig->plan.spawned;
    /* virtual nodes may declare more cores than their host has */
    return nereus_machine_is_oversubscribed(&job->machine, alive) ||
           (!reconfig->several_hosts &&
            alive * nereus_machine_cores_per_process(&job->machine) > job->cores_here);
}

enum nereus_status nereus_reconfig_make_plan(struct reconfiguration *reconfig,
                                             enum nereus_role role, int source_rank,
                                             int target_rank, struct nereus_error *err)
{
    reconfig->role = role;
    reconfig->source_rank = reconfig->group.rank = source_rank;
    reconfig->target_rank = target_rank;
    reconfig->several_hosts = nereus_machine_has_several_hosts(&reconfig->job->machine);
    reconfig->job->machine.had_several_hosts =
        reconfig->several_hosts; /* kept even if only one host remains */
    nereus_fault_set_number(reconfig->record.number);
    if (reconfig->plan.steps == NULL)
        NEREUS_TRY(nereus_plan_make(&reconfig->record, &reconfig->plan, err));
    nereus_plan_drop_thread(&reconfig->plan, &reconfig->job->machine, reconfig->job->has_threads);
    reconfig->wait_mode.shares_cores = shares_cores(reconfig);
    return nereus_stamps_begin(reconfig->job, &reconfig->plan, err);
}

static void free_group(struct reconfig_group *group)
{
    free(group->children);
    free(group->peer_port);
    nereus_port_close(&group->port);
    for (int i = 0; i < ROUNDS_MAX; i++)
        free(group->ports[i]);
    nereus_port_list_fini(&group->report.ports);
    memset(group, 0, sizeof *group);
    group->port = (struct nereus_port)NEREUS_PORT_NONE;
}

void nereus_reconfig_free_unless(MPI_Comm *comm, MPI_Comm kept_comm, MPI_Comm also_kept)
{
    if (*comm != MPI_COMM_NULL && *comm != kept_comm && *comm != also_kept)
        MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
}

void nereus_reconfig_fini(struct reconfiguration *reconfig)
{
    if (reconfig->job == NULL)
        return; /* never initialised */
    nereus_transfers_free(reconfig);
    free(reconfig->constants);
    reconfig->constants = NULL;
    nereus_plan_fini(&reconfig->plan);
    nereus_request_fini(&reconfig->record);
    nereus_machine_change_fini(&reconfig->machine);
    nereus_reconfig_free_comm(&reconfig->comms.overlapped);
    nereus_reconfig_free_comm(&reconfig->detector.sources);
    free_group(&reconfig->group);
    free(reconfig->shrink.addresses);
    reconfig->shrink.addresses = NULL;
    free(reconfig->leavers.stamps);
    reconfig->leavers.stamps = NULL;
    nereus_launch_free(reconfig->launch); /* ends worlds that have not joined */
    reconfig->launch = NULL;
    nereus_start_spec_fini(&reconfig->spec);
}

enum nereus_status nereus_reconfig_set_next(struct reconfiguration *reconfig, MPI_Comm comm,
                                            struct nereus_error *err)
{
    reconfig->comms.next = comm;
    NEREUS_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), err);
    /* Non-blocking: data is allocated and moved meanwhile. */
    NEREUS_MPI(nereus_mpi()->begin_duplicate(comm, &reconfig->comms.next_app,
                                             &reconfig->comms.duplicating[0]),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_reconfig_complete_next(struct reconfiguration *reconfig,
                                                 struct nereus_error *err)
{
    MPI_Errhandler app_errhandler;
    if (reconfig->comms.duplicating[0] == MPI_REQUEST_NULL)
        return NEREUS_OK;
    /* If a thread's part has failed the sources come only at a point: new processes sleep until
     * then. */
    const struct nereus_wait_mode wait_mode = nereus_reconfig_waiting(
        reconfig, reconfig->verdict.status != NEREUS_OK && reconfig->source_rank < 0);
    for (int i = 0; i < 2; i++)
        NEREUS_TRY(nereus_wait(&reconfig->comms.duplicating[i], wait_mode, err));
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.next, MPI_ERRORS_RETURN), err);
    /* The library's communicator returns errors; the application's has the error handler of its
     * world. */
    NEREUS_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &app_errhandler), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.next_app, app_errhandler), err);
    NEREUS_MPI(MPI_Errhandler_free(&app_errhandler), err);
    if (nereus_objects_set_job != NULL)
        nereus_objects_set_job(reconfig->comms.next_app, nereus_check_collective);
    return NEREUS_OK;
}

enum nereus_status nereus_reconfig_begin_duplicates(struct reconfiguration *reconfig,
                                                    struct nereus_error *err)
{
    if (!reconfig->plan.inter && !reconfig->plan.intra)
        return NEREUS_OK; /* a merge gives old and new processes a common communicator */
    NEREUS_MPI(nereus_mpi()->begin_duplicate(reconfig->comms.new_processes, &reconfig->comms.next,
                                             &reconfig->comms.duplicating[1]),
               err);
    NEREUS_MPI(nereus_mpi()->begin_duplicate(reconfig->comms.new_processes,
                                             &reconfig->comms.next_app,
                                             &reconfig->comms.duplicating[0]),
               err);
    return NEREUS_OK;
}
