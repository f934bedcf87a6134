/**
 * @file summary.h
 * Prints the summary of a calibration: the measurements with their numbers and intervals, and the
 * cells without a measurement, with the reasons.
 */
#ifndef NEREUS_PREDICTOR_CALIBRATE_SUMMARY_H
#define NEREUS_PREDICTOR_CALIBRATE_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

#include "model/calibrate/grid.h"

/**
 * Print a table by kind of measurement, the rates of processes and nodes, and the missing cells.
 * @param machine  measured machine
 * @param samples  samples of this cluster
 * @return false: no memory, or the stream failed
 */
bool nereus_calibration_summary_print(const struct nereus_calibration_grid *grid,
                                      const struct nereus_machine *machine,
                                      const struct nereus_samples *samples, FILE *stream);

/** @return rates between_nodes and within_node, null where they were not measured: message_s,
 * process_bytes_per_s and node_bytes_per_s, each the low end, the value and the high end at 90 %.
 */
json_t *nereus_calibration_rates_json(const struct nereus_samples *samples);

/** @return an array with an object for each cell: label, task, essential, runs, half_width (null:
 * too few runs), not_measured (why; null). */
json_t *nereus_calibration_summary_json(const struct nereus_calibration_grid *grid);

#endif
