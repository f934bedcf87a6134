/**
 * @file external.c
 * Requests from outside at rank 0: two threads meet here under one lock. The server's thread
 * answers clients and queues a request; the main thread takes it at a point and records its end.
 */
#include "external.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_request.h"
#include "choose.h"
#include "model/job_client/folder.h"
#include "model/plan/placement.h"
#include "release.h"
#include "src/job/machine.h"
#include "src/link/job_server.h"
#include "src/start/hosts.h"
#include "src/util/clock.h"
#include "src/util/error.h"

/* The method of a request that moves no process. */
static const char unmoved[] = "merge/coll";
/* A deferred client retries after this time. */
static const double again_s = 0.1;

/* A node freed by a change of the machine, as reported to clients. */
struct freed_shown {
    int64_t change;
    struct nereus_job_node node;
};

struct nereus_external_requests {
    nereus_job *job;
    struct job_server *server;
    /* Protects all members below, and the job's size, state and settings while `changing` is false:
     * the main thread modifies those only while it is true. */
    pthread_mutex_t lock;
    bool changing;
    bool is_waiting; /* `wanted` waits for a point */
    struct resize_request wanted;
    struct external_records records;
    char reasons[EXTERNAL_KEPT][NEREUS_JOB_TEXT_MAX];
    struct nereus_job_state state; /* after the latest change of size */
    struct freed_shown *freed;     /* nodes freed by that change; owned */
    int64_t freed_count;
    double since_s; /* iterations of this size are counted from here */
    int64_t since_points;
};

/* Copy a sentence for a client; a longer one is cut off. */
static void copy_sentence(char text[NEREUS_JOB_TEXT_MAX], const char *sentence)
{
    snprintf(text, NEREUS_JOB_TEXT_MAX, "%.*s", NEREUS_JOB_TEXT_MAX - 1, sentence);
}

/* ---- the records, under the lock ------------------------------------------------------------- */

static struct external_record *record_of(struct nereus_external_requests *external, int64_t number)
{
    struct external_record *record = &external->records.kept[number % EXTERNAL_KEPT];
    return number > 0 && record->number == number ? record : NULL;
}

static struct external_record *find_in_stage(struct nereus_external_requests *external,
                                             enum external_stage stage)
{
    for (int i = 0; i < EXTERNAL_KEPT; i++)
        if (external->records.kept[i].number > 0 &&
            external->records.kept[i].stage == (int32_t)stage)
            return &external->records.kept[i];
    return NULL;
}

/* Number of the request that was accepted and has not ended; 0: none. */
static int64_t unfinished_request(const struct nereus_external_requests *external)
{
    for (int i = 0; i < EXTERNAL_KEPT; i++)
        if (external->records.kept[i].number > 0 && external->records.kept[i].stage != ASKED_OVER)
            return external->records.kept[i].number;
    return 0;
}

static void set_reason(struct nereus_external_requests *external,
                       const struct external_record *record, const char *reason)
{
    copy_sentence(external->reasons[record->number % EXTERNAL_KEPT], reason);
}

static void close_record(struct nereus_external_requests *external, struct external_record *record,
                         enum nereus_job_end end, const char *reason)
{
    record->stage = ASKED_OVER;
    record->end = (int32_t)end;
    set_reason(external, record, reason);
    nereus_job_server_wake(external->server);
}

static void clear_wanted(struct nereus_external_requests *external)
{
    external->is_waiting = false;
    __atomic_store_n(&external->job->has_external_request, false, __ATOMIC_RELEASE);
}

/* ---- answers, in the server's thread and under the lock -------------------------------------- */

static void reply_with(struct nereus_job_reply *reply, enum nereus_job_answer answer,
                       const char *reason)
{
    reply->answer = answer;
    copy_sentence(reply->reason, reason);
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
    state->request = unfinished_request(external);
}

/* Number of processes that fit the machine; 0: no limit. */
static int64_t max_processes(const struct nereus_machine *machine)
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
    const int64_t most = max_processes(machine);
    char allowed[NEREUS_SIZES_TEXT_MAX];
    struct nereus_error err = {0};
    if (!nereus_sizes_allow(sizes, nt))
        nereus_fail(&err, NEREUS_ERR_ARGUMENT, "the application takes %s, not %lld",
                    nereus_sizes_print(sizes, allowed), (long long)nt);
    else if (!nereus_goes_on_elsewhere(job, method, nt))
        nereus_machine_check_start(machine, "the wanted number of processes", nt, &err);
    if (err.status == NEREUS_OK)
        return false;
    reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    reply->near_count = nereus_sizes_find_nearest(sizes, nt, most, reply->near);
    return true;
}

/* Nodes that the machine gains and, optionally, a size that needs them: one transaction. */
static enum nereus_status read_offer(const nereus_job *job,
                                     const struct nereus_job_request *request,
                                     struct resize_request *wanted, struct nereus_error *err)
{
    enum nereus_shrink ignored;
    const char *method = request->method[0] != '\0' ? request->method : NULL;
    NEREUS_TRY(nereus_check_placed(job, err));
    for (int64_t i = 0; i < request->node_count; i++)
        NEREUS_TRY(nereus_want_node(job, request->nodes[i], wanted, err));
    if (request->size == 0) {
        wanted->nt = job->size;
        return nereus_set_requested_method(job, unmoved, wanted, err);
    }
    NEREUS_TRY(nereus_set_requested_method(job, method, wanted, err));
    return wanted->open ? NEREUS_OK
                        : nereus_try_to_place(job, wanted, nereus_jobstate_zombies(&job->state),
                                              &ignored, err);
}

static enum nereus_status read_wanted(const nereus_job *job,
                                      const struct nereus_job_request *request,
                                      struct resize_request *wanted, struct nereus_error *err)
{
    const char *names[NEREUS_JOB_NODES_MAX],
        *method = request->method[0] != '\0' ? request->method : NULL;
    *wanted = (struct resize_request){.nt = request->size};
    if (request->deadline_s > 0)
        wanted->deadline_s = nereus_wall_clock_s() + request->deadline_s;
    if (request->what == NEREUS_JOB_ASK_RESIZE)
        return nereus_set_requested_method(job, method, wanted, err);
    for (int64_t i = 0; i < request->node_count; i++)
        names[i] = request->nodes[i];
    if (request->what == NEREUS_JOB_ASK_OFFER)
        return read_offer(job, request, wanted, err);
    NEREUS_TRY(nereus_make_release_request(job, names, request->node_count, method, wanted, err));
    wanted->loses = !request->keep;
    return NEREUS_OK;
}

static void accept_request(struct nereus_external_requests *external, struct resize_request *wanted,
                           struct nereus_job_reply *reply)
{
    const int64_t number = ++external->records.made;
    struct external_record *record = &external->records.kept[number % EXTERNAL_KEPT];
    *record = (struct external_record){.number = number,
                                       .stage = EXTERNAL_QUEUED,
                                       .ns = external->job->size,
                                       .nt = wanted->nt,
                                       .rt_s = -1};
    set_reason(external, record, "");
    wanted->external = number;
    external->wanted = *wanted;
    external->is_waiting = true;
    __atomic_store_n(&external->job->has_external_request, true, __ATOMIC_RELEASE);
    reply->answer = NEREUS_JOB_ACCEPTED;
    reply->request = number;
    reply->ns = external->job->size;
    reply->nt = wanted->nt;
}

static void answer_change(struct nereus_external_requests *external,
                          const struct nereus_job_request *request, struct nereus_job_reply *reply)
{
    struct resize_request wanted;
    struct nereus_error err = {0};
    const nereus_job *job = external->job;
    const int64_t before = unfinished_request(external);
    if (external->changing || before > 0) {
        reply_with(reply, NEREUS_JOB_DEFERRED,
                   external->changing ? "a change of size is under way"
                                      : "a request before this one is not carried out yet");
        reply->request = before;
        reply->after_s = again_s;
        return;
    }
    struct nereus_method method = {.process = NEREUS_MERGE};
    nereus_method_parse(request->method, &method, &err); /* a wrong one is refused below */
    if (request->what == NEREUS_JOB_ASK_RESIZE &&
        refuse_size(job, &job->machine, request->size, &method, reply))
        return;
    struct nereus_machine machine = {.node_count = 0};
    if (read_wanted(job, request, &wanted, &err) != NEREUS_OK ||
        nereus_machine_wanted(job, &wanted, &machine, &err) != NEREUS_OK)
        reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    else if (wanted.nt != job->size && refuse_size(job, &machine, wanted.nt, &wanted.method, reply))
        ; /* with a counter-offer */
    else if (nereus_check_request(job, &wanted, &err) != NEREUS_OK)
        reply_with(reply, NEREUS_JOB_REFUSED, err.text);
    else
        accept_request(external, &wanted, reply);
    nereus_machine_fini(&machine);
}

/* @return number of nodes that this change of the machine has freed; 0 also for change 0, which is
 *     none */
static int64_t report_freed_nodes(const struct nereus_external_requests *external, int64_t change,
                                  struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX])
{
    int64_t count = 0;
    for (int64_t i = 0; i < external->freed_count && count < NEREUS_JOB_NODES_MAX; i++)
        if (external->freed[i].change == change)
            nodes[count++] = external->freed[i].node;
    return count;
}

/* @return false: the request has not ended */
static bool answer_wait(struct nereus_external_requests *external, int64_t number,
                        struct nereus_job_reply *reply)
{
    if (number == 0)
        number = external->records.made;
    const struct external_record *record = record_of(external, number);
    reply->request = number;
    if (record == NULL) {
        reply_with(reply, NEREUS_JOB_REFUSED,
                   number == 0 ? "nothing has been asked of this job yet"
                               : "there is no such request, or it is too long ago");
        return true;
    }
    if (record->stage != ASKED_OVER)
        return false;
    reply_with(reply, NEREUS_JOB_OUTCOME, external->reasons[number % EXTERNAL_KEPT]);
    reply->end = (enum nereus_job_end)record->end;
    reply->ns = record->ns;
    reply->nt = record->nt;
    reply->rt_s = record->rt_s;
    reply->rt_traced = record->rt_traced != 0;
    reply->freed_count = report_freed_nodes(external, record->frees_at, reply->freed);
    return true;
}

static bool answer_request(void *user, const struct nereus_job_request *request,
                           struct nereus_job_reply *reply)
{
    struct nereus_external_requests *external = user;
    bool answered = true;
    pthread_mutex_lock(&external->lock);
    switch (request->what) {
    case NEREUS_JOB_ASK_STATUS:
        answer_status(external, reply);
        break;
    case NEREUS_JOB_ASK_RESIZE:
    case NEREUS_JOB_ASK_RELEASE:
    case NEREUS_JOB_ASK_OFFER:
        answer_change(external, request, reply);
        break;
    case NEREUS_JOB_ASK_WAIT:
        answered = answer_wait(external, request->request, reply);
        break;
    case NEREUS_JOB_ASK_END:
        answered = false;
        break;
    default:
        reply_with(reply, NEREUS_JOB_INVALID, "this is no question");
    }
    pthread_mutex_unlock(&external->lock);
    return answered;
}

/* Periodic: ends a request whose deadline passes between two points, which may be rare. */
static double end_overdue_request(void *user)
{
    struct nereus_external_requests *external = user;
    double left_s = INFINITY;
    pthread_mutex_lock(&external->lock);
    if (external->is_waiting && external->wanted.deadline_s > 0)
        left_s = external->wanted.deadline_s - nereus_wall_clock_s();
    if (left_s <= 0) {
        struct external_record *record = record_of(external, external->wanted.external);
        clear_wanted(external);
        if (record != NULL)
            close_record(external, record, NEREUS_JOB_GIVEN_UP,
                         "no malleability point came before its deadline");
        left_s = INFINITY;
    }
    pthread_mutex_unlock(&external->lock);
    return left_s;
}

/* ---- what the job is, for the thread --------------------------------------------------------- */

static void describe_node(const nereus_job *job, const struct nereus_node *node,
                          struct nereus_job_node *shown)
{
    *shown = (struct nereus_job_node){.cores = node->cores *
                                               nereus_machine_cores_per_process(&job->machine)};
    snprintf(shown->name, sizeof shown->name, "%s", node->name);
    snprintf(shown->allocation, sizeof shown->allocation, "%s", node->allocation);
}

static int64_t count_zombies_on(const struct nereus_jobstate *state, int64_t node)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->sleeper_count; i++)
        sum += state->sleepers[i].node == node ? state->sleepers[i].count : 0;
    return sum;
}

/* Best effort: without memory no freed nodes are reported. */
static void describe_freed(struct nereus_external_requests *external)
{
    const nereus_job *job = external->job;
    free(external->freed);
    external->freed = calloc((size_t)job->freed_count + 1, sizeof *external->freed);
    external->freed_count = external->freed != NULL ? job->freed_count : 0;
    for (int64_t i = 0; i < external->freed_count; i++) {
        external->freed[i].change = job->freed[i].change;
        describe_node(job, &job->freed[i].node, &external->freed[i].node);
    }
    external->state.freed_count =
        report_freed_nodes(external, job->machine_changes, external->state.freed);
}

static void describe_nodes(const nereus_job *job, struct nereus_job_state *state)
{
    state->node_count = job->machine.node_count;
    state->nodes_used = 0;
    for (int64_t node = 0; node < job->machine.node_count; node++) {
        const int64_t processes = nereus_jobstate_node_processes(&job->state, node);
        state->nodes_used += processes > 0;
        if (node >= NEREUS_JOB_NODES_MAX)
            continue;
        describe_node(job, &job->machine.nodes[node], &state->nodes[node]);
        state->nodes[node].processes = processes;
        state->nodes[node].asleep = count_zombies_on(&job->state, node);
    }
}

static void open_to_requests(struct nereus_external_requests *external)
{
    const nereus_job *job = external->job;
    struct nereus_job_state *state = &external->state;
    snprintf(state->job, sizeof state->job, "%s", job->settings.name);
    gethostname(state->host, sizeof state->host - 1);
    state->pid = getpid();
    state->size = job->size;
    state->reconfigurations = job->reconfigurations;
    state->sizes = job->settings.sizes;
    if (job->outcome != NEREUS_OUTCOME_NONE && job->outcome != NEREUS_OUTCOME_PENDING)
        copy_sentence(state->last, job->outcome_error.text);
    describe_nodes(job, state);
    describe_freed(external);
    external->since_s = nereus_skewed_monotonic_s();
    external->since_points = job->points;
    external->changing = false;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static enum nereus_status make_server(nereus_job *job, bool takes_over, struct nereus_error *err)
{
    struct nereus_external_requests *external = calloc(1, sizeof *external);
    NEREUS_TRY_MEMORY(external, err, "to answer for the job");
    const struct job_server_handler handler = {
        .answer = answer_request, .tick = end_overdue_request, .user = external};
    external->job = job;
    external->changing = true;
    external->records = job->external_records;
    describe_freed(external); /* outcomes are reported before new requests are accepted */
    external->state.size = job->size;
    snprintf(external->state.job, sizeof external->state.job, "%s", job->settings.name);
    pthread_mutex_init(&external->lock, NULL);
    pthread_mutex_lock(&external->lock); /* the first message may arrive now */
    const enum nereus_status status = nereus_job_server_begin(
        job->settings.folder, job->settings.name, takes_over, &handler, &external->server, err);
    pthread_mutex_unlock(&external->lock);
    if (status != NEREUS_OK) {
        pthread_mutex_destroy(&external->lock);
        free(external->freed);
        free(external);
        return status;
    }
    job->external = external;
    return NEREUS_OK;
}

enum nereus_status nereus_external_begin(nereus_job *job, struct nereus_error *err)
{
    return job->settings.name != NULL ? make_server(job, false, err) : NEREUS_OK;
}

void nereus_external_open(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    open_to_requests(external);
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_restarted(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    if (job->is_pending && job->pending.external > external->records.made)
        external->records.made = job->pending.external; /* do not reuse its number */
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.kept[i];
        const bool is_pending_here = job->is_pending && job->pending.external == record->number;
        if (record->number > 0 && !is_pending_here && record->stage != ASKED_OVER)
            close_record(external, record, NEREUS_JOB_FAILED,
                         "the job has ended meanwhile, and goes on from a checkpoint: ask again");
    }
    pthread_mutex_unlock(&external->lock);
}

static void end_server(nereus_job *job, const struct nereus_job_reply *last_word)
{
    struct nereus_external_requests *external = job->external;
    nereus_job_server_end(external->server, last_word);
    pthread_mutex_destroy(&external->lock);
    free(external->freed);
    free(external);
    job->external = NULL;
}

/* ---- at a point ------------------------------------------------------------------------------ */

static void make_request_pending(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    struct external_record *record = record_of(external, external->wanted.external);
    if (record != NULL)
        record->stage = EXTERNAL_TAKEN;
    external->wanted.point = job->points;
    nereus_consensus_request(job, &external->wanted);
    clear_wanted(external);
}

void nereus_external_make_pending(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    if (job->is_pending || external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    if (external->is_waiting)
        make_request_pending(job);
    pthread_mutex_unlock(&external->lock);
}

bool nereus_external_start(nereus_job *job, const struct resize_request *wanted)
{
    struct nereus_external_requests *external = job->external;
    const bool past_deadline =
        wanted->deadline_s > 0 && nereus_wall_clock_s() >= wanted->deadline_s;
    if (external == NULL)
        return !past_deadline;
    pthread_mutex_lock(&external->lock);
    struct external_record *record = record_of(external, wanted->external);
    external->changing = true;
    if (record != NULL) {
        record->stage = EXTERNAL_UNDER_WAY;
        record->ns = job->size;
        record->end = past_deadline ? NEREUS_JOB_GIVEN_UP : NEREUS_JOB_FAILED;
    }
    if (external->is_waiting && !job->is_pending)
        make_request_pending(job); /* sent to new processes, too */
    job->external_records = external->records;
    pthread_mutex_unlock(&external->lock);
    return !past_deadline;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* Requests that waited in the previous rank 0 and were not transferred with the records. */
static void end_lost_requests(struct nereus_external_requests *external)
{
    const nereus_job *job = external->job;
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.kept[i];
        const bool is_pending_here = job->is_pending && job->pending.external == record->number;
        if (record->number > 0 && !is_pending_here &&
            (record->stage == EXTERNAL_QUEUED || record->stage == EXTERNAL_TAKEN))
            close_record(external, record, NEREUS_JOB_FAILED,
                         "rank 0 of the job has moved before it took the request: ask again");
        if (record->stage == EXTERNAL_MEASURED)
            record->stage = ASKED_OVER;
    }
}

/* RT at rank 0; below 0: unknown, as a process on another host has not measured the start. */
static double rt_at_root_s(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    return reconfig->role == NEREUS_SPAWNED && nereus_several_hosts(&job->machine)
               ? -1
               : nereus_skewed_monotonic_s() + nereus_clock_correction_s() - job->began_s;
}

/* Rank 0 may now be on a host whose folder of jobs is another one. */
static enum nereus_status choose_folder(nereus_job *job, struct nereus_error *err)
{
    char folder[NEREUS_JOB_PATH_MAX];
    NEREUS_TRY(nereus_job_folder(folder, err));
    char *copy = strdup(folder);
    NEREUS_TRY_MEMORY(copy, err, "for the folder of jobs");
    free(job->settings.folder);
    job->settings.folder = copy;
    return NEREUS_OK;
}

static void start_server_at_new_root(nereus_job *job)
{
    struct nereus_error err;
    if (choose_folder(job, &err) != NEREUS_OK || make_server(job, true, &err) != NEREUS_OK)
        nereus_log("the job '%s' does not answer any more: %s", job->settings.name, err.text);
}

/* Number of the machine change in which this reconfiguration frees nodes; 0: none. */
static int64_t freeing_change(const struct reconfiguration *reconfig)
{
    return reconfig->record.lost_count > 0 ? reconfig->job->machine_changes : 0;
}

void nereus_external_resized(const struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    if (job->rank != 0 || job->settings.name == NULL)
        return;
    const bool taken_over = job->external == NULL;
    if (taken_over)
        start_server_at_new_root(job);
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    if (taken_over)
        end_lost_requests(external);
    struct external_record *record = find_in_stage(external, EXTERNAL_UNDER_WAY);
    open_to_requests(external);
    if (record != NULL) {
        record->ns = reconfig->record.ns;
        record->nt = reconfig->record.nt;
        record->rt_s = rt_at_root_s(reconfig);
        record->frees_at = freeing_change(reconfig);
        close_record(external, record, NEREUS_JOB_RESIZED, job->outcome_error.text);
        if (job->trace.path != NULL)
            record->stage = EXTERNAL_MEASURED;
    }
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_measured(nereus_job *job, double rt_s)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    struct external_record *record = find_in_stage(external, EXTERNAL_MEASURED);
    if (record != NULL) {
        record->rt_traced = rt_s >= 0;
        if (rt_s >= 0)
            record->rt_s = rt_s;
        record->stage = ASKED_OVER;
        nereus_job_server_wake(external->server);
    }
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_not_resized(const struct reconfiguration *reconfig,
                                 enum nereus_outcome outcome, const char *sentence)
{
    struct nereus_external_requests *external = reconfig->job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    struct external_record *record = find_in_stage(external, EXTERNAL_UNDER_WAY);
    if (record != NULL && outcome == NEREUS_OUTCOME_UNCHANGED)
        record->frees_at = freeing_change(reconfig);
    if (record != NULL)
        close_record(external, record,
                     outcome == NEREUS_OUTCOME_UNCHANGED  ? NEREUS_JOB_UNCHANGED
                     : outcome == NEREUS_OUTCOME_TOO_LATE ? NEREUS_JOB_TOO_LATE
                                                          : (enum nereus_job_end)record->end,
                     sentence);
    open_to_requests(external);
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_declare(nereus_job *job, const struct nereus_sizes *sizes)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL) {
        job->settings.sizes = *sizes;
        return;
    }
    pthread_mutex_lock(&external->lock);
    job->settings.sizes = external->state.sizes = *sizes;
    pthread_mutex_unlock(&external->lock);
}

/* A request from outside moves rank 0: describe its outcome as far as this process knows it. */
static void describe_moved_root(const struct reconfiguration *reconfig,
                                struct nereus_job_reply *reply)
{
    struct nereus_external_requests *external = reconfig->job->external;
    pthread_mutex_lock(&external->lock);
    const struct external_record *record = find_in_stage(external, EXTERNAL_UNDER_WAY);
    if (record != NULL) {
        reply->request = record->number;
        reply->end = NEREUS_JOB_RESIZED;
        reply->ns = reconfig->record.ns;
        reply->nt = reconfig->record.nt;
        reply->rt_s = rt_at_root_s(reconfig);
        for (int64_t i = 0; i < reconfig->record.lost_count; i++)
            describe_node(reconfig->job, &reconfig->job->machine.nodes[reconfig->record.lost[i]],
                          &reply->freed[reply->freed_count++]);
    }
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_hand_over(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    struct nereus_job_reply reply = {.answer = NEREUS_JOB_MOVED, .rt_s = -1};
    struct nereus_error err;
    char from[sizeof reply.host], to[sizeof reply.host];
    if (job->external == NULL)
        return;
    describe_moved_root(reconfig, &reply);
    nereus_host_of_node(&job->machine, nereus_jobstate_node_of(&job->state, 0), from, sizeof from);
    if (nereus_jobstate_apply(&job->machine, &reconfig->record, &job->state, &err) == NEREUS_OK) {
        nereus_host_of_node(&job->machine, nereus_jobstate_node_of(&job->state, 0), to, sizeof to);
        if (strcmp(from, to) != 0)
            snprintf(reply.host, sizeof reply.host, "%s", to);
    }
    end_server(job, &reply);
}

void nereus_external_end(nereus_job *job)
{
    struct nereus_job_reply reply = {.rt_s = -1};
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    clear_wanted(external);
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.kept[i];
        if (record->number > 0 && record->stage == EXTERNAL_MEASURED)
            record->stage = ASKED_OVER;
        if (record->number > 0 && record->stage != ASKED_OVER)
            close_record(external, record, NEREUS_JOB_TOO_LATE, "the application ended first");
    }
    if (external->records.made > 0) /* clients may still ask for the outcome */
        answer_wait(external, 0, &reply);
    reply.answer = NEREUS_JOB_ENDED;
    pthread_mutex_unlock(&external->lock);
    end_server(job, &reply);
}
