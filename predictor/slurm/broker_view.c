/** @file broker_view.c  Makes the broker's view of the cluster (broker_view.h). */
#include "broker_view.h"

#include "added_allocation.h"
#include "predictor/cli/command.h"
#include "predictor/slurm/slurm_resize.h"

/* Add the waiting jobs, without allocations that wait to be added to a malleable job. At most as
 * many tasks of an array count as there are nodes. */
static enum nereus_status add_waiting(const struct nereus_slurm_waiting *waiting,
                                      struct nereus_broker_view *view, struct nereus_error *err)
{
    const struct nereus_slurm_job *own = nereus_slurm_find_job_by_id(view->queue, waiting->id);
    const int64_t count = waiting->is_left_out || (own != NULL && own->added_to[0] != '\0')
                              ? 0
                              : nereus_min(waiting->count, view->queue->nodes + 1);
    const int64_t nodes = nereus_slurm_count_needed_nodes(waiting, view->queue);
    for (int64_t i = 0; i < count; i++) {
        NEREUS_TRY_GROW(view->waiting, view->waiting_count, err, "for the jobs that wait");
        view->waiting[view->waiting_count++] = nodes;
    }
    return NEREUS_OK;
}

/* Count the nodes of an allocation that was added to the job: those that the job holds. One that
 * waits, or that is left over, keeps the job busy; one that ends does not count. */
static void count_added(const struct nereus_slurm_job *added, const struct nereus_job_state *state,
                        struct nereus_broker_peer *peer, struct nereus_broker_job *job)
{
    if (strcmp(added->added_to, peer->slurm->id) != 0 || added->state == NEREUS_SLURM_ENDED)
        return;
    const bool is_left_over = nereus_added_is_unused(added, state, peer->slurm->id);
    peer->left_over += is_left_over;
    job->is_busy |= is_left_over || added->state != NEREUS_SLURM_RUNNING;
    if (nereus_added_may_be_used(state, added->id) && added->state == NEREUS_SLURM_RUNNING)
        job->nodes += added->nodes;
}

static void add_job(const struct nereus_slurm_job *slurm, const struct nereus_job_state *state,
                    struct nereus_broker_view *view)
{
    struct nereus_broker_peer *peer = &view->peers[view->job_count];
    struct nereus_broker_job *job = &view->jobs[view->job_count++];
    *peer = (struct nereus_broker_peer){slurm, state->t_iter_s, 0};
    *job = (struct nereus_broker_job){.processes = state->size,
                                      .nodes = slurm->nodes,
                                      .kept_nodes = slurm->nodes,
                                      .cores_per_node = view->queue->cores_per_node,
                                      .sizes = state->sizes,
                                      .left_s = state->points_left >= 0 && state->t_iter_s > 0
                                                    ? (double)state->points_left * state->t_iter_s
                                                    : -1,
                                      .is_busy = state->changing || state->request > 0};
    for (int64_t i = 0; i < view->queue->count; i++)
        count_added(&view->queue->jobs[i], state, peer, job);
}

/* Of two jobs with one name the first is resized. */
bool nereus_broker_needs_state(const struct nereus_slurm_queue *queue,
                               const struct nereus_slurm_job *job)
{
    return job->nodes > 0 && nereus_slurm_find_job_by_name(queue, job->name) == job;
}

enum nereus_status nereus_broker_view_make(const struct nereus_slurm_queue *queue,
                                           nereus_broker_ask *ask, void *user,
                                           struct nereus_broker_view *view,
                                           struct nereus_error *err)
{
    const size_t capacity = (size_t)queue->count + 1;
    struct nereus_broker_view made = {.queue = queue,
                                      .jobs = calloc(capacity, sizeof *made.jobs),
                                      .peers = calloc(capacity, sizeof *made.peers),
                                      .silent = calloc(capacity, sizeof *made.silent)};
    enum nereus_status status =
        made.jobs != NULL && made.peers != NULL && made.silent != NULL
            ? NEREUS_OK
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the jobs of the queue");
    for (int64_t i = 0; i < queue->waiting_count && status == NEREUS_OK; i++)
        status = add_waiting(&queue->waiting[i], &made, err);
    for (int64_t i = 0; i < queue->count && status == NEREUS_OK; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        struct nereus_job_state state;
        if (!nereus_broker_needs_state(queue, job))
            continue;
        if (ask(user, job, &state) && state.size > 0)
            add_job(job, &state, &made);
        else
            made.silent[made.silent_count++] = job;
    }
    if (status == NEREUS_OK)
        *view = made;
    else
        nereus_broker_view_fini(&made);
    return status;
}

void nereus_broker_view_fini(struct nereus_broker_view *view)
{
    free(view->waiting);
    free(view->jobs);
    free(view->peers);
    free(view->silent);
    *view = (struct nereus_broker_view){.job_count = 0};
}

enum nereus_status nereus_broker_prices_init(const struct nereus_profile *profile,
                                             struct nereus_broker_prices *prices,
                                             struct nereus_error *err)
{
    *prices = (struct nereus_broker_prices){.bytes_per_process = 0};
    NEREUS_TRY(nereus_resize_prices_init(profile, NEREUS_SLURM_GROWTH, 1, &prices->growing, err));
    const enum nereus_status status =
        nereus_resize_prices_init(profile, "best", 1, &prices->shrinking, err);
    if (status != NEREUS_OK)
        nereus_resize_prices_fini(&prices->growing);
    return status;
}

void nereus_broker_prices_fini(struct nereus_broker_prices *prices)
{
    nereus_resize_prices_fini(&prices->growing);
    nereus_resize_prices_fini(&prices->shrinking);
}

static double has_no_price(const struct nereus_resize_prices *prices, int64_t ns, int64_t nt)
{
    if (prices->without_price == 1) {
        nereus_cli_note("resizes that have no price are taken to cost nothing, as that from "
                        "%lld to %lld process%s: %s",
                        (long long)ns, (long long)nt, nereus_plural_es(nt), prices->refusal.text);
    }
    return 0;
}

double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt)
{
    struct nereus_broker_prices *prices = user;
    struct nereus_resize_prices *direction = nt > ns ? &prices->growing : &prices->shrinking;
    const struct nereus_broker_job *requested = &prices->view->jobs[job];
    const double t_iter_s = prices->view->peers[job].t_iter_s;
    const struct nereus_resize_question question = {
        .ns = ns,
        .nt = nt,
        .bytes =
            prices->bytes_per_process * (double)(requested->kept_nodes * requested->cores_per_node),
        .t_iter_ns_s = t_iter_s * (double)requested->processes / (double)ns,
        .t_iter_nt_s = t_iter_s * (double)requested->processes / (double)nt};
    struct nereus_resize_price price;
    direction->machine.cores_per_node = requested->cores_per_node; /* as the cluster's nodes have */
    return nereus_resize_prices_find(direction, &question, &price)
               ? price.rt_s
               : has_no_price(direction, ns, nt);
}

/* ---- jobs that wait although nodes are idle -------------------------------------------------- */

static int64_t count_reads(const struct nereus_waiting_watch *watch, const char *id)
{
    for (int64_t i = 0; i < watch->count; i++)
        if (strcmp(watch->seen[i].id, id) == 0)
            return watch->seen[i].reads;
    return 0;
}

static void note_left_out(const struct nereus_slurm_waiting *waiting,
                          const struct nereus_slurm_queue *queue)
{
    nereus_cli_note(
        "job %s waits although %lld node%s %s idle, and it needs %lld: for a while no job "
        "gives up nodes for it, or keeps from growing",
        waiting->id, (long long)queue->idle_nodes, nereus_plural_s(queue->idle_nodes),
        nereus_choose_plural(queue->idle_nodes, "is", "are"),
        (long long)nereus_slurm_count_needed_nodes(waiting, queue));
}

enum nereus_status nereus_waiting_watch_update(struct nereus_waiting_watch *watch,
                                               struct nereus_slurm_queue *queue,
                                               struct nereus_error *err)
{
    struct nereus_waiting_watch now = {
        .seen = calloc((size_t)queue->waiting_count + 1, sizeof *now.seen)};
    NEREUS_TRY_MEMORY(now.seen, err, "for the jobs that wait");
    int64_t idle = queue->idle_nodes;
    for (int64_t i = 0; i < queue->waiting_count; i++) {
        struct nereus_slurm_waiting *waiting = &queue->waiting[i];
        const int64_t needed = nereus_slurm_count_needed_nodes(waiting, queue),
                      reads = count_reads(watch, waiting->id) + 1;
        const bool was_left_out = reads > NEREUS_WAITING_LOOKS;
        if ((needed > idle && !was_left_out) ||
            reads > NEREUS_WAITING_LOOKS + NEREUS_WAITING_LOOKS_OUT)
            continue;
        struct nereus_waiting_seen *seen = &now.seen[now.count++];
        memcpy(seen->id, waiting->id, sizeof seen->id);
        seen->reads = reads;
        waiting->is_left_out = reads >= NEREUS_WAITING_LOOKS;
        idle -= waiting->is_left_out ? 0 : needed;
        if (reads == NEREUS_WAITING_LOOKS)
            note_left_out(waiting, queue);
    }
    nereus_waiting_watch_fini(watch);
    *watch = now;
    return NEREUS_OK;
}

void nereus_waiting_watch_fini(struct nereus_waiting_watch *watch)
{
    free(watch->seen);
    *watch = (struct nereus_waiting_watch){.count = 0};
}
