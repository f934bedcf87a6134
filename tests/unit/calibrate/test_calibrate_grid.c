/** @file test_calibrate_grid.c  What a calibration measures, and what it takes as done. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/calibrate/grid.h"
#include "model/calibrate/rows.h"
#include "model/plan/placement.h"
#include "model/util/arith.h"
#include "nereus/plan.h"

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
    for (int i = 0; i < grid->count; i++)
        if (strcmp(grid->cells[i].label, label) == 0)
            return &grid->cells[i];
    return NULL;
}

/* Labels by hand, for 2 cores: spawns of 1..3 from 1, 2, 4 with 6 processes at most. */
Test(calibrate_grid, two_cores_by_hand)
{
    static const struct {
        const char *label;
        bool there;
        int64_t max;
    } rows[] = {
        {"ping-pong same-world/same-node", true, 2},
        {"ping-pong different-worlds/same-node", true, 2},
        {"ping-pong same-world/different-nodes", false, 0},
        {"data within a world", true, 2},
        {"data between worlds", true, 2},
        {"1 pair at once, within a node", true, 2},
        {"1 pair at once, of two nodes", false, 0},
        {"spawn 1 from 1", true, 2},
        {"spawn 3 from 2", true, 5},
        {"spawn 2 from 4", true, 6},
        {"spawn 3 from 4", false, 0},
        {"split 2 -> 1", true, 2},
        {"split 4 -> 2", false, 0}, /* above the cores: from traces alone */
        {"collectives of 2", true, 2},
        {"an operation of pi:20", true, 1},
        {"collectives of 4", false, 0},
        {"iterations of 1 with 1 waiting threads", true, 1}, /* loads of 1, 1.5, 2 and 3 */
        {"iterations of 2 with 1 communicating threads", true, 2},
        {"iterations of 2 with 2 waiting threads", true, 2},
        {"iterations of 2 with 4 communicating threads", true, 2},
        {"iterations of 2 with 8 waiting threads", false, 0},
        {"iterations of 1 with 1 starting processes", true, 1},
        {"iterations of 2 with 4 starting processes", true, 2},
        {"merge/coll 2 -> 4 -> 2, 64 MB", true, 4},
        {"baseline/p2p 2 -> 3 -> 2, 1 MB", true, 5},
        {"baseline/coll 1 -> 1, 0 MB", true, 2}, /* the only baseline within the cores */
        {"merge/rma 1 -> 2 -> 1, 64 MB", true, 2},
        {"merge/p2p-waitsources 1 -> 2 -> 1, 16 MB", true, 2},
        /* Groups need two nodes with new processes; a launch does not. */
        {"merge-diffusive/coll 1 -> 3, merge-ts/coll", true, 3},
        {"merge-diffusive/coll 1 -> 2, merge-ts/coll", false, 0},
        {"merge-launch/coll 1 -> 2, merge-ts/coll", true, 2},
        {"merge-launch/coll 1 -> 4, merge-ts/coll", true,
         4}, /* of many at once a launch's price is its own */
        {"merge-launch/coll 2 -> 6, merge-ts/coll", true, 6},
        {"merge-single/coll 2 -> 6, merge-ts/coll", false, 0},
        {"baseline-intra/coll 1 -> 2, baseline-intra/coll", true, 3},
        {"merge-single-async/coll 2 -> 4, merge-async/coll", true, 4},
        {"merge-single-async/coll 2 -> 3, merge-async/coll", false, 0},
        {"baseline-async/coll 2 -> 4, baseline-async/coll", true, 6},
    };
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_calibration_cell *cell = find(&grid, rows[i].label);
        cr_expect_eq(cell != NULL, rows[i].there, "%s", rows[i].label);
        cr_expect(cell == NULL || cell->peak_processes == rows[i].max, "%s: %lld processes",
                  rows[i].label, cell != NULL ? (long long)cell->peak_processes : 0);
    }
    nereus_calibration_grid_fini(&grid);
}

/* No job is larger than the declared slots, on any machine; no two cells are the same; something is
 * essential. */
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
                cr_expect(cell->processes >= 1 && cell->expected_s > 0 &&
                              cell->peak_processes + cell->threads >=
                                  (cell->task == NEREUS_CELL_STAGE ? 1 : 2),
                          "%s", cell->label);
                cr_expect(slots == 0 || cell->task == NEREUS_CELL_JOB ||
                              cell->peak_processes <= slots,
                          "%s with %lld slots", cell->label, (long long)slots);
                for (int s = 0; s < cell->size_count; s++) {
                    cr_expect(slots == 0 || cell->sizes[s] <= slots, "%s with %lld slots",
                              cell->label, (long long)slots);
                }
            }
            cr_expect(essential);
            nereus_calibration_grid_fini(&grid);
        }
    }
}

/* Also where a process takes all cores of a node: the jobs between nodes are then the smallest. */
Test(calibrate_grid, no_cell_twice_on_several_nodes)
{
    for (int64_t cores = 1; cores <= 6; cores++) {
        for (int64_t nodes = 2; nodes <= 9; nodes++) {
            char text[256] = "";
            struct nereus_machine machine = {0};
            for (int64_t i = 0, at = 0; i < nodes; i++)
                at += snprintf(text + at, sizeof text - (size_t)at, "%sn%d:%d", i > 0 ? "," : "",
                               (int)i, (int)cores);
            cr_assert_eq(nereus_machine_from_text(text, &machine, NULL), NEREUS_OK);
            struct nereus_calibration_grid grid = grid_of(&machine);
            for (int i = 0; i < grid.count; i++)
                cr_expect_eq((void *)find(&grid, grid.cells[i].label), (void *)&grid.cells[i],
                             "%s twice, on %s", grid.cells[i].label, text);
            nereus_calibration_grid_fini(&grid);
            nereus_machine_fini(&machine);
        }
    }
}

/* Threads need no slots, processes that start do. */
Test(calibrate_grid, slots_of_those_who_start)
{
    struct nereus_machine machine = one_node(2, 4);
    struct nereus_calibration_grid grid = grid_of(&machine);
    cr_expect_not_null(find(&grid, "iterations of 2 with 4 waiting threads"));
    cr_expect_not_null(find(&grid, "iterations of 2 with 2 starting processes"));
    cr_expect_null(find(&grid, "iterations of 2 with 4 starting processes"));
    nereus_calibration_grid_fini(&grid);
}

Test(calibrate_grid, several_nodes)
{
    struct nereus_machine machine = {0};
    cr_assert_eq(
        nereus_machine_from_text(
            "a:2,b:2,c:2,d:2,e:2,f:2,g:2,h:2,i:2,j:2,k:2,l:2,m:2,n:2,o:2,p:2,q:2", &machine, NULL),
        NEREUS_OK);
    struct nereus_calibration_grid grid = grid_of(&machine);
    cr_expect_not_null(find(&grid, "ping-pong different-worlds/different-nodes"));
    cr_expect_not_null(find(&grid, "ping-pong same-world/different-nodes"));
    cr_expect_not_null(find(&grid, "1 pair at once, of two nodes"));
    cr_expect(find(&grid, "2 pairs at once, of two nodes")->essential); /* a node's link */
    cr_expect_null(find(&grid, "4 pairs at once, of two nodes"));
    cr_expect_not_null(find(&grid, "1 pair at once, within a node"));
    cr_expect_not_null(find(&grid, "spawn 16 from 8"));
    cr_expect_not_null(find(&grid, "collectives of 32"));
    cr_expect_null(find(&grid, "iterations of 4 with 4 waiting threads")); /* on one node */
    cr_expect_not_null(find(&grid, "iterations of 2 with 4 waiting threads"));
    cr_expect_not_null(find(&grid, "merge/coll 17 -> 34 -> 17, 0 MB"));
    /* Groups are real here. */
    struct nereus_calibration_cell *tree =
        find(&grid, "merge-diffusive/coll 2 -> 6, merge-ts/coll");
    cr_assert_not_null((void *)tree);
    cr_expect(tree->virtual_nodes == 0 && tree->essential);
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* Every legal way to start processes is in the grid, and ways to end them; all methods are ones
 * that the runtime carries out. */
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
            cr_expect_eq(nereus_method_check(&method, &err), NEREUS_OK, "%s", err.text);
            cr_expect_eq(nereus_method_check_direction(&method, from, cell->sizes[s], &err),
                         NEREUS_OK, "%s", err.text);
            strategies[method.strategy] = processes[method.process] = shrinks[method.shrink] = true;
            async = async || method.async;
        }
        cr_expect(cell->virtual_nodes == 0 || cell->virtual_nodes >= cell->peak_processes, "%s",
                  cell->label);
    }
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
        cr_expect(strategies[s], "strategy %d", s);
    for (int p = 0; p < NEREUS_PROCESS_COUNT; p++)
        cr_expect(processes[p], "process %d", p);
    cr_expect(async && shrinks[NEREUS_SS] && shrinks[NEREUS_TS]);
    nereus_calibration_grid_fini(&grid);
}

/* Goes through a job's changes of size, as the runtime would: each must be possible. kinds: steps
 * that come up. */
static void walk(const struct nereus_machine *machine, const struct nereus_calibration_cell *cell,
                 bool *kinds)
{
    struct nereus_jobstate state;
    struct nereus_error err = {.text = ""};
    cr_assert_eq(nereus_jobstate_initial(machine, cell->processes, &state, &err), NEREUS_OK, "%s",
                 err.text);
    for (int s = 0; s < cell->size_count; s++) {
        struct nereus_plan plan;
        struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                         .number = s + 1,
                                         .ns = nereus_jobstate_processes(&state),
                                         .nt = cell->sizes[s],
                                         .zombies = nereus_jobstate_zombies(&state),
                                         .next_world_id = state.next_world_id,
                                         .batch = 1,
                                         .bridge = 1,
                                         .keep_asleep = 1}; /* as nereus-calibrate-job */
        request.data = calloc(1, sizeof *request.data);
        cr_assert_not_null((void *)request.data);
        request.data_count = 1;
        *request.data =
            (struct nereus_data_entry){.name = "data", .element_bytes = 1, .count = 1000};
        const char *text = cell->methods[s] != NULL ? cell->methods[s] : cell->method;
        cr_assert_eq(nereus_method_parse(text, &request.method, &err), NEREUS_OK, "%s", err.text);
        cr_assert_eq(nereus_request_place(machine, &state, NULL, 0, &request, &err), NEREUS_OK,
                     "%s: %s", cell->label, err.text);
        cr_assert_eq(nereus_plan_make(&request, &plan, &err), NEREUS_OK, "%s: %s", cell->label,
                     err.text);
        for (int i = 0; i < plan.step_count; i++)
            kinds[plan.steps[i].kind] = true;
        nereus_plan_fini(&plan);
        cr_assert_eq(nereus_jobstate_apply(machine, &request, &state, &err), NEREUS_OK, "%s: %s",
                     cell->label, err.text);
        nereus_request_fini(&request);
    }
    nereus_jobstate_fini(&state);
}

static void virtual_nodes(int64_t count, struct nereus_machine *machine)
{
    char text[4096] = "";
    size_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%shere/%lld:1", i > 0 ? "," : "",
                                 (long long)i);
    }
    cr_assert_eq(nereus_machine_from_text(text, machine, NULL), NEREUS_OK);
}

static void walk_all(const struct nereus_machine *machine, bool essential_alone, bool *kinds)
{
    struct nereus_calibration_grid grid = grid_of(machine);
    for (int i = 0; i < grid.count; i++) {
        const struct nereus_calibration_cell *cell = &grid.cells[i];
        if (cell->task != NEREUS_CELL_JOB || (essential_alone && !cell->essential))
            continue;
        struct nereus_machine nodes = *machine;
        if (cell->virtual_nodes > 0)
            virtual_nodes(cell->virtual_nodes, &nodes);
        walk(&nodes, cell, kinds);
        if (cell->virtual_nodes > 0)
            nereus_machine_fini(&nodes);
    }
    nereus_calibration_grid_fini(&grid);
}

/* Whatever the machine, no job asks for what its state does not allow. */
Test(calibrate_grid, every_job_is_possible)
{
    bool kinds[NEREUS_STEP_KIND_COUNT] = {false};
    for (int64_t cores = 1; cores <= 24; cores = cores < 6 ? cores + 1 : cores * 2) {
        struct nereus_machine machine = one_node(cores, 0);
        walk_all(&machine, false, kinds);
    }
    struct nereus_machine hosts = {0};
    cr_assert_eq(nereus_machine_from_text("a:3,b:3,c:3,d:3", &hosts, NULL), NEREUS_OK);
    walk_all(&hosts, false, kinds);
    nereus_machine_fini(&hosts);
}

/* The essential cells alone have every kind of step: a short budget leaves none to priors. */
Test(calibrate_grid, essential_jobs_have_every_step)
{
    for (int64_t cores = 2; cores <= 4; cores++) {
        bool kinds[NEREUS_STEP_KIND_COUNT] = {false};
        struct nereus_machine machine = one_node(cores, 0);
        walk_all(&machine, true, kinds);
        for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++) {
            cr_expect(kinds[kind], "%s, on %lld cores",
                      nereus_step_name((enum nereus_step_kind)kind), (long long)cores);
        }
    }
}

Test(calibrate_grid, too_few_slots_are_refused)
{
    struct nereus_machine machine = one_node(4, 1);
    struct nereus_calibration_grid grid;
    struct nereus_error err;
    cr_expect_eq(nereus_calibration_grid_make(&machine, &grid, &err), NEREUS_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "1 slot;"));
}

/* What the rows below amount to. */
static const struct {
    const char *label;
    int64_t runs;
} expected_runs[] = {
    {"spawn 3 from 2", 2},
    {"spawn 2 from 2", 0},
    {"ping-pong different-worlds/same-node", 0}, /* broken off after its first row */
    {"ping-pong same-world/same-node", 1},
    {"data within a world", 1},
    {"data between worlds", 0},
    {"iterations of 2 with 1 waiting threads", 1},
    {"iterations of 2 with 1 communicating threads", 0},
    {"iterations of 2 with 2 waiting threads", 0},
    {"collectives of 2", 1},
    {"baseline/coll 2 -> 4 -> 2, 1 MB", 1},
    {"baseline/coll 2 -> 4 -> 2, 64 MB", 0},
    {"baseline/p2p 2 -> 4 -> 2, 1 MB", 0},
    {"merge/coll 2 -> 4 -> 2, 1 MB", 0},
    {"merge-diffusive/coll 1 -> 3, merge-ts/coll", 1},
    {"merge-diffusive/coll 2 -> 4, merge-ts/coll", 0},
    {"1 pair at once, within a node", 1},
};

/* Rows of bare MPI have no bytes; those of a trace do, and count for no task. */
static const struct {
    const char *method; /* NULL: none */
    struct nereus_sample sample;
} held[] = {
    {NULL,
     {.kind = NEREUS_SAMPLE_STEP,
      .step = NEREUS_STEP_MERGE,
      .old_processes = 2,
      .new_processes = 3,
      .bytes = NAN}},
    {NULL,
     {.kind = NEREUS_SAMPLE_STEP,
      .step = NEREUS_STEP_MERGE,
      .old_processes = 2,
      .new_processes = 3,
      .bytes = NAN}},
    {NULL,
     {.kind = NEREUS_SAMPLE_STEP,
      .step = NEREUS_STEP_SPAWN,
      .old_processes = 2,
      .new_processes = 3,
      .bytes = NAN}},
    {NULL,
     {.kind = NEREUS_SAMPLE_STEP,
      .step = NEREUS_STEP_MERGE,
      .old_processes = 2,
      .new_processes = 2,
      .bytes = 0}},
    {NULL,
     {.kind = NEREUS_SAMPLE_PINGPONG, .pair = NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE, .bytes = 8}},
    {NULL,
     {.kind = NEREUS_SAMPLE_PINGPONG, .pair = NEREUS_PAIR_SAME_WORLD_SAME_NODE, .bytes = 16777216}},
    {"baseline/coll", {.kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 4, .nt = 2, .bytes = 1000000}},
    {"baseline/coll", {.kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 2, .nt = 4, .bytes = 1000000}},
    /* The first is of a file from before huge pages were measured: the cell is to run again. */
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION, .operation = NEREUS_OPERATION_TOUCH, .bytes = 16777216}},
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION, .operation = NEREUS_OPERATION_TOUCH, .bytes = 16777216}},
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION,
      .operation = NEREUS_OPERATION_TOUCH_HUGE,
      .bytes = 16777216}},
    {NULL, {.kind = NEREUS_SAMPLE_OPERATION, .operation = NEREUS_OPERATION_GET_INTER, .bytes = 8}},
    /* The last of a run: the last stage, with long iterations; the last collective of the largest
       size. */
    {NULL,
     {.kind = NEREUS_SAMPLE_CONTENTION,
      .contention = 6,
      .old_processes = 2,
      .new_processes = 1,
      .t_iter_ns_s = 0.012,
      .time_s = 0.02}},
    {NULL,
     {.kind = NEREUS_SAMPLE_CONTENTION,
      .contention = 7,
      .old_processes = 2,
      .new_processes = 1,
      .t_iter_ns_s = 0.0012,
      .time_s = 0.02}},
    {NULL,
     {.kind = NEREUS_SAMPLE_COLLECTIVE,
      .collective = NEREUS_COLLECTIVE_ALLTOALL,
      .old_processes = 2,
      .bytes = 262144}},
    /* Pairs at once count by their smallest size, of all pairs; between nodes they are others. */
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION,
      .operation = NEREUS_OPERATION_NODE_MEMORY,
      .old_processes = 1,
      .bytes = 65536}},
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION,
      .operation = NEREUS_OPERATION_NODE_MEMORY,
      .old_processes = 1,
      .bytes = 262144}},
    {NULL,
     {.kind = NEREUS_SAMPLE_OPERATION,
      .operation = NEREUS_OPERATION_NODE,
      .old_processes = 1,
      .bytes = 65536}},
    /* A way counts by its way up. */
    {"merge-diffusive/coll", {.kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 1, .nt = 3}},
    {"merge-diffusive/coll", {.kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 3, .nt = 1}},
};

Test(calibrate_grid, counts_what_the_samples_hold)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    struct nereus_sample rows[NEREUS_COUNT_OF(held)];
    for (size_t i = 0; i < NEREUS_COUNT_OF(held); i++) {
        rows[i] = held[i].sample;
        if (held[i].method != NULL)
            cr_assert_eq(nereus_method_parse(held[i].method, &rows[i].method, NULL), NEREUS_OK);
    }
    struct nereus_samples samples = {.rows = rows, .count = NEREUS_COUNT_OF(rows)};
    int missing = nereus_calibration_grid_count_missing(&grid);
    nereus_calibration_grid_update(&grid, &samples);
    for (size_t i = 0; i < NEREUS_COUNT_OF(expected_runs); i++) {
        const struct nereus_calibration_cell *cell = find(&grid, expected_runs[i].label);
        cr_assert_not_null((void *)cell, "%s", expected_runs[i].label);
        cr_expect_eq(cell->runs, expected_runs[i].runs, "%s: %lld", expected_runs[i].label,
                     (long long)cell->runs);
    }
    cr_expect_eq(nereus_calibration_grid_count_missing(&grid), missing - 8);
    nereus_calibration_grid_fini(&grid);
}

/* Five runs have an interval, by hand: (12 - 9) / 2 / 10. A row of another size is none of theirs.
 * Of a ping-pong the widest size counts. */
Test(calibrate_grid, intervals_of_what_the_samples_hold)
{
    static const double spawn_s[] = {0.12, 0.10, 0.09, 0.11, 0.10};
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    struct nereus_sample rows[32] = {{.kind = NEREUS_SAMPLE_STEP}};
    int64_t count = 0;
    for (int i = 0; i < 5; i++) {
        for (int new_processes = 1; new_processes <= 2; new_processes++) {
            rows[count++] =
                (struct nereus_sample){.kind = NEREUS_SAMPLE_STEP,
                                       .step = NEREUS_STEP_SPAWN,
                                       .old_processes = 1,
                                       .new_processes = new_processes,
                                       .time_s = new_processes == 1 ? spawn_s[i] : 5.0 + i,
                                       .bytes = NAN};
            rows[count] = rows[count - 1];
            rows[count].time_s = 7.0 * (i + 1);
            rows[count++].step = NEREUS_STEP_MERGE;
        }
        for (int size = 0; size < 2; size++) {
            rows[count++] = (struct nereus_sample){.kind = NEREUS_SAMPLE_PINGPONG,
                                                   .pair = NEREUS_PAIR_SAME_WORLD_SAME_NODE,
                                                   .bytes = size == 0 ? 8 : 16777216,
                                                   .time_s = (size == 0 ? 1e-6 : 2e-3) *
                                                             (10 + (size == 0 ? 2 : 1) * i)};
        }
    }
    struct nereus_samples samples = {.rows = rows, .count = count};
    nereus_calibration_grid_update(&grid, &samples);
    cr_expect_float_eq(find(&grid, "spawn 1 from 1")->half_width, 0.15, 1e-12);
    cr_expect_float_eq(find(&grid, "ping-pong same-world/same-node")->half_width, 4.0 / 14, 1e-12);
    cr_expect(isinf(find(&grid, "spawn 1 from 2")->half_width));
    nereus_calibration_grid_fini(&grid);
}

/* Rows of one core per node are this machine's only where they are whole reconfigurations: on
 * virtual nodes. */
Test(calibrate_grid, rows_of_other_nodes)
{
    static const struct {
        enum nereus_sample_kind kind;
        int64_t cores, of_row, each;
        bool accepted;
    } rows[] = {
        {NEREUS_SAMPLE_STEP, 2, 1, 1, true},
        {NEREUS_SAMPLE_RECONFIGURATION, 2, 1, 1, true},
        {NEREUS_SAMPLE_RECONFIGURATION, 1, 1, 1, true},
        {NEREUS_SAMPLE_STEP, 1, 1, 1, false},
        {NEREUS_SAMPLE_PINGPONG, 1, 1, 1, false},
        {NEREUS_SAMPLE_RECONFIGURATION, 4, 1, 1, false},
        /* processes of two cores: what a calibration measures without this library takes one */
        {NEREUS_SAMPLE_STEP, 2, 1, 2, true},
        {NEREUS_SAMPLE_RECONFIGURATION, 2, 2, 2, true},
        {NEREUS_SAMPLE_RECONFIGURATION, 2, 1, 2, false},
        {NEREUS_SAMPLE_RECONFIGURATION, 2, 2, 1, false},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_sample both[] = {{.kind = NEREUS_SAMPLE_STEP, .cores_per_node = 2, .line = 2},
                                       {.kind = rows[i].kind,
                                        .cores_per_node = rows[i].cores,
                                        .cores_per_process = rows[i].of_row,
                                        .line = 3}};
        const struct nereus_samples samples = {.rows = both, .count = 2};
        const struct nereus_machine machine = {.cores_per_node = 2 / rows[i].each,
                                               .cores_per_process = rows[i].each};
        struct nereus_error err = {.text = ""};
        const enum nereus_status status =
            nereus_calibration_check_cores("p.csv", &machine, &samples, &err);
        cr_expect_eq(status == NEREUS_OK, rows[i].accepted, "row %zu: %s", i, err.text);
        cr_expect(rows[i].accepted || strstr(err.text, "p.csv, line 3: measured with ") == err.text,
                  "%s", err.text);
    }
}

/* Where sources and targets part is measured within the cores on every machine that has two, by as
 * little as will do. */
Test(calibrate_grid, a_baseline_within_the_cores)
{
    for (int64_t cores = 1; cores <= 9; cores++) {
        struct nereus_machine machine = one_node(cores, 0);
        struct nereus_calibration_grid grid = grid_of(&machine);
        int within = 0;
        for (int i = 0; i < grid.count; i++) {
            const struct nereus_calibration_cell *cell = &grid.cells[i];
            within += cell->task == NEREUS_CELL_JOB && strcmp(cell->method, "baseline/coll") == 0 &&
                      cell->peak_processes <= cores;
        }
        cr_expect_eq(within > 0, cores >= 2, "%lld cores", (long long)cores);
        cr_expect_eq(find(&grid, "baseline/coll 1 -> 1, 0 MB") != NULL, cores == 2, "%lld cores",
                     (long long)cores);
        nereus_calibration_grid_fini(&grid);
        nereus_machine_fini(&machine);
    }
}

/* One for one: each run has one row, which is counted once. */
Test(calibrate_grid, replacements_are_counted_once)
{
    struct nereus_machine machine = one_node(2, 0);
    struct nereus_calibration_grid grid = grid_of(&machine);
    struct nereus_sample row = {
        .kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 1, .nt = 1, .rt_s = 0.1};
    cr_assert_eq(nereus_method_parse("baseline/coll", &row.method, NULL), NEREUS_OK);
    const struct nereus_samples samples = {.rows = &row, .count = 1};
    nereus_calibration_grid_update(&grid, &samples);
    for (int i = 0; i < grid.count; i++) {
        const bool it = strcmp(grid.cells[i].label, "baseline/coll 1 -> 1, 0 MB") == 0;
        cr_expect_eq(grid.cells[i].runs, it ? 1 : 0, "%s", grid.cells[i].label);
    }
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* Medians by hand, of the largest size with the advice: jobs that are measured follow it. */
Test(calibrate_grid, huge_pages_as_measured)
{
    static const struct {
        enum nereus_operation operation;
        double bytes, time_s;
    } rows[] = {
        {NEREUS_OPERATION_TOUCH, 67108864, 0.041},
        {NEREUS_OPERATION_TOUCH, 67108864, 0.037},
        {NEREUS_OPERATION_TOUCH, 67108864, 0.9},
        {NEREUS_OPERATION_TOUCH, 16777216, 0.0002},
        {NEREUS_OPERATION_SHARED, 67108864, 0.0001},
        {NEREUS_OPERATION_TOUCH_HUGE, 512, 0.5},
        {NEREUS_OPERATION_TOUCH_HUGE, 67108864, 0.038},
        {NEREUS_OPERATION_TOUCH_HUGE, 67108864, 0.8},
        {NEREUS_OPERATION_TOUCH_HUGE, 67108864, 0.013},
        {NEREUS_OPERATION_TOUCH_HUGE, 67108864, 0.011},
        {NEREUS_OPERATION_TOUCH_HUGE, 67108864, 0.012},
    };
    enum { ROWS = NEREUS_COUNT_OF(rows) };
    static const struct {
        int64_t count;
        bool expected;
    } cases[] = {{0, false},
                 {5, false} /* none with it */,
                 {7, false} /* 0.038 of 0.041 */,
                 {ROWS, true} /* 0.013 of 0.041 */};
    struct nereus_sample all[ROWS];
    memset(all, 0, sizeof all);
    for (int i = 0; i < ROWS; i++) {
        all[i].kind = NEREUS_SAMPLE_OPERATION;
        all[i].operation = rows[i].operation;
        all[i].bytes = rows[i].bytes;
        all[i].time_s = rows[i].time_s;
    }
    for (size_t c = 0; c < NEREUS_COUNT_OF(cases); c++) {
        const struct nereus_samples samples = {.rows = all, .count = cases[c].count};
        cr_expect_eq(nereus_calibration_prefers_huge_pages(&samples), cases[c].expected,
                     "%lld rows", (long long)cases[c].count);
    }
}
