/** @file answer_picture.h  An answer as a picture: RT with intervals, T_ex as stacked bars. */
#ifndef NEREUS_ANSWER_PICTURE_H
#define NEREUS_ANSWER_PICTURE_H

#include "answer.h"
#include "predictor/picture/picture.h"

/**
 * Draw the predictions of an answer, the best first; of more than 40 methods the best 40.
 * @return as nereus_chart_draw and nereus_picture_write
 */
enum nereus_status nereus_answer_draw(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_answer *answer,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err);

#endif
