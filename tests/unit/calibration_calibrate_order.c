/** @file calibration_calibrate_order.c  In which order a calibration measures, and when it has had enough. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "calibrate_order.h"
#include "calibrate_rows.h"

static struct nereus_calibration_grid two_cores(struct nereus_machine *machine)
{
    struct nereus_calibration_grid grid;
    *machine = (struct nereus_machine){0};
    cr_assert_eq(nereus_machine_single("here", 2, machine, NULL), NEREUS_OK);
    cr_assert_eq(nereus_calibration_grid_make(machine, &grid, NULL), NEREUS_OK);
    return grid;
}

/* Every cell once before any twice, the essential ones first; the order is the seed's. */
Test(calibrate_order, each_once_then_by_seed)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    int order[3][256], essential = 0;
    for (int i = 0; i < grid.count; i++) {
        essential += grid.cells[i].essential;
    }
    cr_assert(grid.count <= 256 && essential > 0 && essential < grid.count);
    for (int round = 0; round < 3; round++) {
        unsigned short state[3] = {(unsigned short)(round < 2 ? 11 : 12), 7, 5};
        for (int i = 0; i < grid.count; i++) {
            grid.cells[i].runs = 0;
        }
        for (int i = 0; i < grid.count; i++) {
            int next = nereus_calibration_grid_next(&grid, 0.05, 1e9, state);
            cr_assert(next >= 0 && grid.cells[next].runs == 0, "step %d", i);
            cr_expect_eq(grid.cells[next].essential, i < essential, "step %d", i);
            grid.cells[next].runs++;
            grid.cells[next].half_width = INFINITY;
            order[round][i] = next;
        }
        cr_expect_eq(nereus_calibration_grid_missing(&grid), 0);
    }
    cr_expect_eq(memcmp(order[0], order[1], (size_t)grid.count * sizeof(int)), 0, "same seed, another order");
    cr_expect_neq(memcmp(order[0], order[2], (size_t)grid.count * sizeof(int)), 0,
                  "another seed, same order");
    nereus_calibration_grid_fini(&grid);
}

Test(calibrate_order, neither_too_costly_nor_failing)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    unsigned short state[3] = {1, 2, 3};
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e-3, state), -1);
    for (int i = 0; i < grid.count; i++) {
        grid.cells[i].failures = i == 5 ? 1 : 2;
    }
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e9, state), 5);
    cr_expect_eq(nereus_calibration_grid_wide(&grid, 0.05), 1);
    grid.cells[5].failures = 2;
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e9, state), -1);
    cr_expect_eq(nereus_calibration_grid_wide(&grid, 0.05), 0);
    nereus_calibration_grid_fini(&grid);
}

/* Two cells are left to choose from, 0 and 1; the others are narrow. Which of them is measured next? -1: none. */
Test(calibrate_order, cheapest_information_first)
{
    static const struct {
        const char *why;
        int64_t runs[2];
        double half_width[2], cost_s[2], left_s;
        int expected; /* 2: either */
    } rows[] = {
        {"the wider one", {6, 6}, {0.4, 0.1}, {1.3, 1.3}, 99, 0},
        {"the cheaper one", {6, 6}, {0.3, 0.3}, {3.1, 1.2}, 99, 1},
        {"wide but dear", {6, 6}, {0.5, 0.3}, {9.0, 1.2}, 99, 1},
        {"much the same", {6, 6}, {0.31, 0.3}, {1.2, 1.3}, 99, 2},
        {"one more of 30 runs gains little", {30, 6}, {0.3, 0.2}, {1.2, 1.2}, 99, 1},
        {"too few for an interval", {2, 30}, {INFINITY, 0.2}, {1.2, 1.2}, 99, 0},
        {"never measured, and dear", {30, 0}, {0.9, INFINITY}, {0.2, 9.0}, 99, 1},
        {"which does not fit", {30, 0}, {0.9, INFINITY}, {0.2, 9.0}, 8, 0},
        {"narrow", {30, 30}, {0.04, 0.06}, {0.1, 9.0}, 99, 1},
        {"narrow but too few runs", {4, 30}, {0.01, 0.01}, {1.2, 1.2}, 99, 0},
        {"all narrow", {5, 30}, {0.05, 0.01}, {1.2, 1.2}, 99, -1},
    };
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int64_t chosen[2] = {0, 0};
        for (int i = 0; i < grid.count; i++) {
            struct nereus_calibration_cell *cell = &grid.cells[i];
            cell->runs = i < 2 ? rows[r].runs[i] : 50;
            cell->half_width = i < 2 ? rows[r].half_width[i] : 0.01;
            cell->cost_s = i < 2 ? rows[r].cost_s[i] : 0.7;
        }
        for (unsigned short seed = 0; seed < 60; seed++) {
            unsigned short state[3] = {seed, 3, 8};
            const int next = nereus_calibration_grid_next(&grid, 0.05, rows[r].left_s, state);
            cr_assert(next < 2, "%s: %d", rows[r].why, next);
            chosen[0] += next == 0;
            chosen[1] += next == 1;
        }
        cr_expect_eq(chosen[0] > 0, rows[r].expected == 0 || rows[r].expected == 2, "%s", rows[r].why);
        cr_expect_eq(chosen[1] > 0, rows[r].expected == 1 || rows[r].expected == 2, "%s", rows[r].why);
    }
    nereus_calibration_grid_fini(&grid);
}
