/**
 * @file summary.h
 * What a calibration has measured, how often, how sure the medians are; what it has not, and why.
 */
#ifndef NEREUS_CALIBRATE_SUMMARY_H
#define NEREUS_CALIBRATE_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

#include "grid.h"

/** A table by kind of measurement, then what is missing. machine: that was measured. @return false: no memory, or the stream failed */
bool nereus_calibration_summary_print(const struct nereus_calibration_grid *grid,
                                      const struct nereus_machine *machine, FILE *stream);

/** An array with an object for each cell: label, task, essential, runs, half_width (null: too few runs), not_measured (why; null). */
json_t *nereus_calibration_summary_json(const struct nereus_calibration_grid *grid);

#endif
