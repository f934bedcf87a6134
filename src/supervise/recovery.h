/**
 * @file recovery.h
 * After a loss the processes that are left may go on by themselves (NEREUS_ON_FAILURE=continue):
 * they have time for it, and then the job is ended, and begins anew from its checkpoint.
 */
#ifndef NEREUS_SRC_SUPERVISE_RECOVERY_H
#define NEREUS_SRC_SUPERVISE_RECOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct supervisor;

struct recovery {
    double limit_s;     /* set by the caller: time to go on; 0: no process can */
    int64_t most;       /* set by the caller: most recoveries */
    double until_s;     /* 0: the job is not about to recover */
    int status;         /* of the lost process */
    char sentence[560]; /* what was lost */
    int64_t count;      /* recoveries */
    bool is_early;      /* the latest came before the report of what was lost */
};

/* A process was lost. @return true: the others may go on without it */
bool recovery_begins(struct supervisor *supervisor, int status, const char *sentence);
/* They have. @param line  how, for the user */
void recovery_succeeds(struct supervisor *supervisor, char *line);
/* They cannot go on, or no longer. @param why  NULL: their time is over
 * @param[out] sentence  what was lost, and why
 * @return false: nothing was lost, or they have gone on */
bool recovery_fails(struct supervisor *supervisor, const char *why, char *sentence, size_t size);

#endif
