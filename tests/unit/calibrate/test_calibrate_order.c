/** @file test_calibrate_order.c  In which order a calibration measures, and when it has had enough.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/statistics/statistics.h"
#include "model/util/arith.h"

static struct nereus_calibration_grid two_cores(struct nereus_machine *machine)
{
    struct nereus_calibration_grid grid;
    *machine = (struct nereus_machine){0};
    cr_assert_eq(nereus_machine_single("here", 2, machine, NULL), NEREUS_OK);
    cr_assert_eq(nereus_calibration_grid_make(machine, &grid, NULL), NEREUS_OK);
    return grid;
}

/* Runs of a cell before others have a second one. */
static int64_t early_runs(const struct nereus_calibration_cell *cell)
{
    return cell->task == NEREUS_CELL_PINGPONG ? 3 : 1;
}

/* Every cell once before any twice, but ping-pongs three times; the essential ones first; the order
 * is the seed's. */
Test(calibrate_order, each_once_then_by_seed)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    int order[3][256], essential = 0, all = 0;
    for (int i = 0; i < grid.count; i++) {
        essential += grid.cells[i].essential;
        all += (int)early_runs(&grid.cells[i]);
    }
    cr_assert(all <= 256 && essential > 0 && essential < grid.count && all > grid.count);
    for (int round = 0; round < 3; round++) {
        unsigned short state[3] = {(unsigned short)(round < 2 ? 11 : 12), 7, 5};
        for (int i = 0; i < grid.count; i++)
            grid.cells[i].runs = 0;
        for (int i = 0; i < all; i++) {
            int next = nereus_calibration_grid_next(&grid, 0.05, 1e9, state);
            cr_assert(next >= 0 && grid.cells[next].runs < early_runs(&grid.cells[next]), "step %d",
                      i);
            cr_expect_eq(grid.cells[next].essential && grid.cells[next].runs == 0, i < essential,
                         "step %d", i);
            grid.cells[next].runs++;
            grid.cells[next].half_width = INFINITY;
            order[round][i] = next;
        }
        cr_expect_eq(nereus_calibration_grid_count_missing(&grid), 0);
    }
    cr_expect_eq(memcmp(order[0], order[1], (size_t)all * sizeof(int)), 0,
                 "same seed, another order");
    cr_expect_neq(memcmp(order[0], order[2], (size_t)all * sizeof(int)), 0,
                  "another seed, same order");
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

Test(calibrate_order, neither_too_costly_nor_failing)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    unsigned short state[3] = {1, 2, 3};
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e-3, state), -1);
    for (int i = 0; i < grid.count; i++)
        grid.cells[i].failures = i == 5 ? 1 : 2;
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e9, state), 5);
    cr_expect_eq(nereus_calibration_grid_count_wide(&grid, 0.05), 1);
    grid.cells[5].failures = 2;
    cr_expect_eq(nereus_calibration_grid_next(&grid, 0.05, 1e9, state), -1);
    cr_expect_eq(nereus_calibration_grid_count_wide(&grid, 0.05), 0);
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* Two cells are left to choose from, 0 and 1; the others are narrow. Which of them is measured
 * next? -1: none. */
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
    for (size_t r = 0; r < NEREUS_COUNT_OF(rows); r++) {
        int64_t chosen[2] = {0, 0};
        for (int i = 0; i < grid.count; i++) {
            struct nereus_calibration_cell *cell = &grid.cells[i];
            cell->runs = i < 2 ? rows[r].runs[i] : 50;
            cell->half_width = i < 2 ? rows[r].half_width[i] : 0.01;
            cell->expected_s = i < 2 ? rows[r].cost_s[i] : 0.7;
        }
        for (unsigned short seed = 0; seed < 60; seed++) {
            unsigned short state[3] = {seed, 3, 8};
            const int next = nereus_calibration_grid_next(&grid, 0.05, rows[r].left_s, state);
            cr_assert(next < 2, "%s: %d", rows[r].why, next);
            chosen[0] += next == 0;
            chosen[1] += next == 1;
        }
        cr_expect_eq(chosen[0] > 0, rows[r].expected == 0 || rows[r].expected == 2, "%s",
                     rows[r].why);
        cr_expect_eq(chosen[1] > 0, rows[r].expected == 1 || rows[r].expected == 2, "%s",
                     rows[r].why);
    }
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* ---- whole calibrations, of simulated measurements on a simulated clock ---- */

enum { RUNS_MAX = 4096 };

struct simulation {
    struct nereus_machine machine;
    struct nereus_calibration_grid grid;
    double *values; /* RUNS_MAX of each cell */
    double clock_s;
    bool early; /* some cell had a second run while another that fitted had none */
};

/* Cells take 0.2 to 3.1 s and scatter by 2 to 40 %, each in its own way; the n-th run of a cell is
 * the same whatever the order. */
static double run_of(int cell, int64_t n)
{
    unsigned short state[3] = {(unsigned short)cell, (unsigned short)n, (unsigned short)(n >> 16)};
    for (int i = 0; i < 3; i++)
        erand48(state);
    const double log_sd = 0.02 + 0.38 * (double)(cell * 37 % 101) / 101.0;
    return (1.0 + cell % 7) *
           exp(log_sd * (erand48(state) + erand48(state) + erand48(state) - 1.5));
}

static void simulation_init(struct simulation *m)
{
    *m = (struct simulation){0};
    m->grid = two_cores(&m->machine);
    m->values = calloc((size_t)m->grid.count * RUNS_MAX, sizeof *m->values);
    cr_assert_not_null(m->values);
    for (int i = 0; i < m->grid.count; i++) {
        m->grid.cells[i].expected_s = 0.2 + 2.9 * (double)(i * 53 % 97) / 97.0;
        m->grid.cells[i].half_width = INFINITY;
    }
}

static void simulation_fini(struct simulation *m)
{
    free(m->values);
    nereus_calibration_grid_fini(&m->grid);
    nereus_machine_fini(&m->machine);
}

static void run_cell(struct simulation *m, int index)
{
    static double sorted[RUNS_MAX];
    struct nereus_calibration_cell *cell = &m->grid.cells[index];
    double *values = m->values + (size_t)index * RUNS_MAX;
    cr_assert_lt(cell->runs, RUNS_MAX);
    for (int i = 0; i < m->grid.count && cell->runs >= early_runs(cell); i++)
        m->early = m->early || m->grid.cells[i].runs == 0;
    values[cell->runs] = run_of(index, cell->runs);
    cell->runs++;
    m->clock_s += cell->expected_s;
    memcpy(sorted, values, (size_t)cell->runs * sizeof *sorted);
    cell->half_width = nereus_median_relative_half_width(sorted, cell->runs);
}

/* As cmd_calibrate.c does it. */
static void calibrate(struct simulation *m, double precision, double budget_s)
{
    unsigned short state[3] = {9, 4, 1};
    int next;
    while ((next = nereus_calibration_grid_next(&m->grid, precision, budget_s - m->clock_s,
                                                state)) >= 0)
        run_cell(m, next);
}

/* All cells in turn, those that are narrow left out: what a calibration without a plan would do. */
static void in_turn(struct simulation *m, double precision, double budget_s)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < m->grid.count; i++) {
            struct nereus_calibration_cell *cell = &m->grid.cells[i];
            if ((cell->runs < NEREUS_MEDIAN_VALUES_MIN || cell->half_width > precision) &&
                cell->expected_s <= budget_s - m->clock_s) {
                run_cell(m, i);
                more = true;
            }
        }
    }
}

/* Of all cells; one without an interval counts as wide as its value. */
static double mean_half_width(const struct simulation *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->grid.count; i++)
        sum += fmin(m->grid.cells[i].half_width, 1.0);
    return sum / (double)m->grid.count;
}

/* Two hours are not spent where less is enough; a minute is, and not more; and to be never content
 * takes all there is. */
Test(calibrate_order, budgets)
{
    static const struct {
        const char *why;
        double precision, budget_s;
        bool complete;
    } rows[] = {
        {"two hours, to 5 %", 0.05, 7200.0, true},
        {"two hours, loosely", 0.5, 7200.0, true},
        {"a minute", 0.05, 60.0, false},
        {"five minutes", 0.05, 300.0, false},
        {"half an hour, never content", 0.0, 1800.0, false},
    };
    for (size_t r = 0; r < NEREUS_COUNT_OF(rows); r++) {
        struct simulation m;
        simulation_init(&m);
        calibrate(&m, rows[r].precision, rows[r].budget_s);
        const int wide = nereus_calibration_grid_count_wide(&m.grid, rows[r].precision);
        cr_expect_eq(wide == 0, rows[r].complete, "%s: %d are wide", rows[r].why, wide);
        cr_expect_leq(m.clock_s, rows[r].budget_s, "%s: %g s", rows[r].why, m.clock_s);
        cr_expect_eq(m.clock_s < rows[r].budget_s - 3.1, rows[r].complete, "%s: %g s", rows[r].why,
                     m.clock_s);
        cr_expect(r == 2 || !m.early, "%s: twice before all were measured once", rows[r].why);
        for (int i = 0; i < m.grid.count && rows[r].complete; i++) {
            cr_expect_geq(m.grid.cells[i].runs, NEREUS_MEDIAN_VALUES_MIN, "%s: cell %d",
                          rows[r].why, i);
        }
        simulation_fini(&m);
    }
}

/* Whatever the order, the same runs make all narrow; but where the budget ends before, more is
 * known than by turns. */
Test(calibrate_order, better_than_in_turn)
{
    struct simulation planned, turns;
    simulation_init(&planned);
    simulation_init(&turns);
    calibrate(&planned, 0.05, 1e9);
    in_turn(&turns, 0.05, 1e9);
    const double all_s = planned.clock_s;
    cr_expect_float_eq(turns.clock_s, all_s, 1e-6 * all_s);
    simulation_fini(&planned);
    simulation_fini(&turns);
    for (double share = 0.3; share < 0.9; share += 0.2) {
        simulation_init(&planned);
        simulation_init(&turns);
        calibrate(&planned, 0.05, share * all_s);
        in_turn(&turns, 0.05, share * all_s);
        cr_expect_lt(mean_half_width(&planned), mean_half_width(&turns), "%g of %g s", share,
                     all_s);
        cr_log_info("%g of %g s: %g, %g", share, all_s, mean_half_width(&planned),
                    mean_half_width(&turns));
        simulation_fini(&planned);
        simulation_fini(&turns);
    }
}

/* What a run takes is expected of its cell again; and of others of its kind, what they were guessed
 * to take, stretched as those that were run. */
Test(calibrate_order, expected_durations)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    int first[2] = {-1, -1}, other = -1; /* of a kind; one of another */
    for (int i = 0; i < grid.count; i++) {
        if (grid.cells[i].task == NEREUS_CELL_SPAWN && first[1] < 0)
            first[first[0] >= 0] = i;
        else if (grid.cells[i].task == NEREUS_CELL_JOB)
            other = i;
        cr_expect_eq(grid.cells[i].expected_s, grid.cells[i].estimate_s);
    }
    const double guess_s[2] = {grid.cells[first[0]].estimate_s, grid.cells[first[1]].estimate_s};
    int last = first[1];
    for (int i = 0; i < grid.count; i++)
        last = grid.cells[i].task == NEREUS_CELL_SPAWN ? i : last;
    cr_assert(last != first[1] && other >= 0);
    nereus_calibration_grid_record_time(&grid, first[0], 3 * guess_s[0]);
    cr_expect_float_eq(grid.cells[first[0]].expected_s, 3 * guess_s[0], 1e-12);
    cr_expect_float_eq(grid.cells[first[1]].expected_s, 3 * guess_s[1], 1e-12);
    cr_expect_eq(grid.cells[other].expected_s, grid.cells[other].estimate_s, "another kind");
    nereus_calibration_grid_record_time(&grid, first[1], 0.5 * guess_s[1]);
    cr_expect_float_eq(grid.cells[first[0]].expected_s, 3 * guess_s[0], 1e-12,
                       "what was run keeps its own");
    cr_expect_float_eq(grid.cells[last].expected_s,
                       fmax(1, (3 * guess_s[0] + 0.5 * guess_s[1]) / (guess_s[0] + guess_s[1])) *
                           grid.cells[last].estimate_s,
                       1e-12);
    for (int i = 0; i < 20; i++) /* quick ones: no less than the guess */
        nereus_calibration_grid_record_time(&grid, first[1], 1e-3);
    cr_expect_float_eq(grid.cells[last].expected_s, grid.cells[last].estimate_s, 1e-12);
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}

/* Each essential cell is tried once before one of them is tried again; when all have failed, that
 * is enough, unless something was made. */
Test(calibrate_order, nothing_works)
{
    struct nereus_machine machine;
    struct nereus_calibration_grid grid = two_cores(&machine);
    unsigned short state[3] = {4, 2, 3};
    int essential = 0, tried = 0;
    for (int i = 0; i < grid.count; i++)
        essential += grid.cells[i].essential;
    cr_expect_not(nereus_calibration_grid_has_failed(&grid, 0));
    while (tried < 999 && !nereus_calibration_grid_has_failed(&grid, 0)) {
        const int next = nereus_calibration_grid_next(&grid, 0.05, 60, state);
        cr_assert(next >= 0);
        cr_expect(grid.cells[next].essential && grid.cells[next].failures == 0, "%s",
                  grid.cells[next].label);
        grid.cells[next].failures++;
        tried++;
    }
    cr_expect_eq(tried, essential);
    cr_expect_not(nereus_calibration_grid_has_failed(&grid, 1));
    const int next = nereus_calibration_grid_next(&grid, 0.05, 60, state);
    cr_expect(grid.cells[next].essential, "essential ones are tried again first");
    nereus_calibration_grid_fini(&grid);
    nereus_machine_fini(&machine);
}
