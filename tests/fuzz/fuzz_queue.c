/**
 * @file fuzz_queue.c
 * Reads what squeue prints of own jobs and of waiting ones, and what sinfo prints (mark "M|"), with
 * lines "--" between them, and lets the broker decide on it.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "predictor/slurm/batch_script.h"
#include "predictor/slurm/broker_view.h"

/* Each job has as many processes as its nodes have cores. */
static bool ask(void *user, const struct nereus_slurm_job *job, struct nereus_job_state *state)
{
    const struct nereus_slurm_queue *queue = user;
    *state = (struct nereus_job_state){.points_left = job->cpus % 1000,
                                       .t_iter_s = 0.5,
                                       .size = job->nodes % 64 * queue->cores_per_node + 1,
                                       .sizes = {.minimum = 1, .multiple_of = job->cpus % 3}};
    return job->nodes > 0 && job->nodes < 64 && queue->cores_per_node < 1024;
}

static double price(void *user, int64_t job, int64_t ns, int64_t nt)
{
    (void)user;
    return (double)(job + 1) * (nt > ns ? 3 : 0.5);
}

static void decide(const struct nereus_broker_view *view)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_broker_action *actions = calloc((size_t)view->job_count + 1, sizeof *actions);
    const struct nereus_broker_state state = {.idle_nodes = view->queue->idle_nodes,
                                              .waiting_nodes = view->waiting,
                                              .waiting_count = view->waiting_count,
                                              .jobs = view->jobs,
                                              .job_count = view->job_count,
                                              .horizon_s = 600,
                                              .price = price};
    int64_t count = 0, taken = 0;
    FUZZ_CHECK(actions != NULL);
    if (fuzz_accepted(nereus_broker_decide(&state, actions, &count, &err), &err)) {
        for (int64_t i = 0; i < count; i++) {
            const struct nereus_broker_job *job = &view->jobs[actions[i].job];
            taken += actions[i].to_nodes - actions[i].from_nodes;
            FUZZ_CHECK(actions[i].to_nodes >= job->kept_nodes && actions[i].to_processes >= 1);
            FUZZ_CHECK(actions[i].to_processes <= actions[i].to_nodes * job->cores_per_node);
        }
        FUZZ_CHECK(taken <= state.idle_nodes);
    }
    free(actions);
}

/* Nothing that is handed to a command may be an option of it. */
static void check_words(const struct nereus_slurm_queue *queue)
{
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        FUZZ_CHECK(nereus_slurm_is_id(job->id));
        FUZZ_CHECK(job->added_to[0] == '\0' || nereus_slurm_is_id(job->added_to));
        FUZZ_CHECK(job->name[0] != '-' && job->host[0] != '-');
        FUZZ_CHECK(strpbrk(job->name, "\n /\033") == NULL && strpbrk(job->host, "\n ,/") == NULL);
    }
    for (int64_t i = 0; i < queue->waiting_count; i++)
        FUZZ_CHECK(nereus_slurm_is_id(queue->waiting[i].id) && queue->waiting[i].count > 0);
}

/* The text up to a line "--", which is overwritten. */
static char *next_text(char **position)
{
    char *text = *position, *end = strstr(text, "--\n");
    *position = end != NULL ? end + 3 : text + strlen(text);
    if (end != NULL)
        *end = '\0';
    return text;
}

static bool take(enum nereus_slurm_list list, const char *columns, const char *text,
                 struct nereus_slurm_queue *queue)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_slurm_rows rows;
    nereus_slurm_rows_init("squeue", columns, "M|", strdup(text), &rows);
    FUZZ_CHECK(rows.text != NULL);
    const bool accepted =
        fuzz_accepted(nereus_slurm_queue_add_rows(queue, list, &rows, &err), &err);
    nereus_slurm_rows_fini(&rows);
    return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_slurm_queue queue = {.count = 0};
    struct nereus_broker_view view;
    char *copy = fuzz_text(data, size), *position = copy;
    const char *own = next_text(&position), *waiting = next_text(&position);
    nereus_batch_is_script(own);
    if (take(NEREUS_SLURM_OWN, NEREUS_SQUEUE_OWN, own, &queue) &&
        take(NEREUS_SLURM_QUEUE, NEREUS_SQUEUE_QUEUE, waiting, &queue) &&
        take(NEREUS_SLURM_NODES, NEREUS_SINFO_NODES, position, &queue)) {
        FUZZ_CHECK(queue.nodes >= 1 && queue.idle_nodes <= queue.nodes);
        FUZZ_CHECK(queue.out_nodes <= queue.nodes && queue.cores_per_node >= 1);
        check_words(&queue);
        if (fuzz_accepted(nereus_broker_view_make(&queue, ask, &queue, &view, &err), &err)) {
            decide(&view);
            nereus_broker_view_fini(&view);
        }
    }
    nereus_slurm_queue_fini(&queue);
    free(copy);
    return 0;
}
