/**
 * @file survival.h
 * Reads settings for the time after a loss (docs/failures.md, "Surviving a failure"), which options
 * of nereus-mpiexec set.
 */
#pragma once

#include "model/util/base.h"

struct survival {
    /* restart the job: NEREUS_ON_FAILURE=restart, or =continue if the recovery fails */
    bool restarts;
    /* longest recovery without a restart (NEREUS_RECOVERY_TIMEOUT); 0: NEREUS_ON_FAILURE is not
     * continue */
    double recovery_s;
    int64_t max_restarts; /* most restarts of the job (NEREUS_RESTARTS_MAX) */
    /* Folder of the job's checkpoints: NEREUS_CHECKPOINT (borrowed of the environment), made
     * absolute, or the folder of NEREUS_RESTART; NULL: the program may name one */
    const char *folder;
    bool is_given;             /* the folder is NEREUS_CHECKPOINT */
    bool is_by_time;           /* NEREUS_CHECKPOINT_EVERY says when checkpoints are written */
    char of_restart[PATH_MAX]; /* folder of NEREUS_RESTART, if `folder` is that */
    double answer_s; /* longest time without an answer of a host (NEREUS_ANSWER_TIMEOUT) */
};

/** Read the settings.
 * @return false: invalid value, with one sentence */
bool survival_read(struct survival *survival, char *sentence, size_t size);
