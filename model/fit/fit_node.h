/**
 * @file fit_node.h
 * Fits what the processes of a node move together: alpha + bytes / min(R_N, k R_C) of k pairs of
 * processes at once (Gropp, Olson and Samfass (2016)).
 */
#pragma once

#include "model/util/base.h"
#include "nereus/operation.h"
#include "nereus/price.h"
#include "nereus/samples.h"
#include "nereus/status.h"

struct nereus_node_rates {
    int64_t rows;
    struct nereus_interval alpha;         /**< seconds */
    struct nereus_interval process, node; /**< bytes per second: R_C and R_N */
    double log_sd, max_bytes;             /**< scatter of the rows; bytes of the largest row */
};

/** Fit the rows of pairs at once of one cluster's samples.
 * @param operation  NODE (between two nodes) or NODE_MEMORY (within one)
 * @param[out] rates  `rows` is 0: there are none; with one pair only, R_N is R_C */
enum nereus_status nereus_fit_node_samples(const struct nereus_samples *samples,
                                           enum nereus_operation operation,
                                           struct nereus_node_rates *rates,
                                           struct nereus_error *err);
