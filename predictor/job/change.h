/** @file change.h  Requests a change of a running job, for the commands resize, release and offer
 * (docs/jobs.md). */
#pragma once

#include "nereus/job_client.h"
#include "predictor/cli/options.h"
#include "reply.h"

/** Convert the words of a command line after the job's name to a request. */
typedef enum nereus_status nereus_change_read_words(const struct nereus_arguments *words,
                                                    struct nereus_job_request *request,
                                                    struct nereus_error *err);

/** Further options of a command: nodes that are kept; a size, and an allocation; Slurm. */
enum nereus_change_with {
    NEREUS_CHANGE_WITH_KEEP,
    NEREUS_CHANGE_WITH_SIZE,
    NEREUS_CHANGE_WITH_SLURM,
    NEREUS_CHANGE_WITH_COUNT
};

/** A command that requests a change. */
struct nereus_change_command {
    enum nereus_job_request_kind kind;
    const char *arguments_help, *help;
    int max_arguments; /**< with the job's name; at least 2 */
    enum nereus_change_with change_kind;
    nereus_change_read_words *read_words;
};

/**
 * Parse the command line, send the request, print the reply, and unless --no-wait is given wait for
 * the end of the request and print that.
 * @return the exit status: success if it was carried out, or with --no-wait accepted
 */
int nereus_change_run(const struct nereus_change_command *command, int argc, char **argv);

/** Connect, or print why not.
 * @return the exit status: success with *client */
int nereus_change_connect(const char *job, double limit_s, struct nereus_job_client **client);
