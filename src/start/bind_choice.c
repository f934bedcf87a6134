/**
 * @file bind_choice.c
 * Each process chooses by itself, from the common machine and its allowed cores. It gets cores of
 * its own only if the host has all declared cores: then all processes number the cores in the same
 * way and choose disjoint ones.
 */
#include "bind_choice.h"

int nereus_bind_host_length(const char *node_name)
{
    return (int)strcspn(node_name, "/");
}

bool nereus_bind_same_host(const struct nereus_machine *machine, int64_t left, int64_t right)
{
    if (left == right || machine->node_count == 0)
        return left == right;
    const char *one = machine->nodes[left].name, *other = machine->nodes[right].name;
    const int length = nereus_bind_host_length(one);
    return length == nereus_bind_host_length(other) && strncmp(one, other, (size_t)length) == 0;
}

/* Count the cores declared for a node's host, and those that precede the cores of this node. */
static int64_t count_host_cores(const struct nereus_machine *machine, int64_t node,
                                int64_t *earlier_cores)
{
    int64_t total_cores = 0;
    *earlier_cores = 0;
    if (machine->node_count == 0)
        return machine->cores_per_node;
    for (int64_t i = 0; i < machine->node_count; i++)
        if (nereus_bind_same_host(machine, i, node)) {
            *earlier_cores += i < node ? machine->nodes[i].cores : 0;
            total_cores += machine->nodes[i].cores;
        }
    return total_cores;
}

struct nereus_bind_choice nereus_bind_choose(const struct nereus_machine *machine,
                                             const struct nereus_bind_position *position,
                                             const struct nereus_bind_allowed *allowed)
{
    struct nereus_bind_choice choice = {.unit = NEREUS_BIND_NOTHING};
    int64_t earlier_cores;
    /* cores of one slot */
    const int64_t each = nereus_machine_cores_per_process(machine);
    const int64_t declared = each * count_host_cores(machine, position->node, &earlier_cores);
    const int64_t places = nereus_machine_cores(machine, position->node);
    const bool by_somebody = machine->slots > 0;
    choice.reason = NEREUS_BIND_FEWER_CORES;
    if (declared > allowed->threads)
        return choice;
    choice.reason = NEREUS_BIND_OTHER_CORES; /* rank 0 has counted its allowed threads */
    if (!by_somebody && declared != allowed->threads / each * each)
        return choice;
    choice.reason = NEREUS_BIND_TOO_MANY;
    if (!by_somebody && position->processes > places)
        return choice;
    const bool one = position->processes <= places;
    return (struct nereus_bind_choice){
        .unit = declared <= allowed->cores ? NEREUS_BIND_CORES : NEREUS_BIND_THREADS,
        .reason = one ? NEREUS_BIND_TO_ONE : NEREUS_BIND_TO_NODE,
        .first = each * (one ? earlier_cores + position->index : earlier_cores),
        .count = each * (one ? 1 : places),
    };
}
