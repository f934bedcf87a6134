/**
 * @file cases_columns.h
 * Finds the meaning of the columns of a cases file.
 *
 * A column that belongs neither to the question nor to an answer is ignored with a note; in a
 * samples file without one.
 *
 * A file with the columns that every samples file has (cluster, cores_per_node, ns, nt, method,
 * rt_s) is a samples file: its results are ignored, and `bytes`, `kind` and `oversubscribed` have
 * the meaning that they have for a fit.
 */
#ifndef NEREUS_PREDICTOR_PREDICT_CASES_COLUMNS_H
#define NEREUS_PREDICTOR_PREDICT_CASES_COLUMNS_H

#include "model/util/csv.h"
#include "predictor/scenario/scenario.h"

/** The columns of one file; -1 where it has none. */
struct nereus_cases_heading {
    /** the option that a column sets; NULL: another column */
    const struct nereus_option *columns[NEREUS_CSV_FIELDS_MAX];
    int count;
    int method;                      /**< the method that a line names */
    int bytes, kind, oversubscribed; /**< columns of a file of samples */
    int unknown_count;
    const char *
        unknown[NEREUS_CSV_FIELDS_MAX]; /**< unknown names, in the record; none in a samples file */
};

/** Errors name file, line and column, and the valid values. */
enum nereus_status nereus_cases_heading_read(const char *file,
                                             const struct nereus_csv_record *record,
                                             struct nereus_cases_heading *heading,
                                             struct nereus_error *err);

#endif
