/*
 * The progress record of a process: where it is, for other processes of its host to read without
 * MPI. A rank that never enters the library again answers no message, so each keeps its record in a
 * page of its own, an anonymous file (memfd_create) that only its user can open, as
 * /proc/PID/fd/N. It has no name in a file system: nothing stays behind, also of a killed process.
 * Private to src/.
 */
#ifndef NEREUS_SRC_PROGRESS_H
#define NEREUS_SRC_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { NEREUS_CALL_NAME_MAX = 32 };

enum nereus_activity {
    NEREUS_COMPUTES, /* in the program */
    NEREUS_WAITS,    /* in a call of the library that may wait for others */
    NEREUS_SLEEPS    /* a zombie: nobody waits for it */
};

struct nereus_progress {
    uint64_t job; /* equal in all processes of a job; 0: not known yet */
    /* The parent process: initial processes that have the same belong together while job is 0 */
    int64_t launcher;
    int64_t pid;
    int64_t rank, size; /* rank -1: not known yet */
    int64_t changes;    /* reconfigurations: `rank` is valid after this many */
    int64_t points;     /* malleability points reached */
    int64_t joined_at;  /* at this point and no later one; -1: none yet */
    bool left;          /* the process has left the job, and meets only those that left with it */
    enum nereus_activity activity;
    char call[NEREUS_CALL_NAME_MAX]; /* in which it waits */
    char step[NEREUS_CALL_NAME_MAX]; /* of a change of size; empty: none */
    double since_s;   /* of this host's clock: the call or step, or the last point, began */
    double longest_s; /* the longest time between two points that was seen */
};

/* The page of this process. NULL: there can be none (no memory, no descriptor). */
struct nereus_progress_page;
struct nereus_progress_page *nereus_progress_open(void);
void nereus_progress_close(struct nereus_progress_page *page);
/* One thread at a time. page may be NULL. */
void nereus_progress_write(struct nereus_progress_page *page, const struct nereus_progress *record);

/* The records of all other processes of this host and user that have one, of any job; owned by the
 * caller. @return how many */
int64_t nereus_progress_read_all(struct nereus_progress **records);

#endif
