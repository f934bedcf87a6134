/**
 * @file jobstate.c
 * The worlds of a job, and what a reconfiguration makes of them.
 *
 * Worlds are kept in the order of their ids, that is, of their age: new ones are appended.
 */
#include "jobstate.h"

#include <stdlib.h>
#include <string.h>

#include "layout_rounds.h"
#include "suggest.h"

/* More worlds than any machine has nodes: a slip in the sizes shall not eat the memory. */
enum { WORLDS_MAX = 1 << 24 };

/* --- making and freeing --- */

static enum nereus_status allocate(int64_t worlds, int64_t cores_per_node, struct nereus_jobstate *state,
                                   struct nereus_error *err)
{
    if (worlds > WORLDS_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a job of %lld worlds is too large: %d are possible",
                           (long long)worlds, WORLDS_MAX);
    }
    *state = (struct nereus_jobstate){.world_count = worlds, .cores_per_node = cores_per_node};
    state->worlds = calloc(worlds > 0 ? (size_t)worlds : 1, sizeof *state->worlds);
    if (state->worlds == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a job state of %lld worlds",
                           (long long)worlds);
    }
    return NEREUS_OK;
}

void nereus_jobstate_fini(struct nereus_jobstate *state)
{
    free(state->worlds);
    memset(state, 0, sizeof *state);
}

enum nereus_status nereus_jobstate_copy(const struct nereus_jobstate *from, struct nereus_jobstate *to,
                                        struct nereus_error *err)
{
    struct nereus_jobstate copy;
    enum nereus_status status = allocate(from->world_count, from->cores_per_node, &copy, err);
    if (status == NEREUS_OK) {
        if (from->world_count > 0) {
            memcpy(copy.worlds, from->worlds, (size_t)from->world_count * sizeof *copy.worlds);
        }
        copy.next_world_id = from->next_world_id;
        *to = copy;
    }
    return status;
}

static enum nereus_status check_processes(const char *what, int64_t n, struct nereus_error *err)
{
    if (n < 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a job needs 1 process or more, not %s %lld", what,
                           (long long)n);
    }
    return NEREUS_OK;
}

/* The nodes that a range of compact ranks spans. One that goes round the end of a finite machine is on both
 * of its sides, which first_node and nodes cannot say: then all nodes are given. */
static void span(const struct nereus_machine *machine, int64_t first, int64_t n, struct nereus_world *world)
{
    int64_t total = nereus_machine_total_cores(machine);
    if (machine->node_count > 0 && n > total - first % total) {
        world->first_node = 0;
        world->nodes = machine->node_count;
        return;
    }
    world->first_node = nereus_machine_node_of(machine, first);
    world->nodes = nereus_machine_node_of(machine, first + n - 1) - world->first_node + 1;
}

enum nereus_status nereus_jobstate_initial(const struct nereus_machine *machine, int64_t ns,
                                           struct nereus_jobstate *state, struct nereus_error *err)
{
    enum nereus_status status = check_processes("NS", ns, err);
    struct nereus_jobstate made;
    if (status == NEREUS_OK) {
        status = allocate(1, machine->cores_per_node, &made, err);
    }
    if (status == NEREUS_OK) {
        made.worlds[0] = (struct nereus_world){.processes = ns};
        span(machine, 0, ns, &made.worlds[0]);
        made.next_world_id = 1;
        *state = made;
    }
    return status;
}

enum nereus_status nereus_jobstate_per_node(const struct nereus_machine *machine, int64_t ns,
                                            struct nereus_jobstate *state, struct nereus_error *err)
{
    enum nereus_status status = check_processes("NS", ns, err);
    struct nereus_jobstate made;
    if (status == NEREUS_OK) {
        status = allocate(nereus_machine_nodes_used(machine, ns), machine->cores_per_node, &made, err);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    int64_t total = nereus_machine_total_cores(machine);
    int64_t before = 0; /* kept here: asking for each node would cost a walk per node */
    for (int64_t node = 0; node < made.world_count; node++) {
        int64_t cores = nereus_machine_cores(machine, node);
        made.worlds[node] =
            (struct nereus_world){.id = node,
                                  .processes = nereus_rounds_share(0, ns, before, cores, total),
                                  .first_node = node,
                                  .nodes = 1};
        before += cores;
    }
    made.next_world_id = made.world_count;
    *state = made;
    return NEREUS_OK;
}

/* --- from --state --- */

/* A file of another job or another machine would give a prediction of something else. */
static enum nereus_status check_fits(const char *path, const struct nereus_jobstate *state,
                                     const struct nereus_machine *machine, int64_t ns,
                                     struct nereus_error *err)
{
    int64_t processes = nereus_jobstate_processes(state);
    if (processes != ns) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "job state '%.200s' is of %lld active processes, not of %lld: ask for --ns %lld",
                           path, (long long)processes, (long long)ns, (long long)processes);
    }
    if (state->cores_per_node != 0 && state->cores_per_node != machine->cores_per_node) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "job state '%.200s' is of nodes with %lld cores, not %lld: ask for --cores-per-node %lld", path,
            (long long)state->cores_per_node, (long long)machine->cores_per_node,
            (long long)state->cores_per_node);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_from_option(const char *option, const struct nereus_machine *machine,
                                               int64_t ns, struct nereus_jobstate *state,
                                               struct nereus_error *err)
{
    static const char *const words[] = {"initial", "per-node"};
    if (strcmp(option, words[0]) == 0) {
        return nereus_jobstate_initial(machine, ns, state, err);
    }
    if (strcmp(option, words[1]) == 0) {
        return nereus_jobstate_per_node(machine, ns, state, err);
    }
    struct nereus_jobstate read;
    struct nereus_error read_err;
    enum nereus_status status = nereus_jobstate_read(option, &read, &read_err);
    if (status == NEREUS_ERR_IO && strpbrk(option, "./") == NULL) {
        /* No path by its looks, and no file: a word was meant. */
        const char *meant = nereus_suggest(option, words, 2);
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "job state '%.80s' is neither 'initial', 'per-node' nor a file%s%s%s", option,
                           meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                           meant != NULL ? "'?" : "");
    }
    if (status != NEREUS_OK) {
        return nereus_fail(err, status, "%s", read_err.text);
    }
    status = check_fits(option, &read, machine, ns, err);
    if (status == NEREUS_OK) {
        *state = read;
    } else {
        nereus_jobstate_fini(&read);
    }
    return status;
}

/* --- sums --- */

int64_t nereus_jobstate_processes(const struct nereus_jobstate *state)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->world_count; i++) {
        sum += state->worlds[i].processes;
    }
    return sum;
}

int64_t nereus_jobstate_zombies(const struct nereus_jobstate *state)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < state->world_count; i++) {
        sum += state->worlds[i].zombies;
    }
    return sum;
}

/* --- reconfigurations --- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

enum nereus_status nereus_jobstate_apply_baseline(const struct nereus_machine *machine, int64_t nt,
                                                  struct nereus_jobstate *state, struct nereus_error *err)
{
    struct nereus_jobstate made;
    enum nereus_status status = nereus_jobstate_initial(machine, nt, &made, err);
    if (status == NEREUS_OK) {
        made.worlds[0].id = state->next_world_id;
        made.next_world_id = state->next_world_id + 1;
        nereus_jobstate_fini(state);
        *state = made;
    }
    return status;
}

static enum nereus_status append(struct nereus_jobstate *state, const struct nereus_world *world,
                                 struct nereus_error *err)
{
    size_t count = (size_t)state->world_count + 1;
    struct nereus_world *longer = realloc(state->worlds, count * sizeof *longer);
    if (longer == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a job state of %zu worlds", count);
    }
    longer[count - 1] = *world;
    longer[count - 1].id = state->next_world_id++;
    state->worlds = longer;
    state->world_count++;
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_apply_expand(const struct nereus_machine *machine, int64_t woken,
                                                int64_t spawned, struct nereus_jobstate *state,
                                                struct nereus_error *err)
{
    int64_t zombies = nereus_jobstate_zombies(state);
    if (woken < 0 || woken > zombies || spawned < 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "an expansion that wakes %lld of %lld zombies and spawns %lld is not possible",
                           (long long)woken, (long long)zombies, (long long)spawned);
    }
    if (spawned > 0) {
        struct nereus_world world = {.processes = spawned};
        span(machine, nereus_jobstate_processes(state) + woken, spawned, &world);
        enum nereus_status status = append(state, &world, err);
        if (status != NEREUS_OK) {
            return status;
        }
    }
    for (int64_t i = 0; woken > 0; i++) {
        int64_t here = lesser(woken, state->worlds[i].zombies);
        state->worlds[i].zombies -= here;
        state->worlds[i].processes += here;
        woken -= here;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_apply_zombies(int64_t leaving, struct nereus_jobstate *state,
                                                 struct nereus_error *err)
{
    int64_t processes = nereus_jobstate_processes(state);
    if (leaving < 0 || leaving >= processes) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld of %lld processes cannot fall asleep: one or more must stay",
                           (long long)leaving, (long long)processes);
    }
    for (int64_t i = state->world_count - 1; leaving > 0; i--) {
        int64_t here = lesser(leaving, state->worlds[i].processes);
        state->worlds[i].processes -= here;
        state->worlds[i].zombies += here;
        leaving -= here;
    }
    return NEREUS_OK;
}
