/* Roll-back after all have agreed on a failure. */
#include "roll_back.h"

#include "mover.h"
#include "src/util/wait.h"
#include "steps.h"
#include "transfer.h"

/* Barrier before a disconnect, which does not wait for the others. If a thread's part has failed
 * the sources come only at a point of the application: new processes sleep until then. */
static void wait_for_all(const struct reconfiguration *rc, MPI_Comm comm)
{
    struct nereus_error ignored;
    MPI_Request all_here;
    if (MPI_Ibarrier(comm, &all_here) == MPI_SUCCESS)
        nereus_wait(&all_here, nereus_rc_waiting(rc, rc->source_rank < 0), &ignored);
}

/* Communicators, windows, requests and buffers shared with lost processes are neither freed nor
 * used: a collective call, a free or a disconnect would wait forever. */
static void abandon_lost(struct reconfiguration *rc)
{
    rc->job->windows_left = rc->job->windows_left || nereus_transfers_hold_windows(rc);
    rc->data = NULL; /* MPI may still access its memory */
    rc->job->unconnectable = rc->job->unconnectable || rc->verdict.status == NEREUS_ERR_MPI;
    nereus_registry_abandon(&rc->job->registry);
    rc->comms.next = rc->comms.next_app = rc->comms.merged = rc->comms.inter = MPI_COMM_NULL;
    rc->comms.duplicating[0] = rc->comms.duplicating[1] = MPI_REQUEST_NULL;
    if (rc->role == NEREUS_LEAVING)
        zombie_endpoint_close(&rc->shrink.endpoint);
    /* All have returned before nereus-supervise releases the lost processes. */
    MPI_Barrier(rc->comms.parents);
    nereus_rc_free_unless(&rc->comms.parents, rc->job->control, rc->comms.threads);
}

void nereus_roll_back(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    struct nereus_error ignored;
    nereus_mover_end(rc, false);
    if (rc->detector.lost) {
        abandon_lost(rc);
        return;
    }
    nereus_transfers_free(rc);
    nereus_registry_roll_back(&job->registry);
    if (rc->shrink.zombies_called)
        nereus_answer_called_zombies(rc, false, &ignored);
    nereus_rc_complete_next(rc, &ignored);
    nereus_rc_free_comm(&rc->comms.next_app);
    if (rc->comms.next != rc->comms.merged && rc->comms.next != rc->comms.parents)
        nereus_rc_free_comm(&rc->comms.next);
    if (rc->plan.intra && rc->comms.merged != rc->comms.parents &&
        rc->comms.merged != MPI_COMM_NULL) {
        wait_for_all(rc, rc->comms.merged);
        MPI_Comm_disconnect(&rc->comms.merged);
    }
    if (rc->comms.merged != rc->comms.threads)
        nereus_rc_free_unless(&rc->comms.merged, job->control, rc->comms.parents);
    if (rc->comms.inter != MPI_COMM_NULL) {
        wait_for_all(rc, rc->comms.inter);
        MPI_Comm_disconnect(&rc->comms.inter);
    }
    nereus_disconnect_edges(rc, &ignored);
    nereus_rc_free_unless(&rc->comms.own, MPI_COMM_WORLD, MPI_COMM_NULL);
    nereus_rc_free_unless(&rc->comms.parents, job->control, rc->comms.threads);
    if (rc->role == NEREUS_LEAVING)
        zombie_endpoint_close(&rc->shrink.endpoint);
}
