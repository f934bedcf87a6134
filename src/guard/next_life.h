/*
 * From which checkpoint, with how many processes and on which hosts a job goes on after a loss.
 *
 * It goes on from the newest checkpoint. If that is damaged, or two lives in turn were lost while
 * they read it, from the one before; if two were lost while they read that, it ends.
 */
#ifndef NEREUS_NEXT_LIFE_H
#define NEREUS_NEXT_LIFE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "job_hosts.h"
#include "life.h"
#include "nereus/status.h"
#include "survival.h"

enum { NEXT_LIFE_HOSTS_MAX = 1 << 16, NEXT_LIFE_TEXT_MAX = 2 * PATH_MAX };

/* Checkpoints of a life. */
struct life_checkpoints {
    char from[PATH_MAX]; /* that it began from; "": none */
    int64_t newest;      /* number of the newest one beside it when it began */
    uint64_t job;        /* that has written `from` */
    double begun_s;      /* when the life began, in seconds since 1970 */
};

/* In the first life: NEREUS_RESTART may be a folder with checkpoints, and a job that Slurm has
 * requeued goes on from the newest one that it has written, also if NEREUS_RESTART names another one,
 * with the processes of that or of the restart for which it was written, but no more than Slurm gives
 * tasks. Sets life->number and
 * life->processes.
 * @param[out] sentence  from where a requeued job goes on; "": as the user knows
 * Errors: no whole checkpoint there. */
enum nereus_status next_life_first(struct life *life, const struct survival *survival,
                                   char *sentence, size_t size, struct nereus_error *err);
/* Note what there is when a life begins. */
void next_life_note(struct life_checkpoints *checkpoints);

struct next_life {
    struct life life;
    char checkpoint[PATH_MAX];
    bool written;                    /* by the life that was lost */
    char because[400];               /* ", as ...": why it is not the newest one; "" */
    char hosts[NEXT_LIFE_HOSTS_MAX]; /* life.hosts */
    /* "goes on as 3 processes from DIR/checkpoint-7 (points 420), without host1, which ...; 12
     * points are repeated" */
    char sentence[NEXT_LIFE_TEXT_MAX];
};

struct life_loss {
    const struct life *life; /* that was lost */
    const struct life_checkpoints *checkpoints;
    /* The newest that it has written or, if it had come to its first point, read; NULL: none */
    const char *good;
    int64_t reached; /* points, as far as rank 0 had come; negative: not known */
    int64_t planned; /* processes of a restart that it had asked for; 0: none */
    const char *planned_hosts;
    const struct survival *survival;
    bool requeued; /* the job is no loss, but queued by Slurm again */
};

/* The checkpoint alone, before hosts are looked at: next->checkpoint and counts of next->life.
 * Errors, with the reason why the job does not go on: no checkpoint; too many losses. */
enum nereus_status next_life_checkpoint(const struct life_loss *loss, struct next_life *next,
                                        struct nereus_error *err);
/* The newest checkpoint of the job: that which the lost life has written or, if none, read.
 * @param[out] path  PATH_MAX characters. @return false: there is none */
bool next_life_newest(const struct life_loss *loss, char *path);
/* Of a job that Slurm is to start again, whose processes and hosts depend on what it gets then: the
 * sentence alone.
 * @param none  why there is no checkpoint; NULL: there is one */
void next_life_say_requeued(const struct life_loss *loss, struct next_life *next,
                            const struct nereus_error *none);
/* Processes and hosts. Errors: no host is left; none of the program's sizes fits. */
enum nereus_status next_life_size(const struct life_loss *loss, const struct job_hosts *hosts,
                                  struct next_life *next, struct nereus_error *err);

#endif
