/* Requests from outside: see asked.h. */
#include "asked.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check_request.h"
#include "choose.h"
#include "model/ask/folder.h"
#include "model/plan/placement.h"
#include "release.h"
#include "src/job/machine.h"
#include "src/link/ask_server.h"
#include "src/start/hosts.h"
#include "src/util/clock.h"
#include "src/util/error.h"

/* The method of a request that moves no process. */
static const char unmoved[] = "merge/coll";
/* Who is deferred asks again after this time. */
static const double again_s = 0.1;

/* A node freed by a change of the machine, as reported to clients. */
struct freed_shown {
    int64_t change;
    struct nereus_job_node node;
};

struct nereus_asks {
    nereus_job *job;
    struct ask_server *server;
    /* Of all below; and of what the job is (its size, its state, its settings) while it is not
     * `changing`: the main thread changes these only then. */
    pthread_mutex_t lock;
    bool changing;
    bool is_waiting; /* `wanted` waits for a point */
    struct resize_request wanted;
    struct asked_records records;
    char reasons[ASKED_KEPT][NEREUS_JOB_TEXT_MAX];
    struct nereus_job_state state; /* as the last change has left it */
    struct freed_shown *freed;     /* likewise; owned */
    int64_t freed_count;
    double since_s; /* iterations of this size are counted from here */
    int64_t since_points;
};

static double unix_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A longer sentence is cut off. */
static void copy_sentence(char text[NEREUS_JOB_TEXT_MAX], const char *sentence)
{
    snprintf(text, NEREUS_JOB_TEXT_MAX, "%.*s", NEREUS_JOB_TEXT_MAX - 1, sentence);
}

/* ---- the records, under the lock ------------------------------------------------------------- */

static struct asked_record *record_of(struct nereus_asks *asks, int64_t number)
{
    struct asked_record *record = &asks->records.kept[number % ASKED_KEPT];
    return number > 0 && record->number == number ? record : NULL;
}

static struct asked_record *in_stage(struct nereus_asks *asks, enum asked_stage stage)
{
    for (int i = 0; i < ASKED_KEPT; i++)
        if (asks->records.kept[i].number > 0 && asks->records.kept[i].stage == (int32_t)stage)
            return &asks->records.kept[i];
    return NULL;
}

/* Accepted and not at its end; 0: none. */
static int64_t unfinished(const struct nereus_asks *asks)
{
    for (int i = 0; i < ASKED_KEPT; i++)
        if (asks->records.kept[i].number > 0 && asks->records.kept[i].stage != ASKED_OVER)
            return asks->records.kept[i].number;
    return 0;
}

static void give_reason(struct nereus_asks *asks, const struct asked_record *record,
                        const char *reason)
{
    copy_sentence(asks->reasons[record->number % ASKED_KEPT], reason);
}

static void end_record(struct nereus_asks *asks, struct asked_record *record,
                       enum nereus_job_end end, const char *reason)
{
    record->stage = ASKED_OVER;
    record->end = (int32_t)end;
    give_reason(asks, record, reason);
    nereus_ask_server_wake(asks->server);
}

static void clear_wanted(struct nereus_asks *asks)
{
    asks->is_waiting = false;
    __atomic_store_n(&asks->job->is_asked, false, __ATOMIC_RELEASE);
}

/* ---- answers, in the server's thread and under the lock -------------------------------------- */

static void say(struct nereus_job_reply *reply, enum nereus_job_answer answer, const char *reason)
{
    reply->answer = answer;
    copy_sentence(reply->reason, reason);
}

static void answer_status(struct nereus_asks *asks, struct nereus_job_reply *reply)
{
    struct nereus_job_state *state = &reply->state;
    const int64_t points = __atomic_load_n(&asks->job->points, __ATOMIC_RELAXED),
                  end = __atomic_load_n(&asks->job->settings.iterations, __ATOMIC_RELAXED);
    *state = asks->state;
    reply->answer = NEREUS_JOB_STATE;
    state->changing = asks->changing;
    state->points = points;
    state->points_left = end > 0 ? (end > points ? end - points : 0) : -1;
    if (points > asks->since_points && !asks->changing)
        state->t_iter_s = (nereus_now_s() - asks->since_s) / (double)(points - asks->since_points);
    state->request = unfinished(asks);
}

/* Processes that the machine has room for; 0: there is no limit. */
static int64_t most_processes(const struct nereus_machine *machine)
{
    if (machine->slots > 0)
        return machine->slots;
    return machine->node_count > 0
               ? NEREUS_UNDECLARED_PER_CORE * nereus_machine_total_cores(machine)
               : 0;
}

/* A size that the application cannot take, or that the machine has no room for: with a
 * counter-offer. */
static bool refuse_size(const nereus_job *job, const struct nereus_machine *machine, int64_t nt,
                        struct nereus_job_reply *reply)
{
    const struct nereus_sizes *sizes = &job->settings.sizes;
    const int64_t most = most_processes(machine);
    char allowed[NEREUS_SIZES_TEXT_MAX];
    struct nereus_error err = {0};
    if (!nereus_sizes_allow(sizes, nt))
        nereus_fail(&err, NEREUS_ERR_ARGUMENT, "the application takes %s, not %lld",
                    nereus_sizes_print(sizes, allowed), (long long)nt);
    else
        nereus_machine_check_start(machine, "the wanted number of processes", nt, &err);
    if (err.status == NEREUS_OK)
        return false;
    say(reply, NEREUS_JOB_REFUSED, err.text);
    reply->near_count = nereus_sizes_near(sizes, nt, most, reply->near);
    return true;
}

/* Nodes that the machine gains, and maybe a size for which they are needed: in one transaction. */
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
        return nereus_ask_for_method(job, unmoved, wanted, err);
    }
    NEREUS_TRY(nereus_ask_for_method(job, method, wanted, err));
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
        wanted->deadline_s = unix_now_s() + request->deadline_s;
    if (request->what == NEREUS_JOB_ASK_RESIZE)
        return nereus_ask_for_method(job, method, wanted, err);
    for (int64_t i = 0; i < request->node_count; i++)
        names[i] = request->nodes[i];
    if (request->what == NEREUS_JOB_ASK_OFFER)
        return read_offer(job, request, wanted, err);
    NEREUS_TRY(nereus_ask_for_release(job, names, request->node_count, method, wanted, err));
    wanted->loses = !request->keep;
    return NEREUS_OK;
}

static void accept(struct nereus_asks *asks, struct resize_request *wanted,
                   struct nereus_job_reply *reply)
{
    const int64_t number = ++asks->records.made;
    struct asked_record *record = &asks->records.kept[number % ASKED_KEPT];
    *record = (struct asked_record){.number = number,
                                    .stage = ASKED_QUEUED,
                                    .ns = asks->job->size,
                                    .nt = wanted->nt,
                                    .rt_s = -1};
    give_reason(asks, record, "");
    wanted->asked = number;
    asks->wanted = *wanted;
    asks->is_waiting = true;
    __atomic_store_n(&asks->job->is_asked, true, __ATOMIC_RELEASE);
    reply->answer = NEREUS_JOB_ACCEPTED;
    reply->request = number;
    reply->ns = asks->job->size;
    reply->nt = wanted->nt;
}

static void answer_change(struct nereus_asks *asks, const struct nereus_job_request *request,
                          struct nereus_job_reply *reply)
{
    struct resize_request wanted;
    struct nereus_error err = {0};
    const nereus_job *job = asks->job;
    const int64_t before = unfinished(asks);
    if (asks->changing || before > 0) {
        say(reply, NEREUS_JOB_DEFERRED,
            asks->changing ? "a change of size is under way"
                           : "a request before this one is not carried out yet");
        reply->request = before;
        reply->after_s = again_s;
        return;
    }
    if (request->what == NEREUS_JOB_ASK_RESIZE &&
        refuse_size(job, &job->machine, request->size, reply))
        return;
    struct nereus_machine machine = {.node_count = 0};
    if (read_wanted(job, request, &wanted, &err) != NEREUS_OK ||
        nereus_machine_wanted(job, &wanted, &machine, &err) != NEREUS_OK)
        say(reply, NEREUS_JOB_REFUSED, err.text);
    else if (wanted.nt != job->size && refuse_size(job, &machine, wanted.nt, reply))
        ; /* with a counter-offer */
    else if (nereus_check_request(job, &wanted, &err) != NEREUS_OK)
        say(reply, NEREUS_JOB_REFUSED, err.text);
    else
        accept(asks, &wanted, reply);
    nereus_machine_fini(&machine);
}

/* @return how many nodes this change of the machine has freed; 0 also for change 0, which is
 * none */
static int64_t tell_freed(const struct nereus_asks *asks, int64_t change,
                          struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX])
{
    int64_t count = 0;
    for (int64_t i = 0; i < asks->freed_count && count < NEREUS_JOB_NODES_MAX; i++)
        if (asks->freed[i].change == change)
            nodes[count++] = asks->freed[i].node;
    return count;
}

/* @return false: it is not at its end */
static bool answer_wait(struct nereus_asks *asks, int64_t number, struct nereus_job_reply *reply)
{
    if (number == 0)
        number = asks->records.made;
    const struct asked_record *record = record_of(asks, number);
    reply->request = number;
    if (record == NULL) {
        say(reply, NEREUS_JOB_REFUSED,
            number == 0 ? "nothing has been asked of this job yet"
                        : "there is no such request, or it is too long ago");
        return true;
    }
    if (record->stage != ASKED_OVER)
        return false;
    say(reply, NEREUS_JOB_OUTCOME, asks->reasons[number % ASKED_KEPT]);
    reply->end = (enum nereus_job_end)record->end;
    reply->ns = record->ns;
    reply->nt = record->nt;
    reply->rt_s = record->rt_s;
    reply->rt_traced = record->rt_traced != 0;
    reply->freed_count = tell_freed(asks, record->frees_at, reply->freed);
    return true;
}

static bool answer(void *user, const struct nereus_job_request *request,
                   struct nereus_job_reply *reply)
{
    struct nereus_asks *asks = user;
    bool answered = true;
    pthread_mutex_lock(&asks->lock);
    switch (request->what) {
    case NEREUS_JOB_ASK_STATUS:
        answer_status(asks, reply);
        break;
    case NEREUS_JOB_ASK_RESIZE:
    case NEREUS_JOB_ASK_RELEASE:
    case NEREUS_JOB_ASK_OFFER:
        answer_change(asks, request, reply);
        break;
    case NEREUS_JOB_ASK_WAIT:
        answered = answer_wait(asks, request->request, reply);
        break;
    case NEREUS_JOB_ASK_END:
        answered = false;
        break;
    default:
        say(reply, NEREUS_JOB_INVALID, "this is no question");
    }
    pthread_mutex_unlock(&asks->lock);
    return answered;
}

/* For a program with rare points: end a request whose deadline passes between two points. */
static double tick(void *user)
{
    struct nereus_asks *asks = user;
    double left_s = INFINITY;
    pthread_mutex_lock(&asks->lock);
    if (asks->is_waiting && asks->wanted.deadline_s > 0)
        left_s = asks->wanted.deadline_s - unix_now_s();
    if (left_s <= 0) {
        struct asked_record *record = record_of(asks, asks->wanted.asked);
        clear_wanted(asks);
        if (record != NULL)
            end_record(asks, record, NEREUS_JOB_GIVEN_UP,
                       "no malleability point came before its deadline");
        left_s = INFINITY;
    }
    pthread_mutex_unlock(&asks->lock);
    return left_s;
}

/* ---- what the job is, for the thread --------------------------------------------------------- */

static void describe_node(const nereus_job *job, const struct nereus_node *node,
                          struct nereus_job_node *shown)
{
    *shown =
        (struct nereus_job_node){.cores = node->cores * nereus_machine_per_process(&job->machine)};
    snprintf(shown->name, sizeof shown->name, "%s", node->name);
    snprintf(shown->allocation, sizeof shown->allocation, "%s", node->allocation);
}

static int64_t asleep_on(const struct nereus_jobstate *state, int64_t node)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->sleeper_count; i++)
        sum += state->sleepers[i].node == node ? state->sleepers[i].count : 0;
    return sum;
}

/* Without memory nothing is reported. */
static void describe_freed(struct nereus_asks *asks)
{
    const nereus_job *job = asks->job;
    free(asks->freed);
    asks->freed = calloc((size_t)job->freed_count + 1, sizeof *asks->freed);
    asks->freed_count = asks->freed != NULL ? job->freed_count : 0;
    for (int64_t i = 0; i < asks->freed_count; i++) {
        asks->freed[i].change = job->freed[i].change;
        describe_node(job, &job->freed[i].node, &asks->freed[i].node);
    }
    asks->state.freed_count = tell_freed(asks, job->machine_changes, asks->state.freed);
}

static void describe_nodes(const nereus_job *job, struct nereus_job_state *state)
{
    state->node_count = job->machine.node_count;
    state->nodes_used = 0;
    for (int64_t node = 0; node < job->machine.node_count; node++) {
        const int64_t processes = nereus_jobstate_processes_on(&job->state, node);
        state->nodes_used += processes > 0;
        if (node >= NEREUS_JOB_NODES_MAX)
            continue;
        describe_node(job, &job->machine.nodes[node], &state->nodes[node]);
        state->nodes[node].processes = processes;
        state->nodes[node].asleep = asleep_on(&job->state, node);
    }
}

static void open_to_requests(struct nereus_asks *asks)
{
    const nereus_job *job = asks->job;
    struct nereus_job_state *state = &asks->state;
    snprintf(state->job, sizeof state->job, "%s", job->settings.name);
    gethostname(state->host, sizeof state->host - 1);
    state->pid = getpid();
    state->size = job->size;
    state->reconfigurations = job->reconfigurations;
    state->sizes = job->settings.sizes;
    if (job->outcome != NEREUS_OUTCOME_NONE && job->outcome != NEREUS_OUTCOME_PENDING)
        copy_sentence(state->last, job->outcome_error.text);
    describe_nodes(job, state);
    describe_freed(asks);
    asks->since_s = nereus_now_s();
    asks->since_points = job->points;
    asks->changing = false;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static enum nereus_status make(nereus_job *job, bool takes_over, struct nereus_error *err)
{
    struct nereus_asks *asks = calloc(1, sizeof *asks);
    NEREUS_TRY_MEMORY(asks, err, "to answer for the job");
    const struct ask_handler handler = {.answer = answer, .tick = tick, .user = asks};
    asks->job = job;
    asks->changing = true;
    asks->records = job->asked;
    describe_freed(asks); /* report outcomes before new requests are accepted */
    asks->state.size = job->size;
    snprintf(asks->state.job, sizeof asks->state.job, "%s", job->settings.name);
    pthread_mutex_init(&asks->lock, NULL);
    pthread_mutex_lock(&asks->lock); /* the first message may arrive now */
    const enum nereus_status status = nereus_ask_server_begin(
        job->settings.folder, job->settings.name, takes_over, &handler, &asks->server, err);
    pthread_mutex_unlock(&asks->lock);
    if (status != NEREUS_OK) {
        pthread_mutex_destroy(&asks->lock);
        free(asks->freed);
        free(asks);
        return status;
    }
    job->asks = asks;
    return NEREUS_OK;
}

enum nereus_status nereus_asked_begin(nereus_job *job, struct nereus_error *err)
{
    return job->settings.name != NULL ? make(job, false, err) : NEREUS_OK;
}

void nereus_asked_open(nereus_job *job)
{
    struct nereus_asks *asks = job->asks;
    if (asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    open_to_requests(asks);
    pthread_mutex_unlock(&asks->lock);
}

static void end(nereus_job *job, const struct nereus_job_reply *last_word)
{
    struct nereus_asks *asks = job->asks;
    nereus_ask_server_end(asks->server, last_word);
    pthread_mutex_destroy(&asks->lock);
    free(asks->freed);
    free(asks);
    job->asks = NULL;
}

/* ---- at a point ------------------------------------------------------------------------------ */

static void take(nereus_job *job)
{
    struct nereus_asks *asks = job->asks;
    struct asked_record *record = record_of(asks, asks->wanted.asked);
    if (record != NULL)
        record->stage = ASKED_TAKEN;
    asks->wanted.point = job->points;
    nereus_consensus_request(job, &asks->wanted);
    clear_wanted(asks);
}

void nereus_asked_take(nereus_job *job)
{
    struct nereus_asks *asks = job->asks;
    if (job->is_pending || asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    if (asks->is_waiting)
        take(job);
    pthread_mutex_unlock(&asks->lock);
}

bool nereus_asked_decides(nereus_job *job, const struct resize_request *wanted)
{
    struct nereus_asks *asks = job->asks;
    const bool late = wanted->deadline_s > 0 && unix_now_s() >= wanted->deadline_s;
    if (asks == NULL)
        return !late;
    pthread_mutex_lock(&asks->lock);
    struct asked_record *record = record_of(asks, wanted->asked);
    asks->changing = true;
    if (record != NULL) {
        record->stage = ASKED_UNDER_WAY;
        record->ns = job->size;
        record->end = late ? NEREUS_JOB_GIVEN_UP : NEREUS_JOB_FAILED;
    }
    if (asks->is_waiting && !job->is_pending)
        take(job); /* it moves along */
    job->asked = asks->records;
    pthread_mutex_unlock(&asks->lock);
    return !late;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* Of the process that answered before: what waited there and did not come along. */
static void end_lost(struct nereus_asks *asks)
{
    const nereus_job *job = asks->job;
    for (int i = 0; i < ASKED_KEPT; i++) {
        struct asked_record *record = &asks->records.kept[i];
        const bool here = job->is_pending && job->pending.asked == record->number;
        if (record->number > 0 && !here &&
            (record->stage == ASKED_QUEUED || record->stage == ASKED_TAKEN))
            end_record(asks, record, NEREUS_JOB_FAILED,
                       "rank 0 of the job has moved before it took the request: ask again");
        if (record->stage == ASKED_MEASURED)
            record->stage = ASKED_OVER;
    }
}

/* RT as rank 0 had it; below 0: a process on another host does not know when it began. */
static double rt_here_s(const struct reconfiguration *rc)
{
    const nereus_job *job = rc->job;
    return rc->role == NEREUS_SPAWNED && nereus_several_hosts(&job->machine)
               ? -1
               : nereus_now_s() + nereus_clock_correction_s() - job->began_s;
}

/* Rank 0 is another process than before, maybe on a host where the folder of jobs is another
 * one. */
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

static void take_over(nereus_job *job)
{
    struct nereus_error err;
    if (choose_folder(job, &err) != NEREUS_OK || make(job, true, &err) != NEREUS_OK)
        nereus_say("the job '%s' does not answer any more: %s", job->settings.name, err.text);
}

/* The change of the machine in which this reconfiguration has freed nodes; 0: it has not. */
static int64_t frees_at(const struct reconfiguration *rc)
{
    return rc->record.lost_count > 0 ? rc->job->machine_changes : 0;
}

void nereus_asked_resized(const struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (job->rank != 0 || job->settings.name == NULL)
        return;
    const bool taken_over = job->asks == NULL;
    if (taken_over)
        take_over(job);
    struct nereus_asks *asks = job->asks;
    if (asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    if (taken_over)
        end_lost(asks);
    struct asked_record *record = in_stage(asks, ASKED_UNDER_WAY);
    open_to_requests(asks);
    if (record != NULL) {
        record->ns = rc->record.ns;
        record->nt = rc->record.nt;
        record->rt_s = rt_here_s(rc);
        record->frees_at = frees_at(rc);
        end_record(asks, record, NEREUS_JOB_RESIZED, job->outcome_error.text);
        if (job->trace.path != NULL)
            record->stage = ASKED_MEASURED;
    }
    pthread_mutex_unlock(&asks->lock);
}

void nereus_asked_measured(nereus_job *job, double rt_s)
{
    struct nereus_asks *asks = job->asks;
    if (asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    struct asked_record *record = in_stage(asks, ASKED_MEASURED);
    if (record != NULL) {
        record->rt_traced = rt_s >= 0;
        if (rt_s >= 0)
            record->rt_s = rt_s;
        record->stage = ASKED_OVER;
        nereus_ask_server_wake(asks->server);
    }
    pthread_mutex_unlock(&asks->lock);
}

void nereus_asked_not_resized(const struct reconfiguration *rc, enum nereus_outcome outcome,
                              const char *sentence)
{
    struct nereus_asks *asks = rc->job->asks;
    if (asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    struct asked_record *record = in_stage(asks, ASKED_UNDER_WAY);
    if (record != NULL && outcome == NEREUS_OUTCOME_UNCHANGED)
        record->frees_at = frees_at(rc);
    if (record != NULL)
        end_record(asks, record,
                   outcome == NEREUS_OUTCOME_UNCHANGED  ? NEREUS_JOB_UNCHANGED
                   : outcome == NEREUS_OUTCOME_TOO_LATE ? NEREUS_JOB_TOO_LATE
                                                        : (enum nereus_job_end)record->end,
                   sentence);
    open_to_requests(asks);
    pthread_mutex_unlock(&asks->lock);
}

void nereus_asked_declare(nereus_job *job, const struct nereus_sizes *sizes)
{
    struct nereus_asks *asks = job->asks;
    if (asks == NULL) {
        job->settings.sizes = *sizes;
        return;
    }
    pthread_mutex_lock(&asks->lock);
    job->settings.sizes = asks->state.sizes = *sizes;
    pthread_mutex_unlock(&asks->lock);
}

/* It moves because of a request: its end, as this process knows it. */
static void describe_move(const struct reconfiguration *rc, struct nereus_job_reply *reply)
{
    struct nereus_asks *asks = rc->job->asks;
    pthread_mutex_lock(&asks->lock);
    const struct asked_record *record = in_stage(asks, ASKED_UNDER_WAY);
    if (record != NULL) {
        reply->request = record->number;
        reply->end = NEREUS_JOB_RESIZED;
        reply->ns = rc->record.ns;
        reply->nt = rc->record.nt;
        reply->rt_s = rt_here_s(rc);
        for (int64_t i = 0; i < rc->record.lost_count; i++)
            describe_node(rc->job, &rc->job->machine.nodes[rc->record.lost[i]],
                          &reply->freed[reply->freed_count++]);
    }
    pthread_mutex_unlock(&asks->lock);
}

void nereus_asked_moves(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    struct nereus_job_reply reply = {.answer = NEREUS_JOB_MOVED, .rt_s = -1};
    struct nereus_error err;
    char from[sizeof reply.host], to[sizeof reply.host];
    if (job->asks == NULL)
        return;
    describe_move(rc, &reply);
    nereus_host_of_node(&job->machine, nereus_jobstate_node_of(&job->state, 0), from, sizeof from);
    if (nereus_jobstate_apply(&job->machine, &rc->record, &job->state, &err) == NEREUS_OK) {
        nereus_host_of_node(&job->machine, nereus_jobstate_node_of(&job->state, 0), to, sizeof to);
        if (strcmp(from, to) != 0)
            snprintf(reply.host, sizeof reply.host, "%s", to);
    }
    end(job, &reply);
}

void nereus_asked_end(nereus_job *job)
{
    struct nereus_job_reply reply = {.rt_s = -1};
    struct nereus_asks *asks = job->asks;
    if (asks == NULL)
        return;
    pthread_mutex_lock(&asks->lock);
    clear_wanted(asks);
    for (int i = 0; i < ASKED_KEPT; i++) {
        struct asked_record *record = &asks->records.kept[i];
        if (record->number > 0 && record->stage == ASKED_MEASURED)
            record->stage = ASKED_OVER;
        if (record->number > 0 && record->stage != ASKED_OVER)
            end_record(asks, record, NEREUS_JOB_TOO_LATE, "the application ended first");
    }
    if (asks->records.made > 0) /* clients may still ask for the outcome */
        answer_wait(asks, 0, &reply);
    reply.answer = NEREUS_JOB_ENDED;
    pthread_mutex_unlock(&asks->lock);
    end(job, &reply);
}
