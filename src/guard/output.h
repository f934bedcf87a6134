/*
 * What launchers print passes through a thread of nereus-supervise, which holds back their own
 * lines until the job's end is known (line_filter.h). Private to src/guard.
 */
#ifndef NEREUS_OUTPUT_H
#define NEREUS_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>

#include "line_filter.h"

struct output {
    bool runs; /* no: there is no descriptor or thread for it, and launchers print as they like */
    pthread_t thread;
    int command;           /* its end is the job's */
    int launchers_ends[2]; /* for them: standard output and standard error */
    int ends[3];           /* of the thread: the same, and of the command */
    _Atomic bool drops;
    /* The job is being ended, and its sentence says why: the launcher's errors are not printed */
    _Atomic bool ending;
    int news;     /* readable when `missing` is set; -1: off */
    int news_end; /* of the thread */
    char missing
        [LINE_FILTER_PROGRAM_MAX]; /* line_filter.h; owned by the thread until it reports or ends */
    char unwritten[LINE_FILTER_REASON_MAX]; /* likewise */
    bool aborted;                           /* likewise */
    bool lost;                              /* likewise: standard output could not be written */
};

/* Before a launcher is started. */
void output_open(struct output *output);
/* In a child, before it becomes a launcher. */
void output_use(const struct output *output);
/* All launchers have ended: what they have printed is out when this returns.
 * @param drops  not what was held back */
void output_close(struct output *output, bool drops);

#endif
