/**
 * @file external_answers.c
 * Answers a job's clients, in the server's thread: the state of the job, whether a request is
 * accepted, and how a request has ended.
 */
#include "external_answers.h"

#include "prepare_request.h"
#include "src/job/machine.h"
#include "src/util/clock.h"

/* The method of a request that moves no process. */
static const char no_move_method[] = "merge/coll";
/* A deferred client retries after this time. */
static const double retry_s = 0.1;

void nereus_external_copy_sentence(char text[NEREUS_JOB_TEXT_MAX], const char *sentence)
{
    snprintf(text, NEREUS_JOB_TEXT_MAX, "%.*s", NEREUS_JOB_TEXT_MAX - 1, sentence);
}

/* ---- the records, under the lock ------------------------------------------------------------- */

struct external_record *nereus_external_find(struct nereus_external_requests *external,
                                             int64_t number)
{
    struct external_record *record = &external->records.items[number % EXTERNAL_KEPT];
    return number > 0 && record->number == number ? record : NULL;
}

/* Find the request that was accepted and has not ended.
 * @return its number; 0: none */
static int64_t find_unfinished_request(const struct nereus_external_requests *external)
{
    for (int i = 0; i < EXTERNAL_KEPT; i++)
        if (external->records.items[i].number > 0 &&
            external->records.items[i].stage != EXTERNAL_OVER)
            return external->records.items[i].number;
    return 0;
}

static void set_reason(struct nereus_external_requests *external,
                       const struct external_record *record, const char *reason)
{
    nereus_external_copy_sentence(external->reasons[record->number % EXTERNAL_KEPT], reason);
}

void nereus_external_close(struct nereus_external_requests *external,
                           struct external_record *record, enum nereus_job_end end,
                           const char *reason)
{
    record->stage = EXTERNAL_OVER;
    record->end = (int32_t)end;
    set_reason(external, record, reason);
    nereus_job_server_wake(external->server);
}

void nereus_external_clear(struct nereus_external_requests *external)
{
    external->is_waiting = false;
    __atomic_store_n(&external->job->has_external_request, false, __ATOMIC_RELEASE);
}

/* ---- answers, in the server's thread and under the lock -------------------------------------- */

static void reply_with(struct nereus_job_reply *reply, enum nereus_job_answer answer,
                       const char *reason)
{
    reply->answer = answer;
    nereus_external_copy_sentence(reply->reason, reason);
}

static void answer_status(struct nereus_external_requests *external, struct nereus_job_reply *reply)
{
    struct nereus_job_state *state = &reply->state;
    const int64_t points = __atomic_load_n(&external->job->points, __ATOMIC_RELAXED),
                  end = __atomic_load_n(&external->job->settings.iterations, __ATOMIC_RELAXED);
    *state = external->state;
    reply->answer = NEREUS_JOB_STATE;
    state->changing = external->changing;
    state->points = points;
    state->points_left = end > 0 ? (end > points ? end - points : 0) : -1;
    if (points > external->since_points && !external->changing)
        state->t_iter_s = (nereus_skewed_monotonic_s() - external->since_s) /
                          (double)(points - external->since_points);
    state->request = find_unfinished_request(external);
}

/* Count the processes that fit the machine; 0: no limit. */
static int64_t compute_max_processes(const struct nereus_machine *machine)
{
    if (machine->slots > 0)
        return machine->slots;
    return machine->node_count > 0
               ? NEREUS_UNDECLARED_PER_CORE * nereus_machine_total_cores(machine)
               : 0;
}

/* Refuse a size that the application or the machine cannot have, with a counter-offer. */
static bool refuse_size(const nereus_job *job, const struct nereus_machine *machine, int64_t nt,
                        const struct nereus_method *method, struct nereus_job_reply *reply)
{
    const struct nereus_sizes *sizes = &job->settings.sizes;
    const int64_t most = compute_max_processes(machine);
    char allowed[NEREUS_SIZES_TEXT_MAX];
    struct nereus_error err = {0};
    if (!nereus_sizes_allow(sizes, nt))
        nereus_fail(&err, NEREUS_ERR_ARGUMENT, "the application takes %s, not %lld",
                    nereus_sizes_format(sizes, allowed), (long long)nt);
    else if (!nereus_restart_needs_requeue(job, method, nt))
        nereus_machine_check_start(machine, "the wanted number of processes", nt, &err);
    if (err.status == NEREUS_OK)
        return false;
    reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    reply->near_count = nereus_sizes_find_nearest(sizes, nt, most, reply->near_sizes);
    return true;
}

/* Read an offer: nodes that the machine gains and, optionally, a size that needs them. Both are one
 * transaction. */
static enum nereus_status read_offer(const nereus_job *job,
                                     const struct nereus_job_request *request,
                                     struct resize_request *resize, struct nereus_error *err)
{
    enum nereus_shrink ignored;
    const char *method = request->method[0] != '\0' ? request->method : NULL;
    NEREUS_TRY(nereus_check_placed(job, err));
    for (int64_t i = 0; i < request->node_count; i++)
        NEREUS_TRY(nereus_request_add_node(job, request->nodes[i], resize, err));
    if (request->size == 0) {
        resize->nt = job->size;
        return nereus_set_requested_method(job, no_move_method, resize, err);
    }
    NEREUS_TRY(nereus_set_requested_method(job, method, resize, err));
    return resize->method_is_auto
               ? NEREUS_OK
               : nereus_job_check_placement(job, resize, nereus_jobstate_zombies(&job->state),
                                            &ignored, err);
}

static enum nereus_status read_wanted(const nereus_job *job,
                                      const struct nereus_job_request *request,
                                      struct resize_request *resize, struct nereus_error *err)
{
    const char *names[NEREUS_JOB_NODES_MAX],
        *method = request->method[0] != '\0' ? request->method : NULL;
    *resize = (struct resize_request){.nt = request->size};
    if (request->deadline_s > 0)
        resize->deadline_s = nereus_steady_clock_s() + request->deadline_s;
    if (request->kind == NEREUS_JOB_REQUEST_RESIZE)
        return nereus_set_requested_method(job, method, resize, err);
    for (int64_t i = 0; i < request->node_count; i++)
        names[i] = request->nodes[i];
    if (request->kind == NEREUS_JOB_REQUEST_OFFER)
        return read_offer(job, request, resize, err);
    NEREUS_TRY(nereus_make_release_request(job, names, request->node_count, method, resize, err));
    resize->loses = !request->keep;
    return NEREUS_OK;
}

static void accept_request(struct nereus_external_requests *external,
                           struct resize_request *request, struct nereus_job_reply *reply)
{
    const int64_t number = ++external->records.count;
    struct external_record *record = &external->records.items[number % EXTERNAL_KEPT];
    *record = (struct external_record){.number = number,
                                       .stage = EXTERNAL_QUEUED,
                                       .ns = external->job->size,
                                       .nt = request->nt,
                                       .rt_s = -1};
    set_reason(external, record, "");
    request->external = number;
    external->request = *request;
    external->is_waiting = true;
    __atomic_store_n(&external->job->has_external_request, true, __ATOMIC_RELEASE);
    reply->answer = NEREUS_JOB_ACCEPTED;
    reply->request = number;
    reply->ns = external->job->size;
    reply->nt = request->nt;
}

static void answer_change(struct nereus_external_requests *external,
                          const struct nereus_job_request *request, struct nereus_job_reply *reply)
{
    struct resize_request resize;
    struct nereus_error err = {0};
    const nereus_job *job = external->job;
    const int64_t old_request = find_unfinished_request(external);
    if (external->changing || old_request > 0) {
        reply_with(reply, NEREUS_JOB_DEFERRED,
                   external->changing ? "a resize is under way"
                                      : "a request before this one is not carried out yet");
        reply->request = old_request;
        reply->after_s = retry_s;
        return;
    }
    struct nereus_method method = {.process = NEREUS_MERGE};
    nereus_method_parse(request->method, &method, &err); /* an invalid method is refused below */
    if (request->kind == NEREUS_JOB_REQUEST_RESIZE &&
        refuse_size(job, &job->machine, request->size, &method, reply))
        return;
    struct nereus_machine machine = {.node_count = 0};
    if (read_wanted(job, request, &resize, &err) != NEREUS_OK ||
        nereus_machine_of_request(job, &resize, &machine, &err) != NEREUS_OK)
        reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    else if (resize.nt != job->size && refuse_size(job, &machine, resize.nt, &resize.method, reply))
        ; /* refused, with a counter-offer */
    else if (nereus_check_request(job, &resize, &err) != NEREUS_OK)
        reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    else
        accept_request(external, &resize, reply);
    nereus_machine_fini(&machine);
}

int64_t nereus_external_freed_nodes(const struct nereus_external_requests *external, int64_t change,
                                    struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX])
{
    int64_t count = 0;
    for (int64_t i = 0; i < external->freed_count && count < NEREUS_JOB_NODES_MAX; i++)
        if (external->freed_nodes[i].change == change)
            nodes[count++] = external->freed_nodes[i].node;
    return count;
}

bool nereus_external_answer_wait(struct nereus_external_requests *external, int64_t number,
                                 struct nereus_job_reply *reply)
{
    if (number == 0)
        number = external->records.count;
    const struct external_record *record = nereus_external_find(external, number);
    reply->request = number;
    if (record == NULL) {
        reply_with(reply, NEREUS_JOB_REFUSED,
                   number == 0 ? "nothing has been asked of this job yet"
                               : "there is no such request, or it is too long ago");
        return true;
    }
    if (record->stage != EXTERNAL_OVER)
        return false;
    reply_with(reply, NEREUS_JOB_OUTCOME, external->reasons[number % EXTERNAL_KEPT]);
    reply->end = (enum nereus_job_end)record->end;
    reply->ns = record->ns;
    reply->nt = record->nt;
    reply->rt_s = record->rt_s;
    reply->rt_traced = record->rt_traced != 0;
    reply->freed_count =
        nereus_external_freed_nodes(external, record->frees_at, reply->freed_nodes);
    return true;
}

bool nereus_external_answer(void *user, const struct nereus_job_request *request,
                            struct nereus_job_reply *reply)
{
    struct nereus_external_requests *external = user;
    bool answered = true;
    pthread_mutex_lock(&external->lock);
    switch (request->kind) {
    case NEREUS_JOB_REQUEST_STATUS:
        answer_status(external, reply);
        break;
    case NEREUS_JOB_REQUEST_RESIZE:
    case NEREUS_JOB_REQUEST_RELEASE:
    case NEREUS_JOB_REQUEST_OFFER:
        answer_change(external, request, reply);
        break;
    case NEREUS_JOB_REQUEST_WAIT:
        answered = nereus_external_answer_wait(external, request->request, reply);
        break;
    case NEREUS_JOB_REQUEST_END:
        answered = false;
        break;
    default:
        reply_with(reply, NEREUS_JOB_INVALID, "this is no request");
    }
    pthread_mutex_unlock(&external->lock);
    return answered;
}

double nereus_external_end_overdue(void *user)
{
    struct nereus_external_requests *external = user;
    double left_s = INFINITY;
    pthread_mutex_lock(&external->lock);
    if (external->is_waiting && external->request.deadline_s > 0)
        left_s = external->request.deadline_s - nereus_steady_clock_s();
    if (left_s <= 0) {
        struct external_record *record = nereus_external_find(external, external->request.external);
        nereus_external_clear(external);
        if (record != NULL)
            nereus_external_close(external, record, NEREUS_JOB_CANCELLED,
                                  "no malleability point came before its deadline");
        left_s = INFINITY;
    }
    pthread_mutex_unlock(&external->lock);
    return left_s;
}
