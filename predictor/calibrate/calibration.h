/**
 * @file calibration.h
 * Describes the state of one calibration, and declares its phases in order: set up, measure, write
 * the profile, print the summary.
 */
#pragma once

#include "model/calibrate/grid.h"
#include "nereus/price.h"
#include "nereus/profile_place.h"
#include "nereus/provenance.h"
#include "predictor/cli/progress.h"
#include "predictor/run/checkpoint_folder.h"
#include "predictor/run/sample_store.h"
#include "runner.h"

enum nereus_calibration_format { NEREUS_CALIBRATION_TEXT, NEREUS_CALIBRATION_JSON };

struct nereus_calibration_settings {
    double budget_s, precision_percent;
    const char *output, *samples, *hostfile, *cluster, *program, *checkpoint;
    int64_t slots, cores, cores_per_process, seed;
    int format; /**< enum nereus_calibration_format; int, as an option sets it */
    bool no_install;
};

/** Everything that one calibration works on. */
struct nereus_calibration {
    const struct nereus_calibration_settings *settings;
    char cluster[64], samples_path[PATH_MAX];
    char output[PATH_MAX];
    char installed[NEREUS_PROFILE_PATH_MAX]; /**< "": not installed */
    char replaced_profile[160];              /**< profile that was installed before; "": none */
    char hostfile[PATH_MAX];                 /**< "": this host alone */
    bool hostfile_is_temporary;
    struct nereus_checkpoint_folder checkpoints;
    struct nereus_machine machine;
    struct nereus_provenance provenance; /**< provenance of the rows of this run */
    struct nereus_calibration_grid grid;
    struct nereus_calibration_runner runner;
    struct nereus_sample_store store;
    struct nereus_samples stored_samples; /**< rows of the file */
    struct nereus_progress progress;
    double started_s;
    int64_t tasks, failed_tasks, rows; /**< `tasks` counts successful ones */
    char last_failure[256];
    bool nothing_works; /**< as nereus_calibration_grid_has_failed says */
    int stopped_tasks;  /**< tasks stopped at the end of the budget */
    int interrupt;
    struct nereus_restart_costs restart; /**< costs by the written profile */
    bool has_restart;
};

/** Find programs, hosts, machine and the paths of samples and profile; make the grid, and count the
 * rows that the samples have already. */
enum nereus_status nereus_calibration_set_up(struct nereus_calibration *calibration,
                                             struct nereus_error *err);
void nereus_calibration_tear_down(struct nereus_calibration *calibration);

/** Run cells of the grid until the budget is spent, all intervals are narrow, or a signal
 * interrupts. */
enum nereus_status nereus_calibration_measure(struct nereus_calibration *calibration, int64_t seed,
                                              struct nereus_error *err);
/** @return seconds since the first measurement */
double nereus_calibration_spent_s(const struct nereus_calibration *calibration);
/** @return --precision as a fraction of 1 */
double nereus_calibration_precision(const struct nereus_calibration *calibration);

/** Fit the profile to all rows of the file, earlier ones too, and write it.
 * @param complete  the calibration was not interrupted: install the profile, too
 * @param[out] rows  number of rows of the file */
enum nereus_status nereus_calibration_write_profile(struct nereus_calibration *calibration,
                                                    bool complete, int64_t *rows,
                                                    struct nereus_error *err);

/** Print the summary, as text or JSON.
 * @return false: it could not be printed */
bool nereus_calibration_report(const struct nereus_calibration *calibration, int64_t seed,
                               int64_t rows);
