/** @file broker_view.c  See broker_view.h. */
#include "broker_view.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/try.h"

/* Nodes that a waiting job takes: Slurm lists the least number, which may be too few for its CPUs. */
static int64_t nodes_of_waiting(const struct nereus_slurm_queue *queue,
                                const struct nereus_slurm_job *job)
{
    return nereus_max(job->nodes, nereus_divide_up(job->cpus, queue->cores_per_node));
}

/* Nodes of the allocations that were added to a job. */
static int64_t added_to(const struct nereus_slurm_queue *queue, const char *id, bool *is_waiting)
{
    int64_t nodes = 0;
    *is_waiting = false;
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        if (job->is_own && strcmp(job->added_to, id) == 0) {
            nodes += job->state == NEREUS_SLURM_RUNNING ? job->nodes : 0;
            *is_waiting = *is_waiting || job->state != NEREUS_SLURM_RUNNING;
        }
    }
    return nodes;
}

static void add_job(const struct nereus_slurm_job *slurm, const struct nereus_job_state *state,
                    struct nereus_broker_view *view)
{
    bool is_waiting;
    const int64_t added = added_to(view->queue, slurm->id, &is_waiting);
    view->peers[view->job_count] = (struct nereus_broker_peer){slurm, state->t_iter_s};
    view->jobs[view->job_count++] =
        (struct nereus_broker_job){.processes = state->size,
                                   .nodes = slurm->nodes + added,
                                   .kept_nodes = slurm->nodes,
                                   .cores_per_node = view->queue->cores_per_node,
                                   .sizes = state->sizes,
                                   .left_s = state->points_left >= 0 && state->t_iter_s > 0
                                                 ? (double)state->points_left * state->t_iter_s
                                                 : -1,
                                   .is_busy = state->changing || state->request > 0 || is_waiting};
}

enum nereus_status nereus_broker_view_make(const struct nereus_slurm_queue *queue,
                                           nereus_broker_ask *ask, void *user,
                                           struct nereus_broker_view *view,
                                           struct nereus_error *err)
{
    const size_t room = (size_t)queue->count + 1;
    struct nereus_broker_view made = {.queue = queue,
                                      .waiting = calloc(room, sizeof *made.waiting),
                                      .jobs = calloc(room, sizeof *made.jobs),
                                      .peers = calloc(room, sizeof *made.peers)};
    if (made.waiting == NULL || made.jobs == NULL || made.peers == NULL) {
        nereus_broker_view_fini(&made);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the jobs of the queue");
    }
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        struct nereus_job_state state;
        if (job->state == NEREUS_SLURM_WAITING && job->added_to[0] == '\0') {
            made.waiting[made.waiting_count++] = nodes_of_waiting(queue, job);
        } else if (job->state == NEREUS_SLURM_RUNNING && job->is_own && job->name[0] != '\0' &&
                   ask(user, job, &state)) {
            add_job(job, &state, &made);
        }
    }
    *view = made;
    return NEREUS_OK;
}

void nereus_broker_view_fini(struct nereus_broker_view *view)
{
    free(view->waiting);
    free(view->jobs);
    free(view->peers);
    *view = (struct nereus_broker_view){.job_count = 0};
}
