/*
 * Takes Hydra's own words out of what it prints: ten lines about each end of a process that was not
 * well (BAD TERMINATION ...), after the one sentence that says why, and with a signal that need not
 * be right (it is the bitwise or of several statuses: a job that Ctrl-C ends is said to have had a
 * segmentation fault). They are held back, and the caller decides at the end, or when nothing else
 * tells of them; all other lines pass as they come. Private to src/guard.
 *
 * A report begins with an empty line and a separator, which may as well be the application's: such
 * lines wait for the next one.
 */
#ifndef NEREUS_LINE_FILTER_H
#define NEREUS_LINE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct line_text {
    char *bytes; /* owned */
    size_t length, capacity;
};

enum { LINE_FILTER_PROGRAM_MAX = 512, LINE_FILTER_REASON_MAX = 80 };

/* What passes. */
typedef void line_filter_sink(void *user, const char *text, size_t length);

/* One stream; zeroed but for the first three. */
struct line_filter {
    line_filter_sink *sink;
    void *user;
    bool is_stderr; /* there Hydra also reports its own errors */
    enum { FILTER_FRESH, FILTER_EMPTY, FILTER_SEPARATOR, FILTER_REPORT } state;
    bool passing;                         /* the rest of this line passes */
    struct line_text line, waiting, held; /* line: not whole yet */
    /* A program that the launcher could not start, and why: "NAME: REASON"; "": there is none */
    char missing[LINE_FILTER_PROGRAM_MAX];
    /* Why mpiexec cannot write the files of -outfile-pattern; "": it can */
    char unwritten[LINE_FILTER_REASON_MAX];
    char reason[LINE_FILTER_REASON_MAX]; /* of its last write that failed */
    bool aborted;   /* mpiexec says that it aborts the job, after a second signal */
    bool has_error; /* among what is held are lines about the launcher's own errors */
};

void line_filter_take(struct line_filter *filter, const char *text, size_t length);
/* What was held back passes, as the job does not end by what it is about. */
void line_filter_release(struct line_filter *filter);
/* The stream has ended. @param drops  what was held back, also where a program is missing */
void line_filter_end(struct line_filter *filter, bool drops);

#endif
