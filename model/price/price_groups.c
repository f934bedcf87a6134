/* Groups of new processes from sizes and cores: see price_groups.h. */
#include "price_groups.h"

#include <limits.h>
#include <string.h>

#include "model/layout/jobstate_segments.h"
#include "model/layout/layout_rounds.h"

static bool segments_fill_unbounded(const struct nereus_jobstate *state, int64_t cores)
{
    int64_t rank = 0;
    for (int64_t i = 0; i < state->segment_count; i++) {
        const struct nereus_segment *s = &state->segments[i];
        if (s->node != rank / cores || s->node != (rank + s->count - 1) / cores)
            return false;
        rank += s->count;
    }
    return true;
}

/* Each segment within the cores of its node; no more processes than cores. */
static bool segments_fill_nodes(const struct nereus_jobstate *state, const struct nereus_machine *machine)
{
    int64_t rank = 0, node = 0, before = 0;
    for (int64_t i = 0; i < state->segment_count; i++) {
        const struct nereus_segment *s = &state->segments[i];
        while (node < machine->node_count && rank >= before + machine->nodes[node].cores)
            before += machine->nodes[node++].cores;
        if (node >= machine->node_count || s->node != node ||
            rank + s->count > before + machine->nodes[node].cores)
            return false;
        rank += s->count;
    }
    return true;
}

static bool is_compact(const struct nereus_scenario *s)
{
    const struct nereus_jobstate *state = s->state;
    const struct nereus_machine *machine = s->machine;
    if (s->nt > INT_MAX || nereus_machine_nodes_used(machine, s->ns + s->nt) > NEREUS_SEGMENTS_MAX)
        return false; /* refused, by who places them */
    if (machine->node_count > 1 && s->ns + s->nt > nereus_machine_total_cores(machine))
        return false; /* further rounds begin elsewhere */
    if (state == NULL || (state->sleeper_count == 0 && machine->node_count == 1))
        return state == NULL || nereus_jobstate_processes(state) == s->ns;
    return state->sleeper_count == 0 && nereus_jobstate_processes(state) == s->ns &&
           (machine->node_count == 0 ? segments_fill_unbounded(state, machine->cores_per_node)
                                     : segments_fill_nodes(state, machine));
}

/* The next group of a finite machine: a node that gets some. */
static int64_t take_finite(struct nereus_groups *g)
{
    const int64_t total = nereus_machine_total_cores(g->machine);
    int64_t here = 0;
    while (here == 0 && g->node < g->machine->node_count) {
        const int64_t cores = g->machine->nodes[g->node++].cores;
        here = nereus_rounds_share(g->first_new, g->new_processes, g->before, cores, total);
        g->before += cores;
    }
    return here;
}

int64_t nereus_groups_take(struct nereus_groups *g, int64_t count)
{
    const int64_t cores = g->machine->cores_per_node, from = g->next, to = g->next + count;
    const int64_t end = g->first_new + g->new_processes;
    int64_t sum = 0;
    g->next = to;
    if (g->listed.groups == NULL && g->machine->node_count == 0) {
        const int64_t node = g->first_new / cores;
        const int64_t begin = from == 0 ? g->first_new : (node + from) * cores;
        return (to == g->count ? end : (node + to) * cores) - begin;
    }
    for (int64_t i = from; i < to; i++)
        sum += g->listed.groups != NULL ? g->listed.groups[i].processes : take_finite(g);
    return sum;
}

static void rewind_groups(struct nereus_groups *g)
{
    g->next = g->node = g->before = 0;
}

static bool all_equal(struct nereus_groups *g)
{
    const int64_t first = g->count > 0 ? nereus_groups_take(g, 1) : 0;
    bool equal = true;
    for (int64_t i = 1; i < g->count && equal; i++)
        equal = nereus_groups_take(g, 1) == first;
    rewind_groups(g);
    return equal;
}

/* One a node, or of multiple one a process. */
static int64_t count_compact(const struct nereus_groups *g, const struct nereus_method *method)
{
    struct nereus_load load;
    if (method->strategy == NEREUS_MULTIPLE)
        return g->new_processes;
    nereus_machine_load(g->machine, 0, g->first_new, g->new_processes, g->new_processes, &load);
    return load.new_nodes;
}

static enum nereus_status list_groups(const struct nereus_scenario *s, const struct nereus_method *method,
                                      struct nereus_groups *g, struct nereus_error *err)
{
    struct nereus_jobstate initial = {0};
    enum nereus_status status = NEREUS_OK;
    g->listed = (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                        .number = 1,
                                        .ns = s->ns,
                                        .nt = s->nt,
                                        .zombies = s->state != NULL ? nereus_jobstate_zombies(s->state) : 0,
                                        .next_world_id = s->state != NULL ? s->state->next_world_id : 1,
                                        .method = *method};
    if (s->state == NULL)
        status = nereus_jobstate_initial(s->machine, s->ns, &initial, err);
    if (status == NEREUS_OK)
        status = nereus_request_place(s->machine, s->state != NULL ? s->state : &initial, NULL, 0, &g->listed,
                                      err);
    nereus_jobstate_fini(&initial);
    g->count = g->listed.group_count;
    return status;
}

enum nereus_status nereus_groups_make(const struct nereus_scenario *s, const struct nereus_method *method,
                                      int64_t first_new, int64_t new_processes, struct nereus_groups *groups,
                                      struct nereus_error *err)
{
    struct nereus_groups g = {.machine = s->machine, .first_new = first_new, .new_processes = new_processes};
    const bool hypercube = nereus_method_carried_out(method).strategy == NEREUS_HYPERCUBE;
    if (is_compact(s)) {
        g.count = count_compact(&g, method);
        if (!hypercube || all_equal(&g)) {
            *groups = g;
            return NEREUS_OK;
        }
        if (err == NULL)
            return NEREUS_ERR_ILLEGAL; /* nobody wants the sentence */
    }
    enum nereus_status status = list_groups(s, method, &g, err);
    if (status == NEREUS_OK && hypercube)
        status = nereus_plan_check_equal(&g.listed, err);
    if (status == NEREUS_OK)
        *groups = g;
    else
        nereus_request_fini(&g.listed);
    return status;
}

void nereus_groups_fini(struct nereus_groups *groups)
{
    nereus_request_fini(&groups->listed);
}
