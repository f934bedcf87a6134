/* What a job does after a loss (docs/failures.md, "Surviving a failure"): the settings, which
 * nereus-mpiexec's options set. */
#ifndef NEREUS_SURVIVAL_H
#define NEREUS_SURVIVAL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct survival {
    bool restarts; /* NEREUS_ON_FAILURE=restart */
    int64_t most;  /* NEREUS_RESTARTS_MAX */
    /* Of the job's checkpoints: NEREUS_CHECKPOINT (borrowed of the environment), absolute from now
     * on, or that of NEREUS_RESTART; NULL: the program may name one */
    const char *folder;
    bool is_given;             /* it is NEREUS_CHECKPOINT */
    bool is_by_time;           /* NEREUS_CHECKPOINT_EVERY says when checkpoints are written */
    char of_restart[PATH_MAX]; /* folder of NEREUS_RESTART, if `folder` is that */
    double answer_s;           /* NEREUS_ANSWER_TIMEOUT */
};

/* Read the settings.
 * @return false: a wrong value, with one sentence */
bool survival_read(struct survival *survival, char *sentence, size_t size);

#endif
