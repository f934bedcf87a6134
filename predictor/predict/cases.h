/**
 * @file cases.h
 * Reads a file of many questions: CSV with a header line, columns in any order, comments as in
 * samples (csv.h).
 *
 *     ns,nt,cores_per_node,cores_per_process,t_iter_ns_s,t_iter_nt_s,iterations_before,
 *     iterations_after,bytes_constant,bytes_variable[,state][,method]
 *
 * ns and nt are required. For a missing column or an empty cell the command line's value is used,
 * else the default. A samples file is accepted as well (cases_columns.h).
 */
#ifndef NEREUS_PREDICTOR_PREDICT_CASES_H
#define NEREUS_PREDICTOR_PREDICT_CASES_H

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
    char *unknown;       /**< "columns 'a', 'b' are": unknown and ignored; NULL: none; owned */
    const char *name;    /**< name of the file, for messages */
    char *text;          /**< the file, into which texts of the items point; owned */
};

/**
 * @param[in] path  "-": standard input
 * @param[in] defaults  settings of the command line. Errors name file, line and column. Free with
 * nereus_cases_fini.
 */
enum nereus_status nereus_cases_read(const char *path, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases, struct nereus_error *err);
void nereus_cases_fini(struct nereus_cases *cases);

#endif
