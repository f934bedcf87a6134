/**
 * @file slurm_command.h
 * Runs one of Slurm's commands. What is handed to it stands behind "--", or behind an option's "=":
 * it cannot become an option.
 *
 *     struct nereus_slurm_command cancel = {.argv = {"scancel", "--"}, .finishes = true};
 *     nereus_slurm_word(&cancel, "%s", id);
 *     status = nereus_slurm_run(&cancel, NULL, &err);
 */
#ifndef NEREUS_SLURM_COMMAND_H
#define NEREUS_SLURM_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "nereus/status.h"

enum { NEREUS_SLURM_ID_MAX = 32, NEREUS_SLURM_WORDS_MAX = 128, NEREUS_SLURM_TEXT_MAX = 8192 };

/** A command and its words. Not to be copied. */
struct nereus_slurm_command {
    const char *argv[NEREUS_SLURM_WORDS_MAX]; /**< argv[0] as PATH has it; ended by NULL */
    const char *const *further;               /**< behind these; ended by NULL; NULL: none */
    double limit_s; /**< 0: a minute, or where it finishes ten: sbatch waits for some where the
                       controller takes no jobs */
    bool finishes;  /**< it submits or ends jobs: a signal that comes meanwhile does not end it, as
                       a job that Slurm has got must be known to be cancelled */
    bool is_complete; /**< a sbatch whose options all stand here: not what the user has set for his
                         own, SBATCH_ARRAY_INX and the like */
    bool is_too_long;
    size_t used;
    char text[NEREUS_SLURM_TEXT_MAX]; /**< of the words that were added */
};

/** Is it the number of a job: digits, up to NEREUS_SLURM_ID_MAX - 1? */
bool nereus_slurm_is_id(const char *text);

/** Add a word. Where there is no room for all of it the command is not run. */
void nereus_slurm_word(struct nereus_slurm_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Run a command, and wait for it.
 * @param[out] text  what it printed to stdout; to be freed by the caller. NULL: not wanted
 * @return NEREUS_ERR_IO with its name and its own last line, if it fails or is not there;
 *    NEREUS_ERR_ARGUMENT: words that are too long; NEREUS_ERR_CALLED_OFF: interrupted;
 *    NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_slurm_run(const struct nereus_slurm_command *command, char **text,
                                    struct nereus_error *err);

/**
 * Run a sbatch with --parsable, which finishes.
 * @param[out] id  the number of the job; written on NEREUS_OK only
 * @return also NEREUS_ERR_PARSE: it printed no number
 */
enum nereus_status nereus_slurm_submit(struct nereus_slurm_command *command,
                                       char id[NEREUS_SLURM_ID_MAX], struct nereus_error *err);

#endif
