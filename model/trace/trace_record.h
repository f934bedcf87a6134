/**
 * @file trace_record.h
 * The key `record` of a trace: what a reconfiguration's plan was made from.
 */
#ifndef NEREUS_TRACE_RECORD_H
#define NEREUS_TRACE_RECORD_H

#include <jansson.h>

#include "trace.h"

/**
 * @param[in]  event    the reconfiguration's line, with the bytes of its data
 * @param[in]  record   its key of that name
 * @param[in]  parsed   the same line; sizes and method
 * @param[out] request  enough of the record to make the plan: of the data, one entry stands for all
 *     of a kind. Free with nereus_request_fini
 * @return false: a key is missing, or of another type; or no memory
 */
bool nereus_trace_record_read(const json_t *event, const json_t *record,
                              const struct nereus_trace_event *parsed,
                              struct nereus_request *request);

#endif
