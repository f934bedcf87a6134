/**
 * @file progress.h
 * Shows the progress of a long command on stderr: a bar with the time left on a terminal, else a
 * line every few seconds.
 *
 *     struct nereus_progress progress;
 *     nereus_progress_start(&progress, "calibrating", 40);
 *     ... nereus_progress_update(&progress, 7, "merge 2 -> 4") ...
 *     nereus_progress_end(&progress, "40 measurements");
 *
 * Not thread-safe; one at a time.
 */
#pragma once

#include "model/util/base.h"

struct nereus_progress {
    const char *what; /**< owned by the caller */
    double total, done;
    double started_s, drawn_s; /**< monotonic clock */
    double left_s;             /**< below 0: not known yet */
    bool terminal, line_shown, ever_drawn;
    int columns;
    char note[80];
};

/** @param total  units of work: measurements, or seconds of a budget; above 0 */
void nereus_progress_start(struct nereus_progress *progress, const char *what, double total);

/**
 * As nereus_progress_start, for work that is usually short: nothing is printed, not even at the
 * end, if it ends within quiet_s.
 */
void nereus_progress_start_quietly(struct nereus_progress *progress, const char *what, double total,
                                   double quiet_s);

/** @param note  the current piece of work; NULL: unchanged */
void nereus_progress_update(struct nereus_progress *progress, double done, const char *note);

/**
 * Set the time left, if the caller knows it better than by extrapolation (a time budget, equal
 * pieces); below 0: extrapolate again.
 */
void nereus_progress_set_left(struct nereus_progress *progress, double left_s);

/** Print a line to stderr above the bar. */
void nereus_progress_print_line(struct nereus_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Remove the bar and print the result and its time; NULL: print nothing. Call it after an
 * interrupt, too.
 */
void nereus_progress_end(struct nereus_progress *progress, const char *result);

/** @return the clock of progress, in seconds. For tests NEREUS_TEST_CLOCK_S makes a simulated clock
 * that advances by its value with each call. */
double nereus_progress_clock_s(void);
