/**
 * @file batch_script.h
 * Writes the batch script of a malleable job, for nereus slurm submit: Slurm's options, the job's
 * name and sizes, and then the user's own script, or a program under nereus-mpiexec.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/sizes.h"

/**
 * Comments of Slurm jobs: "nereus NAME" for a malleable job, where "%j" in NAME is the number of
 * the Slurm job; "nereus-added NAME ID" for an allocation that was added to Slurm job ID.
 */
#define NEREUS_SLURM_COMMENT       "nereus "
#define NEREUS_SLURM_COMMENT_ADDED "nereus-added "

/** Checkpoints of the job, and what happens to it after a loss; NULL: default of nereus-mpiexec.
 * With a folder, or a checkpoint to begin from, and "restart" Slurm sends a signal before its time
 * limit. */
struct nereus_batch_survival {
    const char *folder;
    const char *every;      /**< "10min", "auto" */
    const char *on_failure; /**< "restart", "end" */
    const char *restarts;   /**< a number */
    const char *restart;    /**< checkpoint, or folder of checkpoints, from which it begins */
};

struct nereus_batch {
    const char *name;          /**< name of the job for external requests; may have "%j" */
    struct nereus_sizes sizes; /**< minimum: the processes at the start, 1 or more */
    struct nereus_batch_survival survival;
    const char *slurm_options;  /**< further options of sbatch; NULL: none */
    const char *script;         /**< text of a script that starts the job itself; NULL: a program */
    const char *place;          /**< path of that script */
    const char *mpiexec;        /**< path of nereus-mpiexec, which starts `program` */
    const char *const *program; /**< program and its arguments; ended by NULL */
};

/** Is it a batch script: a shell script ("#!.../bash"), or a script of another interpreter with
 * lines of #SBATCH? */
bool nereus_batch_is_script(const char *text);

/** Replace "%j" in a name by the number of the Slurm job.
 * @return false: `capacity` is too small */
bool nereus_batch_make_name(const char *name, const char *number, char *text, size_t capacity);

/** Write the script. The user's options stay valid, except those that Nereus needs: its own stand
 * last, and options that would prevent its submission are refused.
 * @param[out] text  to be freed by the caller
 * @return NEREUS_ERR_ARGUMENT: no name of a job, or a refused option; NEREUS_ERR_MEMORY */
enum nereus_status nereus_batch_write(const struct nereus_batch *batch, char **text,
                                      struct nereus_error *err);
