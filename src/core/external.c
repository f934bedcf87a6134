/**
 * @file external.c
 * Serves external requests in the main thread of rank 0: it starts and ends the server, takes a
 * queued request at a point, and records its end.
 */
#include "external.h"

#include <unistd.h>

#include "external_answers.h"
#include "model/job_client/folder.h"
#include "model/plan/placement.h"
#include "src/start/hosts.h"
#include "src/util/clock.h"

static struct external_record *find_in_stage(struct nereus_external_requests *external,
                                             enum external_stage stage)
{
    for (int i = 0; i < EXTERNAL_KEPT; i++)
        if (external->records.items[i].number > 0 &&
            external->records.items[i].stage == (int32_t)stage)
            return &external->records.items[i];
    return NULL;
}

/* ---- description of the job, for the server's thread ----------------------------------------- */

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

/* Describe the freed nodes; without memory no nodes are reported. */
static void describe_freed(struct nereus_external_requests *external)
{
    const nereus_job *job = external->job;
    free(external->freed_nodes);
    external->freed_nodes = calloc((size_t)job->freed_count + 1, sizeof *external->freed_nodes);
    external->freed_count = external->freed_nodes != NULL ? job->freed_count : 0;
    for (int64_t i = 0; i < external->freed_count; i++) {
        external->freed_nodes[i].change = job->freed_nodes[i].change;
        describe_node(job, &job->freed_nodes[i].node, &external->freed_nodes[i].node);
    }
    external->state.freed_count =
        nereus_external_freed_nodes(external, job->machine_changes, external->state.freed_nodes);
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
        nereus_external_copy_sentence(state->last_outcome, job->outcome_error.text);
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
        .answer = nereus_external_answer, .tick = nereus_external_end_overdue, .user = external};
    external->job = job;
    external->changing = true;
    external->records = job->external_records;
    external->records.unserved = false;
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
        free(external->freed_nodes);
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

/* The name is given up: another job may take it. */
static void go_on_without_server(nereus_job *job, const struct nereus_error *why)
{
    job->external_records.unserved = true;
    nereus_log("the job '%s' does not answer any more: %s", job->settings.name, why->text);
}

void nereus_external_resume(nereus_job *job)
{
    struct nereus_error err;
    if (job->external == NULL && nereus_external_begin(job, &err) != NEREUS_OK)
        go_on_without_server(job, &err);
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

void nereus_external_defer(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    external->changing = true;
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_end_lost(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    nereus_external_clear(external);
    if (job->is_pending && job->pending.external > external->records.count)
        external->records.count = job->pending.external; /* do not reuse its number */
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.items[i];
        const bool is_pending_here = job->is_pending && job->pending.external == record->number;
        if (record->number > 0 && !is_pending_here && record->stage != EXTERNAL_OVER)
            nereus_external_close(external, record, NEREUS_JOB_FAILED,
                                  "the job has gone back to a checkpoint meanwhile: ask again");
    }
    pthread_mutex_unlock(&external->lock);
}

static void end_server(nereus_job *job, const struct nereus_job_reply *last_word)
{
    struct nereus_external_requests *external = job->external;
    nereus_job_server_end(external->server, last_word);
    pthread_mutex_destroy(&external->lock);
    free(external->freed_nodes);
    free(external);
    job->external = NULL;
}

/* ---- at a point ------------------------------------------------------------------------------ */

static void make_request_pending(nereus_job *job)
{
    struct nereus_external_requests *external = job->external;
    struct external_record *record = nereus_external_find(external, external->request.external);
    if (record != NULL)
        record->stage = EXTERNAL_TAKEN;
    external->request.point = job->points;
    nereus_consensus_request(job, &external->request);
    nereus_external_clear(external);
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

bool nereus_external_start(nereus_job *job, const struct resize_request *request)
{
    struct nereus_external_requests *external = job->external;
    const bool past_deadline =
        request->deadline_s > 0 && nereus_steady_clock_s() >= request->deadline_s;
    if (external == NULL)
        return !past_deadline;
    pthread_mutex_lock(&external->lock);
    struct external_record *record = nereus_external_find(external, request->external);
    external->changing = true;
    if (record != NULL) {
        record->stage = EXTERNAL_UNDER_WAY;
        record->ns = job->size;
        record->end = past_deadline ? NEREUS_JOB_CANCELLED : NEREUS_JOB_FAILED;
    }
    if (external->is_waiting && !job->is_pending)
        make_request_pending(job); /* sent to new processes, too */
    job->external_records = external->records;
    pthread_mutex_unlock(&external->lock);
    return !past_deadline;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* End requests that waited in the previous rank 0 and were not transferred with the records. */
static void end_lost_requests(struct nereus_external_requests *external)
{
    const nereus_job *job = external->job;
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.items[i];
        const bool is_pending_here = job->is_pending && job->pending.external == record->number;
        if (record->number > 0 && !is_pending_here &&
            (record->stage == EXTERNAL_QUEUED || record->stage == EXTERNAL_TAKEN))
            nereus_external_close(
                external, record, NEREUS_JOB_FAILED,
                "rank 0 of the job has moved before it took the request: ask again");
        if (record->stage == EXTERNAL_MEASURED)
            record->stage = EXTERNAL_OVER;
    }
}

/* Compute RT at rank 0; below 0: unknown, as a process on another host has not measured the
 * start. */
static double compute_root_rt_s(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    return reconfig->role == NEREUS_SPAWNED && nereus_machine_has_several_hosts(&job->machine)
               ? -1
               : nereus_skewed_monotonic_s() + nereus_clock_correction_s() - job->began_s;
}

/* Choose the folder of jobs again: rank 0 may be on another host. */
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
        go_on_without_server(job, &err);
}

/* Find the machine change in which this reconfiguration frees nodes; 0: none. */
static int64_t find_freeing_change(const struct reconfiguration *reconfig)
{
    return reconfig->record.lost_count > 0 ? reconfig->job->machine_changes : 0;
}

void nereus_external_report_resized(const struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    if (job->rank != 0 || job->settings.name == NULL)
        return;
    const bool taken_over = job->external == NULL && !job->external_records.unserved;
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
        record->rt_s = compute_root_rt_s(reconfig);
        record->frees_at = find_freeing_change(reconfig);
        nereus_external_close(external, record, NEREUS_JOB_RESIZED, job->outcome_error.text);
        if (job->trace.path != NULL)
            record->stage = EXTERNAL_MEASURED;
    }
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_set_rt(nereus_job *job, double rt_s)
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
        record->stage = EXTERNAL_OVER;
        nereus_job_server_wake(external->server);
    }
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_report_not_resized(const struct reconfiguration *reconfig,
                                        enum nereus_outcome outcome, const char *sentence)
{
    struct nereus_external_requests *external = reconfig->job->external;
    if (external == NULL)
        return;
    pthread_mutex_lock(&external->lock);
    struct external_record *record = find_in_stage(external, EXTERNAL_UNDER_WAY);
    if (record != NULL && outcome == NEREUS_OUTCOME_UNCHANGED)
        record->frees_at = find_freeing_change(reconfig);
    if (record != NULL)
        nereus_external_close(external, record,
                              outcome == NEREUS_OUTCOME_UNCHANGED ? NEREUS_JOB_UNCHANGED
                              : outcome == NEREUS_OUTCOME_TOO_LATE
                                  ? NEREUS_JOB_TOO_LATE
                                  : (enum nereus_job_end)record->end,
                              sentence);
    open_to_requests(external);
    pthread_mutex_unlock(&external->lock);
}

void nereus_external_set_sizes(nereus_job *job, const struct nereus_sizes *sizes)
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

/* An external request moves rank 0: describe its outcome as far as this process knows it. */
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
        reply->rt_s = compute_root_rt_s(reconfig);
        for (int64_t i = 0; i < reconfig->record.lost_count; i++)
            describe_node(reconfig->job,
                          &reconfig->job->machine.nodes[reconfig->record.lost_nodes[i]],
                          &reply->freed_nodes[reply->freed_count++]);
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
    nereus_external_clear(external);
    for (int i = 0; i < EXTERNAL_KEPT; i++) {
        struct external_record *record = &external->records.items[i];
        if (record->number > 0 && record->stage == EXTERNAL_MEASURED)
            record->stage = EXTERNAL_OVER;
        if (record->number > 0 && record->stage != EXTERNAL_OVER)
            nereus_external_close(external, record, NEREUS_JOB_TOO_LATE,
                                  "the application ended first");
    }
    if (external->records.count > 0) /* clients may still request the outcome */
        nereus_external_answer_wait(external, 0, &reply);
    reply.answer = NEREUS_JOB_ENDED;
    pthread_mutex_unlock(&external->lock);
    end_server(job, &reply);
}
