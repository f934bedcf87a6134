/**
 * @file latencies.h
 * What a batch system adds to waits and runs, measured with jobs that hold all nodes one after the
 * other.
 */
#pragma once

#include "predictor/cli/output.h"
#include "submitted.h"

/** Write the workload of the measurement, FOLDER/latencies.csv; the folder is made.
 * @param[out] path  PATH_MAX characters */
enum nereus_status nereus_latencies_write(const char *folder, int64_t processors, char *path,
                                          struct nereus_error *err);

/** Print medians of the latencies, and as text also the --latency of `nereus simulate`.
 * @return false when writing failed */
bool nereus_latencies_print(const struct nereus_submitted *live, enum nereus_format format,
                            FILE *stream);
