/** @file test_change.c  A job's machine gains nodes and loses some. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/jobstate.h"

static struct nereus_machine machine_of(const char *text)
{
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_machine_from_text(text, &machine, &err) == NEREUS_OK, "%s", err.text);
    return machine;
}

/* "a:2 b:3@slurm:7" */
static const char *text_of(const struct nereus_machine *machine, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < machine->node_count; i++) {
        const struct nereus_node *node = &machine->nodes[i];
        length += (size_t)snprintf(text + length, size - length, "%s%s:%ld%s%s", i > 0 ? " " : "",
                                   node->name, node->cores, node->allocation[0] != '\0' ? "@" : "",
                                   node->allocation);
    }
    return text;
}

Test(change, a_machine_gains)
{
    static const struct {
        const char *machine;
        int64_t slots, each; /* -1: as declared; cores of a process */
        const char *gains;
        int64_t gained;
        const char *next;
        int64_t next_slots, max;
    } rows[] = {
        {"a:3,b:5", -1, 1, "c:7", 1, "a:3 b:5 c:7", 15, 7},
        {"a:3", -1, 1, "c:7@slurm:12,d:2@slurm:13_4", 2, "a:3 c:7@slurm:12 d:2@slurm:13_4", 12, 7},
        /* what is there already is not there twice */
        {"a:3,b:5", -1, 1, "b:7,c:2", 1, "a:3 b:5 c:2", 10, 5},
        {"a:3,b:5", -1, 1, "a:1,b:7", 0, "a:3 b:5", 8, 5},
        /* none declared; a number of its own, in proportion: 20 on 8 cores are 50 on 20 */
        {"a:3,b:5", 0, 1, "c:7", 1, "a:3 b:5 c:7", 0, 7},
        {"a:3,b:5", 20, 1, "c:12", 1, "a:3 b:5 c:12", 50, 12},
        /* places for processes of 3 cores */
        {"a:6,b:9", -1, 3, "c:11", 1, "a:2 b:3 c:3", 8, 3},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = machine_of(rows[i].machine),
                              gains = machine_of(rows[i].gains);
        int64_t gained = -1;
        char text[256];
        if (rows[i].each > 1)
            cr_assert(nereus_machine_set_per_process(&machine, rows[i].each, NULL) == NEREUS_OK);
        if (rows[i].slots >= 0)
            machine.slots = rows[i].slots;
        cr_assert(nereus_machine_add_nodes(&machine, gains.nodes, gains.node_count, &gained,
                                           NULL) == NEREUS_OK);
        cr_expect(gained == rows[i].gained, "row %zu: %ld", i, gained);
        cr_expect_str_eq(text_of(&machine, text, sizeof text), rows[i].next, "row %zu: %s", i,
                         text);
        cr_expect(machine.slots == rows[i].next_slots, "row %zu: %ld slots", i, machine.slots);
        cr_expect(machine.cores_per_node == rows[i].max, "row %zu: %ld", i, machine.cores_per_node);
        nereus_machine_fini(&machine);
        nereus_machine_fini(&gains);
    }
}

Test(change, what_cannot_be_gained)
{
    struct nereus_machine machine = machine_of("a:6"), gains = machine_of("c:2"), uniform;
    struct nereus_error err = {NEREUS_OK, ""};
    int64_t gained = 42;
    cr_assert(nereus_machine_set_per_process(&machine, 3, NULL) == NEREUS_OK);
    cr_expect(nereus_machine_add_nodes(&machine, gains.nodes, 1, &gained, &err) ==
              NEREUS_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "the node 'c' has 2 cores, and each process takes 3");
    cr_expect(machine.node_count == 1 && machine.slots == 2);
    nereus_machine_uniform(5, &uniform, NULL);
    cr_expect(nereus_machine_add_nodes(&uniform, gains.nodes, 1, &gained, &err) ==
              NEREUS_ERR_ARGUMENT);
    nereus_machine_fini(&machine);
    nereus_machine_fini(&gains);
}

/* Three worlds: 0 on a and b, 3 on d with a sleeper, 4 on d. */
static struct nereus_jobstate some_state(const struct nereus_machine *machine)
{
    struct nereus_jobstate state;
    cr_assert(nereus_jobstate_initial(machine, 4, &state, NULL) == NEREUS_OK);
    free(state.worlds);
    free(state.segments);
    state.worlds = calloc(3, sizeof *state.worlds);
    state.segments = calloc(4, sizeof *state.segments);
    state.sleepers = calloc(1, sizeof *state.sleepers);
    state.worlds[0] = (struct nereus_world){0, 3, 0, 0, 2};
    state.worlds[1] = (struct nereus_world){3, 2, 1, 3, 1};
    state.worlds[2] = (struct nereus_world){4, 1, 0, 3, 1};
    state.segments[0] = (struct nereus_segment){0, 0, 2};
    state.segments[1] = (struct nereus_segment){0, 1, 1};
    state.segments[2] = (struct nereus_segment){3, 3, 2};
    state.segments[3] = (struct nereus_segment){4, 3, 1};
    state.sleepers[0] = (struct nereus_segment){3, 3, 1};
    state.world_count = 3;
    state.segment_count = 4;
    state.sleeper_count = 1;
    return state;
}

Test(change, a_machine_loses)
{
    static const struct {
        int64_t lost[2], count;
        const char *next, *says; /* NULL: it does */
        int64_t slots, node_of_3;
    } rows[] = {
        {{2}, 1, "a:2 b:3 d:7 e:1", NULL, 13, 2},
        {{4}, 1, "a:2 b:3 c:11 d:7", NULL, 23, 3},
        {{4, 2}, 2, "a:2 b:3 d:7", NULL, 12, 2},
        {{0}, 0, "a:2 b:3 c:11 d:7 e:1", NULL, 24, 3},
        {{2, 1}, 2, NULL, "cannot lose the node 'b': processes are there", 0, 0},
        {{3}, 1, NULL, "cannot lose the node 'd'", 0, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = machine_of("a:2,b:3,c:11,d:7,e:1");
        struct nereus_jobstate state = some_state(&machine);
        struct nereus_error err = {NEREUS_OK, ""};
        char text[256];
        const enum nereus_status status =
            nereus_machine_remove_nodes(&machine, rows[i].lost, rows[i].count, &state, &err);
        if (rows[i].next != NULL) {
            const int64_t node = rows[i].node_of_3;
            cr_assert(status == NEREUS_OK, "row %zu: %s", i, err.text);
            cr_expect_str_eq(text_of(&machine, text, sizeof text), rows[i].next, "row %zu: %s", i,
                             text);
            cr_expect(machine.slots == rows[i].slots, "row %zu: %ld slots", i, machine.slots);
            cr_expect(state.segments[0].node == 0 && state.segments[1].node == 1 &&
                          state.segments[2].node == node && state.segments[3].node == node &&
                          state.sleepers[0].node == node,
                      "row %zu", i);
            cr_expect(state.worlds[0].first_node == 0 && state.worlds[0].nodes == 2, "row %zu", i);
            cr_expect(state.worlds[1].first_node == node && state.worlds[1].nodes == 1, "row %zu",
                      i);
            cr_expect(state.cores_per_node == machine.cores_per_node, "row %zu", i);
        } else {
            cr_expect(status == NEREUS_ERR_STATE && strstr(err.text, rows[i].says) != NULL, "%s",
                      err.text);
            cr_expect(machine.node_count == 5 && state.segments[2].node == 3, "row %zu", i);
        }
        nereus_machine_fini(&machine);
        nereus_jobstate_fini(&state);
    }
}
