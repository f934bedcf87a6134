/**
 * @file report.h
 * Prints the results of a simulation, figures of the whole and a row for each job, and draws the
 * nodes of each job over time (Gantt chart) with the numbers of allocated and of requested nodes.
 */
#pragma once

#include "model/simulate/sim_record.h"
#include "nereus/resize_price.h"
#include "nereus/simulate.h"
#include "nereus/workload.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

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

/**
 * Draw, once the simulation has ended.
 * @return NEREUS_ERR_ARGUMENT: nothing happens in the window; NEREUS_ERR_MEMORY; as
 *         nereus_chart_write
 */
enum nereus_status nereus_sim_record_draw(struct nereus_sim_record *record,
                                          const struct nereus_workload *workload,
                                          const struct nereus_picture_settings *settings,
                                          struct nereus_error *err);
