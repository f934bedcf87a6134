/**
 * @file validate.h
 * Declares the parts of `nereus validate`, in calling order: predict, measure, predict again with
 * the measured iteration times, report.
 */
#pragma once

#include "model/evaluate/comparison.h"
#include "model/evaluate/held_out.h"
#include "nereus/provenance.h"
#include "predictor/picture/picture.h"
#include "predictor/profile/profile_option.h"
#include "predictor/scenario/answer.h"

/** Parts that can be printed; JSON has all of them. */
enum nereus_validate_report {
    NEREUS_REPORT_STEPS,
    NEREUS_REPORT_JUDGEMENT,
    NEREUS_REPORT_CHOICES,
    NEREUS_REPORT_REGRETS,
    NEREUS_REPORT_OVERLAPS
};
extern const char *const nereus_validate_reports[]; /**< in the order of the enum, ended by NULL */

struct nereus_validate_settings {
    struct nereus_profile_settings machine;
    const char *pairs, *methods, *hostfile, *samples, *results, *checkpoint;
    /** cores_per_process 0: not given */
    int64_t bytes, constant_bytes, repeats, cores_per_process;
    double limit_s, budget_s;
    bool held_out;
    int format, report; /**< report: -1: not given */
    struct nereus_picture_settings picture;
};

enum { NEREUS_PAIRS_MAX = 64 };

/** What is validated: read once, before the jobs. */
struct nereus_validate_inputs {
    const struct nereus_validate_settings *settings;
    struct nereus_profile profile;              /**< profile that was read */
    char profile_path[NEREUS_PROFILE_PATH_MAX]; /**< path of the profile; "": synthetic */
    /** samples of the profile; read with --held-out only */
    struct nereus_samples samples;
    struct nereus_provenances provenances; /**< provenances of the samples */
    struct nereus_machine machine;         /**< on which the jobs run */
    struct nereus_methods methods;
    struct nereus_size_pair pairs[NEREUS_PAIRS_MAX];
    int pair_count;
};

/** The profiles that predict: the given one, or fits without held-out pairs. */
struct nereus_validate_profiles {
    struct nereus_profile fits[NEREUS_PAIRS_MAX + 1];
    int fit_count;
    const struct nereus_profile *of_pair[NEREUS_PAIRS_MAX];
};

/** Predicted and measured reconfigurations. */
struct nereus_validate_results {
    struct nereus_comparison *comparisons; /**< sorted by pair, then method; owned */
    int *pair_of;                          /**< index of each comparison's pair; owned */
    int count;
    int refused;           /**< number of methods without a basis once their pair is held out */
    char why_skipped[320]; /**< why the last skipped pair or method was skipped; "": none */
    int jobs_done, jobs_resumed; /**< jobs that have ended; those of the results file */
    bool budget_spent;
};

/** Set the profiles that predict. They may point into the inputs. */
enum nereus_status nereus_validate_fit(const struct nereus_validate_inputs *inputs,
                                       struct nereus_validate_profiles *profiles,
                                       struct nereus_error *err);
/** Predict all pairs by all methods, with nominal iteration times. */
enum nereus_status nereus_validate_predict(const struct nereus_validate_inputs *inputs,
                                           const struct nereus_validate_profiles *profiles,
                                           struct nereus_validate_results *results,
                                           struct nereus_error *err);
/** As nereus_validate_predict, with the measured iteration times, which a user of an application
 * knows. */
enum nereus_status nereus_validate_predict_again(const struct nereus_validate_inputs *inputs,
                                                 const struct nereus_validate_profiles *profiles,
                                                 struct nereus_validate_results *results,
                                                 struct nereus_error *err);

/** Read the results file and run the other jobs. */
enum nereus_status nereus_validate_measure(const struct nereus_validate_inputs *inputs,
                                           struct nereus_validate_results *results,
                                           struct nereus_error *err);

/** Print the comparison.
 * @return the exit status */
int nereus_validate_answer(const struct nereus_validate_inputs *inputs,
                           const struct nereus_validate_results *results);
