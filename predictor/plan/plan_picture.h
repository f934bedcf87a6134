/** @file plan_picture.h  A plan as a picture: who takes part in each step, how long it takes, who
 * starts whom. */
#ifndef NEREUS_PLAN_PICTURE_H
#define NEREUS_PLAN_PICTURE_H

#include "predictor/picture/axis.h"
#include "predictor/picture/picture.h"
#include "priced_plan.h"

/** The colour of a kind of step: kinds of one purpose have the same. */
int nereus_plan_step_ink(enum nereus_step_kind kind);

/** On a terminal with colours: a bar for each step, as wide as the terminal. */
void nereus_plan_print_bars(const struct nereus_priced_plan *priced, FILE *stream);

/** @return as nereus_chart_draw and nereus_picture_write */
enum nereus_status nereus_plan_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question,
                                    const struct nereus_picture_settings *settings,
                                    struct nereus_error *err);

#endif
