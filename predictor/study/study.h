/**
 * @file study.h
 * Describes a study: sizes x methods x data x repeats of one synthetic application, as one file
 * states them, and its runs, each of which is a file of results.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/method.h"

struct nereus_study_pair {
    int64_t ns, nt;
};

/** Contents of the file. */
struct nereus_study {
    const char *file; /**< owned by the caller */
    /** text of the file with its section [study] blank, so that lines keep their numbers */
    char *text;
    size_t general_end; /**< where keys of [general] can be added to the text: its section's end */
    int general_end_line;
    bool has_general;
    struct nereus_study_pair *pairs;
    int pair_count;
    struct nereus_method *methods;
    int method_count;
    int64_t *bytes; /**< data of each case; -1: that of [general] */
    int bytes_count;
    int64_t iterations_before, iterations_after; /**< iterations before and after the change */
    int64_t repeats, seed, attempts;
    double limit_s;          /**< limit of a run */
    char hostfile[PATH_MAX]; /**< "": this host */
};

/** One run of a study. */
struct nereus_study_run {
    struct nereus_study_pair pair;
    int method; /**< index in the study */
    int64_t bytes;
    int64_t repeat; /**< from 1 */
    int64_t failures;
    bool done, given_up;
};

/**
 * Read a file.
 * @param[in]  file   kept: must outlive the study
 * @param[out] study  to be ended with nereus_study_fini in any case
 * @return NEREUS_ERR_PARSE with file, line and key
 */
enum nereus_status nereus_study_read(const char *file, struct nereus_study *study,
                                     struct nereus_error *err);
void nereus_study_fini(struct nereus_study *study);

/** List all runs in a random order that the seed gives.
 * @param[out] runs  to be freed */
enum nereus_status nereus_study_list_runs(const struct nereus_study *study,
                                          struct nereus_study_run **runs, int *count,
                                          struct nereus_error *err);

/** Print the name of a run's files: "ns2-nt4-merge_coll-8000000-r1".
 * @return text */
char *nereus_study_name(const struct nereus_study *study, const struct nereus_study_run *run,
                        char text[NAME_MAX]);
/** Print a run for people: "2 to 4 by merge/coll, 8000000 bytes, run 1".
 * @return text */
char *nereus_study_label(const struct nereus_study *study, const struct nereus_study_run *run,
                         char text[160]);

/** @return number of lines that a run adds to the study's [general] */
int nereus_study_general_lines(const struct nereus_study *study,
                               const struct nereus_study_run *run);

/** Write the configuration of a run: the application of the study, and two groups. */
enum nereus_status nereus_study_write_run(const struct nereus_study *study,
                                          const struct nereus_study_run *run, const char *path,
                                          struct nereus_error *err);
