/* The context's parts are freed in one place, whatever step a reconfiguration failed in. */
#include "reconfiguration.h"

#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "src/job/stamps.h"
#include "src/link/launch.h"
#include "src/start/hosts.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "transfer.h"

void nereus_rc_init(struct reconfiguration *rc, nereus_job *job)
{
    memset(rc, 0, sizeof *rc);
    rc->job = job;
    rc->comms = (struct rc_comms){.inter = MPI_COMM_NULL,
                                  .next = MPI_COMM_NULL,
                                  .next_app = MPI_COMM_NULL,
                                  .duplicating = {MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                                  .own = MPI_COMM_NULL,
                                  .parent = MPI_COMM_NULL,
                                  .threads = MPI_COMM_NULL,
                                  .old_control = MPI_COMM_NULL};
    rc->comms.merged = rc->comms.parents = job->control;
    rc->detector.sources = MPI_COMM_NULL;
    rc->source_rank = rc->target_rank = -1;
    rc->group.number = rc->group.rank = -1;
    rc->group.port = (struct nereus_port)NEREUS_PORT_NONE;
    rc->shrink.endpoint.socket = -1;
}

/* Do all old and new processes together exceed the cores? */
static bool shares_cores(const struct reconfiguration *rc)
{
    const nereus_job *job = rc->job;
    const bool ends_first = rc->record.method.process == NEREUS_RESTART;
    const int64_t alive = ends_first ? (rc->plan.ns > rc->plan.nt ? rc->plan.ns : rc->plan.nt)
                                     : rc->plan.ns + rc->plan.woken + rc->plan.spawned;
    /* virtual nodes may declare more cores than their host has */
    return nereus_machine_oversubscribed(&job->machine, alive) ||
           (!rc->several_hosts &&
            alive * nereus_machine_per_process(&job->machine) > job->cores_here);
}

enum nereus_status nereus_rc_plan(struct reconfiguration *rc, enum nereus_role role,
                                  int source_rank, int target_rank, struct nereus_error *err)
{
    rc->role = role;
    rc->source_rank = rc->group.rank = source_rank;
    rc->target_rank = target_rank;
    rc->several_hosts = nereus_several_hosts(&rc->job->machine);
    rc->job->machine.had_several_hosts = rc->several_hosts; /* kept even if only one host remains */
    nereus_fault_number(rc->record.number);
    if (rc->plan.steps == NULL)
        NEREUS_TRY(nereus_plan_make(&rc->record, &rc->plan, err));
    nereus_plan_relieve(&rc->plan, &rc->job->machine, rc->job->has_threads);
    rc->waiting.shares_cores = shares_cores(rc);
    return nereus_stamps_begin(rc->job, &rc->plan, err);
}

static void fini_group(struct rc_group *group)
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

void nereus_rc_free_unless(MPI_Comm *comm, MPI_Comm kept, MPI_Comm also_kept)
{
    if (*comm != MPI_COMM_NULL && *comm != kept && *comm != also_kept)
        MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
}

void nereus_rc_fini(struct reconfiguration *rc)
{
    if (rc->job == NULL)
        return; /* never initialised */
    nereus_transfers_free(rc);
    free(rc->constants);
    rc->constants = NULL;
    nereus_plan_fini(&rc->plan);
    nereus_request_fini(&rc->record);
    nereus_machine_change_fini(&rc->machine);
    nereus_rc_free_comm(&rc->comms.threads);
    nereus_rc_free_comm(&rc->detector.sources);
    fini_group(&rc->group);
    free(rc->shrink.addresses);
    rc->shrink.addresses = NULL;
    free(rc->leavers.stamps);
    rc->leavers.stamps = NULL;
    nereus_launch_free(rc->launch); /* ends worlds that have not joined */
    rc->launch = NULL;
    nereus_start_spec_fini(&rc->spec);
}

enum nereus_status nereus_rc_set_next(struct reconfiguration *rc, MPI_Comm comm,
                                      struct nereus_error *err)
{
    rc->comms.next = comm;
    NEREUS_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), err);
    /* Non-blocking: data is allocated and moved meanwhile. */
    NEREUS_MPI(MPI_Comm_idup(comm, &rc->comms.next_app, &rc->comms.duplicating[0]), err);
    return NEREUS_OK;
}

enum nereus_status nereus_rc_complete_next(struct reconfiguration *rc, struct nereus_error *err)
{
    MPI_Errhandler applications;
    if (rc->comms.duplicating[0] == MPI_REQUEST_NULL)
        return NEREUS_OK;
    /* If a thread's part has failed the sources come only at a point: new processes sleep until
     * then. */
    const struct nereus_waiting waiting =
        nereus_rc_waiting(rc, rc->verdict.status != NEREUS_OK && rc->source_rank < 0);
    for (int i = 0; i < 2; i++)
        NEREUS_TRY(nereus_wait(&rc->comms.duplicating[i], waiting, err));
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.next, MPI_ERRORS_RETURN), err);
    /* The library's communicator returns errors; the application's has the error handler of its
     * world. */
    NEREUS_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &applications), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.next_app, applications), err);
    NEREUS_MPI(MPI_Errhandler_free(&applications), err);
    return NEREUS_OK;
}

enum nereus_status nereus_rc_begin_own(struct reconfiguration *rc, struct nereus_error *err)
{
    if (!rc->plan.inter && !rc->plan.intra)
        return NEREUS_OK; /* a merge gives old and new processes a common communicator */
    NEREUS_MPI(MPI_Comm_idup(rc->comms.own, &rc->comms.next, &rc->comms.duplicating[1]), err);
    NEREUS_MPI(MPI_Comm_idup(rc->comms.own, &rc->comms.next_app, &rc->comms.duplicating[0]), err);
    return NEREUS_OK;
}

enum nereus_status nereus_share_verdict(struct reconfiguration *rc,
                                        const struct nereus_error *failure,
                                        struct nereus_waiting waiting)
{
    struct nereus_error shared = *failure;
    NEREUS_TRY(nereus_broadcast(&shared, sizeof shared, 0, rc->comms.parents, waiting, &rc->error));
    rc->verdict = shared;
    return shared.status;
}
