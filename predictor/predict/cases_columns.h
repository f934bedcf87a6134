/**
 * @file cases_columns.h
 * What the columns of a cases file mean: the question's, a measurement's, or nothing that is asked.
 *
 * What is neither a question's nor an answer's column is passed over and told, except in a file of samples.
 *
 * A file with the columns that every samples file has (cluster, cores_per_node, ns, nt, method, rt_s) is one of samples: its results are
 * passed over, and `bytes`, `kind` and `oversubscribed` mean what they mean to a fit.
 */
#ifndef NEREUS_CASES_COLUMNS_H
#define NEREUS_CASES_COLUMNS_H

#include <stdbool.h>

#include "model/util/csv.h"
#include "scenario.h"

/** A column that goes into the settings of a case as it stands. */
struct nereus_cases_column {
    const char *name;
    enum nereus_option_kind kind;
    size_t offset; /**< in struct nereus_settings */
};

/** The columns of one file; -1 where it has none. */
struct nereus_cases_heading {
    const struct nereus_cases_column *columns[NEREUS_CSV_FIELDS_MAX]; /**< NULL: none of the settings */
    int count;
    int method;                      /**< the one method that a line asks about */
    int bytes, kind, oversubscribed; /**< of a file of samples */
    int unknown_count;
    const char *unknown
        [NEREUS_CSV_FIELDS_MAX]; /**< names in the record that mean nothing; none of a file of samples */
};

/** Errors name file, line and column, and what would be right. */
enum nereus_status nereus_cases_heading_read(const char *file, const struct nereus_csv_record *record,
                                             struct nereus_cases_heading *heading, struct nereus_error *err);

#endif
