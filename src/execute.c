/* Carrying out a plan: step after step, with its stamps; and putting everything back when all agreed that it
 * failed. */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "job.h"
#include "launch.h"

enum nereus_status nereus_move_init(struct move *move, nereus_job *job, const struct nereus_request *request,
                                    enum nereus_role role, int source_rank, int target_rank,
                                    struct nereus_error *err)
{
    memset(move, 0, sizeof *move);
    move->job = job;
    move->request = request;
    move->role = role;
    move->source_rank = source_rank;
    move->target_rank = target_rank;
    move->inter = move->next = move->next_app = move->old_control = MPI_COMM_NULL;
    move->parent = move->own = move->threads = move->lookout.among = MPI_COMM_NULL;
    move->wide = move->parents = job->control;
    move->group = -1;
    move->group_rank = source_rank;
    move->duplicating[0] = move->duplicating[1] = MPI_REQUEST_NULL;
    move->bed.socket = -1;
    move->port.door = -1;
    nereus_fault_number(request->number);
    NEREUS_TRY(nereus_plan_make(request, &move->plan, err));
    return nereus_trace_begin(job, &move->plan, err);
}

void nereus_move_fini(struct move *move)
{
    if (move->job == NULL)
        return; /* it never began */
    nereus_data_move_free(move);
    nereus_plan_fini(&move->plan);
    if (move->threads != MPI_COMM_NULL)
        MPI_Comm_free(&move->threads);
    if (move->lookout.among != MPI_COMM_NULL)
        MPI_Comm_free(&move->lookout.among);
    free(move->addresses);
    free(move->leavers);
    free(move->children);
    free(move->partner);
    nereus_port_close(&move->port);
    for (int i = 0; i < ROUNDS_MAX; i++) {
        free(move->ports[i]);
        move->ports[i] = NULL;
    }
    nereus_report_fini(&move->report);
    nereus_launch_free(move->launch); /* what has not joined is ended */
    move->launch = NULL;
    move->addresses = NULL;
    move->leavers = NULL;
    move->children = NULL;
    move->partner = NULL;
    if (move->owns_kit)
        nereus_preparation_fini(&move->kit);
    move->owns_kit = false;
}

enum nereus_status nereus_move_set_next(struct move *move, MPI_Comm comm, struct nereus_error *err)
{
    move->next = comm;
    NEREUS_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), err);
    /* Meanwhile data is allocated and moved. */
    NEREUS_MPI(MPI_Comm_idup(comm, &move->next_app, &move->duplicating[0]), err);
    return NEREUS_OK;
}

enum nereus_status nereus_move_complete_next(struct move *move, struct nereus_error *err)
{
    MPI_Errhandler applications;
    if (move->duplicating[0] == MPI_REQUEST_NULL)
        return NEREUS_OK;
    for (int i = 0; i < 2;
         i++) /* where a thread's part has failed, the sources come at a point only: who is new sleeps */
        NEREUS_TRY(nereus_wait(&move->duplicating[i],
                               move->verdict.status != NEREUS_OK && move->source_rank < 0, err));
    NEREUS_MPI(MPI_Comm_set_errhandler(move->next, MPI_ERRORS_RETURN), err);
    /* The library handles its own errors; the application's communicator behaves like its world. */
    NEREUS_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &applications), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(move->next_app, applications), err);
    NEREUS_MPI(MPI_Errhandler_free(&applications), err);
    return NEREUS_OK;
}

/* For injected faults: the rank among the sources, of a new or woken process the one among the targets. */
int nereus_rank_of_move(const struct move *move)
{
    return move->source_rank >= 0 ? move->source_rank : move->target_rank;
}

/* After the commit nothing can be taken back. Some steps inject their faults themselves, where these hurt most. */
static void inject_fault(struct move *move, enum nereus_step_kind kind)
{
    const bool too_late = kind == NEREUS_STEP_COMMIT || kind == NEREUS_STEP_SLEEP ||
                          kind == NEREUS_STEP_TERMINATE || kind == NEREUS_STEP_DISCONNECT;
    if (kind == NEREUS_STEP_WAKE || kind == NEREUS_STEP_ALLOCATE || kind == NEREUS_STEP_AGREE ||
        !nereus_fault(kind, nereus_rank_of_move(move)))
        return;
    nereus_fault_report(kind, &move->failure);
    if (too_late)
        nereus_give_up(&move->failure);
}

static bool has_committed(const struct move *move, const struct nereus_step *step)
{
    while (step > move->plan.steps && step->kind != NEREUS_STEP_COMMIT)
        step--;
    return step->kind == NEREUS_STEP_COMMIT;
}

/* Others would wait for this process for ever. The job can do without a launched world that is not part of it yet. */
static void give_up(const struct move *move, const struct nereus_step *step)
{
    if (move->role != NEREUS_SPAWNED || !nereus_is_watched(move) || has_committed(move, step)) {
        nereus_give_up(&move->error);
        return;
    }
    nereus_say("a launched process cannot join the job and ends with its world: %s", move->error.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Where every process takes part in a failure, all put back what they have; a thread leaves that to the main thread. */
static enum nereus_status fail(struct move *move, const struct nereus_step *step, enum nereus_status status)
{
    if (move->verdict.status == NEREUS_OK)
        give_up(move, step);
    if (!move->in_thread)
        nereus_roll_back(move); /* agreed on: everybody is here */
    return status;
}

void nereus_step_arrive(struct move *move, int index)
{
    const struct nereus_step *step = &move->plan.steps[index];
    struct nereus_stamp *stamp = &move->job->trace.stamps[index];
    stamp->taken = true;
    stamp->departure_s = nereus_now_s();
    if (stamp->arrival_s <= 0) /* a launch may have begun beside the application */
        stamp->arrival_s = stamp->departure_s;
    move->naps = nereus_step_is_beside(step);
    nereus_fault_die(step->kind, nereus_rank_of_move(move));
    inject_fault(move, step->kind);
}

void nereus_step_depart(struct move *move, int index)
{
    move->job->trace.stamps[index].departure_s = nereus_now_s();
}

enum nereus_status nereus_execute(struct move *move, int first, int end)
{
    for (int i = first; i < end; i++) {
        const struct nereus_step *step = &move->plan.steps[i];
        if ((step->who & (unsigned)move->role) == 0)
            continue;
        nereus_step_arrive(move, i);
        enum nereus_status status =
            nereus_step_table[step->kind].run(move, step, &move->job->trace.stamps[i].taken);
        status = nereus_lookout_after(move, step, status);
        nereus_step_depart(move, i);
        if (status != NEREUS_OK)
            return fail(move, step, status);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_move_begin_own(struct move *move, struct nereus_error *err)
{
    if (!move->plan.inter && !move->plan.intra)
        return NEREUS_OK; /* a merge: old and new have their next communicator in common */
    NEREUS_MPI(MPI_Comm_idup(move->own, &move->next, &move->duplicating[1]), err);
    NEREUS_MPI(MPI_Comm_idup(move->own, &move->next_app, &move->duplicating[0]), err);
    return NEREUS_OK;
}

static void free_unless(MPI_Comm *comm, MPI_Comm kept, MPI_Comm also_kept)
{
    if (*comm != MPI_COMM_NULL && *comm != kept && *comm != also_kept)
        MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
}

/* Before a disconnect, which does not wait for the others. Where a thread's part has failed, the sources come when the application has
 * brought them to a point: who is new sleeps until then. */
static void wait_for_all(const struct move *move, MPI_Comm comm)
{
    struct nereus_error ignored;
    MPI_Request all_here;
    if (MPI_Ibarrier(comm, &all_here) == MPI_SUCCESS)
        nereus_wait(&all_here, move->source_rank < 0, &ignored);
}

void nereus_roll_back(struct move *move)
{
    nereus_job *job = move->job;
    struct nereus_error ignored;
    if (move->lost) {
        nereus_abandon(move);
        return;
    }
    nereus_data_move_free(move);
    nereus_registry_roll_back(&job->registry);
    if (move->roused)
        nereus_answer_roused(move, false, &ignored);
    nereus_move_complete_next(move, &ignored);
    if (move->next_app != MPI_COMM_NULL)
        MPI_Comm_free(&move->next_app);
    if (move->next != move->wide && move->next != move->parents)
        free_unless(&move->next, MPI_COMM_NULL, MPI_COMM_NULL);
    if (move->plan.intra && move->wide != move->parents && move->wide != MPI_COMM_NULL) {
        wait_for_all(move, move->wide);
        MPI_Comm_disconnect(&move->wide);
    }
    if (move->wide != move->threads)
        free_unless(&move->wide, job->control, move->parents);
    if (move->inter != MPI_COMM_NULL) {
        wait_for_all(move, move->inter);
        MPI_Comm_disconnect(&move->inter);
    }
    nereus_cut_edges(move, &ignored);
    free_unless(&move->own, MPI_COMM_WORLD, MPI_COMM_NULL);
    free_unless(&move->parents, job->control, move->threads);
    if (move->role == NEREUS_LEAVING)
        zombie_bed_close(&move->bed);
}
