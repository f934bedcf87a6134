/*
 * Joining: the other half of the step "join". The sources' root broadcasts the record over the
 * inter-communicator; old and new processes compare the plan's hash; a guard that had to take a program's
 * place says so here.
 */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "job.h"
#include "launch.h"

/* Index of the first step after a group has joined. */
static int after_join(const struct nereus_plan *plan, int64_t group)
{
    const int64_t level = plan->tree.group_count > 0 ? plan->tree.groups[group].level : 0;
    int i = 0;
    while (plan->steps[i].kind != NEREUS_STEP_JOIN || plan->steps[i].level != level)
        i++;
    return i + 1;
}

/* Communicators of a new process: the line to who started it, which in the plain strategy are all parents, and its world, which
 * in strategies with one world holds all new processes. */
static enum nereus_status set_communicators(struct move *move, MPI_Comm parent, struct nereus_error *err)
{
    const bool plain = move->plan.method.strategy == NEREUS_PLAIN;
    move->inter = plain ? parent : MPI_COMM_NULL;
    move->parent = plain ? MPI_COMM_NULL : parent;
    move->wide = move->parents = MPI_COMM_NULL;
    move->own = MPI_COMM_WORLD;
    return plain ? nereus_move_begin_own(move, err) : NEREUS_OK;
}

/* The plan of a new process, from the record. */
static enum nereus_status make_move(struct move *move, nereus_job *job, struct nereus_request *request,
                                    MPI_Comm parent, int64_t group, double arrival_s,
                                    struct nereus_error *err)
{
    int rank;
    NEREUS_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank), err);
    NEREUS_TRY(nereus_move_init(move, job, request, NEREUS_SPAWNED, -1, rank, err));
    const struct nereus_plan *plan = &move->plan;
    const bool several = plan->tree.group_count > 0;
    move->group = move->met = group;
    move->group_rank = rank;
    move->target_rank = rank + (int)(several ? plan->tree.groups[group].first : 0);
    if (plan->method.process == NEREUS_MERGE)
        move->target_rank += (int)(plan->ns + plan->woken);
    job->world = request->next_world_id + (several ? group : 0);
    NEREUS_TRY(set_communicators(move, parent, err));
    job->trace.stamps[after_join(plan, group) - 1] = (struct nereus_stamp){arrival_s, nereus_now_s(), true};
    return NEREUS_OK;
}

/* From the record to the commit. */
static enum nereus_status take_part(struct move *move, struct nereus_error *err)
{
    const int first = after_join(&move->plan, move->group);
    const enum nereus_status status = nereus_execute(move, first, move->plan.step_count);
    if (status != NEREUS_OK && move->verdict.status != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_CALLED_OFF, "the reconfiguration was called off: %.400s",
                           move->verdict.text);
    return status;
}

static enum nereus_status settle_in(nereus_job *job, struct move *move, const struct nereus_request *request,
                                    struct nereus_error *err)
{
    nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, "carried out");
    if (job->after != NULL)
        job->after(job, job->user);
    job->trace.end_s = nereus_now_s();
    free(job->trace.earlier);
    job->trace.earlier = move->leavers; /* of the sources, for the report */
    job->trace.earlier_count = move->leaver_count;
    move->leavers = NULL;
    return nereus_trace_report(job, &move->plan, request, &request->method, err);
}

/* What a new process was told, before it has a plan. */
struct told {
    unsigned char *welcome; /* owned */
    int64_t bytes, group;
    double arrival_s;
};

/* Without a plan this process cannot even take part in calling it off: old and new run different versions. */
static void give_up_joining(const struct nereus_error *err)
{
    nereus_say("a new process cannot follow the job's plan: %s", err->text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Takes the welcome over. */
static enum nereus_status learn(nereus_job *job, MPI_Comm parent, struct told *told, struct move *move,
                                struct nereus_request *request, struct nereus_error *err)
{
    NEREUS_TRY(nereus_welcome_unpack(job, told->welcome, told->bytes, request, err));
    NEREUS_TRY(make_move(move, job, request, parent, told->group, told->arrival_s, err));
    /* In a tree this process starts others. */
    move->owns_kit = true;
    move->kit.welcome = told->welcome;
    move->kit.welcome_bytes = told->bytes;
    told->welcome = NULL;
    return nereus_welcome_kit(move->kit.welcome, told->bytes, &move->kit, err);
}

/* To the first iteration. */
static enum nereus_status come_in(nereus_job *job, struct move *move, struct nereus_request *request,
                                  const struct nereus_error *failure, struct nereus_error *err)
{
    move->failure = *failure;
    if (nereus_fault(NEREUS_STEP_JOIN, nereus_rank_of_move(move)))
        nereus_fault_report(NEREUS_STEP_JOIN, &move->failure);
    enum nereus_status status = take_part(move, err);
    if (status != NEREUS_OK && err->status == NEREUS_OK)
        *err = move->error;
    if (status == NEREUS_OK)
        status = settle_in(job, move, request, err);
    nereus_move_fini(move);
    nereus_request_fini(request);
    return status;
}

enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err)
{
    struct move move = {0};
    struct nereus_request request = {0};
    struct told told = {.arrival_s = nereus_now_s()};
    NEREUS_MPI(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN), err);
    NEREUS_TRY(nereus_welcome_broadcast(parent, 0, false, &told.welcome, &told.bytes, &told.group, err));
    if (learn(job, parent, &told, &move, &request, err) != NEREUS_OK)
        give_up_joining(err);
    return come_in(job, &move, &request, failure, err);
}

/* The greeting's part before the record: which point this is, and the ports that this group connects to. */
static enum nereus_status read_greeting(struct nereus_greeting *greeting, struct told *told, int64_t *points,
                                        char **ports, struct nereus_error *err)
{
    const unsigned char *welcome;
    NEREUS_TRY(nereus_launch_unpack(greeting, points, ports, &welcome, &told->bytes, err));
    told->group = greeting->group;
    told->welcome = malloc((size_t)told->bytes + 1);
    if (told->welcome == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld bytes",
                           (long long)told->bytes);
    memcpy(told->welcome, welcome, (size_t)told->bytes);
    return NEREUS_OK;
}

enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err)
{
    struct move move = {0};
    struct nereus_request request = {0};
    struct nereus_greeting greeting;
    char *ports[ROUNDS_MAX] = {NULL};
    int64_t points = 0;
    struct told told = {.arrival_s = nereus_now_s()};
    NEREUS_TRY(nereus_launch_greet(MPI_COMM_WORLD, &greeting, err));
    if (read_greeting(&greeting, &told, &points, ports, err) != NEREUS_OK ||
        learn(job, MPI_COMM_NULL, &told, &move, &request, err) != NEREUS_OK)
        give_up_joining(err);
    job->points = points;
    memcpy(move.ports, ports, sizeof ports);
    move.port = greeting.own_port;
    greeting.own_port = (struct nereus_port)NEREUS_PORT_NONE;
    const enum nereus_status status = come_in(job, &move, &request, failure, err);
    nereus_greeting_fini(&greeting); /* until here its line has told the root that this world lives */
    return status;
}

int nereus_join_in_place(const char *reason)
{
    struct nereus_error failure = {0}, err = {0};
    MPI_Comm parent;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_get_parent(&parent);
    nereus_job *job = nereus_job_new(&err);
    if (parent == MPI_COMM_NULL || job == NULL) { /* not spawned: nobody to tell but the user */
        nereus_say("%s", reason);
        MPI_Finalize();
        return 1;
    }
    nereus_fail(&failure, NEREUS_ERR_SPAWN, "%s", reason);
    if (nereus_join(job, parent, &failure, &err) == NEREUS_OK)
        nereus_say("%s; and nobody noticed", reason); /* cannot be: an agreement comes before every commit */
    nereus_job_free(job);
    MPI_Finalize();
    return 0;
}
