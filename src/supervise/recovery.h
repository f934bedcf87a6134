/**
 * @file recovery.h
 * Watches the recovery of a job by its own processes (NEREUS_ON_FAILURE=continue): after a loss the
 * remaining processes have a time limit to continue. If they do not, the job is ended and restarted
 * from its checkpoint.
 */
#pragma once

#include "src/link/supervisor_lines.h"

struct supervisor;

struct recovery {
    double limit_s; /* set by the caller: time limit of a recovery; 0: jobs do not recover */
    /* set by the caller: largest number of recoveries. The first report of a loss after them ends
     * the job, also if the job has recovered from that loss already */
    int64_t max_recoveries;
    double deadline_s;                       /* of the present recovery; 0: there is none */
    int status;                              /* status of the lost process */
    char sentence[NEREUS_LOSS_SENTENCE_MAX]; /* what was lost */
    int64_t count;                           /* number of recoveries so far */
    /* losses reported, minus losses recovered from; negative: so many reports are still to come.
     * The deadline stays while it is positive. */
    int64_t unrecovered;
};

/** Begin a recovery: a process was lost.
 * @return true: the others may continue without it */
bool recovery_begin(struct supervisor *supervisor, int status, const char *sentence);
/** The processes have recovered.
 * @param line  words of REQUEST_RECOVERED */
void recovery_succeed(struct supervisor *supervisor, char *line);
/** The processes cannot recover.
 * @param why  NULL: the time limit has passed
 * @param[out] sentence  what was lost, and why
 * @return false: no recovery was under way */
bool recovery_fail(struct supervisor *supervisor, const char *why, char *sentence, size_t size);
