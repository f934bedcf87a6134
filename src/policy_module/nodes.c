/**
 * @file nodes.c
 * Converts names of nodes to node numbers, and processes by class to processes by node.
 */
#include "nodes.h"

#include "src/core/prepare_request.h"

/* A node and its class. */
struct place {
    int64_t node, processes, capacity;
};

/* The next host of a class that the machine has.
 * @return as nereus_class_next_host */
static const char *find_next_node(const nereus_job *job, const struct nereus_class_nodes *nodes,
                                  const char *position, struct place *place)
{
    char host[NEREUS_NODE_NAME_MAX];
    while ((position = nereus_class_next_host(position, host)) != NULL) {
        place->node = nereus_machine_find(&job->machine, host);
        if (place->node < 0)
            continue;
        const int64_t cores = job->machine.nodes[place->node].cores;
        place->processes = nereus_jobstate_node_processes(&job->state, place->node);
        place->capacity = cores < nodes->cores_per_node ? cores : nodes->cores_per_node;
        if (place->capacity < place->processes)
            place->capacity = place->processes;
        return position;
    }
    return NULL;
}

enum nereus_status nereus_policy_nodes_check(const nereus_job *job,
                                             const struct nereus_policy_settings *policy,
                                             struct nereus_error *err)
{
    char host[NEREUS_NODE_NAME_MAX];
    NEREUS_TRY(nereus_check_placed(job, err));
    /* Checked at the start only: later the job may have released nodes, which do not count until it
     * has them again. */
    for (int k = 0; job->machine_changes == 0 && k < policy->class_count; k++)
        for (const char *position = policy->nodes[k].hosts;
             (position = nereus_class_next_host(position, host)) != NULL;)
            if (nereus_machine_find(&job->machine, host) < 0)
                return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                                   "the host '%.60s' of [class %s] is not in the job's machine "
                                   "(hosts are named as in the host file, without the number)",
                                   host, policy->classes[k].name);
    return NEREUS_OK;
}

enum nereus_status nereus_policy_nodes_count(const nereus_job *job,
                                             const struct nereus_policy_settings *policy,
                                             struct nereus_computational_model *model,
                                             struct nereus_allocation *now,
                                             struct nereus_error *err)
{
    int64_t total_count = 0;
    memset(now, 0, sizeof *now);
    for (int k = 0; k < policy->class_count; k++) {
        struct place place;
        model->classes[k].max = 0;
        for (const char *position = policy->nodes[k].hosts;
             (position = find_next_node(job, &policy->nodes[k], position, &place)) != NULL;) {
            now->processes[k] += place.processes;
            model->classes[k].max += place.capacity;
        }
        total_count += now->processes[k];
    }
    return total_count == job->size
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_STATE,
                             "processes on nodes of no [class NAME]: %lld of %d",
                             (long long)(job->size - total_count), job->size);
}

int nereus_policy_nodes_class(const nereus_job *job, const struct nereus_policy_settings *policy,
                              int64_t node)
{
    char host[NEREUS_NODE_NAME_MAX];
    if (policy->nodes[0].hosts == NULL)
        return 0;
    for (int k = 0; k < policy->class_count; k++)
        for (const char *position = policy->nodes[k].hosts;
             (position = nereus_class_next_host(position, host)) != NULL;)
            if (strcmp(host, job->machine.nodes[node].name) == 0)
                return k;
    return -1;
}

static enum nereus_status append_layout_node(const nereus_job *job, const struct place *place,
                                             int64_t processes, struct policy_layout *layout,
                                             struct nereus_error *err)
{
    if (processes == 0)
        return NEREUS_OK;
    if (layout->count == LAYOUT_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a layout has at most %d nodes",
                           (int)LAYOUT_MAX);
    layout->nodes[layout->count] = job->machine.nodes[place->node].name;
    layout->processes[layout->count++] = processes;
    return NEREUS_OK;
}

/* Distribute the processes of one class over its nodes, filling the first nodes first. */
static enum nereus_status lay_out_class(const nereus_job *job,
                                        const struct nereus_class_nodes *nodes, int64_t wanted,
                                        struct policy_layout *layout, struct nereus_error *err)
{
    struct place place;
    int64_t held = 0;
    for (const char *position = nodes->hosts;
         (position = find_next_node(job, nodes, position, &place)) != NULL;)
        held += place.processes;
    int64_t more = wanted > held ? wanted - held : 0, kept_count = wanted - more;
    for (const char *position = nodes->hosts;
         (position = find_next_node(job, nodes, position, &place)) != NULL;) {
        const int64_t stay = place.processes < kept_count ? place.processes : kept_count,
                      free = place.capacity - place.processes, add = free < more ? free : more;
        NEREUS_TRY(append_layout_node(job, &place, stay + add, layout, err));
        kept_count -= stay;
        more -= add;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_policy_nodes_lay_out(const nereus_job *job,
                                               const struct nereus_policy_settings *policy,
                                               const struct nereus_allocation *wanted_allocation,
                                               struct policy_layout *layout,
                                               struct nereus_error *err)
{
    layout->count = 0;
    for (int k = 0; k < policy->class_count; k++)
        NEREUS_TRY(
            lay_out_class(job, &policy->nodes[k], wanted_allocation->processes[k], layout, err));
    return NEREUS_OK;
}
