/**
 * @file output.h
 * Launchers' output passes through a thread of nereus-supervise, which holds back the launchers'
 * own messages until the outcome of the job is known (line_filter.h).
 */
#pragma once

#include <pthread.h>

#include "line_filter.h"

struct output {
    bool runs; /* false: no descriptors or thread; launchers write directly */
    pthread_t thread;
    int command;           /* closed at the end of the job */
    int launchers_ends[2]; /* write ends: standard output, standard error */
    int ends[3];           /* read ends of the same, and of `command` */
    _Atomic bool drops;
    /* The job is being ended with its own message: the launcher's errors are not printed */
    _Atomic bool ending;
    int event;     /* readable when `missing_program` is set; -1: not available */
    int event_end; /* the thread's end */
    /* "NAME: REASON" (line_filter.h); owned by the thread until it reports or ends */
    char missing_program[LINE_FILTER_PROGRAM_MAX];
    char write_error[LINE_FILTER_REASON_MAX]; /* likewise */
    bool aborted;                             /* likewise */
    bool lost;                                /* likewise: standard output could not be written */
};

/** Call before a launcher is started. */
void output_open(struct output *output);
/** Call in the child, before it executes a launcher. */
void output_redirect(const struct output *output);
/** All launchers have ended: flush what they have printed.
 * @param drops  discard the lines that were held back */
void output_close(struct output *output, bool drops);
