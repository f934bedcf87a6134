/**
 * @file launcher_errors.h
 * Passes on the standard error of one launcher of new processes, and keeps its last line,
 * which is the reason if the launcher fails before it has started a process.
 */
#pragma once

#include <poll.h>

#include "output.h"

struct launcher_errors {
    int from;      /* -1: none */
    bool silent;   /* set by the caller: what comes is not passed on */
    bool complete; /* the next character begins another line */
    size_t length;
    char line[240]; /* the last line that is not empty; without a terminating NUL */
};

/** Open the stream, and make `launchers` the output for launcher_start; then call _started, in any
 * case. Without descriptors the launcher writes to `output`.
 * @param output  where everything goes */
void launcher_errors_open(struct launcher_errors *errors, const struct output *output,
                          struct output *launchers);
void launcher_errors_started(const struct output *output, struct output *launchers);
/** The descriptor to poll; -1: none. */
struct pollfd launcher_errors_watch(const struct launcher_errors *errors,
                                    const struct output *output);
/** Pass on what has come. Does not wait: not for the launcher, and not for a slow reader.
 * @param ended  the launcher has ended: what has come is the rest */
void launcher_errors_pass_on(struct launcher_errors *errors, const struct output *output,
                             bool ended);
/** ": " and the last line; "": none.
 * @return text */
const char *launcher_errors_reason(const struct launcher_errors *errors, char *text, size_t size);
