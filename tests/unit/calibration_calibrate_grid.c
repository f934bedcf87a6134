/** @file calibration_calibrate_grid.c  What a calibration measures, in which order, and what it takes as done. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "calibrate_grid.h"

static struct nereus_machine one_node(int64_t cores, int64_t slots)
{
    struct nereus_machine machine = {0};
    cr_assert_eq(nereus_machine_single("here", cores, &machine, NULL), NEREUS_OK);
    machine.slots = slots;
    return machine;
}

static struct nereus_calibration_grid grid_of(const struct nereus_machine *machine)
{
    struct nereus_calibration_grid grid;
    cr_assert_eq(nereus_calibration_grid_make(machine, &grid, NULL), NEREUS_OK);
    return grid;
}

static struct nereus_calibration_cell *find(struct nereus_calibration_grid *grid, const char *label)
{
    for (int i = 0; i < grid->count; i++) {
        if (strcmp(grid->cells[i].label, label) == 0) {
            return &grid->cells[i];
        }
    }
    return NULL;
}

/* Labels by hand, for 2 cores: spawns of 1..3 from 1, 2, 4 with 6 processes at most. */
Test(calibrate_grid, two_cores_by_hand)
{
    static const struct {
        const char *label;
        bool there;
        int64_t most;
    } rows[] = {
        {"ping-pong same-world/same-node", true, 2},
        {"ping-pong different-worlds/same-node", true, 2},
        {"ping-pong same-world/different-nodes", false, 0},
        {"spawn 1 from 1", true, 2},
        {"spawn 3 from 2", true, 5},
        {"spawn 2 from 4", true, 6},
        {"spawn 3 from 4", false, 0},
        {"split 2 -> 1", true, 2},
        {"split 4 -> 2", false, 0}, /* above the cores: from traces alone */
        {"merge/coll 2 -> 4 -> 2, 64 MB", true, 4},
        {"baseline/p2p 2 -> 3 -> 2, 1 MB", true, 5},
        /* Groups need two nodes with new processes; a launch does not. */
        {"merge-diffusive/coll 1 -> 3, merge-ts/coll", true, 3},
        {"merge-diffusive/coll 1 -> 2, merge-ts/coll", false, 0},
        {"merge-launch/coll 1 -> 2, merge-ts/coll", true, 2},
        {"baseline-intra/coll 1 -> 2, baseline-intra/coll", true, 3},
        {"merge-single-async/coll 2 -> 4, merge-async/coll", false, 0}, /* 1 -> 2 and 2 -> 3 */
        {"merge-single-async/coll 2 -> 3, merge-async/coll", true, 3},
    };
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nereus_calibration_cell *cell = find(&grid, rows[i].label);
        cr_expect_eq(cell != NULL, rows[i].there, "%s", rows[i].label);
        cr_expect(cell == NULL || cell->most == rows[i].most, "%s: %lld processes", rows[i].label,
                  cell != NULL ? (long long)cell->most : 0);
    }
    nereus_calibration_grid_fini(&grid);
}

/* No job is larger than the declared slots, on any machine; no two cells are the same; something is essential. */
Test(calibrate_grid, holds_for_many_machines)
{
    for (int64_t cores = 1; cores <= 130; cores = cores < 8 ? cores + 1 : cores * 2 + 3) {
        for (int64_t slots = 0; slots <= 9; slots = slots == 0 ? 2 : slots + 7) {
            struct nereus_machine machine = one_node(cores, slots);
            struct nereus_calibration_grid grid = grid_of(&machine);
            bool essential = false;
            for (int i = 0; i < grid.count; i++) {
                const struct nereus_calibration_cell *cell = &grid.cells[i];
                essential = essential || cell->essential;
                cr_expect_eq((void *)find(&grid, cell->label), (void *)cell, "%s twice, %lld cores",
                             cell->label, (long long)cores);
                cr_expect(cell->processes >= 1 && cell->cost_s > 0 && cell->most >= 2, "%s", cell->label);
                cr_expect(slots == 0 || cell->task == NEREUS_CELL_JOB || cell->most <= slots,
                          "%s with %lld slots", cell->label, (long long)slots);
                for (int s = 0; s < cell->size_count; s++) {
                    cr_expect(slots == 0 || cell->sizes[s] <= slots, "%s with %lld slots", cell->label,
                              (long long)slots);
                }
            }
            cr_expect(essential);
            nereus_calibration_grid_fini(&grid);
        }
    }
}

Test(calibrate_grid, several_nodes)
{
    struct nereus_machine machine = {0};
    cr_assert_eq(nereus_machine_from_text(
                     "a:2,b:2,c:2,d:2,e:2,f:2,g:2,h:2,i:2,j:2,k:2,l:2,m:2,n:2,o:2,p:2,q:2", &machine, NULL),
                 NEREUS_OK);
    struct nereus_calibration_grid grid = grid_of(&machine);
    cr_expect_not_null(find(&grid, "ping-pong different-worlds/different-nodes"));
    cr_expect_not_null(find(&grid, "ping-pong same-world/different-nodes"));
    cr_expect_not_null(find(&grid, "spawn 16 from 8"));
    cr_expect_not_null(find(&grid, "merge/coll 17 -> 34 -> 17, 0 MB"));
    /* Groups are real here. */
    struct nereus_calibration_cell *tree = find(&grid, "merge-diffusive/coll 2 -> 6, merge-ts/coll");
    cr_assert_not_null((void *)tree);
    cr_expect(tree->virtual_nodes == 0 && tree->essential);
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* Every legal way to start processes is in the grid, and ways to end them; all methods are ones that the runtime carries out. */
Test(calibrate_grid, ways)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    bool strategies[NEREUS_STRATEGY_COUNT] = {false}, shrinks[NEREUS_SHRINK_COUNT] = {false};
    bool processes[NEREUS_PROCESS_COUNT] = {false}, async = false;
    for (int i = 0; i < grid.count; i++) {
        const struct nereus_calibration_cell *cell = &grid.cells[i];
        for (int s = 0; s < cell->size_count; s++) {
            struct nereus_method method;
            struct nereus_error err = {.text = ""};
            const char *text = cell->methods[s] != NULL ? cell->methods[s] : cell->method;
            cr_assert_eq(nereus_method_parse(text, &method, &err), NEREUS_OK, "%s", err.text);
            const int64_t from = s > 0 ? cell->sizes[s - 1] : cell->processes;
            cr_expect_eq(nereus_method_check_built(&method, &err), NEREUS_OK, "%s", err.text);
            cr_expect_eq(nereus_method_check_direction(&method, from, cell->sizes[s], &err), NEREUS_OK, "%s",
                         err.text);
            strategies[method.strategy] = processes[method.process] = shrinks[method.shrink] = true;
            async = async || method.async;
        }
        cr_expect(cell->virtual_nodes == 0 || cell->virtual_nodes >= cell->most, "%s", cell->label);
    }
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++) {
        cr_expect(strategies[s], "strategy %d", s);
    }
    for (int p = 0; p < NEREUS_PROCESS_COUNT; p++) {
        cr_expect(processes[p], "process %d", p);
    }
    cr_expect(async && shrinks[NEREUS_SS] && shrinks[NEREUS_TS]);
    nereus_calibration_grid_fini(&grid);
}

Test(calibrate_grid, too_few_slots_are_refused)
{
    struct nereus_machine machine = one_node(4, 1);
    struct nereus_calibration_grid grid;
    struct nereus_error err;
    cr_expect_eq(nereus_calibration_grid_make(&machine, &grid, &err), NEREUS_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "1 slots"));
}

/* Rows of bare MPI have no bytes; those of a trace do, and count for no task. */
Test(calibrate_grid, counts_what_the_samples_hold)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    struct nereus_method method, tree;
    cr_assert_eq(nereus_method_parse("baseline/coll", &method, NULL), NEREUS_OK);
    cr_assert_eq(nereus_method_parse("merge-diffusive/coll", &tree, NULL), NEREUS_OK);
    struct nereus_sample rows[] = {
        {.kind = NEREUS_SAMPLE_STEP,
         .step = NEREUS_STEP_MERGE,
         .old_processes = 2,
         .new_processes = 3,
         .bytes = NAN},
        {.kind = NEREUS_SAMPLE_STEP,
         .step = NEREUS_STEP_MERGE,
         .old_processes = 2,
         .new_processes = 3,
         .bytes = NAN},
        {.kind = NEREUS_SAMPLE_STEP,
         .step = NEREUS_STEP_SPAWN,
         .old_processes = 2,
         .new_processes = 3,
         .bytes = NAN},
        {.kind = NEREUS_SAMPLE_STEP,
         .step = NEREUS_STEP_MERGE,
         .old_processes = 2,
         .new_processes = 2,
         .bytes = 0},
        {.kind = NEREUS_SAMPLE_PINGPONG, .pair = NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE, .bytes = 8},
        {.kind = NEREUS_SAMPLE_PINGPONG, .pair = NEREUS_PAIR_SAME_WORLD_SAME_NODE, .bytes = 16777216},
        {.kind = NEREUS_SAMPLE_RECONFIGURATION, .method = method, .ns = 4, .nt = 2, .bytes = 1000000},
        {.kind = NEREUS_SAMPLE_RECONFIGURATION, .method = method, .ns = 2, .nt = 4, .bytes = 1000000},
        /* A way counts by its way up. */
        {.kind = NEREUS_SAMPLE_RECONFIGURATION, .method = tree, .ns = 1, .nt = 3},
        {.kind = NEREUS_SAMPLE_RECONFIGURATION, .method = tree, .ns = 3, .nt = 1},
    };
    static const struct {
        const char *label;
        int64_t runs;
    } expected[] = {
        {"spawn 3 from 2", 2},
        {"spawn 2 from 2", 0},
        {"ping-pong different-worlds/same-node", 0}, /* broken off after its first row */
        {"ping-pong same-world/same-node", 1},
        {"baseline/coll 2 -> 4 -> 2, 1 MB", 1},
        {"baseline/coll 2 -> 4 -> 2, 64 MB", 0},
        {"baseline/p2p 2 -> 4 -> 2, 1 MB", 0},
        {"merge/coll 2 -> 4 -> 2, 1 MB", 0},
        {"merge-diffusive/coll 1 -> 3, merge-ts/coll", 1},
        {"merge-diffusive/coll 2 -> 3, merge-ts/coll", 0},
    };
    struct nereus_samples samples = {rows, sizeof rows / sizeof rows[0]};
    int missing = nereus_calibration_grid_missing(&grid);
    nereus_calibration_grid_count(&grid, &samples);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct nereus_calibration_cell *cell = find(&grid, expected[i].label);
        cr_assert_not_null((void *)cell, "%s", expected[i].label);
        cr_expect_eq(cell->runs, expected[i].runs, "%s: %lld", expected[i].label, (long long)cell->runs);
    }
    cr_expect_eq(nereus_calibration_grid_missing(&grid), missing - 4);
    nereus_calibration_grid_fini(&grid);
}

/* Every cell once before any twice, the essential ones first; the order is the seed's. */
Test(calibrate_grid, order)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    int order[3][128], essential = 0;
    for (int i = 0; i < grid.count; i++) {
        essential += grid.cells[i].essential;
    }
    cr_assert(grid.count <= 128 && essential > 0 && essential < grid.count);
    for (int round = 0; round < 3; round++) {
        unsigned short state[3] = {(unsigned short)(round < 2 ? 11 : 12), 7, 5};
        for (int i = 0; i < grid.count; i++) {
            grid.cells[i].runs = 0;
        }
        for (int i = 0; i < grid.count; i++) {
            int next = nereus_calibration_grid_next(&grid, 1e9, state);
            cr_assert(next >= 0 && grid.cells[next].runs == 0, "step %d", i);
            cr_expect_eq(grid.cells[next].essential, i < essential, "step %d", i);
            grid.cells[next].runs++;
            order[round][i] = next;
        }
        cr_expect_eq(nereus_calibration_grid_missing(&grid), 0);
    }
    cr_expect_eq(memcmp(order[0], order[1], (size_t)grid.count * sizeof(int)), 0, "same seed, another order");
    cr_expect_neq(memcmp(order[0], order[2], (size_t)grid.count * sizeof(int)), 0,
                  "another seed, same order");
    nereus_calibration_grid_fini(&grid);
}

Test(calibrate_grid, neither_too_costly_nor_failing)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    unsigned short state[3] = {1, 2, 3};
    cr_expect_eq(nereus_calibration_grid_next(&grid, 1e-3, state), -1);
    for (int i = 0; i < grid.count; i++) {
        grid.cells[i].failures = i == 5 ? 1 : 2;
    }
    cr_expect_eq(nereus_calibration_grid_next(&grid, 1e9, state), 5);
    grid.cells[5].failures = 2;
    cr_expect_eq(nereus_calibration_grid_next(&grid, 1e9, state), -1);
    nereus_calibration_grid_fini(&grid);
}
