/**
 * @file live_store.h
 * Converts the measurements of live jobs to rows of samples and back to traces, so that a long
 * comparison can continue from a file.
 *
 * A job is the rows of its steps, in the order of the plan and with the times of the trace, then
 * the row of the whole reconfiguration with the iteration times before (t_iter_ns_s) and after it
 * (t_iter_nt_s) and the overlapped iterations (ct_s, iterations).
 */
#pragma once

#include "model/trace/trace.h"
#include "nereus/samples.h"

/** Make the rows of one job.
 * @param number    number of the compared reconfiguration
 * @param machine  machine of the job
 * @param[out] rows  to be freed with nereus_samples_fini
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_live_make_rows(const struct nereus_trace *trace, int64_t number,
                                         const char *cluster, const struct nereus_machine *machine,
                                         struct nereus_samples *rows, struct nereus_error *err);

/** Make a trace from the rows of one job, as its first reconfiguration. Values that rows lack are
 * NAN.
 * @param whole      index of the row of the whole reconfiguration
 * @param step_max  steps of its plan: largest number of rows before the whole that belong to the
 *   job
 * @param[out] trace  to be freed with nereus_trace_fini */
enum nereus_status nereus_live_make_trace(const struct nereus_samples *rows, int64_t whole,
                                          int step_max, struct nereus_trace *trace,
                                          struct nereus_error *err);
