/**
 * @file progress.h
 * Keeps the progress record of a process: its position in the program, which other processes of the
 * host read without MPI: a rank that never enters the library again would not answer a message. The
 * record is in a page of an anonymous file (memfd_create), which other processes of the user open
 * as /proc/PID/fd/N. The file has no name, so that the kernel frees it when the process ends, even
 * if it is killed.
 */
#pragma once

#include "model/util/base.h"

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
    /** pid of the parent: while job is 0, initial processes with the same parent are of one job */
    int64_t launcher;
    int64_t pid;
    int64_t rank, size; /**< rank -1: not known yet */
    int64_t changes;    /**< number of reconfigurations after which `rank` is valid */
    int64_t points;     /**< malleability points reached */
    /** point at which the process joined, if it has passed no point since; else -1 */
    int64_t joined_at;
    /** the process has left the job: it waits only for processes that left with it */
    bool left;
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
/** Store the number of points reached, at each point. page may be NULL. */
void nereus_progress_count(struct nereus_progress_page *page, int64_t points);

/** Read the records of all other processes of this host and user, of any job; owned by the caller.
 * @return their number */
int64_t nereus_progress_read_all(struct nereus_progress **records);

/** Open the page of another process of this host; it stays readable after the end of that process.
 * @return the page, which the caller closes; NULL: there is none */
struct nereus_progress_page *nereus_progress_open_other(int64_t pid);
/** Number of points that the process of a page has reached. -1: not known (page NULL), or the
 * process has left the job, which may have continued. */
int64_t nereus_progress_points(const struct nereus_progress_page *page);
