/** @file slurm_resize.c  Resizes a running job with nodes from Slurm (slurm_resize.h). */
#include "slurm_resize.h"

#include <unistd.h>

#include "added_allocation.h"
#include "model/job_client/folder.h"
#include "model/layout/host_list.h"
#include "model/util/clock.h"
#include "model/util/file.h"

/* Seconds for an answer of the job, and for allocations without a deadline. */
static const double answer_s = 10, default_deadline_s = 60;

struct resizing {
    struct nereus_job_client *client;
    const struct nereus_job_request *request;
    const struct nereus_slurm_listener *listener;
    double began_s, deadline_s;
    struct nereus_job_state state; /* state of the job before the resize */
    char main[NEREUS_SLURM_ID_MAX];
    int64_t cores_per_node;
    /* Names the nodes that the job is asked to release, until Slurm has them: after a kill Slurm
     * knows this of allocations that were added, but not of those that a user has offered. */
    char noted[sizeof((struct nereus_job_lock *)NULL)->path + 16];
};

static void report_news(const struct resizing *resizing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void report_news(const struct resizing *resizing, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    resizing->listener->on_news(resizing->listener->user, sentence);
}

/* ---- the job --------------------------------------------------------------------------------- */

static double get_left_s(const struct resizing *resizing)
{
    const double left_s = resizing->deadline_s - (nereus_monotonic_s() - resizing->began_s);
    return left_s > 0.1 ? left_s : 0.1;
}

/* Send a request, and wait for its end if the job accepts. */
static enum nereus_status request_and_wait(const struct resizing *resizing,
                                           const struct nereus_job_request *request,
                                           struct nereus_job_reply *reply, struct nereus_error *err)
{
    const double limit_s = nereus_max_real(get_left_s(resizing), answer_s);
    NEREUS_TRY(nereus_job_call(resizing->client, request, limit_s, reply, err));
    if (reply->answer != NEREUS_JOB_ACCEPTED)
        return NEREUS_OK;
    resizing->listener->on_answer(resizing->listener->user, reply);
    return nereus_job_wait(resizing->client, reply->request, 0, reply, err);
}

static bool is_done(const struct nereus_job_reply *reply)
{
    return reply->answer == NEREUS_JOB_OUTCOME &&
           (reply->end == NEREUS_JOB_RESIZED || reply->end == NEREUS_JOB_UNCHANGED);
}

static enum nereus_status read_state(struct resizing *resizing, struct nereus_error *err)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_reply reply;
    NEREUS_TRY(nereus_job_call(resizing->client, &request, answer_s, &reply, err));
    if (reply.answer != NEREUS_JOB_STATE)
        return nereus_fail(err, NEREUS_ERR_STATE, "the job has ended, or moved to another host");
    if (reply.state.node_count > NEREUS_JOB_NODES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the job has %lld node%s, and tells the names of %d: more are not "
                           "taken from Slurm, or given back",
                           (long long)reply.state.node_count,
                           nereus_plural_s(reply.state.node_count), NEREUS_JOB_NODES_MAX);
    }
    resizing->state = reply.state;
    return NEREUS_OK;
}

/* Query the job after Slurm's queue was read: allocations that were offered meanwhile are in use.
 * */
static void end_unused_allocations(const struct resizing *resizing,
                                   const struct nereus_slurm_queue *queue)
{
    struct resizing now = *resizing;
    const int ended = read_state(&now, NULL) == NEREUS_OK
                          ? nereus_added_end_unused(queue, &now.state, resizing->main)
                          : 0;
    if (ended > 0) {
        report_news(resizing, "ended %d Slurm job%s that an earlier resize had left", ended,
                    nereus_plural_s(ended));
    }
}

/* Have the job give nodes up whose Slurm job has ended, as where a node has gone down, and that
 * have no processes: it would fail to start some there. */
static enum nereus_status remove_ended_nodes(struct resizing *resizing,
                                             const struct nereus_slurm_queue *queue,
                                             struct nereus_error *err)
{
    struct nereus_job_request release = {.kind = NEREUS_JOB_REQUEST_RELEASE,
                                         .deadline_s = get_left_s(resizing)};
    struct nereus_job_reply reply;
    for (int64_t i = 0; i < resizing->state.node_count; i++) {
        const struct nereus_job_node *node = &resizing->state.nodes[i];
        const char *id = nereus_allocation_id(node->allocation);
        const struct nereus_slurm_job *job =
            id != NULL ? nereus_slurm_find_job_by_id(queue, id) : NULL;
        const bool has_ended = id != NULL && (job == NULL || job->state == NEREUS_SLURM_ENDED);
        if (has_ended && node->processes == 0 && node->asleep == 0)
            memcpy(release.nodes[release.node_count++], node->name, sizeof node->name);
    }
    if (release.node_count == 0 || queue->left_out.count > 0)
        return NEREUS_OK;
    report_news(resizing, "the Slurm job of %s has ended", release.nodes[0]);
    NEREUS_TRY(request_and_wait(resizing, &release, &reply, err));
    return read_state(resizing, err);
}

static enum nereus_status find_slurm_job(struct resizing *resizing, struct nereus_error *err)
{
    struct nereus_slurm_queue queue;
    NEREUS_TRY(nereus_slurm_queue_read(NULL, &queue, err));
    const struct nereus_slurm_job *job = nereus_slurm_find_job_by_name(&queue, resizing->state.job);
    const char *around = getenv("SLURM_JOB_ID"); /* this command may run within the job */
    const char *id = job != NULL                                    ? job->id
                     : around != NULL && nereus_slurm_is_id(around) ? around
                                                                    : NULL;
    snprintf(resizing->main, sizeof resizing->main, "%s", id != NULL ? id : "");
    resizing->cores_per_node = queue.cores_per_node;
    if (job != NULL)
        end_unused_allocations(resizing, &queue);
    const enum nereus_status status =
        id != NULL ? remove_ended_nodes(resizing, &queue, err)
                   : nereus_fail(err, NEREUS_ERR_STATE,
                                 "no running Slurm job of yours has the comment 'nereus %s': "
                                 "submit the job with nereus slurm submit, or with --comment",
                                 resizing->state.job);
    nereus_slurm_queue_fini(&queue);
    return status;
}

/* ---- growing --------------------------------------------------------------------------------- */

static int64_t count_missing_nodes(const struct resizing *resizing)
{
    int64_t cores = 0;
    for (int64_t i = 0; i < resizing->state.node_count; i++)
        cores += resizing->state.nodes[i].cores;
    return nereus_divide_up(nereus_max(0, resizing->request->size - cores),
                            resizing->cores_per_node);
}

static enum nereus_status offer_nodes(const struct resizing *resizing,
                                      const struct nereus_added *added, int64_t count,
                                      struct nereus_job_reply *reply, struct nereus_error *err)
{
    struct nereus_job_request request = *resizing->request;
    request.kind = NEREUS_JOB_REQUEST_OFFER;
    request.node_count = count;
    request.deadline_s = get_left_s(resizing);
    if (request.method[0] == '\0')
        snprintf(request.method, sizeof request.method, NEREUS_SLURM_GROWTH);
    for (int64_t i = 0; i < count; i++) {
        if (snprintf(request.nodes[i], sizeof request.nodes[i],
                     "%s:%lld@" NEREUS_SLURM_ALLOCATION "%s", added[i].node,
                     (long long)added[i].cores, added[i].id) >= (int)sizeof request.nodes[i]) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the node's name '%s' is too long",
                               added[i].node);
        }
        report_news(resizing, "Slurm job %s gives %s", added[i].id, added[i].node);
    }
    return request_and_wait(resizing, &request, reply, err);
}

/* An outcome without a question to the job. */
static enum nereus_status conclude(const struct resizing *resizing, enum nereus_job_end end,
                                   const char *reason, struct nereus_job_reply *reply)
{
    *reply = (struct nereus_job_reply){.answer = NEREUS_JOB_OUTCOME,
                                       .end = end,
                                       .ns = resizing->state.size,
                                       .nt = resizing->request->size,
                                       .rt_s = -1};
    snprintf(reply->reason, sizeof reply->reason, "%.250s", reason);
    return NEREUS_OK;
}

/* Does the job have, or may it have, processes in the first of the added allocations? A job that
 * does not answer may be ending, and its allocations end with it. */
static bool is_maybe_in_use(const struct resizing *resizing, const struct nereus_added *added)
{
    struct resizing now = *resizing;
    return read_state(&now, NULL) != NEREUS_OK || nereus_added_may_be_used(&now.state, added->id);
}

static enum nereus_status grow(const struct resizing *resizing, int64_t missing,
                               struct nereus_job_reply *reply, struct nereus_error *err)
{
    struct nereus_added added[NEREUS_ADDED_MAX];
    if (missing > NEREUS_ADDED_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld process%s %s %lld further node%s: at most %d are added at once",
                           (long long)resizing->request->size,
                           nereus_plural_es(resizing->request->size),
                           nereus_choose_plural(resizing->request->size, "needs", "need"),
                           (long long)missing, nereus_plural_s(missing), NEREUS_ADDED_MAX);
    }
    NEREUS_TRY(nereus_added_submit(resizing->state.job, resizing->main, missing, added, err));
    report_news(resizing, "asked Slurm for %lld further node%s (Slurm job %s%s)",
                (long long)missing, nereus_plural_s(missing), added[0].id,
                missing > 1 ? " and following" : "");
    enum nereus_status status =
        nereus_added_wait(added, missing, resizing->main, get_left_s(resizing), err);
    const bool there = status == NEREUS_OK;
    if (there)
        status = offer_nodes(resizing, added, missing, reply, err);
    else if (status == NEREUS_ERR_STATE) /* no allocation before the deadline */
        status = conclude(resizing, NEREUS_JOB_CANCELLED, err->text, reply);
    if ((status != NEREUS_OK || !is_done(reply)) &&
        !(there && is_maybe_in_use(resizing, &added[0])) &&
        nereus_added_cancel(added, missing, resizing->main))
        report_news(resizing, "the added allocations are ended, the job is as it was");
    return status;
}

/* ---- shrinking ------------------------------------------------------------------------------- */

/* @return length of the host's name in a node's name; virtual nodes are "host/a", "host/b" */
static int measure_host_name(const struct nereus_job_node *node)
{
    return (int)strcspn(node->name, "/");
}

static bool is_same_place(const struct nereus_job_node *one, const struct nereus_job_node *other)
{
    return strcmp(one->allocation, other->allocation) == 0 &&
           measure_host_name(one) == measure_host_name(other) &&
           strncmp(one->name, other->name, (size_t)measure_host_name(one)) == 0;
}

/* Put the names of nodes that can be given back whole into a request: the last ones, as long as
 * enough processes stay. Nodes of the first allocation are left out: when Slurm takes one of them,
 * it ends the launcher's step there, and the job with it.
 * @return processes that stay */
static int64_t choose_nodes(const struct resizing *resizing, bool *chosen,
                            struct nereus_job_request *release)
{
    const struct nereus_job_state *state = &resizing->state;
    int64_t left = state->size;
    for (int64_t i = state->node_count - 1; i >= 0; i--) {
        const struct nereus_job_node *node = &state->nodes[i];
        if (nereus_allocation_id(node->allocation) != NULL &&
            nereus_node_name_is_plain(node->name, strlen(node->name)) &&
            left - node->processes >= resizing->request->size) {
            chosen[i] = true;
            left -= node->processes;
            memcpy(release->nodes[release->node_count++], node->name, sizeof node->name);
        }
    }
    return left;
}

/* List Slurm's nodes of an allocation that the job gives back, with everything on them, or that it
 * keeps; with commas. */
static void list_nodes(const struct nereus_job_state *state, const bool *chosen, bool given,
                       const char *allocation, char *list, size_t capacity)
{
    size_t at = 0;
    list[0] = '\0';
    for (int64_t i = 0; i < state->node_count; i++) {
        const struct nereus_job_node *node = &state->nodes[i];
        bool is_kept = false, is_first = strcmp(node->allocation, allocation) == 0;
        for (int64_t k = 0; k < state->node_count; k++) {
            const bool is_same = is_same_place(node, &state->nodes[k]);
            is_kept |= is_same && !chosen[k];
            is_first &= !(is_same && k < i);
        }
        if (is_first && is_kept != given) {
            at += (size_t)snprintf(list + at, capacity - at, "%s%.*s", at > 0 ? "," : "",
                                   measure_host_name(node), node->name);
        }
    }
}

/* @return could Slurm be queried? */
static bool release_from(const struct resizing *resizing, const bool *chosen,
                         const char *allocation)
{
    char given[NEREUS_JOB_NODES_MAX * NEREUS_JOB_NODE_MAX], rest[sizeof given];
    const char *id = nereus_allocation_id(allocation);
    struct nereus_error err;
    list_nodes(&resizing->state, chosen, true, allocation, given, sizeof given);
    list_nodes(&resizing->state, chosen, false, allocation, rest, sizeof rest);
    if (given[0] == '\0')
        return true;
    enum nereus_status status = nereus_allocation_wait_empty(
        id, given, nereus_max_real(get_left_s(resizing), answer_s), &err);
    if (status == NEREUS_OK)
        status = nereus_allocation_shrink(id, resizing->main, given, rest, &err);
    if (status != NEREUS_OK)
        report_news(resizing, "%s stays in Slurm job %s: %s", given, id, err.text);
    else if (rest[0] != '\0')
        report_news(resizing, "Slurm job %s keeps %s", id, rest);
    else
        report_news(resizing, "Slurm job %s is ended", id);
    return status != NEREUS_ERR_IO;
}

static void release_nodes(const struct resizing *resizing, const bool *chosen)
{
    const struct nereus_job_state *state = &resizing->state;
    bool are_known = true;
    for (int64_t i = 0; i < state->node_count; i++) {
        const char *allocation = state->nodes[i].allocation;
        bool is_first = nereus_allocation_id(allocation) != NULL;
        for (int64_t k = 0; k < i && is_first; k++)
            is_first = strcmp(state->nodes[k].allocation, allocation) != 0;
        if (is_first)
            are_known &= release_from(resizing, chosen, allocation);
    }
    if (are_known) /* else the next command tries again */
        unlink(resizing->noted);
}

/* Where this fails, as on a full disk, a kill may leave a node in an offered allocation. */
static void note_release(const struct resizing *resizing, const bool *chosen)
{
    struct nereus_file_replace file;
    if (nereus_file_replace_begin(resizing->noted, &file, NULL) != NEREUS_OK)
        return;
    for (int64_t i = 0; i < resizing->state.node_count; i++) {
        const struct nereus_job_node *node = &resizing->state.nodes[i];
        if (chosen[i])
            fprintf(file.stream, "%s %s\n", node->name, node->allocation);
    }
    nereus_file_replace_commit(&file, NULL);
}

static bool holds_node(const struct nereus_job_state *state, const struct nereus_job_node *wanted)
{
    bool holds = false;
    for (int64_t i = 0; i < state->node_count; i++)
        holds |= strcmp(state->nodes[i].name, wanted->name) == 0 &&
                 strcmp(state->nodes[i].allocation, wanted->allocation) == 0;
    return holds;
}

/* Has Slurm the node still in an allocation that its user has offered? Added ones end as unused. */
static bool is_still_offered(const struct nereus_job_node *node)
{
    const char *id = nereus_allocation_id(node->allocation);
    char host[NEREUS_JOB_NODE_MAX];
    struct nereus_slurm_queue own;
    snprintf(host, sizeof host, "%.*s", measure_host_name(node), node->name);
    if (id == NULL)
        return false;
    if (nereus_slurm_queue_read_own(id, host, &own, NULL) != NEREUS_OK)
        return true;
    const struct nereus_slurm_job *job = nereus_slurm_find_job_by_id(&own, id);
    const bool is_there = job != NULL && job->added_to[0] == '\0';
    nereus_slurm_queue_fini(&own);
    return is_there;
}

/* Give the nodes back that the job has released for a command that was killed then. */
static enum nereus_status finish_noted_release(struct resizing *resizing, struct nereus_error *err)
{
    bool chosen[NEREUS_JOB_NODES_MAX] = {false};
    struct nereus_job_reply last;
    char *text, *rest, *line;
    if (nereus_file_read(resizing->noted, "file", &text, NULL, NULL) != NEREUS_OK)
        return NEREUS_OK;
    enum nereus_status status =
        nereus_job_wait(resizing->client, 0, get_left_s(resizing), &last, err);
    if (status == NEREUS_OK)
        status = read_state(resizing, err);
    struct resizing before = *resizing;
    struct nereus_job_state *state = &before.state;
    for (rest = text; status == NEREUS_OK && (line = strsep(&rest, "\n")) != NULL;) {
        struct nereus_job_node node = {.cores = 0};
        if (state->node_count < NEREUS_JOB_NODES_MAX &&
            sscanf(line, "%63s %63s", node.name, node.allocation) == 2 &&
            !holds_node(&resizing->state, &node) && is_still_offered(&node)) {
            chosen[state->node_count] = true;
            state->nodes[state->node_count++] = node;
        }
    }
    free(text);
    if (status == NEREUS_OK)
        release_nodes(&before, chosen);
    return status;
}

static enum nereus_status shrink(const struct resizing *resizing, struct nereus_job_reply *reply,
                                 struct nereus_error *err)
{
    bool chosen[NEREUS_JOB_NODES_MAX] = {false};
    struct nereus_job_request request = *resizing->request;
    request.kind = NEREUS_JOB_REQUEST_RELEASE;
    request.size = 0;
    request.deadline_s = get_left_s(resizing);
    const int64_t left = choose_nodes(resizing, chosen, &request);
    if (request.node_count > 0) {
        note_release(resizing, chosen);
        NEREUS_TRY(request_and_wait(resizing, &request, reply, err));
        if (!is_done(reply)) {
            unlink(resizing->noted);
            return NEREUS_OK;
        }
        release_nodes(resizing, chosen);
    }
    return left == resizing->request->size && request.node_count > 0
               ? NEREUS_OK
               : request_and_wait(resizing, resizing->request, reply, err);
}

/* Resize the job. The caller holds the lock, so that no other command changes the job's
 * allocations. */
static enum nereus_status resize(struct resizing *resizing, struct nereus_job_reply *reply,
                                 struct nereus_error *err)
{
    const struct nereus_job_request *request = resizing->request;
    NEREUS_TRY(read_state(resizing, err));
    const bool is_same = request->size == resizing->state.size;
    if (!is_same && !nereus_sizes_allow(&resizing->state.sizes, request->size)) {
        return request_and_wait(resizing, request, reply,
                                err); /* the job refuses, and names the sizes that it takes */
    }
    NEREUS_TRY(find_slurm_job(resizing, err));
    NEREUS_TRY(finish_noted_release(resizing, err));
    if (is_same && !resizing->state.changing && resizing->state.request == 0)
        return conclude(resizing, NEREUS_JOB_UNCHANGED, "the job has that size already", reply);
    const int64_t missing = count_missing_nodes(resizing);
    if (missing > 0)
        return grow(resizing, missing, reply, err);
    return request->size < resizing->state.size ? shrink(resizing, reply, err)
                                                : request_and_wait(resizing, request, reply, err);
}

enum nereus_status nereus_slurm_resize(struct nereus_job_client *client,
                                       const struct nereus_job_request *request,
                                       const struct nereus_slurm_listener *listener,
                                       struct nereus_job_reply *reply, struct nereus_error *err)
{
    struct resizing resizing = {.client = client,
                                .request = request,
                                .listener = listener,
                                .began_s = nereus_monotonic_s(),
                                .deadline_s = request->deadline_s > 0 ? request->deadline_s
                                                                      : default_deadline_s};
    char name[NEREUS_JOB_NAME_MAX + 16], busy[NEREUS_JOB_NAME_MAX + 128];
    struct nereus_job_lock lock;
    NEREUS_TRY(read_state(&resizing, err));
    snprintf(name, sizeof name, "%s.slurm", resizing.state.job);
    snprintf(
        busy, sizeof busy,
        "another nereus job resize --slurm of the job '%s' is under way: ask again when it has "
        "ended",
        resizing.state.job);
    NEREUS_TRY(nereus_job_lock_acquire(name, busy, &lock, err));
    snprintf(resizing.noted, sizeof resizing.noted, "%s.release", lock.path);
    const enum nereus_status status = resize(&resizing, reply, err);
    nereus_job_lock_release(&lock);
    return status;
}
