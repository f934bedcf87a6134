/**
 * @file progress.h
 * Progress record of a process: its place in the program, for other processes of the host to read
 * without MPI. As a rank that never enters the library again answers no message, each keeps its
 * record in a page of an anonymous file (memfd_create), which others of its user open as
 * /proc/PID/fd/N. It has no name in a file system: nothing stays behind, not even of a killed
 * process.
 */
#ifndef NEREUS_SRC_UTIL_PROGRESS_H
#define NEREUS_SRC_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { NEREUS_CALL_NAME_MAX = 32 };

/** What a process is doing. */
enum nereus_activity {
    NEREUS_COMPUTES, /**< in the program, outside the library */
    NEREUS_WAITS,    /**< in a call that may wait for others */
    NEREUS_SLEEPS    /**< a zombie: no process waits for it */
};

/** The record of one process. Plain data. */
struct nereus_progress {
    uint64_t job; /**< the job's number, the same in all its processes; 0: not known yet */
    /** parent process: initial processes with the same one belong together while job is 0 */
    int64_t launcher;
    int64_t pid;
    int64_t rank, size; /**< rank -1: not known yet */
    int64_t changes;    /**< number of reconfigurations after which `rank` is valid */
    int64_t points;     /**< malleability points reached */
    int64_t joined_at;  /**< point at which it joined, if it has passed none since; -1: none */
    bool left;          /**< has left the job: waits only for processes that left with it */
    enum nereus_activity activity;
    char call[NEREUS_CALL_NAME_MAX]; /**< call in which it waits */
    char step[NEREUS_CALL_NAME_MAX]; /**< step of a change of size; empty: none */
    double since_s;   /**< start of the call or step, or latest point, by this host's clock */
    double longest_s; /**< longest measured time between two points */
};

/** A page with the record of a process. */
struct nereus_progress_page;
/** Make the page of this process. NULL: not available (memory, descriptors). */
struct nereus_progress_page *nereus_progress_open(void);
/** Close and free the page. NULL: nothing. */
void nereus_progress_close(struct nereus_progress_page *page);
/** Write the record; one thread at a time. page may be NULL. */
void nereus_progress_write(struct nereus_progress_page *page, const struct nereus_progress *record);
/* Store the number of points reached, at each point. page may be NULL. */
void nereus_progress_count(struct nereus_progress_page *page, int64_t points);

/** Read the records of all other processes of this host and user, of any job; owned by the caller.
 * @return their number */
int64_t nereus_progress_read_all(struct nereus_progress **records);

/* The page of another process of this host, which stays readable after the end of the process.
 * @return to be closed; NULL: there is none */
struct nereus_progress_page *nereus_progress_hold(int64_t pid);
/* Points that this process has reached. -1: not known (page NULL), or it has left the job, which
 * may have gone on. */
int64_t nereus_progress_points(const struct nereus_progress_page *page);

#endif
