/** @file predictions.h  Predictions as rows: the columns that scripts rely on. */
#ifndef NEREUS_PREDICTIONS_H
#define NEREUS_PREDICTIONS_H

#include "answer.h"
#include "output.h"

/** ns,nt,t_iter_ns_s,method,rt_s,... : CSV and JSON. */
extern const struct nereus_column nereus_prediction_columns[];
extern const size_t nereus_prediction_column_count;
void nereus_predictions_add(struct nereus_table *table, const struct nereus_scenario *scenario,
                            const struct nereus_answer *answer);

/** Who is served, and how: "application (least T_ex)". */
void nereus_ranking_print(const struct nereus_ranking *ranking, FILE *stream);

/** Print one answer for people: question, assumptions, table, choice, refusals. @return false when writing
 * failed */
bool nereus_answer_print_text(const struct nereus_profile *profile, const struct nereus_question *question,
                              const struct nereus_answer *answer, FILE *stream);

/** The same as a document. NULL without memory. */
json_t *nereus_answer_json(const struct nereus_profile *profile, const struct nereus_question *question,
                           const struct nereus_answer *answer);

#endif
