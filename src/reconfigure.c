/* From a wish to a reconfiguration: check, decide, plan, carry out, report. */
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "fault.h"
#include "job.h"
#include "model/plan/placement.h"

/* Entries for data of rank 0 that this process does not know: constant, variable, replicated. */
enum { STAND_INS = 3 };

/* Launched processes start without a thread beside the application. (A shrink has no strategy: it is asked again there.) */
static bool needs_threads(const struct nereus_method *method)
{
    return (method->async && method->strategy != NEREUS_LAUNCH) ||
           (method->has_data && method->overlap == NEREUS_THREAD);
}

enum nereus_status nereus_check_wish(const nereus_job *job, const struct wish *wish, struct nereus_error *err)
{
    NEREUS_TRY(nereus_machine_check_start(&job->machine, "the wanted number of processes", wish->nt, err));
    NEREUS_TRY(nereus_method_check(&wish->method, err));
    return needs_threads(&wish->method) ? nereus_check_threads(err) : NEREUS_OK;
}

/* As they are, and cut into blocks: other bounds are settled afterwards. */
static enum nereus_status copy_cuts(const nereus_job *job, struct nereus_request *request,
                                    struct nereus_error *err)
{
    request->partitions = calloc((size_t)job->registry.cut_count + 1, sizeof *request->partitions);
    if (request->partitions == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a request record");
    for (; request->partition_count < job->registry.cut_count; request->partition_count++) {
        const struct cut *cut = &job->registry.cuts[request->partition_count];
        struct nereus_data_partition *partition = &request->partitions[request->partition_count];
        memcpy(partition->name, cut->name, sizeof partition->name);
        partition->parent = cut->parent;
        partition->weights = cut->weights;
        partition->after = nereus_partition_block(cut->now.n, request->nt);
        NEREUS_TRY(nereus_partition_copy(&cut->now, &partition->before, err));
    }
    return NEREUS_OK;
}

/* The record, with the registered data as this process knows it: their agreement is checked by the plan's
 * hash. */
static enum nereus_status make_request(nereus_job *job, const struct wish *wish, int64_t zombies,
                                       struct nereus_request *request, struct nereus_error *err)
{
    memset(request, 0, sizeof *request);
    request->version = NEREUS_RECORD_VERSION;
    request->number = job->requests;
    request->point = job->points;
    request->ns = job->size;
    request->nt = wish->nt;
    request->zombies = zombies;
    request->next_world_id = job->state.next_world_id;
    request->method = wish->method;
    request->data = calloc((size_t)job->registry.count + 1, sizeof *request->data);
    if (request->data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a request record");
    request->data_count = job->registry.count;
    for (int64_t i = 0; i < job->registry.count; i++)
        request->data[i] = job->registry.data[i].entry;
    NEREUS_TRY(copy_cuts(job, request, err));
    request->bridge = job->bridge;
    request->batch = job->batch;
    /* Everybody has the same state, so that all come to the same places. */
    NEREUS_TRY(
        nereus_request_place(&job->machine, &job->state, wish->release, wish->release_count, request, err));
    return needs_threads(&request->method) && request->nt != request->ns ? nereus_check_threads(err)
                                                                         : NEREUS_OK;
}

/* What the application has registered. How many bytes custom data are is found out for each reconfiguration anew, and a process for which
 * an earlier one has failed may have other numbers in mind. */
static uint64_t hash_entry(const struct nereus_data_entry *entry, uint64_t before)
{
    const int64_t numbers[] = {(int64_t)(before >> 1),
                               entry->element_bytes,
                               entry->shape == NEREUS_CUSTOM ? 0 : entry->count,
                               entry->kind,
                               entry->placement,
                               (int64_t)nereus_hash(entry->name, strlen(entry->name)),
                               entry->shape,
                               entry->across,
                               entry->partition};
    return nereus_hash(numbers, sizeof numbers);
}

static uint64_t hash_data(const struct nereus_request *request)
{
    uint64_t hash = (uint64_t)request->data_count;
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *partition = &request->partitions[i];
        const int64_t numbers[] = {(int64_t)(hash >> 1), partition->parent == 0 ? partition->before.n : 0,
                                   partition->parent, partition->weights,
                                   (int64_t)nereus_hash(partition->name, strlen(partition->name))};
        hash = nereus_hash(numbers, sizeof numbers);
    }
    for (int64_t i = 0; i < request->data_count; i++)
        hash = hash_entry(&request->data[i], hash);
    return hash;
}

enum { NAMED_MAX = 32 };

/* What rank 0 decides, and all that the others have to know of it: one broadcast. */
struct decision {
    struct wish wish;
    int64_t zombies, rung, welcome_bytes, data_count;
    struct nereus_request_bytes bytes; /* that its data are: which steps a plan has depends on them */
    bool settles;                      /* the bounds of the data take more than a formula */
    uint64_t data_hash;                /* of what rank 0 has registered */
    uint64_t hashes[NAMED_MAX];        /* of each of the first of them, so that who has others can name one */
    struct nereus_error failure;       /* rank 0 could not prepare it */
    struct nereus_error mismatch;      /* of this process, not told: it fails at the first agreement */
};

/* As many bytes of each kind as rank 0 has, if it has data at all. @return how many entries these are */
static int64_t stand_in(const struct decision *decision, struct nereus_data_entry *data)
{
    const struct nereus_request_bytes *bytes = &decision->bytes;
    data[0] = (struct nereus_data_entry){
        .element_bytes = 1, .count = bytes->constant_bytes, .kind = NEREUS_CONSTANT};
    data[1] = (struct nereus_data_entry){
        .element_bytes = 1, .count = bytes->variable_bytes, .kind = NEREUS_VARIABLE};
    data[2] = (struct nereus_data_entry){.element_bytes = 1,
                                         .count = bytes->replicated_bytes,
                                         .kind = NEREUS_VARIABLE,
                                         .placement = NEREUS_REPLICATED};
    return decision->data_count > 0 ? STAND_INS : 0;
}

/* The first of this process' data that rank 0 does not have in the same place. */
static void say_mismatch(struct decision *decision, const struct nereus_request *request)
{
    int64_t i = 0;
    const int64_t both =
        request->data_count < decision->data_count ? request->data_count : decision->data_count;
    while (i < both && i < NAMED_MAX && hash_entry(&request->data[i], 0) == decision->hashes[i])
        i++;
    char which[NEREUS_DATA_NAME_MAX + 80] = "partitions"; /* or beyond what is compared */
    if (i < NAMED_MAX && i < request->data_count)
        snprintf(which, sizeof which, "number %lld, '%s', is another one, or not there, in rank 0",
                 (long long)i + 1, request->data[i].name);
    else if (i < NAMED_MAX && i < decision->data_count)
        snprintf(which, sizeof which, "a process lacks number %lld of rank 0", (long long)i + 1);
    nereus_fail(&decision->mismatch, NEREUS_ERR_MISMATCH,
                "the processes have registered different data (rank 0: %lld, another: %lld pieces): %s",
                (long long)decision->data_count, (long long)request->data_count, which);
}

/*
 * This process has registered other data than rank 0. Its plan must have the same steps all the same, or the others would wait for it:
 * it goes along with data that stand for rank 0's, and fails at the first agreement.
 */
static enum nereus_status follow_root(struct decision *decision, struct nereus_request *request,
                                      struct nereus_error *err)
{
    struct nereus_data_entry *data = calloc(STAND_INS, sizeof *data);
    if (data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a request record");
    say_mismatch(decision, request);
    free(request->data);
    request->data = data;
    request->data_count = stand_in(decision, data);
    return NEREUS_OK;
}

/* Some wishes only a plan finds impossible: the root tries it before the others hear of it. */
static enum nereus_status try_plan(const nereus_job *job, const struct nereus_request *request,
                                   struct nereus_error *err)
{
    struct nereus_plan plan;
    nereus_fault_number(request->number);
    if (nereus_fault(NEREUS_STEP_DECIDE, 0)) {
        nereus_fault_report(NEREUS_STEP_DECIDE, err);
        return err->status;
    }
    NEREUS_TRY(nereus_plan_make(request, &plan, err));
    const bool starts = plan.spawned > 0;
    nereus_plan_fini(&plan);
    if (starts && job->unconnectable)
        return nereus_fail(err, NEREUS_ERR_SPAWN,
                           "no new processes can come in any more: an earlier connection to launched "
                           "processes has broken off inside MPI, which cannot connect again");
    return NEREUS_OK;
}

static bool nothing_to_do(const nereus_job *job, const struct wish *wish)
{
    return wish->method.process == NEREUS_MERGE && wish->method.shrink != NEREUS_SS && wish->nt == job->size;
}

/* What the others have to know after the bounds are settled. */
struct confirmation {
    int64_t welcome_bytes;
    struct nereus_error failure; /* of the root */
};

/* Bounds that take more than a formula: all find them together, and only then is the record whole. */
static enum nereus_status settle(nereus_job *job, struct decision *decision, struct nereus_request *request,
                                 struct preparation *preparation, struct nereus_error *err)
{
    NEREUS_TRY(nereus_bounds_settle(job, request, &decision->mismatch, &decision->failure, err));
    if (decision->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (job->rank == 0)
        nereus_prepare(job, request, preparation, &decision->failure);
    struct confirmation confirmation = {preparation->welcome_bytes, decision->failure};
    NEREUS_MPI(MPI_Bcast(&confirmation, (int)sizeof confirmation, MPI_BYTE, 0, job->control), err);
    preparation->welcome_bytes = confirmation.welcome_bytes;
    decision->failure = confirmation.failure;
    return NEREUS_OK;
}

/* Rank 0 alone. */
static void decide_at_root(nereus_job *job, struct decision *decision, struct nereus_request *request,
                           struct preparation *preparation)
{
    nereus_choose(job, decision->zombies, &decision->wish);
    if (make_request(job, &decision->wish, decision->zombies, request, &decision->failure) != NEREUS_OK ||
        try_plan(job, request, &decision->failure) != NEREUS_OK)
        return;
    decision->settles = nereus_bounds_needed(request) && !nothing_to_do(job, &decision->wish);
    if (!decision->settles)
        nereus_prepare(job, request, preparation, &decision->failure);
}

static enum nereus_status decide(nereus_job *job, const struct wish *wish, struct decision *decision,
                                 struct nereus_request *request, struct preparation *preparation,
                                 struct nereus_error *err)
{
    memset(decision, 0, sizeof *decision);
    decision->wish = *wish;
    decision->zombies = job->zombies.count;
    decision->rung = job->bell.rung;
    if (job->rank == 0)
        decide_at_root(job, decision, request, preparation);
    decision->welcome_bytes = preparation->welcome_bytes;
    decision->data_count = request->data_count;
    nereus_request_sum_bytes(request, &decision->bytes);
    decision->data_hash = hash_data(request);
    for (int64_t i = 0; i < request->data_count && i < NAMED_MAX; i++)
        decision->hashes[i] = hash_entry(&request->data[i], 0);
    NEREUS_MPI(MPI_Bcast(decision, (int)sizeof *decision, MPI_BYTE, 0, job->control), err);
    preparation->welcome_bytes = decision->welcome_bytes;
    NEREUS_TRY(nereus_bell_silence(job, decision->rung != 0, err));
    if (decision->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (job->rank != 0) {
        NEREUS_TRY(make_request(job, &decision->wish, decision->zombies, request, err));
        if (hash_data(request) != decision->data_hash)
            NEREUS_TRY(follow_root(decision, request, err));
    }
    return decision->settles ? settle(job, decision, request, preparation, err) : NEREUS_OK;
}

void nereus_set_outcome(nereus_job *job, enum nereus_outcome outcome, const char *sentence)
{
    job->outcome = outcome;
    nereus_fail(&job->outcome_error, NEREUS_OK, "%s", sentence);
}

/* Sizes above the cores run, once with a warning. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt)
{
    if (job->rank != 0 || job->warned_oversubscribed || !nereus_machine_oversubscribed(&job->machine, nt))
        return;
    nereus_say("warning: %lld processes on %lld cores: times are those of an oversubscribed machine, and are "
               "marked so",
               (long long)nt, (long long)nereus_machine_total_cores(&job->machine));
    job->warned_oversubscribed = true;
}

/* A method that nobody named is named here. */
static void say_resized(nereus_job *job, const struct wish *wish)
{
    char method[NEREUS_METHOD_TEXT_MAX], sentence[NEREUS_METHOD_TEXT_MAX + 64];
    snprintf(sentence, sizeof sentence, "carried out by %s, as no method was given",
             nereus_method_print(&wish->method, method));
    nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, wish->open ? sentence : "carried out");
}

/* After a successful plan: what this process does next. */
static enum nereus_status go_on(nereus_job *job, struct change *change, enum nereus_action *action,
                                struct nereus_error *err)
{
    struct move *move = &change->move;
    if (move->role == NEREUS_STAYING) {
        *action = NEREUS_RESIZED;
        say_resized(job, &change->wish);
        if (job->after != NULL)
            job->after(job, job->user);
        job->trace.end_s = nereus_now_s();
        free(job->trace.earlier);
        job->trace.earlier = move->leavers;
        job->trace.earlier_count = move->leaver_count;
        move->leavers = NULL;
        return nereus_trace_report(job, &move->plan, &change->request, &change->wish.method, err);
    }
    if (job->leaving) { /* its world ends */
        *action = NEREUS_LEAVE;
        return NEREUS_OK;
    }
    nereus_move_fini(move);
    return nereus_zombie_life(job, &move->bed, action, err);
}

/* Everything was put back: the job goes on as it was. */
static void stay_as_before(nereus_job *job, const struct wish *wish, enum nereus_outcome outcome,
                           const struct nereus_error *verdict)
{
    nereus_bell_init(job);
    nereus_set_outcome(job, outcome, verdict->text);
    nereus_trace_outcome(job, wish, outcome, verdict->text);
    if (job->rank == 0)
        nereus_say(
            "the reconfiguration from %d to %lld processes was called off and the job goes on as it was: %s",
            job->size, (long long)wish->nt, verdict->text);
}

/* This process' part in it. */
static enum nereus_status begin_move(nereus_job *job, struct change *change, const struct decision *decision,
                                     struct nereus_stamp decided, struct nereus_error *err)
{
    struct move *move = &change->move;
    NEREUS_TRY(nereus_move_init(move, job, &change->request, NEREUS_STAYING, job->rank, -1, err));
    move->role = nereus_plan_source_role(&move->plan, job->rank);
    move->target_rank = (int)nereus_plan_new_rank(&move->plan, job->rank);
    move->failure = decision->mismatch;
    if (nereus_fault(NEREUS_FAULT_CUTS, job->rank))
        nereus_fail(&move->failure, NEREUS_ERR_MEMORY, "no memory for the bounds of the data");
    if (move->failure.status == NEREUS_OK)
        nereus_cuts_follow(&job->registry, &change->request, job->rank, &move->failure);
    move->kit = change->preparation; /* it stays the change's */
    job->trace.stamps[0] = decided;
    return NEREUS_OK;
}

enum nereus_status nereus_change_finish(nereus_job *job, struct change *change, enum nereus_status status,
                                        enum nereus_action *action, struct nereus_error *err)
{
    struct move *move = &change->move;
    if (status == NEREUS_OK)
        return go_on(job, change, action, err);
    if (move->verdict.status == NEREUS_OK)
        return status;
    stay_as_before(job, &change->wish, change->too_late ? NEREUS_OUTCOME_TOO_LATE : NEREUS_OUTCOME_FAILED,
                   &move->verdict);
    return NEREUS_OK;
}

void nereus_change_free(struct change *change)
{
    if (change == NULL)
        return;
    nereus_move_fini(&change->move);
    nereus_preparation_fini(&change->preparation);
    nereus_request_fini(&change->request);
    free(change);
}

static void leave_unchanged(nereus_job *job, const struct wish *wish)
{
    nereus_set_outcome(job, NEREUS_OUTCOME_UNCHANGED, "the job has that size already");
    nereus_trace_outcome(job, wish, NEREUS_OUTCOME_UNCHANGED, job->outcome_error.text);
    nereus_bell_init(job);
}

/* Decided: carry it out, here and now, or let a thread begin with it; *kept then: the change is not over. */
static enum nereus_status undertake(nereus_job *job, struct change *change, const struct decision *decision,
                                    struct nereus_stamp decided, enum nereus_action *action, bool *kept,
                                    struct nereus_error *err)
{
    nereus_warn_oversubscribed(job, change->wish.nt);
    decided.departure_s = nereus_now_s();
    NEREUS_TRY(begin_move(job, change, decision, decided, err));
    *kept = nereus_is_asynchronous(&change->move.plan);
    if (*kept)
        return nereus_async_begin(job, change, action, err);
    const enum nereus_status status = nereus_execute(&change->move, 1, change->move.plan.step_count);
    return nereus_change_finish(job, change, status, action, err);
}

enum nereus_status nereus_reconfigure(nereus_job *job, const struct wish *wish, enum nereus_action *action,
                                      struct nereus_error *err)
{
    struct decision decision;
    bool kept = false;
    *action = NEREUS_CONTINUE;
    NEREUS_TRY(nereus_trace_finish(job, true, err)); /* an earlier report still on its way */
    struct nereus_stamp decided = {nereus_now_s(), 0, true};
    struct change *change = calloc(1, sizeof *change);
    if (change == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a reconfiguration");
    job->requests++;
    enum nereus_status status = decide(job, wish, &decision, &change->request, &change->preparation, err);
    change->wish = decision.wish;
    if (status == NEREUS_OK && decision.failure.status != NEREUS_OK)
        stay_as_before(job, &decision.wish, NEREUS_OUTCOME_FAILED, &decision.failure);
    else if (status == NEREUS_OK && nothing_to_do(job, &decision.wish))
        leave_unchanged(job, &decision.wish);
    else if (status == NEREUS_OK)
        status = undertake(job, change, &decision, decided, action, &kept, err);
    if (!kept)
        nereus_change_free(change);
    if (status != NEREUS_OK)
        nereus_give_up(err); /* the others would wait for this process for ever */
    return status;
}
