/**
 * @file calibrate_order.h
 * In which order the cells of a calibration are measured, and when it is enough.
 */
#ifndef NEREUS_CALIBRATE_ORDER_H
#define NEREUS_CALIBRATE_ORDER_H

#include "calibrate_grid.h"

/**
 * Which cell to measure next. Those without any run come first, of them the essential ones; within each group the one whose
 * interval a further run narrows most for its time, or a random one of those that come near it. Never one
 * that is narrow already, costs more than left_s or has failed twice.
 * @param precision  an interval with this relative half-width is narrow
 * @param state  of the random numbers (erand48)
 * @return an index, or -1: nothing is left, or nothing fits any more
 */
int nereus_calibration_grid_next(const struct nereus_calibration_grid *grid, double precision, double left_s,
                                 unsigned short state[3]);

/** Has it failed so often that it is passed over? */
bool nereus_calibration_cell_given_up(const struct nereus_calibration_cell *cell);

/** How many cells a longer budget would narrow: neither narrow nor given up. 0: the calibration is complete. */
int nereus_calibration_grid_wide(const struct nereus_calibration_grid *grid, double precision);

#endif
