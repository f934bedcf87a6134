/** @file study_run.h  Carries out the runs of a study, whose results are files in a folder. */
#pragma once

#include "study.h"

/** Folder of a study, and its completed runs. */
struct nereus_study_work {
    const struct nereus_study *study;
    char folder[PATH_MAX - 2 * NAME_MAX]; /**< FOLDER/runs/NAME.jsonl: the results of a run */
    char mpiexec[PATH_MAX], program[PATH_MAX];
    char hosts[PATH_MAX];          /**< the launcher's host file; "": this host */
    struct nereus_study_run *runs; /**< owned */
    int run_count;
    int lock; /**< -1: not locked */
    int found_runs, made_runs, failed_runs,
        given_up;  /**< found: made by earlier commands; failed: in all commands */
    int interrupt; /**< the signal that ended the command, or 0 */
};

/**
 * Find the programs, and check the application with each method.
 * @param[out] work  to be ended with nereus_study_work_fini in any case
 */
enum nereus_status nereus_study_work_init(const struct nereus_study *study,
                                          struct nereus_study_work *work, struct nereus_error *err);
void nereus_study_work_fini(struct nereus_study_work *work);

/**
 * Make the folder, or continue in it, if the file of the study has not changed.
 * @return NEREUS_ERR_ARGUMENT if it is another study's, NEREUS_ERR_BUSY, NEREUS_ERR_IO
 */
enum nereus_status nereus_study_open(struct nereus_study_work *work, const char *folder,
                                     struct nereus_error *err);

/** Make the path of a run's results.
 * @return path */
char *nereus_study_results_path(const struct nereus_study_work *work,
                                const struct nereus_study_run *run, char path[PATH_MAX]);

/** Carry out the missing runs.
 * @return NEREUS_ERR_IO; runs that fail are counted */
enum nereus_status nereus_study_run_missing(struct nereus_study_work *work,
                                            struct nereus_error *err);
