/**
 * @file jobstate_json.c
 * The JSON form of a job's state (jobstate.h). What is read is checked as a whole: a state that contradicts
 * itself is refused.
 */
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "jobstate_segments.h"
#include "model/util/file.h"
#include "model/util/suggest.h"

/* MPI numbers processes with an int; so small, no sum of an int64_t overflows. */
enum { VERSION = 1, NUMBER_MAX = INT_MAX };

/* What is being read, for sentences. */
struct reading {
    const char *path;
    struct nereus_error *err;
};

static const char *const state_keys[] = {"version", "processes", "cores_per_node", "next_world_id",
                                         "worlds",  "segments",  "sleepers"};
static const char *const segment_keys[] = {"world", "node", "count"};
static const char *const world_keys[] = {"id", "processes", "zombies", "first_node", "nodes"};
enum { STATE_KEYS = 7, WORLD_KEYS = 5, SEGMENT_KEYS = 3 };

static enum nereus_status check_keys(const struct reading *r, json_t *object, const char *where,
                                     const char *const *known, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(key, known[i]) != 0) {
            i++;
        }
        if (i == count) {
            const char *meant = nereus_suggest(key, known, count);
            return nereus_fail(r->err, NEREUS_ERR_PARSE,
                               "job state '%.160s': %s has an unknown key '%.60s'%s%s%s", r->path, where, key,
                               meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                               meant != NULL ? "'?" : "");
        }
    }
    return NEREUS_OK;
}

/* A whole number from least to NUMBER_MAX. fallback < 0: the key must be there. */
static enum nereus_status read_number(const struct reading *r, json_t *object, const char *where,
                                      const char *key, int64_t least, int64_t fallback, int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL && fallback >= 0) {
        *number = fallback;
        return NEREUS_OK;
    }
    if (value == NULL) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': %s has no '%s'", r->path, where,
                           key);
    }
    if (!json_is_integer(value) || json_integer_value(value) < least ||
        json_integer_value(value) > NUMBER_MAX) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "job state '%.160s': '%s' of %s must be a whole number from %lld to %lld", r->path,
                           key, where, (long long)least, (long long)NUMBER_MAX);
    }
    *number = json_integer_value(value);
    return NEREUS_OK;
}

static enum nereus_status read_world(const struct reading *r, json_t *object, size_t index,
                                     struct nereus_world *world)
{
    char where[48];
    snprintf(where, sizeof where, "world %zu", index + 1);
    if (!json_is_object(object)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': %s of 'worlds' is no object {...}",
                           r->path, where);
    }
    enum nereus_status status = check_keys(r, object, where, world_keys, WORLD_KEYS);
    const struct {
        const char *key;
        int64_t least, fallback;
        int64_t *number;
    } fields[] = {{"id", 0, -1, &world->id},
                  {"processes", 0, -1, &world->processes},
                  {"zombies", 0, 0, &world->zombies},
                  {"first_node", 0, -1, &world->first_node},
                  {"nodes", 1, -1, &world->nodes}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == NEREUS_OK; i++) {
        status = read_number(r, object, where, fields[i].key, fields[i].least, fields[i].fallback,
                             fields[i].number);
    }
    if (status == NEREUS_OK && world->processes + world->zombies == 0) {
        status = nereus_fail(r->err, NEREUS_ERR_PARSE,
                             "job state '%.160s': %s has neither processes nor zombies", r->path, where);
    }
    return status;
}

static int compare_ids(const void *left, const void *right)
{
    const struct nereus_world *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static enum nereus_status read_worlds(const struct reading *r, json_t *root, struct nereus_jobstate *state)
{
    const json_t *list = json_object_get(root, "worlds");
    if (!json_is_array(list) || json_array_size(list) == 0) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "job state '%.160s': 'worlds' must be a list [...] of one world or more", r->path);
    }
    size_t count = json_array_size(list);
    state->worlds = calloc(count, sizeof *state->worlds);
    if (state->worlds == NULL) {
        return nereus_fail(r->err, NEREUS_ERR_MEMORY, "no memory for a job state of %zu worlds", count);
    }
    state->world_count = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        enum nereus_status status = read_world(r, json_array_get(list, i), i, &state->worlds[i]);
        if (status != NEREUS_OK) {
            return status;
        }
    }
    qsort(state->worlds, count, sizeof *state->worlds, compare_ids);
    for (size_t i = 1; i < count; i++) {
        if (state->worlds[i - 1].id == state->worlds[i].id) {
            return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': two worlds have the id %lld",
                               r->path, (long long)state->worlds[i].id);
        }
    }
    return NEREUS_OK;
}

/* --- segments and sleepers --- */

static enum nereus_status read_segment(const struct reading *r, json_t *object, const char *where,
                                       struct nereus_segment *segment)
{
    if (!json_is_object(object)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': %s is no object {...}", r->path,
                           where);
    }
    enum nereus_status status = check_keys(r, object, where, segment_keys, SEGMENT_KEYS);
    if (status == NEREUS_OK) {
        status = read_number(r, object, where, "world", 0, -1, &segment->world);
    }
    if (status == NEREUS_OK) {
        status = read_number(r, object, where, "node", 0, -1, &segment->node);
    }
    if (status == NEREUS_OK) {
        status = read_number(r, object, where, "count", 1, -1, &segment->count);
    }
    return status;
}

/* A list by its key, which may be missing: then it is empty. The caller frees the list, also after an error. */
static enum nereus_status read_segments(const struct reading *r, json_t *root, const char *key,
                                        struct nereus_segment **list, int64_t *count)
{
    const json_t *array = json_object_get(root, key);
    *count = 0;
    if (array != NULL && !json_is_array(array)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': '%s' must be a list [...]", r->path,
                           key);
    }
    *list = calloc(json_array_size(array) + 1, sizeof **list);
    if (*list == NULL) {
        return nereus_fail(r->err, NEREUS_ERR_MEMORY, "no memory for the processes of job state '%.160s'",
                           r->path);
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        char where[48];
        snprintf(where, sizeof where, "entry %zu of '%s'", i + 1, key);
        enum nereus_status status = read_segment(r, json_array_get(array, i), where, &(*list)[i]);
        if (status != NEREUS_OK) {
            return status;
        }
        ++*count;
    }
    return NEREUS_OK;
}

/* What a list says of each world is what the world says: so many processes, on its nodes. */
static enum nereus_status check_segments(const struct reading *r, const char *key,
                                         const struct nereus_jobstate *state,
                                         const struct nereus_segment *list, int64_t count)
{
    const bool active = list == state->segments;
    int64_t *sums = calloc((size_t)state->world_count, sizeof *sums);
    enum nereus_status status = NEREUS_OK;
    if (sums == NULL) {
        return nereus_fail(r->err, NEREUS_ERR_MEMORY, "no memory to check job state '%.160s'", r->path);
    }
    for (int64_t i = 0; i < count && status == NEREUS_OK; i++) {
        const int64_t index = nereus_jobstate_find_world(state, list[i].world);
        const struct nereus_world *world = index >= 0 ? &state->worlds[index] : NULL;
        if (world == NULL || list[i].node < world->first_node ||
            list[i].node >= world->first_node + world->nodes) {
            status = nereus_fail(r->err, NEREUS_ERR_PARSE,
                                 "job state '%.160s': entry %lld of '%s': world %lld %s %lld", r->path,
                                 (long long)i + 1, key, (long long)list[i].world,
                                 world == NULL ? "is not among the worlds; node" : "does not span node",
                                 (long long)list[i].node);
        } else {
            sums[index] += list[i].count;
        }
    }
    for (int64_t i = 0; i < state->world_count && status == NEREUS_OK; i++) {
        const int64_t expected = active ? state->worlds[i].processes : state->worlds[i].zombies;
        if (sums[i] != expected) {
            status = nereus_fail(r->err, NEREUS_ERR_PARSE,
                                 "job state '%.160s': world %lld has %lld %s, but %lld in '%s'", r->path,
                                 (long long)state->worlds[i].id, (long long)expected,
                                 active ? "active processes" : "zombies", (long long)sums[i], key);
        }
    }
    free(sums);
    return status;
}

/* Both lists are there, or neither: then the worlds fill their nodes compactly. */
static enum nereus_status read_places(const struct reading *r, json_t *root,
                                      const struct nereus_machine *machine, struct nereus_jobstate *state)
{
    if (json_object_get(root, "segments") == NULL && json_object_get(root, "sleepers") == NULL) {
        return nereus_jobstate_derive(machine, state, r->err);
    }
    enum nereus_status status = read_segments(r, root, "segments", &state->segments, &state->segment_count);
    if (status == NEREUS_OK) {
        status = read_segments(r, root, "sleepers", &state->sleepers, &state->sleeper_count);
    }
    if (status == NEREUS_OK) {
        status = check_segments(r, "segments", state, state->segments, state->segment_count);
    }
    return status != NEREUS_OK ? status
                               : check_segments(r, "sleepers", state, state->sleepers, state->sleeper_count);
}

static enum nereus_status check_version(const struct reading *r, json_t *root)
{
    const json_t *version = json_object_get(root, "version");
    if (json_is_integer(version) && json_integer_value(version) == VERSION) {
        return NEREUS_OK;
    }
    if (json_is_integer(version)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "job state '%.160s' is of version %lld: this Nereus reads version %d", r->path,
                           (long long)json_integer_value(version), VERSION);
    }
    /* A misspelt "version" is the likelier fault. */
    enum nereus_status status = check_keys(r, root, "the job", state_keys, STATE_KEYS);
    return status != NEREUS_OK
               ? status
               : nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': \"version\": %d is missing",
                             r->path, VERSION);
}

/* The whole state into a zeroed struct, which the caller frees also after an error. */
static enum nereus_status read_state(const struct reading *r, json_t *root,
                                     const struct nereus_machine *machine, struct nereus_jobstate *state)
{
    if (!json_is_object(root)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': a JSON object {...} is expected",
                           r->path);
    }
    enum nereus_status status = check_version(r, root);
    if (status == NEREUS_OK) {
        status = check_keys(r, root, "the job", state_keys, STATE_KEYS);
    }
    if (status == NEREUS_OK) {
        status = read_worlds(r, root, state);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    int64_t sum = nereus_jobstate_processes(state), processes = 0;
    int64_t next_id = state->worlds[state->world_count - 1].id + 1;
    if (sum < 1) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "job state '%.160s': no world has an active process",
                           r->path);
    }
    status = read_number(r, root, "the job", "processes", 1, sum, &processes);
    if (status == NEREUS_OK) {
        status = read_number(r, root, "the job", "cores_per_node", 1, 0, &state->cores_per_node);
    }
    if (status == NEREUS_OK) {
        status = read_number(r, root, "the job", "next_world_id", next_id, next_id, &state->next_world_id);
    }
    if (status == NEREUS_OK && processes != sum) {
        status = nereus_fail(r->err, NEREUS_ERR_PARSE,
                             "job state '%.160s': 'processes' of the job is %lld, but its worlds have %lld",
                             r->path, (long long)processes, (long long)sum);
    }
    return status == NEREUS_OK ? read_places(r, root, machine, state) : status;
}

enum nereus_status nereus_jobstate_read(const char *path, struct nereus_jobstate *state,
                                        struct nereus_error *err)
{
    return nereus_jobstate_read_on(path, NULL, state, err);
}

enum nereus_status nereus_jobstate_read_on(const char *path, const struct nereus_machine *machine,
                                           struct nereus_jobstate *state, struct nereus_error *err)
{
    char *text = NULL;
    size_t length = 0;
    enum nereus_status status = nereus_file_read(path, "job state", &text, &length, err);
    if (status != NEREUS_OK) {
        return status;
    }
    json_error_t fault;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    if (root == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "job state '%.160s', line %d: no JSON: %s", path,
                           fault.line, fault.text);
    }
    struct reading r = {path, err};
    struct nereus_jobstate read = {0};
    status = read_state(&r, root, machine, &read);
    json_decref(root);
    if (status == NEREUS_OK) {
        *state = read;
    } else {
        nereus_jobstate_fini(&read);
    }
    return status;
}

/* --- writing --- */

static json_t *world_json(const struct nereus_world *world)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "id", (json_int_t)world->id, "processes",
                     (json_int_t)world->processes, "zombies", (json_int_t)world->zombies, "first_node",
                     (json_int_t)world->first_node, "nodes", (json_int_t)world->nodes);
}

static json_t *segment_json(const struct nereus_segment *segment)
{
    return json_pack("{s:I, s:I, s:I}", "world", (json_int_t)segment->world, "node",
                     (json_int_t)segment->node, "count", (json_int_t)segment->count);
}

/* Each of these makes a list; NULL when there is no memory. */
static json_t *worlds_json(const struct nereus_jobstate *state)
{
    json_t *list = json_array();
    for (int64_t i = 0; list != NULL && i < state->world_count; i++) {
        if (json_array_append_new(list, world_json(&state->worlds[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *segments_json(const struct nereus_segment *segments, int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = 0; list != NULL && i < count; i++) {
        if (json_array_append_new(list, segment_json(&segments[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* NULL when there is no memory. */
static json_t *state_json(const struct nereus_jobstate *state)
{
    json_t *root = json_pack("{s:i, s:I}", "version", VERSION, "processes",
                             (json_int_t)nereus_jobstate_processes(state));
    int failed = root == NULL;
    if (!failed && state->cores_per_node > 0) {
        failed |= json_object_set_new(root, "cores_per_node", json_integer(state->cores_per_node));
    }
    if (!failed) {
        failed |= json_object_set_new(root, "next_world_id", json_integer(state->next_world_id));
        failed |= json_object_set_new(root, "worlds", worlds_json(state));
        failed |= json_object_set_new(root, "segments", segments_json(state->segments, state->segment_count));
        failed |= json_object_set_new(root, "sleepers", segments_json(state->sleepers, state->sleeper_count));
    }
    if (failed) {
        json_decref(root);
        return NULL;
    }
    return root;
}

enum nereus_status nereus_jobstate_write(const char *path, const struct nereus_jobstate *state,
                                         struct nereus_error *err)
{
    json_t *root = state_json(state);
    if (root == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to write job state '%.200s'", path);
    }
    struct nereus_file_replace replace;
    enum nereus_status status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK) {
        /* A job does not outlive its machine's power: no need to make it wait for the disk. */
        replace.transient = true;
        if (json_dumpf(root, replace.stream, JSON_INDENT(2)) != 0 && !ferror(replace.stream)) {
            nereus_file_replace_abort(&replace);
            json_decref(root);
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to write job state '%.200s'", path);
        }
        fputc('\n', replace.stream); /* whatever fails in the stream is found by the commit */
        status = nereus_file_replace_commit(&replace, err);
    }
    json_decref(root);
    return status;
}
