/*
 * Waking: the root calls the zombies, and the active processes form a communicator with those who come
 * (MPI_Comm_create_group: the ones that sleep on need not take part). They get the record like new processes.
 */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "job.h"

enum { WAKE_TAG = 31 };

/* Pool ranks of the next group: the active processes in rank order, then the last `woken` zombies. Root only.
 */
static enum nereus_status list_group(const struct move *move, int64_t *ranks, struct nereus_error *err)
{
    const nereus_job *job = move->job;
    MPI_Group active, pool;
    int *from = malloc(2 * (size_t)job->size * sizeof *from);
    if (from == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to list %d processes", job->size);
    for (int i = 0; i < job->size; i++)
        from[i] = i;
    MPI_Comm_group(job->control, &active);
    MPI_Comm_group(job->pool, &pool);
    MPI_Group_translate_ranks(active, job->size, from, pool, from + job->size);
    for (int i = 0; i < job->size; i++)
        ranks[i] = from[job->size + i];
    for (int64_t i = 0; i < move->plan.woken; i++)
        ranks[job->size + i] = job->zombies.addresses[job->zombies.count - move->plan.woken + i].pool_rank;
    MPI_Group_free(&active);
    MPI_Group_free(&pool);
    free(from);
    return NEREUS_OK;
}

/* Roused zombies are told who will answer them, and which worlds end: who is first in one, since worlds end as a whole. The
 * list has room for everybody. */
static void list_ended(const struct move *move, int64_t *list)
{
    const struct nereus_jobstate *state = &move->job->state;
    int64_t count = 0, rank = 0;
    list[count++] = move->root_in_pool;
    for (int64_t i = 0; i < state->segment_count; i++) {
        if (nereus_plan_source_ends(&move->plan, rank))
            list[count++] = state->segments[i].world;
        rank += state->segments[i].count;
    }
    while (count < rank + 1)
        list[count++] = -1;
}

/* Active and woken processes alike. */
static enum nereus_status form_group(struct move *move, const int64_t *pool_ranks, int64_t count,
                                     struct nereus_error *err)
{
    MPI_Group pool, next;
    int *ranks = malloc((size_t)count * sizeof *ranks);
    if (ranks == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to list %lld processes", (long long)count);
    for (int64_t i = 0; i < count; i++)
        ranks[i] = (int)pool_ranks[i];
    MPI_Comm_group(move->job->pool, &pool);
    MPI_Group_incl(pool, (int)count, ranks, &next);
    free(ranks);
    const int code = MPI_Comm_create_group(move->job->pool, next, WAKE_TAG, &move->parents);
    MPI_Group_free(&next);
    MPI_Group_free(&pool);
    if (code != MPI_SUCCESS)
        return nereus_mpi_failed(code, "MPI_Comm_create_group", err);
    move->wide = move->parents;
    NEREUS_MPI(MPI_Comm_set_errhandler(move->parents, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* A failure that only some know, before or after the call: all learn of it, and it is the verdict. */
static enum nereus_status agree(struct move *move, struct nereus_error *err)
{
    NEREUS_TRY(nereus_meet(move->parents, move->naps, err));
    NEREUS_TRY(nereus_agree_intra(move->parents, &move->failure, move->plan.hash, &move->verdict, err));
    return move->verdict.status;
}

/*
 * The root calls the zombies only after everybody has agreed: who was called cannot be sent back. `ranks` has one place more, in
 * which the root says whether they came.
 */
static enum nereus_status call_zombies(struct move *move, int64_t *ranks, int64_t count,
                                       struct nereus_error *err)
{
    nereus_job *job = move->job;
    const bool rouses = move->plan.woken == 0;
    if (nereus_fault(NEREUS_STEP_WAKE, job->rank))
        nereus_fault_report(NEREUS_STEP_WAKE, &move->failure);
    else if (job->rank == 0 && rouses)
        list_ended(move, ranks);
    else if (job->rank == 0)
        list_group(move, ranks, &move->failure);
    NEREUS_TRY(agree(move, err));
    if (job->rank == 0)
        ranks[count] = (rouses ? zombies_rouse(&job->zombies, ranks, count, &move->failure)
                               : zombies_wake(&job->zombies, move->plan.woken, ranks, count,
                                              &move->failure)) == NEREUS_OK;
    NEREUS_TRY(nereus_meet(move->parents, move->naps, err)); /* the root talks to sockets meanwhile */
    NEREUS_MPI(MPI_Bcast(ranks, (int)count + 1, MPI_INT64_T, 0, move->parents), err);
    return ranks[count] != 0 ? NEREUS_OK : agree(move, err);
}

/* The application has gone on since the record was written, where launched worlds were waited for first; new processes hear it with
 * their ports. */
static enum nereus_status tell_point(struct move *move, struct nereus_error *err)
{
    if (move->plan.method.strategy == NEREUS_LAUNCH && move->plan.method.async)
        NEREUS_MPI(MPI_Bcast(&move->job->points, 1, MPI_INT64_T, 0, move->parents), err);
    return NEREUS_OK;
}

/* With those who came. */
static enum nereus_status take_in(struct move *move, const int64_t *ranks, int64_t count,
                                  struct nereus_error *err)
{
    const bool sends = move->job->rank == 0;
    unsigned char *welcome = move->kit.welcome;
    int64_t bytes = move->kit.welcome_bytes, no_group = -1;
    NEREUS_TRY(form_group(move, ranks, count, err));
    enum nereus_status status =
        nereus_welcome_broadcast(move->parents, 0, sends, &welcome, &bytes, &no_group, err);
    if (!sends)
        free(welcome);
    if (status == NEREUS_OK)
        status = tell_point(move, err);
    if (status != NEREUS_OK || move->plan.spawned > 0)
        return status;
    return nereus_move_set_next(move, move->parents, err);
}

enum nereus_status nereus_translate_rank(MPI_Comm from, int rank, MPI_Comm to, int *translated,
                                         struct nereus_error *err)
{
    MPI_Group here, there;
    NEREUS_MPI(MPI_Comm_group(from, &here), err);
    NEREUS_MPI(MPI_Comm_group(to, &there), err);
    NEREUS_MPI(MPI_Group_translate_ranks(here, 1, &rank, there, translated), err);
    MPI_Group_free(&here);
    MPI_Group_free(&there);
    return NEREUS_OK;
}

enum nereus_status nereus_run_wake(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    const bool rouses = move->plan.woken == 0;
    const int64_t count = move->job->size + (rouses ? 1 : move->plan.woken);
    (void)step;
    (void)taken;
    if (rouses)
        NEREUS_TRY(nereus_translate_rank(move->job->control, 0, move->job->pool, &move->root_in_pool, err));
    int64_t *ranks = calloc((size_t)count + 1, sizeof *ranks);
    if (ranks == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to wake %lld processes",
                           (long long)move->plan.woken);
    enum nereus_status status = call_zombies(move, ranks, count, err);
    if (status == NEREUS_OK && !rouses)
        status = take_in(move, ranks, count, err);
    move->roused = status == NEREUS_OK && rouses;
    free(ranks);
    return status;
}

/* The woken side of the step above, up to the point from which the plan is the same for all. */
static enum nereus_status get_up(struct move *move, nereus_job *job, const int64_t *pool_ranks, int64_t count,
                                 struct nereus_request *request, struct nereus_error *err)
{
    unsigned char *welcome = NULL;
    int64_t bytes = 0, no_group;
    int rank;
    const double arrival_s = nereus_now_s();
    memset(move, 0, sizeof *move);
    move->job = job;
    move->threads = move->lookout.among = MPI_COMM_NULL;
    move->port.door = -1;
    NEREUS_TRY(form_group(move, pool_ranks, count, err));
    const MPI_Comm parents = move->parents;
    NEREUS_MPI(MPI_Comm_rank(parents, &rank), err);
    enum nereus_status status = nereus_welcome_broadcast(parents, 0, false, &welcome, &bytes, &no_group, err);
    if (status == NEREUS_OK)
        status = nereus_welcome_unpack(job, welcome, bytes, request, err);
    free(welcome);
    if (status != NEREUS_OK)
        return status;
    job->rank = rank;
    NEREUS_TRY(nereus_move_init(move, job, request, NEREUS_WOKEN, -1, rank, err));
    move->kit.welcome_bytes = bytes;
    move->parents = move->wide = parents;
    move->group_rank = rank;
    NEREUS_TRY(tell_point(move, err));
    if (move->plan.spawned == 0)
        NEREUS_TRY(nereus_move_set_next(move, parents, err));
    job->trace.stamps[1] = (struct nereus_stamp){arrival_s, nereus_now_s(), true}; /* decide, wake */
    return NEREUS_OK;
}

/* One awakening. *asleep stays true when the reconfiguration was called off: back to the same bed. */
static enum nereus_status wake_up(nereus_job *job, const int64_t *pool_ranks, int64_t count, bool *asleep,
                                  struct nereus_error *err)
{
    struct move move;
    struct nereus_request request = {0};
    enum nereus_status status = get_up(&move, job, pool_ranks, count, &request, err);
    if (status == NEREUS_OK)
        status = nereus_execute(&move, 2, move.plan.step_count); /* after decide and wake */
    if (status == NEREUS_OK) {
        *asleep = false;
        nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, "carried out");
        if (job->after != NULL)
            job->after(job, job->user);
        job->trace.end_s = nereus_now_s();
        status = nereus_trace_report(job, &move.plan, &request, &request.method, err);
    } else if (move.verdict.status != NEREUS_OK) {
        status = NEREUS_OK;
    }
    nereus_move_fini(&move);
    nereus_request_fini(&request);
    return status;
}

enum nereus_status nereus_zombie_life(nereus_job *job, struct zombie_bed *bed, enum nereus_action *action,
                                      struct nereus_error *err)
{
    for (bool asleep = true; asleep;) {
        enum zombie_call call;
        int64_t *pool_ranks = NULL, count = 0;
        NEREUS_TRY(zombie_sleep(bed, &call, &pool_ranks, &count, err));
        enum nereus_status status = NEREUS_OK;
        if (call == ZOMBIE_WAKE)
            status = wake_up(job, pool_ranks, count, &asleep, err);
        if (call == ZOMBIE_ROUSE)
            status = nereus_zombie_parts(job, pool_ranks, count, err);
        free(pool_ranks);
        if (call == ZOMBIE_END || job->leaving) {
            job->ended_asleep = call == ZOMBIE_END;
            job->leaving = true;
            *action = NEREUS_LEAVE;
            break;
        }
        if (status != NEREUS_OK)
            return status;
        *action = NEREUS_RESIZED;
    }
    zombie_bed_close(bed);
    return NEREUS_OK;
}
