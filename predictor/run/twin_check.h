/** @file twin_check.h  Runs a program and its twin in turn, and prints how far they differ. */
#ifndef NEREUS_PREDICTOR_RUN_TWIN_CHECK_H
#define NEREUS_PREDICTOR_RUN_TWIN_CHECK_H

#include "model/twin/twin.h"

/** The program and the twin to compare. */
struct nereus_twin_check {
    char *const *command;           /**< the program */
    const char *file;               /**< configuration of the twin */
    const struct nereus_twin *twin; /**< what was seen in the first run of the program */
    int64_t iterations;             /**< of the twin */
    int64_t repeats;                /**< runs of each, in turn */
    double limit_s;
};

/** @return as nereus_watched_run */
enum nereus_status nereus_twin_check_run(const struct nereus_twin_check *check,
                                         struct nereus_error *err);

#endif
