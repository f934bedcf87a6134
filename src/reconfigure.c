/* From a wish to a reconfiguration: check, decide, plan, carry out, report. */
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum nereus_status nereus_check_wish(const nereus_job *job, const struct wish *wish, struct nereus_error *err)
{
    NEREUS_TRY(nereus_machine_check_size(&job->machine, "the wanted number of processes", wish->nt, err));
    return nereus_method_check_built(&wish->method, err);
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
    request->data_count = job->registry.count;
    request->data = calloc((size_t)job->registry.count + 1, sizeof *request->data);
    if (request->data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a request record");
    for (int64_t i = 0; i < job->registry.count; i++)
        request->data[i] = job->registry.data[i].entry;
    return NEREUS_OK;
}

/* Rank 0's wish and its knowledge of the zombies become everybody's. */
static enum nereus_status decide(nereus_job *job, const struct wish *wish, struct wish *decided,
                                 int64_t *zombies, struct nereus_error *err)
{
    struct {
        struct wish wish;
        int64_t zombies;
    } message;
    NEREUS_TRY(nereus_bell_silence(job, err));
    memset(&message, 0, sizeof message);
    message.wish = *wish;
    message.zombies = job->zombies.count;
    NEREUS_MPI(MPI_Bcast(&message, (int)sizeof message, MPI_BYTE, 0, job->control), err);
    *decided = message.wish;
    *zombies = message.zombies;
    return NEREUS_OK;
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

/* After a successful plan: what this process does next. */
static enum nereus_status go_on(nereus_job *job, struct move *move, const struct nereus_request *request,
                                enum nereus_action *action, struct nereus_error *err)
{
    if (move->role == NEREUS_STAYING) {
        *action = NEREUS_RESIZED;
        nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, "carried out");
        if (job->after != NULL)
            job->after(job, job->user);
        job->trace.end_s = nereus_now_s();
        free(job->trace.earlier);
        job->trace.earlier = move->leavers;
        job->trace.earlier_count = move->leaver_count;
        move->leavers = NULL;
        return nereus_trace_report(job, &move->plan, request, err);
    }
    if (job->leaving) { /* a baseline's source */
        *action = NEREUS_LEAVE;
        return NEREUS_OK;
    }
    nereus_move_fini(move);
    return nereus_zombie_life(job, &move->bed, action, err);
}

/* Everything was put back: the job goes on as it was. */
static void stay_as_before(nereus_job *job, const struct wish *wish, const struct nereus_error *verdict)
{
    nereus_bell_init(job);
    nereus_set_outcome(job, NEREUS_OUTCOME_FAILED, verdict->text);
    nereus_trace_outcome(job, wish, NEREUS_OUTCOME_FAILED, verdict->text);
    if (job->rank == 0)
        nereus_say(
            "the reconfiguration from %d to %lld processes was called off and the job goes on as it was: %s",
            job->size, (long long)wish->nt, verdict->text);
}

static enum nereus_status carry_out(nereus_job *job, const struct wish *wish,
                                    const struct nereus_request *request, struct nereus_stamp decided,
                                    enum nereus_action *action, struct nereus_error *err)
{
    struct move move;
    const bool leaves = wish->method.process != NEREUS_MERGE || job->rank >= wish->nt;
    NEREUS_TRY(nereus_move_init(&move, job, request, leaves ? NEREUS_LEAVING : NEREUS_STAYING, job->rank,
                                leaves ? -1 : job->rank, err));
    job->trace.stamps[0] = decided;
    enum nereus_status status = nereus_execute(&move, 1);
    if (status == NEREUS_OK)
        status = go_on(job, &move, request, action, err);
    else if (move.verdict.status != NEREUS_OK) {
        stay_as_before(job, wish, &move.verdict);
        status = NEREUS_OK;
    }
    nereus_move_fini(&move);
    return status;
}

enum nereus_status nereus_reconfigure(nereus_job *job, const struct wish *wanted, enum nereus_action *action,
                                      struct nereus_error *err)
{
    struct wish wish;
    struct nereus_request request;
    struct nereus_stamp decided = {0, 0, true};
    int64_t zombies = 0;
    *action = NEREUS_CONTINUE;
    NEREUS_TRY(nereus_trace_finish(job, true, err)); /* an earlier report still on its way */
    decided.arrival_s = nereus_now_s();
    NEREUS_TRY(decide(job, wanted, &wish, &zombies, err));
    job->requests++;
    if (wish.method.process == NEREUS_MERGE && wish.nt == job->size) {
        nereus_set_outcome(job, NEREUS_OUTCOME_UNCHANGED, "the job has that size already");
        nereus_trace_outcome(job, &wish, NEREUS_OUTCOME_UNCHANGED, job->outcome_error.text);
        nereus_bell_init(job);
        return NEREUS_OK;
    }
    nereus_warn_oversubscribed(job, wish.nt);
    NEREUS_TRY(make_request(job, &wish, zombies, &request, err));
    decided.departure_s = nereus_now_s();
    const enum nereus_status status = carry_out(job, &wish, &request, decided, action, err);
    nereus_request_fini(&request);
    return status;
}
