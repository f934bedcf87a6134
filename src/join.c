/*
 * Joining: the other half of the step "join". The sources' root broadcasts the record over the
 * inter-communicator; old and new processes compare the plan's hash; a guard that had to take a program's
 * place says so here.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

static enum nereus_status broadcast(MPI_Comm inter, int root, unsigned char *buffer, int64_t bytes,
                                    struct nereus_error *err)
{
    NEREUS_MPI(MPI_Bcast_c(buffer, (MPI_Count)bytes, MPI_BYTE, root, inter), err);
    return NEREUS_OK;
}

enum nereus_status nereus_welcome_send(struct move *move, MPI_Comm inter, struct nereus_error *err)
{
    unsigned char *buffer = NULL;
    int64_t bytes = 0;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(move->parents, &rank), err);
    const int root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    if (rank == 0 && nereus_welcome_pack(move, &buffer, &bytes, &move->failure) != NEREUS_OK)
        bytes = 0; /* new processes see that there is no record */
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, root, inter), err);
    const enum nereus_status status =
        bytes > 0 || rank != 0 ? broadcast(inter, root, buffer, bytes, err) : NEREUS_OK;
    free(buffer);
    return status;
}

/* Every new process gets the bytes, whether it can use them or not. */
static enum nereus_status receive(MPI_Comm inter, unsigned char **buffer, int64_t *bytes,
                                  struct nereus_error *failure, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Bcast(bytes, 1, MPI_INT64_T, 0, inter), err);
    if (*bytes == 0) {
        nereus_fail(failure, NEREUS_ERR_MEMORY, "the sources had no memory for a record");
        return NEREUS_OK;
    }
    *buffer = malloc((size_t)*bytes);
    if (*buffer == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld bytes", (long long)*bytes);
    return broadcast(inter, 0, *buffer, *bytes, err);
}

/* Communicators of a new process: of a baseline its world, of a merge none of its own yet. */
static enum nereus_status set_communicators(struct move *move, MPI_Comm parent, struct nereus_error *err)
{
    move->inter = parent;
    move->wide = MPI_COMM_NULL;
    move->parents = MPI_COMM_NULL;
    if (!move->plan.inter)
        return NEREUS_OK;
    MPI_Comm own;
    NEREUS_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &own), err);
    move->parents = own; /* this side, for agreements */
    return nereus_move_set_next(move, own, err);
}

/* Index of the first step after joining. */
static int after_join(const struct nereus_plan *plan)
{
    int i = 0;
    while (plan->steps[i].kind != NEREUS_STEP_JOIN)
        i++;
    return i + 1;
}

/* The plan of a new process, from the record. */
static enum nereus_status make_move(struct move *move, nereus_job *job, struct nereus_request *request,
                                    MPI_Comm parent, double arrival_s, struct nereus_error *err)
{
    int rank;
    NEREUS_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank), err);
    const int64_t first_new = request->method.process == NEREUS_MERGE ? -1 : 0;
    NEREUS_TRY(nereus_move_init(move, job, request, NEREUS_SPAWNED, -1, rank, err));
    if (first_new < 0)
        move->target_rank = (int)(move->plan.ns + move->plan.woken) + rank;
    job->trace.stamps[after_join(&move->plan) - 1] = (struct nereus_stamp){arrival_s, arrival_s, true};
    return set_communicators(move, parent, err);
}

static enum nereus_status take_leave(MPI_Comm *parent)
{
    MPI_Barrier(*parent); /* a disconnect does not wait for the other side */
    MPI_Comm_disconnect(parent);
    return NEREUS_ERR_CALLED_OFF;
}

/* From the record to the commit. */
static enum nereus_status take_part(nereus_job *job, struct move *move, const struct nereus_error *failure,
                                    struct nereus_error *err)
{
    NEREUS_TRY(nereus_agree_inter(MPI_COMM_WORLD, move->inter, false, failure, move->plan.hash,
                                  &move->verdict, err));
    if (move->verdict.status != NEREUS_OK) {
        nereus_fail(err, NEREUS_ERR_CALLED_OFF, "the reconfiguration was called off: %.400s",
                    move->verdict.text);
        nereus_roll_back(move);
        return NEREUS_ERR_CALLED_OFF;
    }
    const int first = after_join(&move->plan);
    job->trace.stamps[first - 1].departure_s = nereus_now_s();
    const enum nereus_status status = nereus_execute(move, first);
    if (status != NEREUS_OK && move->verdict.status != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_CALLED_OFF, "the reconfiguration was called off: %.400s",
                           move->verdict.text);
    return status;
}

enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, struct nereus_error *err)
{
    struct move move = {.inter = parent,
                        .wide = MPI_COMM_NULL,
                        .next = MPI_COMM_NULL,
                        .next_app = MPI_COMM_NULL,
                        .parents = MPI_COMM_NULL,
                        .job = job,
                        .bed = {.socket = -1}};
    struct nereus_request request = {0};
    struct nereus_error failure = {0};
    unsigned char *buffer = NULL;
    int64_t bytes = 0;
    const double arrival_s = nereus_now_s();
    NEREUS_MPI(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN), err);
    NEREUS_TRY(receive(parent, &buffer, &bytes, &failure, err));
    if (failure.status == NEREUS_OK &&
        nereus_welcome_unpack(job, buffer, bytes, &request, &failure) == NEREUS_OK)
        make_move(&move, job, &request, parent, arrival_s, &failure);
    free(buffer);
    move.inter = parent; /* also where no plan could be made */
    enum nereus_status status = take_part(job, &move, &failure, err);
    if (status == NEREUS_OK) {
        nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, "carried out");
        if (job->after != NULL)
            job->after(job, job->user);
        job->trace.end_s = nereus_now_s();
        free(job->trace.earlier);
        job->trace.earlier = move.leavers; /* of the sources, for the report */
        job->trace.earlier_count = move.leaver_count;
        move.leavers = NULL;
        status = nereus_trace_report(job, &move.plan, &request, err);
    }
    nereus_move_fini(&move);
    nereus_request_fini(&request);
    return status;
}

int nereus_join_in_place(const char *reason)
{
    struct nereus_error failure, verdict, err = {0};
    unsigned char *buffer = NULL;
    int64_t bytes = 0;
    MPI_Comm parent;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) { /* not spawned: nobody to tell but the user */
        nereus_say("%s", reason);
        MPI_Finalize();
        return 1;
    }
    nereus_fail(&failure, NEREUS_ERR_SPAWN, "%s", reason);
    if (receive(parent, &buffer, &bytes, &failure, &err) == NEREUS_OK &&
        nereus_agree_inter(MPI_COMM_WORLD, parent, false, &failure, 0, &verdict, &err) == NEREUS_OK)
        take_leave(&parent);
    free(buffer);
    MPI_Finalize();
    return 0;
}
