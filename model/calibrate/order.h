/**
 * @file order.h
 * Chooses the cell that a calibration measures next, and says when it can stop; records for this
 * the times and failures of runs.
 */
#pragma once

#include "grid.h"

/** Choose the cell to measure next. New cells come first (without a run; ping-pongs, programs:
 * fewer than three), essential ones before the others; then repetitions. Within each of these
 * groups a random cell is chosen among those with at least half of the best gain: the narrowing of
 * the interval by one more run, per second of that run. A failed cell is retried once, a new one
 * after the other new cells of its group. Cells with a narrow interval, a cost above left_s or two
 * failures are not chosen.
 * @param precision  intervals up to this relative half-width are narrow
 * @param state  seed of erand48, which it changes
 * @return an index, or -1: no cell is left, or none fits into left_s */
int nereus_calibration_grid_next(const struct nereus_calibration_grid *grid, double precision,
                                 double left_s, unsigned short state[3]);

/** Record the time of a run, which becomes the expected time of the cell. Estimates of cells of the
 * same task that were not run are scaled by measured over estimated time of the task, but not below
 * the estimate. */
void nereus_calibration_grid_record_time(struct nereus_calibration_grid *grid, int index,
                                         double wall_s);

/** Has every kind of run failed? True if no run succeeded and as many cells have failed as there
 * are essential ones, which are tried first.
 * @param successful_runs  successful runs of this calibration */
bool nereus_calibration_grid_has_failed(const struct nereus_calibration_grid *grid,
                                        int64_t successful_runs);

/** Has the cell failed too often to be tried again? */
bool nereus_calibration_cell_is_given_up(const struct nereus_calibration_cell *cell);

/** Give up all cells of a program that could not be started once.
 * @param failed  index of the cell; nothing happens for other kinds */
void nereus_calibration_grid_give_up_program(struct nereus_calibration_grid *grid, int failed);

/** Number of cells that are neither narrow nor given up. 0: the calibration is complete. */
int nereus_calibration_grid_count_wide(const struct nereus_calibration_grid *grid,
                                       double precision);
