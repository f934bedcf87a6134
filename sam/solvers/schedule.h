/**
 * @file schedule.h
 * The options --resize of the solvers, changes of size that are known from the start, as
 * "4@20:merge/coll,2@40", and --balance. They are for tests: a program that is resized from
 * outside does not need them.
 */
#ifndef NEREUS_SAM_SOLVERS_SCHEDULE_H
#define NEREUS_SAM_SOLVERS_SCHEDULE_H

#include <argp.h>
#include <stdbool.h>

#include "nereus/nereus.h"

enum { SCHEDULE_POWERS_MAX = 64 };

/** The parsed options. Zeroed: none was given. */
struct schedule {
    struct nereus_resize *resizes;
    int64_t count;      /**< valid after schedule_fini */
    char *text;         /**< text of the methods' names */
    const char *method; /**< for changes without a method; NULL: the library's default */
    bool settle;        /**< wait at the end for a change that is under way */
    bool tell_end;      /**< tell the library the number of iterations */
    int64_t balance;    /**< points from one look at the load to the next; 0: none */
    /** Lists of powers, stated in turn: number i begins at list_first[i]; list_count 0: none */
    double powers[SCHEDULE_POWERS_MAX];
    int64_t list_first[SCHEDULE_POWERS_MAX + 1], list_count;
};

/**
 * Options --resize, --method, --settle, --tell-end, --balance and --powers, for a program's own
 * argp as a child; its input is a struct schedule.
 */
extern const struct argp schedule_argp;
/** Call nereus_point, or nereus_balance where --balance says so, with the powers of --powers. */
enum nereus_status schedule_point(const struct schedule *schedule, nereus_job *job,
                                  enum nereus_action *action);
/**
 * After the last iteration: is another point needed for a change that is under way? The same in all
 * processes; sleeps 1 ms if so.
 */
bool schedule_is_pending(const struct schedule *schedule, const nereus_job *job);
/** At the end, local: rank 0 prints how many changes were not carried out, if any. */
void schedule_report(const struct schedule *schedule, const nereus_job *job);
/** After nereus_init, which copies what it needs. */
void schedule_fini(struct schedule *schedule);

#endif
