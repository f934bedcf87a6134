/**
 * @file line_filter.h
 * Removes the launcher's own messages from its output. A launcher prints up to ten lines about each
 * process that has failed, after the one sentence of nereus-supervise, and may name a wrong signal
 * (it prints the bitwise or of several statuses: a job ended by Ctrl-C seems to have had a
 * segmentation fault). These lines are held back until the caller drops or releases them; all other
 * lines pass at once.
 *
 * A report begins with an empty line and a separator. The application may print such lines, too:
 * they wait for the line that follows.
 */
#pragma once

#include "model/util/base.h"

struct line_text {
    char *bytes; /* owned */
    size_t length;
};

enum {
    LINE_FILTER_PROGRAM_MAX = 512,
    LINE_FILTER_REASON_MAX = 80,
    LINE_FILTER_HELD_MAX = 1 << 20 /* bytes held back; text beyond this limit passes */
};

/** Receives the text that passes the filter. */
typedef void line_filter_sink(void *user, const char *text, size_t length);

/** State of one launcher's stream; only the first three members are set by the caller, the others are
 * zeroed. */
struct line_filter {
    line_filter_sink *sink;
    void *user;
    bool is_stderr; /* the launcher's own errors are printed there */
    enum { FILTER_FRESH, FILTER_EMPTY, FILTER_SEPARATOR, FILTER_REPORT } state;
    bool passing; /* the rest of this line passes */
    /* number of the launcher's lines of which only the first piece has been printed */
    int open;
    struct line_text line;            /* incomplete */
    struct line_text possible_report; /* lines that may begin a report */
    struct line_text reports;         /* complete reports, held back */
    /* "NAME: REASON" of a program that the launcher could not start; "": none */
    char missing_program[LINE_FILTER_PROGRAM_MAX];
    /* Why mpiexec cannot write the files of -outfile-pattern; "": no error */
    char write_error[LINE_FILTER_REASON_MAX];
    char reason[LINE_FILTER_REASON_MAX]; /* reason of mpiexec's last failed write */
    bool aborted;   /* mpiexec says that it aborts the job, after a second signal */
    bool has_error; /* held lines include errors of the launcher */
};

void line_filter_add(struct line_filter *filter, const char *text, size_t length);
/** The launcher has ended: pass its last line, and lines that could have begun a report. */
void line_filter_flush(struct line_filter *filter);
/** Pass the lines that were held back, as the job does not end because of them. */
void line_filter_release(struct line_filter *filter);
/** The stream has ended.
 * @param drops  discard the lines that were held back, also if a program is missing */
void line_filter_end(struct line_filter *filter, bool drops);
