/** @file roll_back.c  Rolls back after all have agreed on a failure. */
#include "execute.h"
#include "src/mpi/mpi_library.h"
#include "src/util/wait.h"
#include "steps.h"
#include "transfer.h"

/* Barrier before MPI_Comm_disconnect, which does not wait for the others. If a thread's part has
 * failed the sources come only at a point of the application: new processes sleep until then. */
static void wait_for_all(const struct reconfiguration *reconfig, MPI_Comm comm)
{
    struct nereus_error ignored;
    MPI_Request all_here;
    if (MPI_Ibarrier(comm, &all_here) == MPI_SUCCESS)
        nereus_wait(&all_here, nereus_reconfig_waiting(reconfig, reconfig->source_rank < 0),
                    &ignored);
}

/* Communicators, windows, requests and buffers shared with lost processes are neither freed nor
 * used: a collective call, a free or a disconnect would wait forever. */
static void abandon_lost(struct reconfiguration *reconfig)
{
    reconfig->job->windows_left =
        reconfig->job->windows_left || nereus_transfers_hold_windows(reconfig);
    reconfig->data = NULL; /* MPI may still access its memory */
    reconfig->job->unconnectable =
        reconfig->job->unconnectable || reconfig->verdict.status == NEREUS_ERR_MPI;
    nereus_registry_abandon(&reconfig->job->registry);
    reconfig->comms.next = reconfig->comms.next_app = reconfig->comms.merged =
        reconfig->comms.inter = MPI_COMM_NULL;
    reconfig->comms.duplicating[0] = reconfig->comms.duplicating[1] = MPI_REQUEST_NULL;
    if (reconfig->role == NEREUS_LEAVING)
        nereus_zombie_endpoint_close(&reconfig->shrink.endpoint);
    /* All have returned before nereus-supervise releases the lost processes. */
    MPI_Barrier(reconfig->comms.parents);
    nereus_reconfig_free_unless(&reconfig->comms.parents, reconfig->job->control,
                                reconfig->comms.overlapped);
}

void nereus_roll_back(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    struct nereus_error ignored;
    nereus_mover_end(reconfig, false);
    job->was_connected = job->was_connected || reconfig->comms.inter != MPI_COMM_NULL ||
                         (reconfig->comms.merged != reconfig->comms.parents &&
                          reconfig->comms.merged != MPI_COMM_NULL);
    if (reconfig->detector.lost) {
        abandon_lost(reconfig);
        return;
    }
    nereus_transfers_free(reconfig);
    nereus_registry_roll_back(&job->registry);
    if (reconfig->shrink.zombies_called)
        nereus_answer_called_zombies(reconfig, false, &ignored);
    nereus_reconfig_complete_next(reconfig, &ignored);
    nereus_reconfig_free_comm(&reconfig->comms.next_app);
    if (reconfig->comms.next != reconfig->comms.merged &&
        reconfig->comms.next != reconfig->comms.parents)
        nereus_reconfig_free_comm(&reconfig->comms.next);
    if (reconfig->plan.intra && reconfig->comms.merged != reconfig->comms.parents &&
        reconfig->comms.merged != MPI_COMM_NULL) {
        wait_for_all(reconfig, reconfig->comms.merged);
        nereus_mpi()->end_merged(&reconfig->comms.merged);
    }
    if (reconfig->comms.merged != reconfig->comms.overlapped)
        nereus_reconfig_free_unless(&reconfig->comms.merged, job->control, reconfig->comms.parents);
    if (reconfig->comms.inter != MPI_COMM_NULL) {
        wait_for_all(reconfig, reconfig->comms.inter);
        MPI_Comm_disconnect(&reconfig->comms.inter);
    }
    nereus_disconnect_edges(reconfig, &ignored);
    nereus_reconfig_free_unless(&reconfig->comms.new_processes, MPI_COMM_WORLD, MPI_COMM_NULL);
    nereus_reconfig_free_unless(&reconfig->comms.parents, job->control, reconfig->comms.overlapped);
    if (reconfig->role == NEREUS_LEAVING)
        nereus_zombie_endpoint_close(&reconfig->shrink.endpoint);
}
