/**
 * @file plan_print.h
 * Prints parts of the answer of `nereus plan`: the data of a redistribution (plan_transfer.c), bars
 * on a terminal (plan_terminal.c), the picture (plan_picture.c).
 */
#pragma once

#include <jansson.h>

#include "model/price/transfer.h"
#include "predictor/picture/axis.h"
#include "predictor/picture/drawing.h"
#include "predictor/picture/picture.h"
#include "priced_plan.h"

/** @return colour of a kind of step, which kinds of the same purpose share */
enum nereus_ink nereus_step_ink(enum nereus_step_kind kind);

/** Print a bar for each step, in colours, as wide as the terminal of STDOUT_FILENO whatever the
 * stream is. Prints nothing if that is too narrow, or if no step takes time. */
void nereus_plan_print_bars(const struct nereus_priced_plan *priced, FILE *stream);

/** @return as nereus_chart_draw and nereus_picture_write */
enum nereus_status nereus_plan_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question,
                                    const struct nereus_picture_settings *settings,
                                    struct nereus_error *err);

/** Print a line for each redistribution that moves data. */
void nereus_plan_print_transfers(const struct nereus_priced_plan *priced,
                                 const struct nereus_question *question, FILE *stream);

/** @return the data moved by one step, as an object; NULL: it moves none, or no memory
 * @param step  index of the step, from 0 */
json_t *nereus_plan_transfer_json(const struct nereus_priced_plan *priced,
                                  const struct nereus_question *question, int step);
