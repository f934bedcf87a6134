/** @file predictions.h  Predictions as rows: the columns that scripts rely on. */
#ifndef NEREUS_PREDICTIONS_H
#define NEREUS_PREDICTIONS_H

#include "answer.h"
#include "predictor/cli/output.h"

/** What every row of a prediction has: method,rt_s,rt_low_s,rt_high_s,alpha,omega,iterations,ct_s,t_ex_s. */
enum { NEREUS_PREDICTION_FIGURES = 9 };
#define NEREUS_PREDICTION_FIGURE_COLUMNS                                                                     \
    {"method", "method", NULL, true}, {"rt_s", "RT", "s", false}, {"rt_low_s", "low", "s", false},           \
        {"rt_high_s", "high", "s", false}, {"alpha", "alpha", NULL, false}, {"omega", "omega", NULL, false}, \
        {"iterations", "It", NULL, false}, {"ct_s", "CT", "s", false},                                       \
    {                                                                                                        \
        "t_ex_s", "T_ex", "s", false                                                                         \
    }
/**
 * @param always  false: nothing where only what is beside the application has a figure
 * @param method  of NEREUS_METHOD_TEXT_MAX characters, for as long as the cells live
 */
void nereus_prediction_cells(const struct nereus_prediction *prediction, bool always, char *method,
                             struct nereus_cell cells[NEREUS_PREDICTION_FIGURES]);

/** ns,nt,t_iter_ns_s,method,rt_s,... : of CSV the same whatever was asked for. The first NEREUS_PREDICTION_OWN_COLUMNS are of the prediction
 *  itself; those of the shrink that follows come behind them, and the notes. */
enum { NEREUS_PREDICTION_OWN_COLUMNS = 32 };
extern const struct nereus_column nereus_prediction_columns[];
extern const size_t nereus_prediction_column_count;
/**
 * @param table   of nereus_prediction_columns, or of the first of them
 * @param always  as above: true for programs. false: of the goals and of what follows only what was asked for, and no notes
 */
void nereus_predictions_add(struct nereus_table *table, const struct nereus_scenario *scenario,
                            const struct nereus_answer *answer, bool always);

/** Who is served, and how: "application (least T_ex)". */
void nereus_ranking_print(const struct nereus_ranking *ranking, FILE *stream);

/** Print one answer for people: question, assumptions, table, choice, refusals. @return false when writing
 * failed */
bool nereus_answer_print_text(const struct nereus_profile *profile, const struct nereus_question *question,
                              const struct nereus_answer *answer, FILE *stream);

/** The others of the tie, the most robust first, as "BEFOREmerge, merge-async (the intervals overlap)". @return false: there are none */
bool nereus_answer_print_tie(const struct nereus_answer *answer, const char *before, FILE *stream);
json_t *nereus_answer_tied_json(const struct nereus_answer *answer);
/** Why the best one is, where the figures do not say so by themselves; else NULL. */
const char *nereus_answer_why(const struct nereus_scenario *scenario, const struct nereus_answer *answer);

/** The same as a document. NULL without memory. */
json_t *nereus_answer_json(const struct nereus_profile *profile, const struct nereus_question *question,
                           const struct nereus_answer *answer);

#endif
