/**
 * @file report.h
 * Summarises the results of one or several jobs: each kind of change with its runs, the parts of
 * its RT, and its prediction.
 */
#pragma once

#include "model/trace/results.h"
#include "nereus/predict.h"
#include "predictor/picture/picture.h"

/** Parts of RT: time on the critical path by kind of step, then these. */
enum {
    NEREUS_PART_WAITS = NEREUS_STEP_KIND_COUNT,
    NEREUS_PART_OTHER, /**< not attributed */
    NEREUS_PART_COUNT
};

/** All runs of the same change: sizes, method, data. */
struct nereus_report_cell {
    int64_t ns, nt;
    char method[NEREUS_METHOD_TEXT_MAX];
    double constant_bytes, variable_bytes;
    bool oversubscribed;
    double *rt_s; /**< RT of each run, ascending; owned */
    int count;
    double parts_s[NEREUS_PART_COUNT]; /**< means over the runs: they add up to the mean RT */
    double t_iter_ns_s, t_iter_nt_s;   /**< iteration times of the first run */
    bool predicted;
    struct nereus_interval predicted_s;
    char why[200]; /**< why it is not predicted */
};

struct nereus_report {
    struct nereus_results *runs; /**< owned */
    char **paths;                /**< paths of the runs; owned */
    int run_count;
    struct nereus_report_cell *cells; /**< owned; by sizes, then method */
    int64_t cell_count;
    char cluster[64]; /**< cluster of the profile; "": none */
};

/**
 * Read the results.
 * @param[in]  paths   files, or folders, of which all files NAME.jsonl are read in the order of
 *   their names
 * @param[out] report  to be freed with nereus_report_fini in any case
 */
enum nereus_status nereus_report_read(char *const *paths, int count, struct nereus_report *report,
                                      struct nereus_error *err);
/** Predict the RT of each kind of change; `why` says why one cannot be predicted. */
void nereus_report_predict(struct nereus_report *report, const struct nereus_profile *profile);
void nereus_report_fini(struct nereus_report *report);

double nereus_report_median_s(const struct nereus_report_cell *cell);
/** Print the label of a cell: "2 to 4 by merge/coll, 8 MB".
 * @return text */
char *nereus_report_label(const struct nereus_report_cell *cell, char *text, size_t bytes);

/** Largest number of jobs that have a picture of their own, and of changes that have a row. */
enum { NEREUS_REPORT_JOBS_MAX = 6, NEREUS_REPORT_ROWS_MAX = 40 };

/** Draw all pictures into the file of the settings. */
enum nereus_status nereus_report_draw(const struct nereus_report *report,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err);
