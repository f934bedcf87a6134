/** @file twin_check.h  Runs a program and its twin in turn, and prints how far they differ. */
#pragma once

#include "model/twin/twin.h"
#include "predictor/run/watched.h"

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

/** Print a line for each thing that a program does and its twin does not, if there is enough of it
 * to matter. */
void nereus_twin_unseen_print(const struct nereus_watched *watched, const struct nereus_twin *twin);
