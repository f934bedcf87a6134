/**
 * @file profile_machine.c
 * Finds on which nodes the rows of a profile were measured, and compares them with those of a
 * question. Unequal nodes are lists of cores, one for each host file. Processes fill a list from
 * its first node on, so that two lists count as the same if they agree on the nodes that the
 * processes fill.
 */
#include "profile_machine.h"

static bool has_same_nodes(const struct nereus_machine *a, const struct nereus_machine *b,
                           int64_t n)
{
    const int64_t used = nereus_machine_count_nodes(a, n);
    if (used != nereus_machine_count_nodes(b, n))
        return false;
    for (int64_t i = 0; i < used; i++)
        if (nereus_machine_cores(a, i) != nereus_machine_cores(b, i))
            return false;
    /* oversubscribed processes are placed in further rounds over all nodes */
    return n <= nereus_min(nereus_machine_total_cores(a), nereus_machine_total_cores(b)) ||
           nereus_machine_total_cores(a) == nereus_machine_total_cores(b);
}

static bool has_equal_nodes(const struct nereus_machine *machine, int64_t n)
{
    const int64_t used = nereus_machine_count_nodes(machine, n);
    for (int64_t i = 1; i < used && machine->node_count > 0; i++)
        if (machine->nodes[i].cores != machine->nodes[0].cores)
            return false;
    return true;
}

struct nereus_nodes_key nereus_profile_nodes(const struct nereus_profile *profile,
                                             const struct nereus_machine *machine, int64_t n)
{
    const int64_t each = nereus_machine_cores_per_process(machine), several = each > 1 ? each : 0;
    /* rows have compact placement */
    if (machine->layout != NULL && !nereus_machine_is_one_node(machine, n))
        return (struct nereus_nodes_key){-1, machine->cores_per_node, several};
    for (int64_t i = 0; i < profile->machine_count && several == 0; i++)
        if (has_same_nodes(&profile->machines[i], machine, n))
            return (struct nereus_nodes_key){i + 1, profile->machines[i].cores_per_node, 0};
    return has_equal_nodes(machine, n)
               ? (struct nereus_nodes_key){0, nereus_machine_cores(machine, 0), several}
               : (struct nereus_nodes_key){-1, machine->cores_per_node, several};
}

/* Was a node measured with as many slots for processes of `each` cores? The profile has all cores
 * of its nodes. */
static bool knows_node(const struct nereus_profile *profile, int64_t cores, int64_t each)
{
    bool known = profile->cores_per_node / each == cores || profile->cores_per_node <= 0;
    for (int64_t m = 0; m < profile->machine_count && !known; m++)
        for (int64_t i = 0; i < profile->machines[m].node_count && !known; i++)
            known = profile->machines[m].nodes[i].cores / each == cores;
    return known;
}

int64_t nereus_profile_unknown_node(const struct nereus_profile *profile,
                                    const struct nereus_machine *machine, int64_t n)
{
    const int64_t used = machine->node_count > 0 ? nereus_machine_count_nodes(machine, n) : 1;
    const int64_t each = nereus_machine_cores_per_process(machine);
    for (int64_t i = 0; i < used; i++) {
        const int64_t cores = nereus_machine_cores(machine, i);
        if (!(i > 0 && cores == nereus_machine_cores(machine, i - 1)) &&
            !knows_node(profile, cores, each))
            return cores * each;
    }
    return 0;
}

struct nereus_machine nereus_measurement_machine(const struct nereus_profile *profile,
                                                 const struct nereus_measurement *row,
                                                 struct nereus_node *node)
{
    if (row->machine > 0)
        return profile->machines[row->machine - 1];
    return nereus_row_machine(row->cores_per_node, row->cores_per_process, row->oversubscribed,
                              node);
}

struct nereus_machine nereus_row_machine(int64_t cores_per_node, int64_t cores_per_process,
                                         bool oversubscribed, struct nereus_node *node)
{
    const int64_t each = nereus_max(1, cores_per_process);
    struct nereus_machine machine = {.cores_per_node = cores_per_node / each,
                                     .cores_per_process = each};
    if (oversubscribed) {
        memset(node, 0, sizeof *node);
        node->cores = machine.cores_per_node;
        machine.node_count = 1;
        machine.nodes = node;
    }
    return machine;
}

enum nereus_status nereus_profile_add_machine(struct nereus_profile *profile, const int64_t *cores,
                                              int64_t count, struct nereus_error *err)
{
    struct nereus_machine new_machine = {.node_count = count}, *grown = NULL;
    new_machine.nodes = calloc((size_t)count, sizeof *new_machine.nodes);
    if (new_machine.nodes != NULL)
        grown = nereus_grow(profile->machines, profile->machine_count, sizeof *grown);
    if (grown == NULL) {
        free(new_machine.nodes);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a profile");
    }
    for (int64_t i = 0; i < count; i++) {
        new_machine.nodes[i].cores = cores[i];
        new_machine.cores_per_node = nereus_max(new_machine.cores_per_node, cores[i]);
    }
    profile->machines = grown;
    profile->machines[profile->machine_count++] = new_machine;
    return NEREUS_OK;
}

void nereus_profile_free_machines(struct nereus_profile *profile)
{
    for (int64_t i = 0; i < profile->machine_count; i++)
        nereus_machine_fini(&profile->machines[i]);
    free(profile->machines);
    profile->machines = NULL;
    profile->machine_count = 0;
}

/* Describe a list: "16 nodes of 20 to 32 cores". */
static void describe_machine(const struct nereus_machine *machine, char *text, size_t size)
{
    int64_t min = machine->cores_per_node;
    for (int64_t i = 0; i < machine->node_count; i++)
        min = nereus_min(min, machine->nodes[i].cores);
    snprintf(text, size, "%lld node%s of %lld to %lld core%s", (long long)machine->node_count,
             nereus_plural_s(machine->node_count), (long long)min,
             (long long)machine->cores_per_node, nereus_plural_s(machine->cores_per_node));
}

enum nereus_status nereus_profile_machine(const struct nereus_profile *profile,
                                          struct nereus_machine *machine, struct nereus_error *err)
{
    struct nereus_error why;
    char nodes[80];
    if (profile->machine_count > 0) {
        describe_machine(&profile->machines[0], nodes, sizeof nodes);
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the profile of '%s' is of unequal nodes (%s), and nothing says which "
                           "of them the job has: name them in a host file (--hostfile)",
                           profile->cluster, nodes);
    }
    const enum nereus_status status =
        nereus_machine_equal_nodes(profile->nodes, profile->cores_per_node, machine, &why);
    return status == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, status, "the profile of '%s': %s", profile->cluster, why.text);
}
