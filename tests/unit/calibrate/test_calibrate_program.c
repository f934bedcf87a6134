/** @file test_calibrate_program.c  The cells of a program's start-up: sizes, counted rows, and what
 * a failure does to them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/calibrate/grid.h"
#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/util/arith.h"

static const char command[] = "app -n 3";

static struct nereus_machine nodes_of(int64_t nodes, int64_t cores, int64_t slots)
{
    struct nereus_machine machine = {0};
    cr_assert_eq(nodes == 1 ? nereus_machine_single("here", cores, &machine, NULL)
                            : nereus_machine_equal_nodes(nodes, cores, &machine, NULL),
                 NEREUS_OK);
    machine.slots = slots;
    return machine;
}

static struct nereus_calibration_grid program_cells(const struct nereus_machine *machine)
{
    struct nereus_calibration_grid grid = {.machine = machine};
    nereus_calibration_grid_add_program(command, &grid);
    return grid;
}

/* By hand: one, half a node, a node, two nodes; on several nodes one core is that of the
 * starter. */
Test(calibrate_program, sizes_by_hand)
{
    static const struct {
        int64_t nodes, cores, slots;
        int count;
        int64_t sizes[4];
    } rows[] = {{1, 1, 0, 2, {1, 2}},       {1, 2, 0, 3, {1, 2, 4}},    {1, 2, 4, 2, {1, 2}},
                {1, 4, 0, 4, {1, 2, 4, 8}}, {2, 4, 0, 4, {1, 2, 4, 7}}, {4, 2, 0, 4, {1, 2, 4, 7}}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = nodes_of(rows[i].nodes, rows[i].cores, rows[i].slots);
        struct nereus_calibration_grid grid = program_cells(&machine);
        cr_assert_eq(grid.count, rows[i].count, "row %d: %d cells", (int)i, grid.count);
        for (int k = 0; k < grid.count; k++) {
            const struct nereus_calibration_cell *cell = &grid.cells[k];
            cr_expect_eq(cell->new_processes, rows[i].sizes[k], "row %d: %d", (int)i,
                         (int)cell->new_processes);
            cr_expect(cell->essential && cell->processes == 1 && cell->program == command &&
                      cell->peak_processes == 1 + cell->new_processes && cell->estimate_s > 0);
        }
        nereus_calibration_grid_fini(&grid);
        nereus_machine_fini(&machine);
    }
}

/* Rows of another program, of another size, and of joining alone are no runs. */
Test(calibrate_program, counts_its_own_starts)
{
    struct nereus_machine machine = nodes_of(1, 2, 0);
    struct nereus_calibration_grid grid = program_cells(&machine);
    struct nereus_sample rows[] = {
        {.kind = NEREUS_SAMPLE_PROGRAM_JOIN, .new_processes = 2, .program = "app -n 3"},
        {.kind = NEREUS_SAMPLE_PROGRAM_START, .new_processes = 2, .program = "app -n 3"},
        {.kind = NEREUS_SAMPLE_PROGRAM_START, .new_processes = 2, .program = "app -n 4"},
        {.kind = NEREUS_SAMPLE_PROGRAM_START, .new_processes = 3, .program = "app -n 3"},
        {.kind = NEREUS_SAMPLE_STEP, .step = NEREUS_STEP_SPAWN, .new_processes = 4}};
    const struct nereus_samples samples = {.rows = rows, .count = NEREUS_COUNT_OF(rows)};
    nereus_calibration_grid_update(&grid, &samples);
    cr_expect_eq(grid.cells[0].runs, 0);
    cr_expect_eq(grid.cells[1].runs, 1);
    cr_expect_eq(grid.cells[2].runs, 0);
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* One failure ends all of its cells, and no others. */
Test(calibrate_program, a_failure_ends_it)
{
    struct nereus_machine machine = nodes_of(1, 2, 0);
    struct nereus_calibration_grid grid;
    cr_assert_eq(nereus_calibration_grid_make(&machine, &grid, NULL), NEREUS_OK);
    const int first = grid.count;
    nereus_calibration_grid_add_program(command, &grid);
    nereus_calibration_grid_give_up_program(&grid, first - 1); /* another kind */
    for (int i = 0; i < grid.count; i++)
        cr_expect_not(nereus_calibration_cell_is_given_up(&grid.cells[i]));
    snprintf(grid.cells[first + 1].failure, sizeof grid.cells[first + 1].failure, "no MPI");
    nereus_calibration_grid_give_up_program(&grid, first + 1);
    for (int i = 0; i < grid.count; i++) {
        cr_expect_eq(nereus_calibration_cell_is_given_up(&grid.cells[i]), i >= first, "%s",
                     grid.cells[i].label);
        cr_expect_str_eq(grid.cells[i].failure, i >= first ? "no MPI" : "");
    }
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}
