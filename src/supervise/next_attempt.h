/**
 * @file next_attempt.h
 * From which checkpoint, with how many processes and on which hosts a job goes on after a loss.
 *
 * It goes on from the newest checkpoint. If that is damaged, or two attempts in turn were lost
 * while they read it, from the one before; if two were lost while they read that, it ends.
 */
#ifndef NEREUS_SRC_SUPERVISE_NEXT_ATTEMPT_H
#define NEREUS_SRC_SUPERVISE_NEXT_ATTEMPT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "attempt.h"
#include "job_hosts.h"
#include "nereus/status.h"
#include "survival.h"

enum { NEXT_ATTEMPT_HOSTS_MAX = 1 << 16, NEXT_ATTEMPT_TEXT_MAX = 2 * PATH_MAX };

struct attempt_checkpoints {
    char from[PATH_MAX];   /* that it began from; "": none */
    char folder[PATH_MAX]; /* of `from` or, if that is none, of the job; "": not known */
    int64_t newest;        /* number of the newest one in the folder when it began */
    uint64_t job;          /* that has written `from` */
    double begun_s;        /* when the attempt began, in seconds since 1970 */
};

/* In the first attempt: NEREUS_RESTART may be a folder with checkpoints. A job that Slurm has
 * requeued goes on from the newest one that it has written, also if NEREUS_RESTART names another
 * one, with the processes of that or of the restart for which it was written, but no more than
 * Slurm gives tasks. Sets attempt->number and attempt->processes.
 * @param[out] sentence  from where a requeued job goes on; "": as the user knows
 * Errors: no whole checkpoint there. */
enum nereus_status next_attempt_first(struct attempt *attempt, const struct survival *survival,
                                      char *sentence, size_t size, struct nereus_error *err);
/* Note what there is when an attempt begins.
 * @param folder  of the job's checkpoints; NULL: not known */
void next_attempt_note(struct attempt_checkpoints *checkpoints, const char *folder);

struct next_attempt {
    struct attempt attempt;
    char checkpoint[PATH_MAX];
    bool written;                       /* the lost attempt has written the checkpoint */
    char because[400];                  /* ", as ...": why it is not the newest one; "" */
    char hosts[NEXT_ATTEMPT_HOSTS_MAX]; /* the text of attempt.hosts */
    /* "goes on as 3 processes from DIR/checkpoint-7 (points 420), without host1, which ...; 12
     * points are repeated" */
    char sentence[NEXT_ATTEMPT_TEXT_MAX];
};

struct attempt_loss {
    const struct attempt *attempt; /* that was lost */
    const struct attempt_checkpoints *checkpoints;
    /* The newest that it has written or, if it had come to its first point, read; NULL: none */
    const char *good;
    int64_t reached; /* points, as far as rank 0 had come; negative: not known */
    int64_t planned; /* processes of a restart that it had asked for; 0: none */
    const char *planned_hosts;
    const struct survival *survival;
    bool requeued; /* the job is no loss, but queued by Slurm again */
};

/* The checkpoint alone, before hosts are looked at: next->checkpoint and counts of next->attempt.
 * Errors, with the reason why the job does not go on: no checkpoint; too many losses. */
enum nereus_status next_attempt_checkpoint(const struct attempt_loss *loss,
                                           struct next_attempt *next, struct nereus_error *err);
/* The newest checkpoint that the lost attempt has written or, if none, has read and got further from.
 * @param[out] path  PATH_MAX characters. @return false: there is none */
bool next_attempt_good(const struct attempt_loss *loss, char *path);
/* The newest checkpoint of the job: that which the lost attempt has written or, if none, read.
 * @param[out] path  PATH_MAX characters. @return false: there is none */
bool next_attempt_newest(const struct attempt_loss *loss, char *path);
/* Compose the sentence about a job that Slurm is to start again, whose processes and hosts depend
 * on what Slurm gives it then.
 * @param none  why there is no checkpoint; NULL: there is one */
void next_attempt_say_requeued(const struct attempt_loss *loss, struct next_attempt *next,
                               const struct nereus_error *none);
/* Processes and hosts. Errors: no host is left; none of the program's sizes fits. */
enum nereus_status next_attempt_size(const struct attempt_loss *loss, const struct job_hosts *hosts,
                                     struct next_attempt *next, struct nereus_error *err);

#endif
