/** @file report.h  Results of a simulation: figures of the whole, and a row for each job. */
#ifndef NEREUS_SIMULATE_REPORT_H
#define NEREUS_SIMULATE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "predictor/cli/output.h"
#include "resize_price.h"
#include "workload.h"

/** What a node draws: joules a node-second. */
struct nereus_sim_power {
    double busy_w, idle_w; /**< of a node that a job holds, and of a free one */
};

struct nereus_sim_summary {
    int64_t jobs, malleable; /**< that ended */
    int64_t resizes;
    double makespan_s; /**< first submission to last end */
    double mean_wait_s, mean_turnaround_s;
    double mean_bounded_slowdown; /**< turnaround over run time, which counts as 10 s at least */
    double utilisation;           /**< node-seconds held over those of the makespan */
    double reconfiguration_node_hours;
    double energy_kwh; /**< of all nodes during the makespan; NAN: no power is known */
};
/** Jobs that have not ended are left out. @param power  NULL: not known */
void nereus_sim_summarise(const struct nereus_workload *workload, int32_t nodes,
                          const struct nereus_sim_power *power, struct nereus_sim_summary *summary);

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
