/**
 * @file point_layout.c
 * nereus_request_layout: processes on nodes by name; nereus_schedule_spread: a scheduled change
 * that spreads its processes over all nodes.
 */

#include "requests.h"
#include "src/core/prepare_request.h"
#include "src/job/machine.h"
#include "src/util/callback.h"

/* Index of a node. A node with cores ("node5:20") that the machine lacks is appended to
 * request->gains. */
static enum nereus_status find_or_gain_node(nereus_job *job, const char *text,
                                            struct resize_request *request, int64_t *node,
                                            int64_t *cores)
{
    const struct nereus_machine *machine = &job->machine;
    char name[NEREUS_NODE_NAME_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":@"), text);
    *node = nereus_machine_find(machine, name);
    if (*node < 0 && strchr(text, ':') == NULL)
        return nereus_fail(
            &job->error, NEREUS_ERR_ARGUMENT,
            machine->slots > 0
                ? "the node '%.160s' of a layout is not in the job's machine (names are as they stand "
                  "in the host file, without the number; a new node is named with its cores, as in "
                  "node5:20)"
                : "the node '%.160s' cannot be in a layout: there is no host file that "
                  "names nodes (NEREUS_HOSTFILE or options.hostfile)",
            text);
    if (*node < 0) {
        NEREUS_TRY(nereus_request_add_node(job, text, request, &job->error));
        *node = machine->node_count + request->gain_count - 1;
        *cores = request->gains[request->gain_count - 1].cores /
                 nereus_machine_cores_per_process(machine);
        return NEREUS_OK;
    }
    *cores = machine->nodes[*node].cores;
    return NEREUS_OK;
}

/* Add one entry; a node may be named once, and its processes must fit. */
static enum nereus_status append_node(nereus_job *job, const char *name, int64_t processes,
                                      struct resize_request *request)
{
    int64_t node = -1, cores = 0;
    NEREUS_TRY(find_or_gain_node(job, name, request, &node, &cores));
    for (int64_t i = 0; i < request->layout_count; i++)
        if (request->layout[i].node == node)
            return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                               "the node '%.160s' is in a layout twice", name);
    if (processes < 0 || processes > cores)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "%lld process%s on the node '%.160s' of a layout: the machine has room "
                           "for 0 to %lld there",
                           (long long)processes, nereus_plural_es(processes), name,
                           (long long)cores);
    request->layout[request->layout_count++] = (struct nereus_group){node, processes};
    request->nt += processes;
    return NEREUS_OK;
}

/* Without a named method that of the options. If this is open (auto) and merge cannot produce the
 * layout, a full respawn with one world per node, so that each node can be released later. */
static enum nereus_status choose_method(nereus_job *job, const char **method,
                                        struct resize_request *request)
{
    enum nereus_shrink ignored;
    NEREUS_TRY(nereus_set_requested_method(job, *method, request, &job->error));
    if (job->rank != 0)
        return NEREUS_OK;
    const enum nereus_status status =
        nereus_job_check_placement(job, request, job->zombies.count, &ignored, &job->error);
    if (!request->method_is_auto || status != NEREUS_ERR_ILLEGAL)
        return status;
    *method = "baseline-diffusive/coll";
    NEREUS_TRY(nereus_set_requested_method(job, *method, request, &job->error));
    /* a node in another Slurm allocation: only launch starts processes there */
    if (nereus_job_check_placement(job, request, job->zombies.count, &ignored, &job->error) ==
        NEREUS_ERR_ILLEGAL)
        *method = "baseline-launch/coll";
    return NEREUS_OK;
}

enum nereus_status nereus_request_layout(nereus_job *job, const char *const *nodes,
                                         const int64_t *processes, int64_t n, const char *method)
{
    struct resize_request request = {.point = job->points, .machine_changes = job->machine_changes};
    if (n < 1 || n > LAYOUT_MAX)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "a layout of %lld node%s: it can have 1 to %d", (long long)n,
                           nereus_plural_s(n), (int)LAYOUT_MAX);
    for (int64_t i = 0; i < n; i++)
        NEREUS_TRY(append_node(job, nodes[i], processes[i], &request));
    if (request.nt < 1)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "a layout without processes: at least one node must hold one");
    NEREUS_TRY(nereus_check_placed(job, &job->error));
    NEREUS_TRY(choose_method(job, &method, &request));
    return nereus_make_pending(job, &request, method);
}

enum nereus_status nereus_schedule_spread(nereus_job *job, int64_t number)
{
    NEREUS_TRY(nereus_callback_check_outside("nereus_schedule_spread", &job->error));
    if (number < 0 || number >= job->settings.schedule_count)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "the schedule has no change %lld: it has %lld, from 0",
                           (long long)number, (long long)job->settings.schedule_count);
    return nereus_request_set_spread(job, &job->settings.schedule[number], &job->error);
}
