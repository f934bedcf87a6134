/**
 * @file cmd_resize.c
 * nereus job resize: asks a running job for another number of processes.
 */
#include "ask.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

static enum nereus_status read_words(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err)
{
    return nereus_value_integer("PROCESSES", words->items[1], 1, &request->size, err);
}

static const char help[] =
    "Asks a running job for another number of processes, and waits until that is carried out, has "
    "failed, or was given up at its deadline. JOB is the name that it was started with "
    "(nereus-mpiexec --job NAME). A size that the application cannot take is refused, with those "
    "that it would take. With --slurm a job that becomes larger than its nodes gets an allocation of "
    "Slurm's for each further node (a minute is waited for, or --deadline), and one that becomes "
    "smaller gives whole nodes back.";

int nereus_cmd_job_resize(int argc, char **argv)
{
    const struct nereus_ask_command command = {.what = NEREUS_JOB_ASK_RESIZE,
                                               .arguments_help = "JOB PROCESSES",
                                               .help = help,
                                               .max_arguments = 2,
                                               .with = ASK_WITH_SLURM,
                                               .read_words = read_words};
    return nereus_ask_change(&command, argc, argv);
}
