/** @file predictions.h  Prints predictions as rows, with columns on which scripts rely, and as a
 * picture. */
#pragma once

#include "answer.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

/**
 * Columns that every row of a prediction has. The cells use a prediction `p`, room for a text
 * `method`, and `overlaps`: show also what only asynchronous methods have.
 */
#define NEREUS_PREDICTION_FIGURES(X)                                                               \
    X("method", "method", NULL, nereus_cell_text(nereus_method_format(&p->method, method)))        \
    X("rt_s", "RT", "s", nereus_cell_predicted(p->rt_s.value))                                     \
    X("rt_low_s", "low", "s", nereus_cell_predicted(nereus_interval_low(&p->rt_s)))                \
    X("rt_high_s", "high", "s", nereus_cell_predicted(nereus_interval_high(&p->rt_s)))             \
    X("alpha", "alpha", NULL, nereus_cell_if(overlaps, nereus_cell_predicted(p->alpha)))           \
    X("omega", "omega", NULL, nereus_cell_if(overlaps, nereus_cell_predicted(p->omega)))           \
    X("iterations", "It", NULL, nereus_cell_if(overlaps, nereus_cell_predicted(p->iterations)))    \
    X("ct_s", "CT", "s", nereus_cell_if(overlaps, nereus_cell_predicted(p->ct_s)))                 \
    X("t_ex_s", "T_ex", "s", nereus_cell_predicted(p->t_ex_s))

/** Columns of the nodes of a prediction `p`; empty unless `of_nodes`. */
#define NEREUS_PREDICTION_NODES(X)                                                                 \
    X("nodes_before", "nodes before", NULL,                                                        \
      nereus_cell_if(of_nodes, nereus_cell_integer(p->nodes.before)))                              \
    X("nodes_during", "during", NULL,                                                              \
      nereus_cell_if(of_nodes, nereus_cell_integer(p->nodes.during)))                              \
    X("nodes_after", "after", NULL, nereus_cell_if(of_nodes, nereus_cell_integer(p->nodes.after))) \
    X("node_s", "node-seconds", "s", nereus_cell_if(of_nodes, nereus_cell_predicted(p->node_s)))

/**
 * ns,nt,t_iter_ns_s,method,rt_s,...: in CSV the same for every question. The first
 * nereus_prediction_own_column_count columns are of the prediction itself; the others are of the
 * shrink that follows, and notes.
 */
extern const struct nereus_column nereus_prediction_columns[];
extern const size_t nereus_prediction_column_count, nereus_prediction_own_column_count;
/**
 * @param table  of nereus_prediction_columns, or of the first of them
 * @param all    all quantities, for programs; false: only the quantities of the question, without
 *   notes
 */
void nereus_predictions_add(struct nereus_table *table, const struct nereus_scenario *scenario,
                            const struct nereus_answer *answer, bool all);

/** Print the goal and its rule: "application (least T_ex)". */
void nereus_ranking_print(const struct nereus_ranking *ranking, FILE *stream);

/**
 * Print one answer for people: choice, table, question, assumptions, notes, refusals.
 * @param lines  the table has as many methods, the best ones, as fit into so many lines with all
 *   else, and at least three; 0: all methods
 * @return false when writing failed
 */
bool nereus_answer_print_text(const struct nereus_profile *profile,
                              const struct nereus_question *question,
                              const struct nereus_answer *answer, int lines, FILE *stream);

/**
 * Print the methods tied with the best, the most robust first: "BEFOREmerge, merge-async (the
 * intervals overlap)".
 * @return false: there are none
 */
bool nereus_answer_print_tie(const struct nereus_answer *answer, const char *separator,
                             FILE *stream);
json_t *nereus_answer_tied_json(const struct nereus_answer *answer);
/** @return why the best method is best, if the table does not show it; else NULL */
const char *nereus_answer_reason(const struct nereus_scenario *scenario,
                                 const struct nereus_answer *answer);

/** @return the answer as a document; NULL: no memory */
json_t *nereus_answer_json(const struct nereus_profile *profile,
                           const struct nereus_question *question,
                           const struct nereus_answer *answer);

/**
 * Draw the predictions of an answer, the best first; of more than 40 methods the best 40.
 * @return as nereus_chart_draw and nereus_picture_write
 */
enum nereus_status nereus_answer_draw(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_answer *answer,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err);
