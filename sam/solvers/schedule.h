/**
 * @file schedule.h
 * The option --resize of the solvers: changes of size that are known from the start, as
 * "4@20:merge/coll,2@40". For tests; a program that is resized from outside does not need it.
 */
#ifndef SAM_SCHEDULE_H
#define SAM_SCHEDULE_H

#include <argp.h>
#include <stdbool.h>

#include "nereus/nereus.h"

struct schedule {
    struct nereus_resize *resizes;
    int64_t count;      /* valid after schedule_fini */
    char *text;         /* text of the methods' names */
    const char *method; /* for changes without a method; NULL: the library's default */
    bool settle;        /* wait at the end for a change that is under way */
};

/**
 * Options --resize, --method and --settle, for a program's own argp as a child; its input is a
 * struct schedule.
 */
extern const struct argp schedule_argp;
/**
 * After the last iteration: is another point needed for a change that is under way? The same in all
 * processes; sleeps 1 ms if so.
 */
bool schedule_unsettled(const struct schedule *schedule, const nereus_job *job);
/** At the end, local: rank 0 prints how many changes were not carried out, if any. */
void schedule_report(const struct schedule *schedule, const nereus_job *job);
/** After nereus_init, which copies what it needs. */
void schedule_fini(struct schedule *schedule);

#endif
