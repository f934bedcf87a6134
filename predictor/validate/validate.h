/**
 * @file validate.h
 * The parts of `nereus validate`, in the order in which they are called: predict, measure, predict again with the
 * iterations that were measured, report.
 */
#ifndef NEREUS_VALIDATE_H
#define NEREUS_VALIDATE_H

#include "comparison.h"
#include "held_out.h"
#include "live_job.h"
#include "predictor/cli/progress.h"
#include "predictor/measure/store.h"
#include "predictor/predict/answer.h"

/** What is printed; everything is in JSON. */
enum nereus_validate_report {
    NEREUS_REPORT_STEPS,
    NEREUS_REPORT_JUDGEMENT,
    NEREUS_REPORT_CHOICES,
    NEREUS_REPORT_REGRETS,
    NEREUS_REPORT_BESIDE
};
extern const char *const nereus_validate_reports[]; /**< in the order of the enum, ended by NULL */

struct nereus_validate_settings {
    const char *profile, *pairs, *methods, *hostfile, *samples, *results;
    int64_t bytes, constant_bytes, repeats;
    double limit_s, budget_s;
    bool held_out;
    int format, report; /**< report: -1 not said */
};

enum { NEREUS_PAIRS_MAX = 64 };

/** Everything that one run of the command works on. */
struct nereus_validate {
    const struct nereus_validate_settings *settings;
    struct nereus_profile profile; /**< as it was read */
    struct nereus_samples samples; /**< what it was fitted to; only read with --held-out */
    struct nereus_machine machine; /**< that jobs run on */
    struct nereus_methods methods;
    struct nereus_pair pairs[NEREUS_PAIRS_MAX];
    int pair_count;
    struct nereus_profile fits[NEREUS_PAIRS_MAX + 1]; /**< without pairs that are held out */
    int fit_count;
    const struct nereus_profile *profile_of[NEREUS_PAIRS_MAX]; /**< which one predicts a pair */
    struct nereus_comparison *comparisons;                     /**< pair by pair, method by method; owned */
    int *pair_of;                                              /**< of each comparison; owned */
    int comparison_count;
    int refused; /**< without any basis once a pair is held out */
    struct nereus_live live;
    struct nereus_calibration_store store; /**< of the results, if they are kept */
    struct nereus_progress progress;
    int jobs, jobs_done, jobs_held; /**< of this run: to do, done; from the results file */
    double started_s;               /**< measuring, on nereus_clock_s */
    bool budget_spent;
    char idle[320]; /**< which method has nothing to do or cannot do it (the last one), "" if all can */
};

/** The profiles that predict: the one that was read, or what is fitted without the pairs. */
enum nereus_status nereus_validate_fit(struct nereus_validate *work, struct nereus_error *err);
/** Predict all pairs by all methods, with an iteration that the cores share evenly. */
enum nereus_status nereus_validate_predict(struct nereus_validate *work, struct nereus_error *err);
/** The same with the iterations that were measured before and after: what a user knows of an application. */
enum nereus_status nereus_validate_predict_again(struct nereus_validate *work, struct nereus_error *err);

/** What a reader should know of this machine and profile before runs are made: notes. */
void nereus_validate_warn(const struct nereus_validate *work);

/** Take in what the results file holds, and run the rest of the jobs. */
enum nereus_status nereus_validate_measure(struct nereus_validate *work, struct nereus_error *err);

/** Print it. @return the exit status */
int nereus_validate_answer(const struct nereus_validate *work);

#endif
