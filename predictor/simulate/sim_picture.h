/**
 * @file sim_picture.h
 * Draws a simulation: the nodes of each job over time (Gantt chart), and the numbers of allocated
 * and of requested nodes.
 */
#pragma once

#include "model/simulate/sim_record.h"
#include "predictor/picture/picture.h"

/**
 * Draw, once the simulation has ended.
 * @return NEREUS_ERR_ARGUMENT: nothing happens in the window; NEREUS_ERR_MEMORY; as
 *         nereus_chart_write
 */
enum nereus_status nereus_sim_record_draw(struct nereus_sim_record *record,
                                          const struct nereus_workload *workload,
                                          const struct nereus_picture_settings *settings,
                                          struct nereus_error *err);
