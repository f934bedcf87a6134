/** @file jobstate.c  Makes and queries job states: worlds, and where their processes are. Worlds
 * are sorted by id, that is by age, because new ones are appended. */
#include "nereus/jobstate.h"

#include "jobstate_segments.h"
#include "layout_rounds.h"

enum { WORLDS_MAX = NEREUS_SEGMENTS_MAX };

static enum nereus_status allocate_arrays(int64_t worlds, int64_t cores_per_node,
                                          struct nereus_jobstate *state, struct nereus_error *err)
{
    if (worlds > WORLDS_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a job of %lld world%s is too large: %d are possible", (long long)worlds,
                           nereus_plural_s(worlds), WORLDS_MAX);
    }
    *state = (struct nereus_jobstate){.world_count = worlds, .cores_per_node = cores_per_node};
    state->worlds = calloc(worlds > 0 ? (size_t)worlds : 1, sizeof *state->worlds);
    NEREUS_TRY_MEMORY(state->worlds, err, "for a job state of %lld worlds", (long long)worlds);
    return NEREUS_OK;
}

void nereus_jobstate_fini(struct nereus_jobstate *state)
{
    free(state->worlds);
    free(state->segments);
    free(state->sleepers);
    memset(state, 0, sizeof *state);
}

static struct nereus_segment *copy_segments(const struct nereus_segment *from, int64_t count)
{
    struct nereus_segment *copy = calloc((size_t)count + 1, sizeof *copy);
    if (copy != NULL && count > 0)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    return copy;
}

enum nereus_status nereus_jobstate_copy(const struct nereus_jobstate *from,
                                        struct nereus_jobstate *to, struct nereus_error *err)
{
    struct nereus_jobstate copy;
    NEREUS_TRY(allocate_arrays(from->world_count, from->cores_per_node, &copy, err));
    copy.segments = copy_segments(from->segments, from->segment_count);
    copy.sleepers = copy_segments(from->sleepers, from->sleeper_count);
    if (copy.segments == NULL || copy.sleepers == NULL) {
        nereus_jobstate_fini(&copy);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a copy of a job's state");
    }
    if (from->world_count > 0)
        memcpy(copy.worlds, from->worlds, (size_t)from->world_count * sizeof *copy.worlds);
    copy.segment_count = from->segment_count;
    copy.sleeper_count = from->sleeper_count;
    copy.next_world_id = from->next_world_id;
    *to = copy;
    return NEREUS_OK;
}

static enum nereus_status check_processes(const char *what, int64_t n, struct nereus_error *err)
{
    if (n < 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a job needs 1 process or more, not %s %lld",
                           what, (long long)n);
    }
    return NEREUS_OK;
}

/* Place a world in rounds over the nodes (layout.h). */
static enum nereus_status fill_compactly(const struct nereus_machine *machine, int64_t ns,
                                         struct nereus_jobstate *state, struct nereus_error *err)
{
    struct nereus_segments list = {0};
    enum nereus_status status = NEREUS_OK;
    for (int64_t node = 0; ns > 0 && status == NEREUS_OK; node++) {
        if (machine->node_count > 0 && node == machine->node_count)
            node = 0;
        int64_t here = nereus_min(ns, nereus_machine_cores(machine, node));
        status = nereus_segments_append(&list, 0, node, here, err);
        ns -= here;
    }
    state->segments = list.items; /* the caller frees them, also after an error */
    state->segment_count = list.count;
    return status;
}

enum nereus_status nereus_jobstate_initial(const struct nereus_machine *machine, int64_t ns,
                                           struct nereus_jobstate *state, struct nereus_error *err)
{
    enum nereus_status status = check_processes("NS", ns, err);
    struct nereus_jobstate new_state = {0};
    if (status == NEREUS_OK)
        status = allocate_arrays(1, machine->cores_per_node, &new_state, err);
    if (status == NEREUS_OK)
        status = fill_compactly(machine, ns, &new_state, err);
    if (status != NEREUS_OK) {
        nereus_jobstate_fini(&new_state);
        return status;
    }
    new_state.worlds[0] =
        (struct nereus_world){.processes = ns, .nodes = nereus_machine_count_nodes(machine, ns)};
    new_state.next_world_id = 1;
    *state = new_state;
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_per_node(const struct nereus_machine *machine, int64_t ns,
                                            struct nereus_jobstate *state, struct nereus_error *err)
{
    struct nereus_jobstate new_state;
    NEREUS_TRY(check_processes("NS", ns, err));
    NEREUS_TRY(allocate_arrays(nereus_machine_count_nodes(machine, ns), machine->cores_per_node,
                               &new_state, err));
    new_state.segments = calloc((size_t)new_state.world_count, sizeof *new_state.segments);
    if (new_state.segments == NULL) {
        nereus_jobstate_fini(&new_state);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a job of %lld processes",
                           (long long)ns);
    }
    int64_t total = nereus_machine_total_cores(machine);
    /* a running sum: nereus_machine_node_processes would walk all nodes each time */
    int64_t earlier_cores = 0;
    for (int64_t node = 0; node < new_state.world_count; node++) {
        int64_t cores = nereus_machine_cores(machine, node);
        int64_t here = nereus_rounds_share(0, ns, earlier_cores, cores, total);
        new_state.worlds[node] =
            (struct nereus_world){.id = node, .processes = here, .first_node = node, .nodes = 1};
        new_state.segments[node] = (struct nereus_segment){node, node, here};
        earlier_cores += cores;
    }
    new_state.segment_count = new_state.next_world_id = new_state.world_count;
    *state = new_state;
    return NEREUS_OK;
}

int64_t nereus_jobstate_processes(const struct nereus_jobstate *state)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->world_count; i++)
        sum += state->worlds[i].processes;
    return sum;
}

int64_t nereus_jobstate_zombies(const struct nereus_jobstate *state)
{
    int64_t sum = 0;
    const int64_t count = state != NULL ? state->sleeper_count : 0;
    for (int64_t i = 0; i < count; i++) /* seldom any; worlds may be thousands */
        sum += state->sleepers[i].count;
    return sum;
}

static const struct nereus_segment *find_segment(const struct nereus_jobstate *state, int64_t rank)
{
    int64_t first = 0;
    for (int64_t i = 0; i < state->segment_count && rank >= first; i++) {
        if (rank < first + state->segments[i].count)
            return &state->segments[i];
        first += state->segments[i].count;
    }
    return NULL;
}

int64_t nereus_jobstate_node_of(const struct nereus_jobstate *state, int64_t rank)
{
    const struct nereus_segment *segment = find_segment(state, rank);
    return segment != NULL ? segment->node : -1;
}

int64_t nereus_jobstate_world_of(const struct nereus_jobstate *state, int64_t rank)
{
    const struct nereus_segment *segment = find_segment(state, rank);
    return segment != NULL ? segment->world : -1;
}

int64_t nereus_jobstate_node_processes(const struct nereus_jobstate *state, int64_t node)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->segment_count; i++)
        sum += state->segments[i].node == node ? state->segments[i].count : 0;
    return sum;
}

int64_t nereus_jobstate_find_world(const struct nereus_jobstate *state, int64_t id)
{
    int64_t low = 0, high = state->world_count;
    const int64_t dense = high > 0 ? id - state->worlds[0].id : -1; /* if no world has ended */
    if (dense >= 0 && dense < high && state->worlds[dense].id == id)
        return dense;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (state->worlds[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < state->world_count && state->worlds[low].id == id ? low : -1;
}
