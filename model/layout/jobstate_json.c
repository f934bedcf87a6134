/**
 * @file jobstate_json.c
 * Reads and writes job states as JSON (jobstate.h). A state that contradicts itself is refused.
 */

#include "jobstate_segments.h"
#include "model/util/json_table.h"

/* Limit of all numbers: MPI ranks are ints, and no sum of ints overflows an int64_t. */
enum { VERSION = 1, NUMBER_MAX = INT_MAX };

/* What a file has. */
struct state_file {
    struct nereus_jobstate state;
    struct nereus_machine machine; /* without nodes: the file has none */
    int64_t processes;
    const struct nereus_machine *placed_on; /* reading: as of nereus_jobstate_read_on */
};

static void check_world(struct nereus_json_reader *r, const json_t *json, void *values)
{
    const struct nereus_world *world = values;
    (void)json;
    if (world->processes + world->zombies == 0)
        nereus_json_fail(r, "processes", "there are neither processes nor zombies");
}

#define NUMBER(owner, member, min)                                                                 \
    NEREUS_JSON_INTEGER(struct nereus_##owner, member, min, NUMBER_MAX)
static const struct nereus_json_member world_members[] = {
    {"id", NEREUS_JSON_NEEDED, NUMBER(world, id, 0)},
    {"processes", NEREUS_JSON_NEEDED, NUMBER(world, processes, 0)},
    {"zombies", 0, NUMBER(world, zombies, 0)},
    {"first_node", NEREUS_JSON_NEEDED, NUMBER(world, first_node, 0)},
    {"nodes", NEREUS_JSON_NEEDED, NUMBER(world, nodes, 1)},
};
static const struct nereus_json_member segment_members[] = {
    {"world", NEREUS_JSON_NEEDED, NUMBER(segment, world, 0)},
    {"node", NEREUS_JSON_NEEDED, NUMBER(segment, node, 0)},
    {"count", NEREUS_JSON_NEEDED, NUMBER(segment, count, 1)},
};
static const struct nereus_json_member node_members[] = {
    {"name", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(struct nereus_node, name)},
    {"cores", NEREUS_JSON_NEEDED, NUMBER(node, cores, 1)},
    {"allocation", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(struct nereus_node, allocation)},
};
static const struct nereus_json_table world_table = {NEREUS_JSON_MEMBERS(world_members),
                                                     check_world, NULL},
                                      segment_table = {NEREUS_JSON_MEMBERS(segment_members), NULL,
                                                       NULL},
                                      node_table = {NEREUS_JSON_MEMBERS(node_members), NULL, NULL};

/* The file has the cores of a node, the machine those of them that each process takes. */
static void check_machine(struct nereus_json_reader *r, const json_t *json, void *values)
{
    struct nereus_machine *machine = values;
    const int64_t each = nereus_machine_cores_per_process(machine), slots = machine->slots;
    (void)json;
    if (machine->node_count == 0)
        nereus_json_fail(r, "nodes", "there is none, and a machine has one or more");
    machine->cores_per_process = machine->slots = 0;
    if (r->status == NEREUS_OK)
        r->status = nereus_machine_set_per_process(machine, each, r->err);
    machine->slots = slots;
}

static bool has_no_nodes(const void *values)
{
    const struct nereus_machine *machine = values;
    return machine->node_count == 0;
}

static const struct nereus_json_member machine_members[] = {
    {"slots", 0, NUMBER(machine, slots, 0)},
    {"cores_per_process", 0, NUMBER(machine, cores_per_process, 1)},
    {"nodes", NEREUS_JSON_NEEDED,
     NEREUS_JSON_LIST(struct nereus_machine, nodes, node_count, &node_table)},
};
static const struct nereus_json_table machine_table = {NEREUS_JSON_MEMBERS(machine_members),
                                                       check_machine, has_no_nodes};
#undef NUMBER

static int compare_ids(const void *left, const void *right)
{
    const struct nereus_world *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static void check_worlds(struct nereus_json_reader *r, struct nereus_jobstate *state)
{
    if (state->world_count == 0) {
        nereus_json_fail(r, "worlds", "there is none, and a job has one or more");
        return;
    }
    qsort(state->worlds, (size_t)state->world_count, sizeof *state->worlds, compare_ids);
    for (int64_t i = 1; i < state->world_count; i++)
        if (state->worlds[i - 1].id == state->worlds[i].id)
            nereus_json_fail(r, "worlds", "two have the id %lld", (long long)state->worlds[i].id);
    if (nereus_jobstate_processes(state) < 1)
        nereus_json_fail(r, "worlds", "no world has an active process");
}

/* What depends on the worlds. */
static void check_numbers(struct nereus_json_reader *r, const json_t *root, struct state_file *file)
{
    struct nereus_jobstate *state = &file->state;
    const int64_t sum = nereus_jobstate_processes(state);
    const int64_t next_id = state->worlds[state->world_count - 1].id + 1;
    state->next_world_id = next_id;
    nereus_json_read_integer(r, root, "next_world_id", next_id, NUMBER_MAX, &state->next_world_id);
    if (json_object_get(root, "processes") == NULL || file->processes == sum)
        return;
    nereus_json_fail(r, "processes", "is %lld, but the worlds have %lld",
                     (long long)file->processes, (long long)sum);
}

/* Check that the world of a segment exists and spans its node. */
static const struct nereus_world *check_segment(struct nereus_json_reader *r,
                                                const struct nereus_jobstate *state,
                                                const struct nereus_segment *segment)
{
    const int64_t index = nereus_jobstate_find_world(state, segment->world);
    const struct nereus_world *world = index >= 0 ? &state->worlds[index] : NULL;
    if (world != NULL && segment->node >= world->first_node &&
        segment->node < world->first_node + world->nodes)
        return world;
    nereus_json_fail(r, "world", "world %lld %s %lld", (long long)segment->world,
                     world == NULL ? "is not among the worlds; node" : "does not span node",
                     (long long)segment->node);
    return NULL;
}

/* Check that the segments have all processes of each world (`sleepers`: all zombies). */
static void check_segments(struct nereus_json_reader *r, const char *key,
                           const struct nereus_jobstate *state, const struct nereus_segment *list,
                           int64_t count)
{
    const bool active = list == state->segments;
    int64_t *sums = calloc((size_t)state->world_count, sizeof *sums);
    if (!nereus_json_check_memory(r, sums)) {
        free(sums);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const size_t mark = nereus_json_enter_element(r, key, (size_t)i);
        const struct nereus_world *world = check_segment(r, state, &list[i]);
        nereus_json_leave(r, mark);
        if (world != NULL)
            sums[world - state->worlds] += list[i].count;
    }
    for (int64_t i = 0; i < state->world_count; i++) {
        const struct nereus_world *world = &state->worlds[i];
        const int64_t expected = active ? world->processes : world->zombies;
        if (sums[i] == expected)
            continue;
        nereus_json_fail(r, key, "world %lld has %lld %s, but %lld here", (long long)world->id,
                         (long long)expected, active ? "active processes" : "zombies",
                         (long long)sums[i]);
    }
    free(sums);
}

/* Without both lists of segments the worlds fill their nodes compactly. */
static void check_places(struct nereus_json_reader *r, const json_t *root, struct state_file *file)
{
    struct nereus_jobstate *state = &file->state;
    if (json_object_get(root, "segments") == NULL && json_object_get(root, "sleepers") == NULL) {
        r->status = nereus_jobstate_derive(file->placed_on, state, r->err);
        return;
    }
    check_segments(r, "segments", state, state->segments, state->segment_count);
    check_segments(r, "sleepers", state, state->sleepers, state->sleeper_count);
}

/* Check that all nodes exist in the machine, if the file has one. */
static void check_nodes(struct nereus_json_reader *r, const struct state_file *file)
{
    const struct nereus_segment *lists[] = {file->state.segments, file->state.sleepers};
    const int64_t counts[] = {file->state.segment_count, file->state.sleeper_count},
                  nodes = file->machine.node_count;
    for (int list = 0; nodes > 0 && list < 2; list++)
        for (int64_t i = 0; i < counts[list]; i++)
            if (lists[list][i].node >= nodes) {
                nereus_json_fail(r, "machine", "it has %lld node%s, and processes on node %lld",
                                 (long long)nodes, nereus_plural_s(nodes),
                                 (long long)lists[list][i].node);
            }
}

/* Check the version before the keys, because another version may have more keys. */
static void check_version(struct nereus_json_reader *r, const json_t *root)
{
    int64_t version = VERSION;
    nereus_json_read_integer(r, root, "version", 0, INT64_MAX, &version);
    if (version != VERSION)
        nereus_json_fail(r, "version", "is %lld, and this Nereus reads version %d",
                         (long long)version, VERSION);
}

static void check_state(struct nereus_json_reader *r, const json_t *root, void *values)
{
    struct state_file *file = values;
    check_worlds(r, &file->state);
    if (r->status == NEREUS_OK)
        check_numbers(r, root, file);
    if (r->status == NEREUS_OK)
        check_places(r, root, file);
    if (r->status == NEREUS_OK)
        check_nodes(r, file);
}

static const struct nereus_json_member state_members[] = {
#define FILE_NUMBER(member, min)      NEREUS_JSON_INTEGER(struct state_file, member, min, NUMBER_MAX)
#define FILE_LIST(list, count, table) NEREUS_JSON_LIST(struct state_file, list, count, table)
    {"version", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER_ALWAYS(VERSION)},
    {"processes", 0, FILE_NUMBER(processes, 1)},
    {"cores_per_node", NEREUS_JSON_UNLESS_0, FILE_NUMBER(state.cores_per_node, 1)},
    {"next_world_id", 0, FILE_NUMBER(state.next_world_id, 1)},
    {"worlds", NEREUS_JSON_NEEDED, FILE_LIST(state.worlds, state.world_count, &world_table)},
    {"segments", 0, FILE_LIST(state.segments, state.segment_count, &segment_table)},
    {"sleepers", 0, FILE_LIST(state.sleepers, state.sleeper_count, &segment_table)},
    {"machine", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_OBJECT(struct state_file, machine, &machine_table)},
#undef FILE_NUMBER
#undef FILE_LIST
};
static const struct nereus_json_table state_table = {NEREUS_JSON_MEMBERS(state_members),
                                                     check_state, NULL};

enum nereus_status nereus_jobstate_read(const char *path, struct nereus_jobstate *state,
                                        struct nereus_error *err)
{
    return nereus_jobstate_read_on(path, NULL, state, err);
}

static enum nereus_status load_json(const char *path, json_t **root, char *name, size_t size,
                                    struct nereus_error *err)
{
    NEREUS_TRY(nereus_json_read(path, "job state", root, err));
    snprintf(name, size, "job state '%.160s'", path);
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_read_on(const char *path, const struct nereus_machine *machine,
                                           struct nereus_jobstate *state, struct nereus_error *err)
{
    char name[192];
    json_t *root;
    NEREUS_TRY(load_json(path, &root, name, sizeof name, err));
    struct nereus_json_reader reader = {.path = name, .err = err};
    struct state_file file = {.placed_on = machine};
    check_version(&reader, root);
    if (reader.status == NEREUS_OK)
        nereus_json_read_table(&reader, root, &state_table, &file);
    json_decref(root);
    nereus_machine_fini(&file.machine);
    if (reader.status == NEREUS_OK)
        *state = file.state;
    else
        nereus_jobstate_fini(&file.state);
    return reader.status;
}

enum nereus_status nereus_jobstate_read_machine(const char *path, struct nereus_machine *machine,
                                                struct nereus_error *err)
{
    char name[192];
    json_t *root;
    NEREUS_TRY(load_json(path, &root, name, sizeof name, err));
    struct nereus_json_reader reader = {.path = name, .err = err};
    struct nereus_machine read = {0};
    if (json_object_get(root, "machine") != NULL)
        nereus_json_read_object(&reader, root, "machine", &machine_table, &read);
    json_decref(root);
    if (reader.status == NEREUS_OK)
        *machine = read;
    else
        nereus_machine_fini(&read);
    return reader.status;
}

enum nereus_status nereus_jobstate_write(const char *path, const struct nereus_jobstate *state,
                                         const struct nereus_machine *machine,
                                         struct nereus_error *err)
{
    struct state_file file = {.state = *state, .processes = nereus_jobstate_processes(state)};
    if (machine != NULL)
        NEREUS_TRY(nereus_machine_copy(machine, &file.machine, err));
    file.machine.cores_per_process = nereus_machine_cores_per_process(&file.machine);
    for (int64_t i = 0; i < file.machine.node_count; i++)
        file.machine.nodes[i].cores *= file.machine.cores_per_process;
    json_t *root = nereus_json_make_table(&state_table, &file);
    nereus_machine_fini(&file.machine);
    /* no fsync: the job ends with its machine */
    return nereus_json_replace(path, root, 2, true, err);
}
