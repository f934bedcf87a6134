/**
 * @file trace_rt.h
 * Reads the reconfiguration times that the runtime wrote into the job's trace.
 */
#pragma once

#include "config.h"

/**
 * Read RT of the reconfiguration into each group: the trace has an event for each, in order.
 * @param[in] path  path of the trace
 * @return group_count times, NAN: none; to be freed. NULL: no trace
 */
double *sam_trace_read_rt(const struct sam_config *config, const char *path);
