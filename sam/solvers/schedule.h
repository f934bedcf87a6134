/**
 * @file schedule.h
 * The option --resize of the solvers: changes of size that are known from the start, as "4@20:merge/coll,2@40". To
 * try things out; a program that is resized by others needs nothing of this.
 */
#ifndef SAM_SCHEDULE_H
#define SAM_SCHEDULE_H

#include <argp.h>
#include <stdbool.h>

#include "nereus/nereus.h"

struct schedule {
    struct nereus_resize *resizes;
    int64_t count;      /* stays when they are freed */
    char *text;         /* where the names of methods lie */
    const char *method; /* for those that name none; NULL: the library's default */
    bool settle;        /* a change that is under way at the end is waited for */
};

/** Options --resize, --method and --settle, for a program's own argp as a child; its input is a struct schedule. */
extern const struct argp schedule_argp;
/** After the last iteration: is another point wanted, as a change is still under way? The same in all processes; sleeps a little. */
bool schedule_unsettled(const struct schedule *schedule, const nereus_job *job);
/** At the end, local: rank 0 says how many changes were not carried out, if any. */
void schedule_report(const struct schedule *schedule, const nereus_job *job);
/** After nereus_init, which copies what it needs. */
void schedule_fini(struct schedule *schedule);

#endif
