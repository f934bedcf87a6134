/**
 * @file slurm_command.h
 * Runs one of Slurm's commands. What is handed to it stands behind "--", or behind an option's "=":
 * it cannot become an option.
 */
#ifndef NEREUS_SLURM_COMMAND_H
#define NEREUS_SLURM_COMMAND_H

#include <stdbool.h>

#include "nereus/status.h"

enum { NEREUS_SLURM_ID_MAX = 32 };

/** Is it the number of a job: digits, up to NEREUS_SLURM_ID_MAX - 1? */
bool nereus_slurm_is_id(const char *text);

/**
 * Run a command under a time limit of a minute, and wait for it.
 * @param[in]  argv  ended by NULL; argv[0] as PATH has it
 * @param[out] text  what it printed to stdout; to be freed by the caller. NULL: not wanted
 * @return NEREUS_ERR_IO with its name and its own last line, if it fails or is not there;
 *    NEREUS_ERR_CALLED_OFF: interrupted; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_slurm_run(const char *const *argv, char **text, struct nereus_error *err);

/** The same with a time limit of the caller's. @param limit_s  seconds, above 0 */
enum nereus_status nereus_slurm_run_for(const char *const *argv, double limit_s, char **text,
                                        struct nereus_error *err);

/** The same for what submits or ends jobs: a signal that comes meanwhile does not end it, as a job
 * that Slurm has got must be known to be cancelled. */
enum nereus_status nereus_slurm_run_to_end(const char *const *argv, char **text,
                                           struct nereus_error *err);

/**
 * Run a sbatch with --parsable, in the same way.
 * @param[out] id  the number of the job; written on NEREUS_OK only
 * @return also NEREUS_ERR_PARSE: it printed no number
 */
enum nereus_status nereus_slurm_submit(const char *const *argv, char id[NEREUS_SLURM_ID_MAX],
                                       struct nereus_error *err);

#endif
