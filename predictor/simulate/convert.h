/**
 * @file convert.h
 * Converts workloads: ElastiSim's jobs and application models (JSON) from and to a workload.
 * What the target cannot express is left out, and a note names it.
 */
#pragma once

#include "model/util/text_file.h"
#include "model/workload/platform.h"
#include "nereus/resize_price.h"
#include "nereus/workload.h"

/**
 * Read a jobs file of ElastiSim and the application models that it names.
 * @param platform  cores_per_node above 0: a process for each core
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_elastisim_read(struct nereus_text_file *file,
                                         const struct nereus_platform *platform,
                                         struct nereus_workload *workload,
                                         struct nereus_error *err);

/**
 * Write jobs.json, platform.xml, configuration.json and the application models into a folder, which
 * is made where it is missing.
 * @param workload  as nereus_workload_read returns it
 * @param prices    of the phase on_reconfiguration; NULL: it has none
 */
enum nereus_status nereus_elastisim_write(const struct nereus_workload *workload,
                                          const struct nereus_platform *platform,
                                          struct nereus_resize_prices *prices, const char *folder,
                                          struct nereus_error *err);
