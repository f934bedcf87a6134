/** @file report.h  Results of a simulation: figures of the whole, and a row for each job. */
#ifndef NEREUS_SIMULATE_REPORT_H
#define NEREUS_SIMULATE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "nereus/resize_price.h"
#include "nereus/simulate.h"
#include "nereus/workload.h"
#include "predictor/cli/output.h"

/**
 * Print the summary (text), a line per job (CSV), or both (JSON).
 * @param prices  NULL: no job was resized
 * @param power   NULL: not known
 * @return false when memory or the stream failed
 */
bool nereus_sim_report(const struct nereus_workload *workload, int32_t nodes,
                       const struct nereus_resize_prices *prices,
                       const struct nereus_sim_power *power, enum nereus_format format,
                       FILE *stream);

#endif
