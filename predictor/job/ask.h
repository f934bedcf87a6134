/** @file ask.h  Asks a running job for a change, for the commands resize, release and offer
 * (docs/jobs.md). */
#ifndef NEREUS_PREDICTOR_JOB_ASK_H
#define NEREUS_PREDICTOR_JOB_ASK_H

#include "answer.h"
#include "nereus/job_client.h"
#include "predictor/cli/options.h"

/** Convert the words of a command line after the job's name to a request. */
typedef enum nereus_status nereus_ask_read_words(const struct nereus_arguments *words,
                                                 struct nereus_job_request *request,
                                                 struct nereus_error *err);

/** Further options of a command: nodes that are kept; a size, and an allocation; Slurm. */
enum nereus_ask_with {
    NEREUS_ASK_WITH_NOTHING,
    NEREUS_ASK_WITH_KEEP,
    NEREUS_ASK_WITH_SIZE,
    NEREUS_ASK_WITH_SLURM,
    NEREUS_ASK_WITH_COUNT
};

/** A command that asks for a change. */
struct nereus_ask_command {
    enum nereus_job_question what;
    const char *arguments_help, *help;
    int max_arguments; /**< with the job's name; at least 2 */
    enum nereus_ask_with with;
    nereus_ask_read_words *read_words;
};

/**
 * Parse the command line, ask for the change, print the answer, and unless --no-wait is given wait
 * for its end and print that.
 * @return the exit status: success if it was carried out, or with --no-wait accepted
 */
int nereus_ask_change(const struct nereus_ask_command *command, int argc, char **argv);

/** Connect, or print why not. @return the exit status: success with *client */
int nereus_ask_connect(const char *job, double limit_s, struct nereus_job_client **client);

#endif
