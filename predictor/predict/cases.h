/**
 * @file cases.h
 * Reads a file of many questions: CSV with a header line, columns in any order, comments as in
 * samples (csv.h).
 *
 *     ns,nt,cores_per_node,cores_per_process,t_iter_ns_s,t_iter_nt_s,iterations_before,
 *     iterations_after,bytes_constant,bytes_variable[,state][,method]
 *
 * ns and nt are required. For a missing column or an empty cell the command line's value is used,
 * else the default. A samples file is accepted as well (cases_columns.c).
 */
#pragma once

#include "model/util/csv.h"
#include "predictor/cli/output.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/goal_options.h"
#include "predictor/scenario/scenario.h"

struct nereus_case {
    int64_t line; /**< line of the file */
    struct nereus_settings settings;
    bool has_method; /**< the line names `method` */
    struct nereus_method method;
};

struct nereus_cases {
    struct nereus_case *items; /**< owned */
    int64_t count;
    int64_t passed_over; /**< rows of samples that are not whole reconfigurations: steps, messages,
                            ... */
    char *unknown_columns; /**< "columns 'a', 'b' are": unknown and ignored; NULL: none; owned */
    const char *name;      /**< name of the file, for messages */
    char *text;            /**< the file, into which texts of the items point; owned */
};

/**
 * @param[in] path  "-": standard input
 * @param[in] defaults  settings of the command line. Errors name file, line and column. Free with
 * nereus_cases_fini.
 */
enum nereus_status nereus_cases_read(const char *path, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases, struct nereus_error *err);
void nereus_cases_fini(struct nereus_cases *cases);

/* cases_columns.c: Finds the meaning of the columns of a cases file. A column that belongs neither
 * to the question nor to an answer is ignored with a note; in a samples file without one. A file
 * with the columns that every samples file has (cluster, cores_per_node, ns, nt, method, rt_s) is a
 * samples file: its results are ignored, and `bytes`, `kind` and `oversubscribed` have the meaning
 * that they have for a fit. */

/** The columns of one file; -1 where it has none. */
struct nereus_cases_heading {
    /** the option that a column sets; NULL: another column */
    const struct nereus_option *columns[NEREUS_CSV_FIELDS_MAX];
    int count;
    int method;                      /**< the method that a line names */
    int bytes, kind, oversubscribed; /**< columns of a file of samples */
    int unknown_count;
    const char *unknown_columns
        [NEREUS_CSV_FIELDS_MAX]; /**< unknown names, in the record; none in a samples file */
};

/** Errors name file, line and column, and the valid values. */
enum nereus_status nereus_cases_heading_read(const char *file,
                                             const struct nereus_csv_record *record,
                                             struct nereus_cases_heading *heading,
                                             struct nereus_error *err);

/* cases_answer.c: Answers a file of cases, for nereus predict. */

/** The cases, and the question about each. */
struct nereus_cases_request {
    const struct nereus_cases *cases;
    const struct nereus_candidates *candidates; /**< methods for cases that name none */
    const struct nereus_goal_settings *goal;
    bool all;           /**< the candidates are all methods: illegal ones are left out silently */
    bool measured_only; /**< the candidates are the methods of the profile, as none were named */
    enum nereus_format format;
};

/**
 * Answer all cases, then print the rows to stdout and the notes to stderr: an invalid line leaves
 * no partial output.
 * @return the exit status
 */
int nereus_cases_answer(const struct nereus_cases_request *requested);
