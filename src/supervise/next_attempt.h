/**
 * @file next_attempt.h
 * Chooses from which checkpoint, with how many processes and on which hosts a job continues after a
 * loss.
 *
 * The job continues from the newest checkpoint. If that is damaged, or two successive attempts were
 * lost while they read it, it continues from the one before; if two attempts were lost while they
 * read that, the job ends.
 */
#pragma once

#include "attempt.h"
#include "job_hosts.h"
#include "survival.h"

enum { NEXT_ATTEMPT_HOSTS_MAX = 1 << 16, NEXT_ATTEMPT_TEXT_MAX = 2 * PATH_MAX };

struct attempt_checkpoints {
    char from[PATH_MAX];   /* checkpoint from which the attempt began; "": none */
    char folder[PATH_MAX]; /* folder of `from` or, without one, the job's folder; "": not known */
    /* number of the newest checkpoint in the folder when the attempt began */
    int64_t newest;
    uint64_t job;   /* id of the job that has written `from` */
    double begun_s; /* when the attempt began, in seconds since 1970 */
};

/** Choose the checkpoint of the first attempt: NEREUS_RESTART may be a folder with checkpoints. A
 * job that Slurm has requeued continues from the newest checkpoint that it has written, also if
 * NEREUS_RESTART names another one. It has the number of processes of that checkpoint, or of the
 * restart for which it was written, limited to Slurm's tasks. Sets attempt->number and
 * attempt->processes.
 * @param[out] sentence  from which checkpoint a requeued job continues; "": as NEREUS_RESTART says
 * Errors: no complete checkpoint there. */
enum nereus_status next_attempt_choose_first(struct attempt *attempt,
                                             const struct survival *survival, char *sentence,
                                             size_t size, struct nereus_error *err);
/** Note which checkpoints exist when an attempt begins.
 * @param folder  folder of the job's checkpoints; NULL: not known */
void next_attempt_record_checkpoints(struct attempt_checkpoints *checkpoints, const char *folder);

struct next_attempt {
    struct attempt attempt;
    char checkpoint[PATH_MAX];
    bool written; /* the lost attempt has written the checkpoint */
    /* ", as ...": why the checkpoint is not the newest one; "": it is */
    char because[400];
    char hosts[NEXT_ATTEMPT_HOSTS_MAX]; /* the text of attempt.hosts */
    /* "goes on as 3 processes from DIR/checkpoint-7 (points 420), without host1, which ...; 12
     * points are repeated" */
    char sentence[NEXT_ATTEMPT_TEXT_MAX];
};

struct attempt_loss {
    const struct attempt *attempt; /* the attempt that was lost */
    const struct attempt_checkpoints *checkpoints;
    /* newest checkpoint that the attempt has written or, if it has reached its first point, read;
     * NULL: none */
    const char *good_checkpoint;
    int64_t reached_points;    /* points that rank 0 has passed; negative: not known */
    int64_t planned_processes; /* processes of a restart that the job has requested; 0: none */
    const char *planned_hosts;
    const struct survival *survival;
    bool requeued; /* not a loss: Slurm queues the job again */
};

/** Choose the checkpoint, before hosts are checked: sets next->checkpoint and the counts of
 * next->attempt. Errors, with the reason why the job does not continue: no checkpoint; too many
 * losses. */
enum nereus_status next_attempt_choose_checkpoint(const struct attempt_loss *loss,
                                                  struct next_attempt *next,
                                                  struct nereus_error *err);
/** Find the newest checkpoint that the lost attempt has written or, if none, has read completely.
 * @param[out] path  PATH_MAX characters
 * @return false: there is none */
bool next_attempt_find_usable(const struct attempt_loss *loss, char *path);
/** Find the newest checkpoint of the job: the one that the lost attempt has written or, if none,
 * read.
 * @param[out] path  PATH_MAX characters
 * @return false: there is none */
bool next_attempt_find_newest(const struct attempt_loss *loss, char *path);
/** Compose the sentence about a job that Slurm will start again, whose processes and hosts depend
 * on the allocation then.
 * @param none  why there is no checkpoint; NULL: there is one */
void next_attempt_describe_requeued(const struct attempt_loss *loss, struct next_attempt *next,
                                    const struct nereus_error *none);
/** Choose processes and hosts. Errors: no host is left; none of the program's sizes fits. */
enum nereus_status next_attempt_choose_size(const struct attempt_loss *loss,
                                            const struct job_hosts *hosts,
                                            struct next_attempt *next, struct nereus_error *err);
