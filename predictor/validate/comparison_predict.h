/** @file comparison_predict.h  Makes the predicted side of a comparison. */
#pragma once

#include "model/evaluate/comparison.h"
#include "predictor/plan/priced_plan.h"

/** Make a comparison without any measured value.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_comparison_init(const struct nereus_question *question,
                                          const struct nereus_priced_plan *priced, int repeats,
                                          struct nereus_comparison *comparison,
                                          struct nereus_error *err);

/** Replace the predictions, by the same plan with other iteration times; measured values stay. */
void nereus_comparison_predict(struct nereus_comparison *comparison,
                               const struct nereus_question *question,
                               const struct nereus_priced_plan *priced);
