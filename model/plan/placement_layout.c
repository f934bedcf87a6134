/**
 * @file placement_layout.c
 * Places new processes on the nodes of a layout (Martín-Álvarez et al. (2025), section 4.2, vector
 * A: processes by node afterwards; S = A - R is what merge starts).
 */

#include "placement_build.h"

int64_t nereus_layout_on(const struct nereus_placing *placing, int64_t node)
{
    /* each node is in the list at most once; a list of all nodes is in their order */
    if (node < placing->layout_count && placing->layout[node].node == node)
        return placing->layout[node].processes;
    for (int64_t i = 0; i < placing->layout_count; i++)
        if (placing->layout[i].node == node)
            return placing->layout[i].processes;
    return 0;
}

enum nereus_status nereus_layout_check_merge(const struct nereus_placing *placing,
                                             struct nereus_error *err)
{
    const struct nereus_jobstate *state = placing->state;
    struct nereus_placing_nodes nodes = {0};
    int64_t gains = -1, loses = -1;
    NEREUS_TRY(nereus_placing_nodes_init(placing, 0, &nodes, err));
    nereus_placing_count_used(placing, 0, &nodes);
    for (int64_t i = 0; i < placing->layout_count && gains < 0; i++)
        if (placing->layout[i].processes > nodes.used_cores[placing->layout[i].node])
            gains = placing->layout[i].node;
    for (int64_t i = 0; i < state->segment_count && loses < 0; i++)
        if (nereus_layout_on(placing, state->segments[i].node) <
            nodes.used_cores[state->segments[i].node])
            loses = state->segments[i].node;
    free(nodes.cores);
    return gains < 0 || loses < 0
               ? NEREUS_OK
               : nereus_fail(
                     err, NEREUS_ERR_ILLEGAL,
                     "merge cannot bring this layout about, as it moves no process: node %lld "
                     "would gain processes and node %lld lose some: use baseline",
                     (long long)gains, (long long)loses);
}

/* Set `given_cores` to the processes that each node lacks once the zombies are awake. */
static enum nereus_status set_missing(const struct nereus_placing *placing,
                                      struct nereus_placing_nodes *nodes, struct nereus_error *err)
{
    for (int64_t node = 0; node < nodes->count; node++) {
        nodes->given_cores[node] = nereus_layout_on(placing, node) - nodes->used_cores[node];
        if (nodes->given_cores[node] < 0)
            return nereus_fail(
                err, NEREUS_ERR_ILLEGAL,
                "merge cannot bring this layout about: zombies wake before a process is started, "
                "and would be %lld too many on node %lld: use baseline",
                (long long)-nodes->given_cores[node], (long long)node);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_place_layout(const struct nereus_placing *placing,
                                       struct nereus_placed *placement, struct nereus_error *err)
{
    const struct nereus_request *request = placing->request;
    const bool respawns = nereus_request_respawns(request) || placement->shrink == NEREUS_SS;
    const int64_t missing = request->nt - request->ns,
                  woken = request->zombies < missing ? request->zombies : missing;
    struct nereus_placing_nodes nodes = {0};
    if (!respawns)
        NEREUS_TRY(nereus_layout_check_merge(placing, err));
    enum nereus_status status = nereus_placing_nodes_init(placing, request->nt, &nodes, err);
    if (status == NEREUS_OK) {
        if (!respawns)
            nereus_placing_count_used(placing, woken, &nodes);
        status = set_missing(placing, &nodes, err);
    }
    if (status == NEREUS_OK)
        status = nereus_placing_groups(request, &nodes, placement, err);
    free(nodes.cores);
    return status;
}
