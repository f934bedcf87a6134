/**
 * @file order.h
 * In which order the cells of a calibration are measured, and when it is enough.
 */
#ifndef NEREUS_CALIBRATE_ORDER_H
#define NEREUS_CALIBRATE_ORDER_H

#include "grid.h"

/**
 * Which cell to measure next. Those without any run come first (ping-pongs: with fewer than three), of them the essential ones; within
 * each group the one whose interval a further run narrows most for its time, or a random one of those that come near it. What has
 * failed is tried once more after the others of its group. Never one
 * that is narrow already, costs more than left_s or has failed twice.
 * @param precision  an interval with this relative half-width is narrow
 * @param state  of the random numbers (erand48)
 * @return an index, or -1: nothing is left, or nothing fits any more
 */
int nereus_calibration_grid_next(const struct nereus_calibration_grid *grid, double precision, double left_s,
                                 unsigned short state[3]);

/**
 * A run of a cell was made and took so long: expected of that cell from now on. Of those of its kind that were not run yet as many times
 * their guess is expected as the runs so far have taken of theirs, but no less than the guess.
 */
void nereus_calibration_grid_took(struct nereus_calibration_grid *grid, int index, double wall_s);

/**
 * Does nothing work here? So it seems when no run was made, and as many cells have failed as are essential: these come first.
 * @param made  runs that were made in this calibration
 */
bool nereus_calibration_grid_hopeless(const struct nereus_calibration_grid *grid, int64_t made);

/** Has it failed so often that it is passed over? */
bool nereus_calibration_cell_given_up(const struct nereus_calibration_cell *cell);

/** How many cells a longer budget would narrow: neither narrow nor given up. 0: the calibration is complete. */
int nereus_calibration_grid_wide(const struct nereus_calibration_grid *grid, double precision);

#endif
