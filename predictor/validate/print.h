/** @file print.h  Prints comparisons, judgement, regrets and summary, as tables, texts and a
 * picture. */
#pragma once

#include "model/evaluate/choices.h"
#include "model/evaluate/comparison.h"
#include "model/evaluate/judgement.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

/** Make a table of all rows of comparisons. Free it, as the others, with nereus_table_fini. */
void nereus_comparisons_fill_table(const struct nereus_comparison *comparisons, int count,
                                   struct nereus_table *table);

/** Print one comparison as a text table. */
bool nereus_comparison_print(const struct nereus_comparison *comparison, FILE *stream);

/** Make a table of It, omega and CT of the asynchronous ones. */
void nereus_overlaps_fill_table(const struct nereus_comparison *comparisons, int count,
                                struct nereus_table *table);

void nereus_judgement_fill_table(const struct nereus_judgement *judgement,
                                 struct nereus_table *table);
/** Print a text table with an explanation of its columns. */
bool nereus_judgement_print(const struct nereus_judgement *judgement, FILE *stream);

/** Make tables of the choices for each pair, and of their sums for each chooser. */
void nereus_choices_fill_table(const struct nereus_choices *choices, struct nereus_table *table);
void nereus_regrets_fill_table(const struct nereus_choices *choices, struct nereus_table *table);

bool nereus_choices_print(const struct nereus_choices *choices, FILE *stream);

/** Print a table of the RTs, if any, and a few sentences. */
bool nereus_summary_print(const struct nereus_summary *summary,
                          const struct nereus_comparison *comparisons, int count, FILE *stream);
json_t *nereus_summary_json(const struct nereus_summary *summary);

/**
 * Draw a point for each comparison that was measured, with the predicted interval and the range of
 * the repeats, on logarithmic axes.
 * @return as nereus_chart_draw and nereus_picture_write
 */
enum nereus_status nereus_comparisons_draw(const struct nereus_comparison *comparisons, int count,
                                           const char *cluster,
                                           const struct nereus_picture_settings *settings,
                                           struct nereus_error *err);
