/**
 * @file launcher_watch.h
 * Observes a launcher of processes. Detects one that waits forever: srun or ssh, which it has
 * started for its proxies, has ended before any process was there. Passes on its standard error,
 * and keeps the last line, which is the reason if it fails before it has started a process.
 */
#pragma once

#include <poll.h>
#include <sys/types.h>

#include "output.h"

struct launcher_check {
    double next_s; /* time of the next check */
    int idle;      /* successive checks that found no running child */
};

/** Check now, if it is time.
 * @return true: the launcher waits for processes that nobody starts */
bool launcher_waits_in_vain(struct launcher_check *check, pid_t launcher, double now_s);

struct launcher_errors {
    int from;      /* -1: none */
    int to;        /* its stream of the output; valid while `from` is */
    bool silent;   /* set by the caller: what comes is not passed on */
    bool complete; /* the next character begins another line */
    size_t length;
    char line[240]; /* the last line that is not empty; without a terminating NUL */
};

/** Open streams of the output for a launcher; after its start call _started, in any case. Without
 * descriptors it writes into those of the first launcher.
 * @param[out] ends  for launcher_start */
void launcher_errors_open(struct launcher_errors *errors, struct output *output, int ends[2]);
void launcher_errors_started(const struct launcher_errors *errors, const int ends[2]);
/** The descriptor to poll; -1: none. */
struct pollfd launcher_errors_watch(const struct launcher_errors *errors);
/** Pass on what has come. Does not wait: not for the launcher, and not for a slow reader.
 * @param ended  the launcher has ended: what has come is the rest */
void launcher_errors_pass_on(struct launcher_errors *errors, bool ended);
/** ": " and the last line; "": none.
 * @return text */
const char *launcher_errors_reason(const struct launcher_errors *errors, char *text, size_t size);
