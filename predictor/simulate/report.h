/** @file report.h  Prints the results of a simulation: figures of the whole, and a row for each
 * job. */
#pragma once

#include "nereus/resize_price.h"
#include "nereus/simulate.h"
#include "nereus/workload.h"
#include "predictor/cli/output.h"

/** Columns of node-hours by their use, from losses `l`. */
#define NEREUS_NODE_HOUR_COLUMNS(X)                                                                \
    X("useful_share", "useful share", NULL, nereus_cell_real(l->useful_share))                     \
    X("useful_node_hours", "useful", "node-hours", nereus_cell_real(l->useful_h))                  \
    X("redone_node_hours", "redone", NULL, nereus_cell_real(l->redone_h))                          \
    X("checkpoint_node_hours", "checkpoints", NULL, nereus_cell_real(l->checkpoint_h))             \
    X("restart_node_hours", "restarts", NULL, nereus_cell_real(l->restart_h))                      \
    X("unfinished_node_hours", "of unfinished", NULL, nereus_cell_real(l->unfinished_h))           \
    X("repair_node_hours", "in repair", NULL, nereus_cell_real(l->down_h))

/**
 * Print the summary (text), a line per job (CSV), or both (JSON).
 * @param prices  NULL: no job was resized
 * @param power   NULL: not known
 * @return false when memory or the stream failed
 */
bool nereus_sim_report(const struct nereus_workload *workload, int32_t nodes,
                       const struct nereus_resize_prices *prices,
                       const struct nereus_node_power *power, enum nereus_format format,
                       FILE *stream);
