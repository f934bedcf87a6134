/**
 * @file progress.h
 * How far a long command is: a bar with the time left on a terminal, plain lines every few seconds elsewhere.
 * On stderr.
 *
 *     struct nereus_progress progress;
 *     nereus_progress_start(&progress, "calibrating", 40);
 *     ... nereus_progress_update(&progress, 7, "merge 2 -> 4") ...
 *     nereus_progress_end(&progress, "40 measurements");
 *
 * Not thread-safe; one at a time.
 */
#ifndef NEREUS_PROGRESS_H
#define NEREUS_PROGRESS_H

#include <stdbool.h>

struct nereus_progress {
    const char *what; /**< the caller's */
    double total, done;
    double started_s, drawn_s; /**< monotonic clock */
    double left_s;             /**< below 0: not known yet */
    bool terminal, line_shown, ever_drawn;
    int columns;
    char note[80];
};

/** @param total  units of work: measurements, or seconds of a budget; above 0 */
void nereus_progress_start(struct nereus_progress *progress, const char *what, double total);

/** The same for work that is mostly short: nothing at all is said of it, not even at its end, when it is over within quiet_s. */
void nereus_progress_start_quietly(struct nereus_progress *progress, const char *what, double total,
                                   double quiet_s);

/** @param note  what is being done now; NULL: as before */
void nereus_progress_update(struct nereus_progress *progress, double done, const char *note);

/** The time left where the caller knows better than proportion does (a time budget, pieces that are alike); below 0: by
 * proportion again. */
void nereus_progress_set_left(struct nereus_progress *progress, double left_s);

/** Print a line of its own to stderr above the bar. */
void nereus_progress_say(struct nereus_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Remove the bar and say what was done in how long. NULL: say nothing. Also for a work that was broken off.
 */
void nereus_progress_end(struct nereus_progress *progress, const char *result);

#endif
