/** @file order.c  Chooses among the cells whose interval one more run narrows most per second of
 * measuring. */
#include "order.h"

#include "model/statistics/statistics.h"

enum { FAILURES_MAX = 2 };
static const double min_gain_share = 0.5; /* least share of the best gain: a cell may be chosen */

bool nereus_calibration_cell_is_given_up(const struct nereus_calibration_cell *cell)
{
    return cell->failures >= FAILURES_MAX;
}

void nereus_calibration_grid_give_up_program(struct nereus_calibration_grid *grid, int failed)
{
    const struct nereus_calibration_cell *cell = &grid->cells[failed];
    for (int i = 0; i < grid->count && cell->task == NEREUS_CELL_PROGRAM; i++) {
        if (grid->cells[i].task == NEREUS_CELL_PROGRAM) {
            grid->cells[i].failures = FAILURES_MAX;
            memmove(grid->cells[i].failure, cell->failure, sizeof cell->failure);
        }
    }
}

void nereus_calibration_grid_record_time(struct nereus_calibration_grid *grid, int index,
                                         double wall_s)
{
    struct nereus_calibration_cell *cell = &grid->cells[index];
    double *took_s = &grid->took_s[cell->task], *estimated_s = &grid->estimated_s[cell->task];
    cell->expected_s = wall_s;
    cell->timed = true;
    *took_s += wall_s;
    *estimated_s += cell->estimate_s;
    const double longer = *estimated_s > 0 ? fmax(1.0, *took_s / *estimated_s) : 1.0;
    for (int i = 0; i < grid->count; i++) {
        struct nereus_calibration_cell *other = &grid->cells[i];
        if (other->task == cell->task && !other->timed && other->failures == 0)
            other->expected_s = longer * other->estimate_s;
    }
}

bool nereus_calibration_grid_has_failed(const struct nereus_calibration_grid *grid,
                                        int64_t successful_runs)
{
    int failed = 0, essential = 0;
    for (int i = 0; i < grid->count; i++) {
        failed += grid->cells[i].failures > 0;
        essential += grid->cells[i].essential;
    }
    return successful_runs == 0 && failed > 0 && failed >= essential;
}

/* Does the cell still count as not measured? One run suffices, except for two tasks. A ping-pong
 * run gives one value per size, and all prices of data depend on these medians: three cheap runs
 * make them robust. A program's start-up is a difference of two values, and few cells have it. */
static bool is_new(const struct nereus_calibration_cell *cell)
{
    const bool often = cell->task == NEREUS_CELL_PINGPONG || cell->task == NEREUS_CELL_PROGRAM;
    return cell->runs < (often ? 3 : 1);
}

/* Priority group of a cell: 0 essential cells, 2 other new cells, 4 repetitions, plus 1 for cells
 * that failed. All cells of a lower group come first, however long they take. */
static int get_priority_group(const struct nereus_calibration_cell *cell)
{
    const int group = cell->runs == 0 && cell->essential ? 0 : 2;
    return is_new(cell) ? group + (cell->failures > 0) : 4;
}

/* The narrowing of the interval by one more run, per second of this run. The width falls as 1 /
 * sqrt(runs); without an interval the relative width of one run is taken as 1. */
static double compute_gain_per_s(const struct nereus_calibration_cell *cell)
{
    const double runs = (double)cell->runs;
    if (is_new(cell))
        return 1.0 / cell->expected_s;
    const double width = isfinite(cell->half_width) ? cell->half_width : 1.0 / sqrt(runs);
    return width * (1.0 - sqrt(runs / (runs + 1.0))) / cell->expected_s;
}

static bool is_wide(const struct nereus_calibration_cell *cell, double precision)
{
    return !nereus_calibration_cell_is_given_up(cell) &&
           (cell->runs < NEREUS_MEDIAN_VALUES_MIN || cell->half_width > precision);
}

int nereus_calibration_grid_count_wide(const struct nereus_calibration_grid *grid, double precision)
{
    int wide = 0;
    for (int i = 0; i < grid->count; i++)
        wide += is_wide(&grid->cells[i], precision);
    return wide;
}

/* Find the first group with a cell that fits into the time left.
 * @return its best gain */
static double find_best_gain(const struct nereus_calibration_grid *grid, double precision,
                             double left_s, int *group)
{
    double best = 0.0;
    *group = INT_MAX;
    for (int i = 0; i < grid->count; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        if (cell->expected_s > left_s || !is_wide(cell, precision) ||
            get_priority_group(cell) > *group)
            continue;
        best = get_priority_group(cell) < *group ? compute_gain_per_s(cell)
                                                 : fmax(best, compute_gain_per_s(cell));
        *group = get_priority_group(cell);
    }
    return best;
}

int nereus_calibration_grid_next(const struct nereus_calibration_grid *grid, double precision,
                                 double left_s, unsigned short state[3])
{
    int chosen = -1, equals = 0, group;
    const double best = find_best_gain(grid, precision, left_s, &group);
    for (int i = 0; i < grid->count; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        if (cell->expected_s > left_s || !is_wide(cell, precision) ||
            get_priority_group(cell) != group || compute_gain_per_s(cell) < min_gain_share * best)
            continue;
        /* Reservoir sampling: each candidate so far is chosen with the same probability. */
        equals++;
        if (erand48(state) * equals < 1.0)
            chosen = i;
    }
    return chosen;
}
