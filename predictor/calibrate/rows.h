/**
 * @file rows.h
 * Which rows of samples belong to which cell: how often it was run, and how sure its medians are.
 */
#ifndef NEREUS_CALIBRATE_ROWS_H
#define NEREUS_CALIBRATE_ROWS_H

#include "grid.h"

/** Set a cell's runs and half_width to what the samples say. Without memory for it, half_width stays INFINITY. */
void nereus_calibration_cell_count(struct nereus_calibration_cell *cell,
                                   const struct nereus_samples *samples);

/** The same of every cell. */
void nereus_calibration_grid_count(struct nereus_calibration_grid *grid,
                                   const struct nereus_samples *samples);

/**
 * Are the samples of nodes with so many cores? Cells are counted by numbers of processes, which do not tell.
 * @return NEREUS_ERR_ARGUMENT with the line of the first that is of another, and what to do
 */
enum nereus_status nereus_calibration_check_cores(const char *path, int64_t cores_per_node,
                                                  const struct nereus_samples *samples,
                                                  struct nereus_error *err);

/** How many cells have no run yet. */
int nereus_calibration_grid_missing(const struct nereus_calibration_grid *grid);

#endif
