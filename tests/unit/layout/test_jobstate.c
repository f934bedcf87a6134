/** @file test_jobstate.c  Worlds and zombies through reconfigurations, and their JSON form. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/plan/placement.h"
#include "model/util/arith.h"
#include "nereus/jobstate.h"

static const struct nereus_machine five_cores = {.cores_per_node = 5};

static void expect_worlds(const char *what, const struct nereus_jobstate *state,
                          const struct nereus_world *expected, int64_t count)
{
    cr_assert(state->world_count == count, "%s: %lld worlds, not %lld", what,
              (long long)state->world_count, (long long)count);
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_world *w = &state->worlds[i], *e = &expected[i];
        cr_expect(w->id == e->id && w->processes == e->processes && w->zombies == e->zombies &&
                      w->first_node == e->first_node && w->nodes == e->nodes,
                  "%s: world %lld is id %lld, %lld processes, %lld zombies, nodes %lld + %lld",
                  what, (long long)i, (long long)w->id, (long long)w->processes,
                  (long long)w->zombies, (long long)w->first_node, (long long)w->nodes);
    }
}

static void expect_segments(const char *what, const struct nereus_segment *list, int64_t list_count,
                            const struct nereus_segment *expected, int64_t count)
{
    cr_assert(list_count == count, "%s: %lld segments, not %lld", what, (long long)list_count,
              (long long)count);
    for (int64_t i = 0; i < count; i++) {
        cr_expect(list[i].world == expected[i].world && list[i].node == expected[i].node &&
                      list[i].count == expected[i].count,
                  "%s: segment %lld is %lld processes of world %lld on node %lld", what,
                  (long long)i, (long long)list[i].count, (long long)list[i].world,
                  (long long)list[i].node);
    }
}

#define EXPECT_SEGMENTS(what, list, count, ...)                                                    \
    expect_segments(                                                                               \
        what, list, count, (struct nereus_segment[])__VA_ARGS__,                                   \
        (int64_t)(sizeof(struct nereus_segment[]) __VA_ARGS__ / sizeof(struct nereus_segment)))

static struct nereus_jobstate initial(int64_t ns)
{
    struct nereus_jobstate state;
    cr_assert(nereus_jobstate_initial(&five_cores, ns, &state, NULL) == NEREUS_OK);
    return state;
}

/* A reconfiguration that nobody has placed yet: apply does. */
static enum nereus_status change(const struct nereus_machine *machine,
                                 struct nereus_jobstate *state, enum nereus_process process,
                                 int64_t nt, struct nereus_error *err)
{
    const struct nereus_request request = {
        .ns = nereus_jobstate_processes(state),
        .nt = nt,
        .zombies = nereus_jobstate_zombies(state),
        .keep_asleep = 1,
        .method = {.process = process, .shrink = process == NEREUS_MERGE ? NEREUS_ZS : 0}};
    return nereus_jobstate_apply(machine, &request, state, err);
}

static enum nereus_status merge_to(int64_t nt, struct nereus_jobstate *state)
{
    return change(&five_cores, state, NEREUS_MERGE, nt, NULL);
}

Test(jobstate, initial_and_per_node)
{
    struct nereus_jobstate state = initial(13);
    expect_worlds("initial", &state, (struct nereus_world[]){{0, 13, 0, 0, 3}}, 1);
    EXPECT_SEGMENTS("initial", state.segments, state.segment_count,
                    {{0, 0, 5}, {0, 1, 5}, {0, 2, 3}});
    cr_expect(state.next_world_id == 1 && state.cores_per_node == 5);
    nereus_jobstate_fini(&state);
    cr_expect(state.worlds == NULL && state.world_count == 0);
    nereus_jobstate_fini(&state);

    cr_assert(nereus_jobstate_per_node(&five_cores, 13, &state, NULL) == NEREUS_OK);
    expect_worlds("per-node", &state,
                  (struct nereus_world[]){{0, 5, 0, 0, 1}, {1, 5, 0, 1, 1}, {2, 3, 0, 2, 1}}, 3);
    EXPECT_SEGMENTS("per-node", state.segments, state.segment_count,
                    {{0, 0, 5}, {1, 1, 5}, {2, 2, 3}});
    cr_expect(state.next_world_id == 3);
    nereus_jobstate_fini(&state);
}

Test(jobstate, per_node_on_unequal_and_crowded_nodes)
{
    struct nereus_machine machine;
    struct nereus_jobstate state;
    cr_assert(nereus_machine_from_text("a:4,b:1,c:3", &machine, NULL) == NEREUS_OK);
    cr_assert(nereus_jobstate_per_node(&machine, 7, &state, NULL) == NEREUS_OK);
    expect_worlds("7 on 8", &state,
                  (struct nereus_world[]){{0, 4, 0, 0, 1}, {1, 1, 0, 1, 1}, {2, 2, 0, 2, 1}}, 3);
    nereus_jobstate_fini(&state);
    cr_assert(nereus_jobstate_per_node(&machine, 13, &state, NULL) == NEREUS_OK);
    expect_worlds("13 on 8", &state,
                  (struct nereus_world[]){{0, 8, 0, 0, 1}, {1, 2, 0, 1, 1}, {2, 3, 0, 2, 1}}, 3);
    nereus_jobstate_fini(&state);
    cr_assert(nereus_jobstate_initial(&machine, 13, &state, NULL) == NEREUS_OK);
    expect_worlds("initial, 13 on 8", &state, (struct nereus_world[]){{0, 13, 0, 0, 3}}, 1);
    EXPECT_SEGMENTS("initial, 13 on 8", state.segments, state.segment_count,
                    {{0, 0, 4}, {0, 1, 1}, {0, 2, 3}, {0, 0, 4}, {0, 1, 1}});
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

Test(jobstate, per_node_for_a_million_processes)
{
    struct nereus_machine machine = {.cores_per_node = 7};
    struct nereus_jobstate state;
    cr_assert(nereus_jobstate_per_node(&machine, 1000000, &state, NULL) == NEREUS_OK);
    cr_expect(state.world_count == 142858 && nereus_jobstate_processes(&state) == 1000000);
    nereus_jobstate_fini(&state);
    struct nereus_error err;
    machine.cores_per_node = 1;
    cr_expect(nereus_jobstate_per_node(&machine, 2000000000, &state, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "2000000000 worlds") != NULL, "%s", err.text);
    cr_expect(nereus_jobstate_per_node(&machine, 0, &state, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_jobstate_initial(&machine, -1, &state, &err) == NEREUS_ERR_ARGUMENT);
}

/* 7 -> 12 -> 6 -> 9 -> 17 with merge, then a baseline to 4. */
Test(jobstate, a_life)
{
    struct nereus_jobstate state = initial(7);
    cr_assert(merge_to(12, &state) == NEREUS_OK);
    expect_worlds("12", &state, (struct nereus_world[]){{0, 7, 0, 0, 2}, {1, 5, 0, 1, 2}}, 2);
    cr_assert(merge_to(6, &state) == NEREUS_OK);
    expect_worlds("6", &state, (struct nereus_world[]){{0, 6, 1, 0, 2}, {1, 0, 5, 1, 2}}, 2);
    cr_expect(nereus_jobstate_processes(&state) == 6 && nereus_jobstate_zombies(&state) == 6);
    cr_assert(merge_to(9, &state) == NEREUS_OK);
    expect_worlds("9: who fell asleep last", &state,
                  (struct nereus_world[]){{0, 6, 1, 0, 2}, {1, 3, 2, 1, 2}}, 2);
    cr_assert(merge_to(17, &state) == NEREUS_OK);
    expect_worlds("17", &state,
                  (struct nereus_world[]){{0, 7, 0, 0, 2}, {1, 5, 0, 1, 2}, {2, 5, 0, 2, 2}}, 3);
    EXPECT_SEGMENTS(
        "17", state.segments, state.segment_count,
        {{0, 0, 5}, {0, 1, 1}, {1, 1, 1}, {1, 2, 2}, {0, 1, 1}, {1, 1, 2}, {2, 2, 3}, {2, 3, 2}});
    cr_assert(change(&five_cores, &state, NEREUS_BASELINE, 4, NULL) == NEREUS_OK);
    expect_worlds("4", &state, (struct nereus_world[]){{3, 4, 0, 0, 1}}, 1);
    cr_expect(state.next_world_id == 4, "an id is never used twice");
    nereus_jobstate_fini(&state);
}

Test(jobstate, a_world_that_goes_round_the_end_of_the_machine_spans_all_nodes)
{
    struct nereus_machine machine;
    struct nereus_jobstate state;
    cr_assert(nereus_machine_from_text("a:4,b:2,c:3", &machine, NULL) == NEREUS_OK);
    cr_assert(nereus_jobstate_initial(&machine, 5, &state, NULL) == NEREUS_OK);
    cr_assert(change(&machine, &state, NEREUS_MERGE, nereus_jobstate_processes(&state) + 3, NULL) ==
              NEREUS_OK);
    cr_assert(change(&machine, &state, NEREUS_MERGE, nereus_jobstate_processes(&state) + 3, NULL) ==
              NEREUS_OK);
    cr_assert(change(&machine, &state, NEREUS_MERGE, nereus_jobstate_processes(&state) + 3, NULL) ==
              NEREUS_OK);
    expect_worlds(
        "crowded", &state,
        (struct nereus_world[]){{0, 5, 0, 0, 2}, {1, 3, 0, 1, 2}, {2, 3, 0, 0, 3}, {3, 3, 0, 0, 2}},
        4);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

Test(jobstate, what_cannot_be_leaves_the_state_as_it_was)
{
    struct nereus_jobstate state = initial(7);
    struct nereus_error err;
    cr_assert(merge_to(5, &state) == NEREUS_OK);
    cr_expect(change(&five_cores, &state, NEREUS_MERGE, 0, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "from 5 to 0") != NULL, "%s", err.text);
    cr_expect(merge_to(-1, &state) == NEREUS_ERR_ARGUMENT);
    cr_expect(change(&five_cores, &state, NEREUS_BASELINE, 0, &err) == NEREUS_ERR_ARGUMENT);
    expect_worlds("unchanged", &state, (struct nereus_world[]){{0, 5, 2, 0, 2}}, 1);
    cr_expect(state.next_world_id == 1);
    nereus_jobstate_fini(&state);
}

/* 100 cycles 4 -> 2 -> 4 keep 4 processes and one world. */
Test(jobstate, zombies_come_back)
{
    struct nereus_jobstate state = initial(4);
    for (int i = 0; i < 100; i++) {
        cr_assert(merge_to(2, &state) == NEREUS_OK);
        cr_assert(merge_to(4, &state) == NEREUS_OK);
    }
    expect_worlds("cycles", &state, (struct nereus_world[]){{0, 4, 0, 0, 1}}, 1);
    nereus_jobstate_fini(&state);
}

Test(jobstate, copies_are_deep)
{
    struct nereus_jobstate state = initial(7), copy;
    cr_assert(nereus_jobstate_copy(&state, &copy, NULL) == NEREUS_OK);
    cr_assert(merge_to(5, &state) == NEREUS_OK);
    cr_assert(merge_to(16, &state) == NEREUS_OK);
    expect_worlds("copy", &copy, (struct nereus_world[]){{0, 7, 0, 0, 2}}, 1);
    EXPECT_SEGMENTS("copy", copy.segments, copy.segment_count, {{0, 0, 5}, {0, 1, 2}});
    cr_expect(copy.sleeper_count == 0);
    cr_expect(copy.next_world_id == 1 && copy.cores_per_node == 5);
    nereus_jobstate_fini(&state);
    nereus_jobstate_fini(&copy);
    cr_assert(nereus_jobstate_copy(&state, &copy, NULL) == NEREUS_OK, "an empty state too");
    nereus_jobstate_fini(&copy);
}

/* --- JSON --- */

/* A file with this content; the name is to be unlinked. */
static void write_file(char *path, const char *content)
{
    strcpy(path, "state-XXXXXX");
    int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    cr_assert(write(descriptor, content, strlen(content)) == (ssize_t)strlen(content));
    close(descriptor);
}

Test(jobstate, json_goes_there_and_back)
{
    struct nereus_jobstate state = initial(7), back;
    struct nereus_error err = {NEREUS_OK, ""};
    char path[32];
    write_file(path, "old");
    cr_assert(merge_to(12, &state) == NEREUS_OK);
    cr_assert(merge_to(6, &state) == NEREUS_OK);
    state.next_world_id = 9; /* worlds 2 to 8 have been and gone */
    cr_assert(nereus_jobstate_write(path, &state, NULL, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_jobstate_read(path, &back, &err) == NEREUS_OK, "%s", err.text);
    expect_worlds("back", &back, state.worlds, 2);
    EXPECT_SEGMENTS("back", back.segments, back.segment_count, {{0, 0, 5}, {0, 1, 1}});
    EXPECT_SEGMENTS("back, asleep", back.sleepers, back.sleeper_count,
                    {{0, 1, 1}, {1, 1, 3}, {1, 2, 2}});
    cr_expect(back.next_world_id == 9 && back.cores_per_node == 5);
    nereus_jobstate_fini(&state);
    nereus_jobstate_fini(&back);
    unlink(path);
    cr_expect(nereus_jobstate_write("no/way/state.json", &back, NULL, &err) == NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "'no/way/state.json' cannot be written") != NULL, "%s", err.text);
}

/* The machine goes along: its cores are single ones in the file. */
Test(jobstate, json_has_the_machine)
{
    struct nereus_machine machine, back;
    struct nereus_jobstate state;
    struct nereus_error err = {NEREUS_OK, ""};
    char path[32];
    write_file(path, "old");
    cr_assert(nereus_machine_from_text("host/a:6,node5:9@slurm:1234", &machine, &err) == NEREUS_OK);
    cr_assert(nereus_machine_set_per_process(&machine, 3, &err) == NEREUS_OK);
    machine.slots = 17;
    cr_assert(nereus_jobstate_initial(&machine, 3, &state, &err) == NEREUS_OK);
    cr_assert(nereus_jobstate_write(path, &state, &machine, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_jobstate_read_machine(path, &back, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(back.node_count == 2 && back.slots == 17 && back.cores_per_process == 3 &&
              back.cores_per_node == 3);
    cr_expect(strcmp(back.nodes[0].name, "host/a") == 0 && back.nodes[0].cores == 2 &&
              back.nodes[0].allocation[0] == '\0');
    cr_expect(strcmp(back.nodes[1].name, "node5") == 0 && back.nodes[1].cores == 3 &&
              strcmp(back.nodes[1].allocation, "slurm:1234") == 0);
    nereus_machine_fini(&back);
    nereus_jobstate_fini(&state);
    cr_assert(nereus_jobstate_read(path, &state, &err) == NEREUS_OK, "%s", err.text);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
    unlink(path);
    write_file(path, "{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3, "
                     "\"first_node\": 0, \"nodes\": 1}]}");
    cr_assert(nereus_jobstate_read_machine(path, &back, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(back.node_count == 0);
    unlink(path);
}

Test(jobstate, json_as_people_write_it)
{
    char path[32];
    struct nereus_jobstate state;
    struct nereus_error err = {NEREUS_OK, ""};
    /* in any order, with what may be left out left out */
    write_file(
        path,
        "{\"worlds\": [{\"nodes\": 1, \"id\": 4, \"processes\": 3, \"first_node\": 2},"
        "{\"id\": 1, \"processes\": 8, \"zombies\": 2, \"first_node\": 0, \"nodes\": 2}],\"version\": 1}");
    cr_assert(nereus_jobstate_read(path, &state, &err) == NEREUS_OK, "%s", err.text);
    expect_worlds("by hand", &state, (struct nereus_world[]){{1, 8, 2, 0, 2}, {4, 3, 0, 2, 1}}, 2);
    cr_expect(state.next_world_id == 5 && state.cores_per_node == 0);
    nereus_jobstate_fini(&state);
    unlink(path);
}

/* Without segments: worlds fill their nodes, the oldest first, beside what is there already. */
Test(jobstate, places_that_a_file_does_not_name)
{
    static const char content[] =
        "{\"version\": 1, %s\"worlds\": ["
        "{\"id\": 0, \"processes\": 7, \"first_node\": 1, \"nodes\": 2},"
        "{\"id\": 3, \"processes\": 3, \"zombies\": 3, \"first_node\": 2, \"nodes\": 2}]}";
    char path[32], text[sizeof content + 32];
    struct nereus_jobstate state;
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};

    snprintf(text, sizeof text, content, "\"cores_per_node\": 5, ");
    write_file(path, text);
    cr_assert(nereus_jobstate_read(path, &state, &err) == NEREUS_OK, "%s", err.text);
    EXPECT_SEGMENTS("5 cores", state.segments, state.segment_count,
                    {{0, 1, 5}, {0, 2, 2}, {3, 2, 3}});
    EXPECT_SEGMENTS("5 cores, asleep", state.sleepers, state.sleeper_count, {{3, 3, 3}});
    nereus_jobstate_fini(&state);
    unlink(path);

    snprintf(text, sizeof text, content, "");
    write_file(path, text);
    cr_assert(nereus_jobstate_read(path, &state, &err) == NEREUS_OK, "%s", err.text);
    EXPECT_SEGMENTS("cores not known", state.segments, state.segment_count,
                    {{0, 1, 4}, {0, 2, 3}, {3, 2, 3}});
    EXPECT_SEGMENTS("cores not known, asleep", state.sleepers, state.sleeper_count, {{3, 3, 3}});
    nereus_jobstate_fini(&state);

    cr_assert(nereus_machine_from_text("a:1,b:4,c:6,d:2", &machine, NULL) == NEREUS_OK);
    cr_assert(nereus_jobstate_from_option(path, &machine, 10, &state, &err) == NEREUS_OK, "%s",
              err.text);
    EXPECT_SEGMENTS("on a machine", state.segments, state.segment_count,
                    {{0, 1, 4}, {0, 2, 3}, {3, 2, 3}});
    EXPECT_SEGMENTS("on a machine, asleep", state.sleepers, state.sleeper_count,
                    {{3, 2, 1}, {3, 3, 2}});
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
    unlink(path);
}

#define WORLD                                                                                      \
    "\"worlds\": [{\"id\": 0, \"processes\": 3, \"zombies\": 1, \"first_node\": 0, \"nodes\": 1}]"

/* A file, and a part of the sentence that refuses it. */
static const struct {
    const char *content, *part;
} faults[] = {
    {"", "is empty"},
    {"{\"version\": 1,\n\n" WORLD ",,}", ", line 3: no JSON: "},
    {"{\"version\": 1, " WORLD "} x", "no JSON: "},
    {"{\"version\": 1, \"version\": 1, " WORLD "}", "no JSON: "},
    {"[1]", "is not a JSON object"},
    {"{" WORLD "}", "version: this key is missing"},
    {"{\"versoin\": 1, " WORLD "}", "versoin: this key is not known; did you mean 'version'?"},
    {"{\"version\": 2, " WORLD "}", "version: is 2"},
    {"{\"version\": \"1\", " WORLD "}", "version: is not a whole number"},
    {"{\"version\": 1}", "worlds: this key is missing"},
    {"{\"version\": 1, \"worlds\": []}", "worlds: there is none"},
    {"{\"version\": 1, \"worlds\": {}}", "worlds: is not a list"},
    {"{\"version\": 1, \"worlds\": [7]}", "worlds[0]: is not a JSON object"},
    {"{\"version\": 1, \"process\": 3, " WORLD "}",
     "process: this key is not known; did you mean 'processes'?"},
    {"{\"version\": 1, \"colour\": 3, " WORLD "}", "colour: this key is not known"},
    {"{\"version\": 1, \"processes\": 4, " WORLD "}", "processes: is 4, but the worlds have 3"},
    {"{\"version\": 1, \"processes\": 3.0, " WORLD "}", "processes: is not a whole number from 1"},
    {"{\"version\": 1, \"cores_per_node\": 0, " WORLD "}", "cores_per_node: is not a whole number"},
    {"{\"version\": 1, \"next_world_id\": 0, " WORLD "}",
     "next_world_id: is not a whole number from 1"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3, \"nodes\": 1}]}",
     "worlds[0].first_node: this key is missing"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3, \"first_node\": 0, \"nods\": 1}]}",
     "worlds[0].nods: this key is not known; did you mean 'nodes'?"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": -3, \"first_node\": 0, \"nodes\": 1}]}",
     "worlds[0].processes: is not a whole number from 0"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3000000000, \"first_node\": 0, \"nodes\": "
     "1}]}",
     "worlds[0].processes: is not a whole number from 0 to 2147483647"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3, \"first_node\": 0, \"nodes\": 0}]}",
     "worlds[0].nodes: is not a whole number from 1"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 0, \"first_node\": 0, \"nodes\": 1}]}",
     "worlds[0].processes: there are neither processes nor zombies"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 0, \"zombies\": 2, \"first_node\": 0, "
     "\"nodes\": 1}]}",
     "no world has an active process"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 6, \"processes\": 1, \"first_node\": 0, \"nodes\": 1}, "
     "{\"id\": 6, "
     "\"processes\": 1, \"first_node\": 1, \"nodes\": 1}]}",
     "worlds: two have the id 6"},
    {"{\"version\": 1, " WORLD ", \"segments\": 3}", "segments: is not a list"},
    {"{\"version\": 1, " WORLD ", \"segments\": [3]}", "segments[0]: is not a JSON object"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 0, \"node\": 0}]}",
     "segments[0].count: this key is missing"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 0, \"node\": 0, \"count\": 0}]}",
     "segments[0].count: is not a whole number from 1"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"wolrd\": 0, \"node\": 0, \"count\": 3}]}",
     "segments[0].wolrd: this key is not known; did you mean 'world'?"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 2, \"node\": 0, \"count\": 3}]}",
     "segments[0].world: world 2 is not among the worlds"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 0, \"node\": 1, \"count\": 3}]}",
     "segments[0].world: world 0 does not span node 1"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 0, \"node\": 0, \"count\": 2}]}",
     "segments: world 0 has 3 active processes, but 2 here"},
    {"{\"version\": 1, " WORLD ", \"segments\": [{\"world\": 0, \"node\": 0, \"count\": 3}]}",
     "sleepers: world 0 has 1 zombies, but 0 here"},
    {"{\"version\": 1, " WORLD ", \"machine\": 3}", "is not a JSON object"},
    {"{\"version\": 1, " WORLD ", \"machine\": {\"slots\": 2}}", "nodes: this key is missing"},
    {"{\"version\": 1, " WORLD ", \"machine\": {\"nodes\": []}}", "nodes: there is none"},
    {"{\"version\": 1, " WORLD ", \"machine\": {\"nodes\": [{\"name\": \"a\"}]}}",
     "machine.nodes[0].cores: this key is missing"},
    {"{\"version\": 1, \"worlds\": [{\"id\": 0, \"processes\": 3, \"first_node\": 4, \"nodes\": 1}], "
     "\"machine\": {\"nodes\": [{\"name\": \"a\", \"cores\": 4}]}}",
     "machine: it has 1 node, and processes on node 4"},
};

Test(jobstate, faults_in_json_name_file_and_key)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(faults); i++) {
        char path[32], start[64];
        struct nereus_jobstate state = {.next_world_id = 77};
        struct nereus_error err = {NEREUS_OK, ""};
        write_file(path, faults[i].content);
        snprintf(start, sizeof start, "job state '%s'", path);
        cr_expect(nereus_jobstate_read(path, &state, &err) == NEREUS_ERR_PARSE, "%s",
                  faults[i].content);
        cr_expect(strncmp(err.text, start, strlen(start)) == 0, "%s", err.text);
        cr_expect(strstr(err.text, faults[i].part) != NULL, "no \"%s\" in \"%s\"", faults[i].part,
                  err.text);
        cr_expect(state.next_world_id == 77 && state.worlds == NULL, "%s wrote its output",
                  faults[i].content);
        unlink(path);
    }
}

Test(jobstate, the_option)
{
    struct nereus_jobstate state;
    struct nereus_error err = {NEREUS_OK, ""};
    char path[32];
    cr_assert(nereus_jobstate_from_option("initial", &five_cores, 7, &state, &err) == NEREUS_OK,
              "%s", err.text);
    cr_expect(state.world_count == 1);
    nereus_jobstate_fini(&state);
    cr_assert(nereus_jobstate_from_option("per-node", &five_cores, 7, &state, &err) == NEREUS_OK,
              "%s", err.text);
    cr_expect(state.world_count == 2);
    nereus_jobstate_fini(&state);

    write_file(path, "{\"version\": 1, \"cores_per_node\": 5, " WORLD "}");
    cr_assert(nereus_jobstate_from_option(path, &five_cores, 3, &state, &err) == NEREUS_OK, "%s",
              err.text);
    expect_worlds("option", &state, (struct nereus_world[]){{0, 3, 1, 0, 1}}, 1);
    nereus_jobstate_fini(&state);
    cr_expect(nereus_jobstate_from_option(path, &five_cores, 4, &state, &err) ==
              NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "3 active processes, not of 4: ask for --ns 3") != NULL, "%s",
              err.text);
    struct nereus_machine other = {.cores_per_node = 20};
    cr_expect(nereus_jobstate_from_option(path, &other, 3, &state, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "5 cores, not 20") != NULL, "%s", err.text);
    unlink(path);
    cr_expect(nereus_jobstate_from_option("inital", &five_cores, 3, &state, &err) ==
              NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "did you mean 'initial'?") != NULL, "%s", err.text);
    cr_expect(nereus_jobstate_from_option("no/such.json", &five_cores, 3, &state, &err) ==
              NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "job state 'no/such.json' does not exist") != NULL, "%s", err.text);
}
