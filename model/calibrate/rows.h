/**
 * @file rows.h
 * Matches rows of samples with cells, which gives each cell its number of runs and the intervals of
 * its medians.
 */
#pragma once

#include "grid.h"

/** Set a cell's runs and half_width from the samples. Without memory half_width is INFINITY. */
void nereus_calibration_cell_update(struct nereus_calibration_cell *cell,
                                    const struct nereus_samples *samples);

/** Call nereus_calibration_cell_update for every cell. */
void nereus_calibration_grid_update(struct nereus_calibration_grid *grid,
                                    const struct nereus_samples *samples);

/** Check that the samples were measured with as many cores per node, and their whole
 * reconfigurations with as many cores per process: rows are matched by processes only.
 * @return NEREUS_ERR_ARGUMENT with the line of the first other row, and what to do */
enum nereus_status nereus_calibration_check_cores(const char *path,
                                                  const struct nereus_machine *machine,
                                                  const struct nereus_samples *samples,
                                                  struct nereus_error *err);

/** @return number of cells without a run */
int nereus_calibration_grid_count_missing(const struct nereus_calibration_grid *grid);

/** Are huge pages faster, by the medians of first touch at its largest size? Jobs with the profile
 * will then use them, so measured jobs have to use them as well.
 * @return false also where first touch was not measured yet */
bool nereus_calibration_prefers_huge_pages(const struct nereus_samples *samples);
