/**
 * @file live_store.h
 * What live jobs measured, as rows of samples: kept in a file, so that a long comparison goes on where it was, and
 * turned back into what a trace says of a job.
 *
 * A job is the rows of its steps, in the order of the plan and with the times of the trace, then the row of the whole
 * reconfiguration, with the iterations before it (t_iter_ns_s), after it (t_iter_nt_s) and beside it (ct_s, iterations).
 */
#ifndef NEREUS_LIVE_STORE_H
#define NEREUS_LIVE_STORE_H

#include "nereus/samples.h"
#include "predictor/measure/trace.h"

/**
 * The rows of one job.
 * @param number    its reconfiguration in question
 * @param[out] rows  to be freed with nereus_samples_fini @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_live_rows(const struct nereus_trace *trace, int64_t number, const char *cluster,
                                    int64_t cores_per_node, struct nereus_samples *rows,
                                    struct nereus_error *err);

/**
 * The other way round: a trace with this job as its first reconfiguration. What rows do not say is NAN.
 * @param whole      index of the row of the whole reconfiguration
 * @param step_most  steps of its plan: no more of the rows in front of it are its own
 * @param[out] trace  to be freed with nereus_trace_fini
 */
enum nereus_status nereus_live_trace(const struct nereus_samples *rows, int64_t whole, int step_most,
                                     struct nereus_trace *trace, struct nereus_error *err);

#endif
