/**
 * @file trace_record.h
 * Reads the key `record` of a trace, which is the request record of a reconfiguration.
 */
#pragma once

#include <jansson.h>

#include "trace.h"

/** @param event   line of the reconfiguration, with the bytes of its data
 * @param record  value of the key `record`
 * @param parsed  the same line; sizes and method
 * @param[out] request  enough to make the plan: one data entry per kind. Free with
 *     nereus_request_fini
 * @return false: a key is missing or wrong; or no memory */
bool nereus_trace_record_read(const json_t *event, const json_t *record,
                              const struct nereus_trace_event *parsed,
                              struct nereus_request *request);
