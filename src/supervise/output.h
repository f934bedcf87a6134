/**
 * @file output.h
 * Launchers' output passes through a thread of nereus-supervise, which holds back the launchers'
 * own messages until the outcome of the job is known (line_filter.h). Each launcher has its own
 * pipes: launchers write lines in pieces, and would cut each other's.
 */
#pragma once

#include <pthread.h>

#include "line_filter.h"

/** Standard output or standard error of nereus-supervise. */
struct output_sink {
    int to;
    int write_errno; /* errno of the first write that failed; 0: none */
};

struct output {
    bool runs; /* false: no descriptors or thread; launchers write directly */
    pthread_t thread;
    int command;     /* new streams for the thread; closed at the end of the job */
    int command_end; /* read end of it */
    int poll;        /* epoll: the read ends of all streams, and command_end */
    int ends[2];     /* write ends of the first launcher; -1 if `runs` is false */
    struct output_sink sinks[2];
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
/** Open the streams of a further launcher.
 * @param[out] ends  write ends: standard output, standard error; the caller closes them
 * @return false: no descriptors or memory, or `runs` is false; `ends` is unchanged */
bool output_add(struct output *output, int ends[2]);
/** Call in the child, before it executes a launcher.
 * @param ends  -1: unchanged */
void output_redirect(const int ends[2]);
/** All launchers have ended: flush what they have printed.
 * @param drops  discard the lines that were held back */
void output_close(struct output *output, bool drops);
