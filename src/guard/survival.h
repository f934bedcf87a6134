/* What a job does after a loss (docs/failures.md, "Surviving a failure"): the settings, which
 * nereus-mpiexec's options set. */
#ifndef NEREUS_SURVIVAL_H
#define NEREUS_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct survival {
    bool restarts; /* NEREUS_ON_FAILURE=restart */
    int64_t most;  /* NEREUS_RESTARTS_MAX */
    const char
        *folder;     /* NEREUS_CHECKPOINT, absolute from now on; NULL: none; of the environment */
    double answer_s; /* NEREUS_ANSWER_TIMEOUT */
};

/* Read the settings.
 * @return false: a wrong value, with one sentence */
bool survival_read(struct survival *survival, char *sentence, size_t size);

#endif
