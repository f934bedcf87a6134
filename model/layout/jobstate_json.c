/**
 * @file jobstate_json.c
 * Reads and writes job states as JSON (jobstate.h). A state that contradicts itself is refused.
 */

#include "jobstate_segments.h"
#include "model/util/file.h"
#include "model/util/json_reader.h"

/* Limit of all numbers: MPI ranks are ints, and no sum of ints overflows an int64_t. */
enum { VERSION = 1, NUMBER_MAX = INT_MAX };

static void read_number(struct nereus_json_reader *r, const json_t *json, const char *key,
                        int64_t min, int64_t *number)
{
    nereus_json_read_integer(r, json, key, min, NUMBER_MAX, number);
}

static void read_world(struct nereus_json_reader *r, const json_t *json, struct nereus_world *world)
{
    static const char *const keys[] = {"id", "processes", "first_node", "nodes", "zombies"};
    if (!nereus_json_check(r, json, keys, 5, 4))
        return;
    read_number(r, json, "id", 0, &world->id);
    read_number(r, json, "processes", 0, &world->processes);
    read_number(r, json, "zombies", 0, &world->zombies);
    read_number(r, json, "first_node", 0, &world->first_node);
    read_number(r, json, "nodes", 1, &world->nodes);
    if (world->processes + world->zombies == 0)
        nereus_json_fail(r, "processes", "there are neither processes nor zombies");
}

static int compare_ids(const void *left, const void *right)
{
    const struct nereus_world *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static void read_worlds(struct nereus_json_reader *r, const json_t *root,
                        struct nereus_jobstate *state)
{
    char sentence[80];
    const json_t *list = nereus_json_read_array(r, root, "worlds", SIZE_MAX);
    const size_t count = json_array_size(list);
    if (count == 0) {
        nereus_json_fail(r, "worlds", "there is none, and a job has one or more");
        return;
    }
    state->worlds = calloc(count, sizeof *state->worlds);
    if (!nereus_json_check_memory(r, state->worlds))
        return;
    state->world_count = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const size_t mark = nereus_json_enter_element(r, "worlds", i);
        read_world(r, json_array_get(list, i), &state->worlds[i]);
        nereus_json_leave(r, mark);
    }
    qsort(state->worlds, count, sizeof *state->worlds, compare_ids);
    for (size_t i = 1; i < count; i++)
        if (state->worlds[i - 1].id == state->worlds[i].id) {
            snprintf(sentence, sizeof sentence, "two have the id %lld",
                     (long long)state->worlds[i].id);
            nereus_json_fail(r, "worlds", sentence);
        }
}

static void read_segment(struct nereus_json_reader *r, const json_t *json,
                         struct nereus_segment *segment)
{
    static const char *const keys[] = {"world", "node", "count"};
    if (!nereus_json_check(r, json, keys, 3, 3))
        return;
    read_number(r, json, "world", 0, &segment->world);
    read_number(r, json, "node", 0, &segment->node);
    read_number(r, json, "count", 1, &segment->count);
}

/* Read a list of segments, which the caller frees, also after an error. */
static void read_segments(struct nereus_json_reader *r, const json_t *root, const char *key,
                          struct nereus_segment **list, int64_t *count)
{
    const json_t *array = nereus_json_read_array(r, root, key, SIZE_MAX);
    *list = calloc(json_array_size(array) + 1, sizeof **list);
    if (!nereus_json_check_memory(r, *list))
        return;
    *count = (int64_t)json_array_size(array);
    for (int64_t i = 0; i < *count; i++) {
        const size_t mark = nereus_json_enter_element(r, key, (size_t)i);
        read_segment(r, json_array_get(array, (size_t)i), &(*list)[i]);
        nereus_json_leave(r, mark);
    }
}

/* Check that the world of a segment exists and spans its node. */
static const struct nereus_world *check_segment(struct nereus_json_reader *r,
                                                const struct nereus_jobstate *state,
                                                const struct nereus_segment *segment)
{
    char sentence[96];
    const int64_t index = nereus_jobstate_find_world(state, segment->world);
    const struct nereus_world *world = index >= 0 ? &state->worlds[index] : NULL;
    if (world != NULL && segment->node >= world->first_node &&
        segment->node < world->first_node + world->nodes)
        return world;
    snprintf(sentence, sizeof sentence, "world %lld %s %lld", (long long)segment->world,
             world == NULL ? "is not among the worlds; node" : "does not span node",
             (long long)segment->node);
    nereus_json_fail(r, "world", sentence);
    return NULL;
}

/* Check that the segments have all processes of each world (`sleepers`: all zombies). */
static void check_segments(struct nereus_json_reader *r, const char *key,
                           const struct nereus_jobstate *state, const struct nereus_segment *list,
                           int64_t count)
{
    char sentence[128];
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
        snprintf(sentence, sizeof sentence, "world %lld has %lld %s, but %lld here",
                 (long long)world->id, (long long)expected, active ? "active processes" : "zombies",
                 (long long)sums[i]);
        nereus_json_fail(r, key, sentence);
    }
    free(sums);
}

/* Read both lists of segments; without them the worlds fill their nodes compactly. */
static void read_places(struct nereus_json_reader *r, const json_t *root,
                        const struct nereus_machine *machine, struct nereus_jobstate *state)
{
    if (r->status != NEREUS_OK)
        return;
    if (json_object_get(root, "segments") == NULL && json_object_get(root, "sleepers") == NULL) {
        r->status = nereus_jobstate_derive(machine, state, r->err);
        return;
    }
    read_segments(r, root, "segments", &state->segments, &state->segment_count);
    read_segments(r, root, "sleepers", &state->sleepers, &state->sleeper_count);
    check_segments(r, "segments", state, state->segments, state->segment_count);
    check_segments(r, "sleepers", state, state->sleepers, state->sleeper_count);
}

static void read_node(struct nereus_json_reader *r, const json_t *json, struct nereus_node *node)
{
    static const char *const keys[] = {"name", "cores", "allocation"};
    if (!nereus_json_check(r, json, keys, 3, 2))
        return;
    nereus_json_read_string(r, json, "name", node->name, sizeof node->name);
    read_number(r, json, "cores", 1, &node->cores);
    nereus_json_read_string(r, json, "allocation", node->allocation, sizeof node->allocation);
}

static void read_machine(struct nereus_json_reader *r, const json_t *root,
                         struct nereus_machine *machine)
{
    static const char *const keys[] = {"nodes", "slots", "cores_per_process"};
    const json_t *json = json_object_get(root, "machine"),
                 *list = nereus_json_read_array(r, json, "nodes", NUMBER_MAX);
    int64_t each = 1, slots = 0;
    if (json == NULL || !nereus_json_check(r, json, keys, 3, 1))
        return;
    read_number(r, json, "slots", 0, &slots);
    read_number(r, json, "cores_per_process", 1, &each);
    machine->nodes = calloc(json_array_size(list) + 1, sizeof *machine->nodes);
    if (!nereus_json_check_memory(r, machine->nodes))
        return;
    machine->node_count = (int64_t)json_array_size(list);
    for (int64_t i = 0; i < machine->node_count; i++) {
        const size_t mark = nereus_json_enter_element(r, "machine.nodes", (size_t)i);
        read_node(r, json_array_get(list, (size_t)i), &machine->nodes[i]);
        nereus_json_leave(r, mark);
    }
    if (machine->node_count == 0)
        nereus_json_fail(r, "nodes", "there is none, and a machine has one or more");
    if (r->status == NEREUS_OK)
        r->status = nereus_machine_set_per_process(machine, each, r->err);
    machine->slots = slots;
}

/* Check that all nodes exist in the machine, if the file has one. */
static void check_machine(struct nereus_json_reader *r, const json_t *root,
                          const struct nereus_jobstate *state)
{
    const struct nereus_segment *lists[] = {state->segments, state->sleepers};
    const int64_t counts[] = {state->segment_count, state->sleeper_count};
    struct nereus_machine machine = {.node_count = 0};
    char sentence[80];
    if (r->status == NEREUS_OK)
        read_machine(r, root, &machine);
    for (int list = 0; machine.node_count > 0 && list < 2; list++)
        for (int64_t i = 0; i < counts[list]; i++)
            if (lists[list][i].node >= machine.node_count) {
                snprintf(sentence, sizeof sentence,
                         "it has %lld node%s, and processes on node %lld",
                         (long long)machine.node_count, nereus_plural_s(machine.node_count),
                         (long long)lists[list][i].node);
                nereus_json_fail(r, "machine", sentence);
            }
    nereus_machine_fini(&machine);
}

/* Check the version before the keys, because another version may have more keys. */
static void check_version(struct nereus_json_reader *r, const json_t *root)
{
    char sentence[80];
    const json_t *version = json_object_get(root, "version");
    if (!json_is_integer(version) || json_integer_value(version) == VERSION)
        return;
    snprintf(sentence, sizeof sentence, "is %lld, and this Nereus reads version %d",
             (long long)json_integer_value(version), VERSION);
    nereus_json_fail(r, "version", sentence);
}

/* Read a state into `state`, which is zeroed; the caller frees it, also after an error. */
static void read_state(struct nereus_json_reader *r, const json_t *root,
                       const struct nereus_machine *machine, struct nereus_jobstate *state)
{
    static const char *const keys[] = {"version",       "worlds",   "processes", "cores_per_node",
                                       "next_world_id", "segments", "sleepers",  "machine"};
    char sentence[80];
    int64_t version = 0;
    check_version(r, root);
    if (!nereus_json_check(r, root, keys, 8, 2))
        return;
    nereus_json_read_integer(r, root, "version", VERSION, VERSION, &version);
    read_worlds(r, root, state);
    if (r->status != NEREUS_OK)
        return;
    const int64_t sum = nereus_jobstate_processes(state);
    const int64_t next_id = state->worlds[state->world_count - 1].id + 1;
    int64_t processes = sum;
    state->next_world_id = next_id;
    if (sum < 1)
        nereus_json_fail(r, "worlds", "no world has an active process");
    read_number(r, root, "processes", 1, &processes);
    read_number(r, root, "cores_per_node", 1, &state->cores_per_node);
    read_number(r, root, "next_world_id", next_id, &state->next_world_id);
    if (processes != sum) {
        snprintf(sentence, sizeof sentence, "is %lld, but the worlds have %lld",
                 (long long)processes, (long long)sum);
        nereus_json_fail(r, "processes", sentence);
    }
    read_places(r, root, machine, state);
    check_machine(r, root, state);
}

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
    struct nereus_jobstate read = {0};
    read_state(&reader, root, machine, &read);
    json_decref(root);
    if (reader.status == NEREUS_OK)
        *state = read;
    else
        nereus_jobstate_fini(&read);
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
    read_machine(&reader, root, &read);
    json_decref(root);
    if (reader.status == NEREUS_OK)
        *machine = read;
    else
        nereus_machine_fini(&read);
    return reader.status;
}

static json_t *make_world_json(const struct nereus_world *world)
{
    return nereus_json_pack("{s:I, s:I, s:I, s:I, s:I}", "id", (json_int_t)world->id, "processes",
                            (json_int_t)world->processes, "zombies", (json_int_t)world->zombies,
                            "first_node", (json_int_t)world->first_node, "nodes",
                            (json_int_t)world->nodes);
}

static json_t *make_segment_json(const struct nereus_segment *segment)
{
    return nereus_json_pack("{s:I, s:I, s:I}", "world", (json_int_t)segment->world, "node",
                            (json_int_t)segment->node, "count", (json_int_t)segment->count);
}

/* Collect failures in `failed`: jansson's setters fail if the value is NULL. */
static int add_worlds(json_t *root, const struct nereus_jobstate *state)
{
    json_t *list = json_array();
    int failed = 0;
    for (int64_t i = 0; i < state->world_count; i++)
        failed |= json_array_append_new(list, make_world_json(&state->worlds[i]));
    return failed | json_object_set_new(root, "worlds", list);
}

static int add_segments(json_t *root, const char *key, const struct nereus_segment *segments,
                        int64_t count)
{
    json_t *list = json_array();
    int failed = 0;
    for (int64_t i = 0; i < count; i++)
        failed |= json_array_append_new(list, make_segment_json(&segments[i]));
    return failed | json_object_set_new(root, key, list);
}

static json_t *make_node_json(const struct nereus_node *node, int64_t each)
{
    json_t *json = nereus_json_pack("{s:s, s:I}", "name", node->name, "cores",
                                    (json_int_t)(each * node->cores));
    if (node->allocation[0] != '\0' &&
        json_object_set_new(json, "allocation", nereus_json_text(node->allocation)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static int add_machine(json_t *root, const struct nereus_machine *machine)
{
    const int64_t each = machine != NULL ? nereus_machine_cores_per_process(machine) : 1;
    json_t *list = json_array();
    int failed = 0;
    for (int64_t i = 0; machine != NULL && i < machine->node_count; i++)
        failed |= json_array_append_new(list, make_node_json(&machine->nodes[i], each));
    if (machine != NULL && machine->node_count > 0)
        failed |= json_object_set_new(
            root, "machine",
            nereus_json_pack("{s:I, s:I, s:O}", "slots", (json_int_t)machine->slots,
                             "cores_per_process", (json_int_t)each, "nodes", list));
    json_decref(list);
    return failed;
}

/* @return NULL: no memory */
static json_t *make_state_json(const struct nereus_jobstate *state,
                               const struct nereus_machine *machine)
{
    json_t *root = nereus_json_pack("{s:i, s:I}", "version", VERSION, "processes",
                                    (json_int_t)nereus_jobstate_processes(state));
    int failed = root == NULL;
    if (state->cores_per_node > 0)
        failed |= json_object_set_new(root, "cores_per_node", json_integer(state->cores_per_node));
    failed |= json_object_set_new(root, "next_world_id", json_integer(state->next_world_id));
    failed |= add_worlds(root, state);
    failed |= add_segments(root, "segments", state->segments, state->segment_count);
    failed |= add_segments(root, "sleepers", state->sleepers, state->sleeper_count);
    failed |= add_machine(root, machine);
    if (!failed)
        return root;
    json_decref(root);
    return NULL;
}

enum nereus_status nereus_jobstate_write(const char *path, const struct nereus_jobstate *state,
                                         const struct nereus_machine *machine,
                                         struct nereus_error *err)
{
    struct nereus_file_replace replace;
    json_t *root = make_state_json(state, machine);
    char *text = root != NULL ? nereus_json_dump(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    enum nereus_status status =
        text != NULL
            ? nereus_file_replace_begin(path, &replace, err)
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to write job state '%.200s'", path);
    if (status == NEREUS_OK) {
        replace.transient = true;              /* no fsync: the job ends with its machine */
        fprintf(replace.stream, "%s\n", text); /* the commit finds errors of the stream */
        status = nereus_file_replace_commit(&replace, err);
    }
    free(text);
    return status;
}
