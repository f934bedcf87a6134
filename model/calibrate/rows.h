/**
 * @file rows.h
 * Matches rows of samples with cells: the number of runs and the intervals of the medians.
 */
#ifndef NEREUS_MODEL_CALIBRATE_ROWS_H
#define NEREUS_MODEL_CALIBRATE_ROWS_H

#include "grid.h"

/** Set a cell's runs and half_width from the samples. Without memory half_width is INFINITY. */
void nereus_calibration_cell_count(struct nereus_calibration_cell *cell,
                                   const struct nereus_samples *samples);

/** As nereus_calibration_cell_count, for every cell. */
void nereus_calibration_grid_count(struct nereus_calibration_grid *grid,
                                   const struct nereus_samples *samples);

/**
 * Check that the samples are of such nodes, and their whole reconfigurations of processes with as
 * many cores: rows are matched by processes only.
 * @return NEREUS_ERR_ARGUMENT with the line of the first other row, and what to do
 */
enum nereus_status nereus_calibration_check_cores(const char *path,
                                                  const struct nereus_machine *machine,
                                                  const struct nereus_samples *samples,
                                                  struct nereus_error *err);

/** Number of cells without a run. */
int nereus_calibration_grid_missing(const struct nereus_calibration_grid *grid);

/**
 * Does the advice to use huge pages pay, by the medians of first touch at its largest size? Then
 * jobs with the profile will follow it, and those that are measured have to, too.
 * @return false also where it was not measured yet
 */
bool nereus_calibration_huge_pages(const struct nereus_samples *samples);

#endif
