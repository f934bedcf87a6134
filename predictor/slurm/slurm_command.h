/**
 * @file slurm_command.h
 * Runs one of Slurm's commands. Arguments stand after "--", or after an option's "=", so that none
 * of them can become an option.
 *
 *     struct nereus_slurm_command cancel = {.argv = {"scancel", "--"}, .ignores_signals = true};
 *     nereus_slurm_add_word(&cancel, "%s", id);
 *     status = nereus_slurm_run(&cancel, NULL, &err);
 *
 * The columns of squeue and sinfo are read by records that begin with a random mark, because lines
 * of a comment, and of a site's own commands before, are no records.
 *
 *     struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "--me"}};
 *     NEREUS_TRY(nereus_slurm_query(&squeue, "%A|%k", &rows, err));
 *     while (nereus_slurm_rows_next(&rows)) { ... rows.fields[1] ... }
 *     nereus_slurm_rows_fini(&rows);
 */
#pragma once

#include "model/util/base.h"

enum { NEREUS_SLURM_ID_MAX = 32, NEREUS_SLURM_ARGUMENTS_MAX = 128, NEREUS_SLURM_TEXT_MAX = 8192 };

/** A command and its words. Not to be copied. */
struct nereus_slurm_command {
    const char *argv[NEREUS_SLURM_ARGUMENTS_MAX]; /**< argv[0] as PATH has it; ended by NULL */
    /** words after argv; ended by NULL; NULL: none */
    const char *const *further;
    double limit_s; /**< 0: a minute; ten if it ignores signals, as sbatch waits for minutes where
                       the controller takes no jobs */
    /** as of struct nereus_child: the exit status that a line tells, and how long the command may
     * take to end after it, which is noted */
    int (*find_status)(const char *line, bool is_stderr);
    double ending_limit_s;
    /** It submits or ends jobs: a signal that comes meanwhile does not end it, as a job that Slurm
     * has got must be known to be cancelled. */
    bool ignores_signals;
    /** for sbatch: remove all SBATCH_* variables of the user, such as SBATCH_ARRAY_INX */
    bool is_complete;
    bool is_too_long;
    size_t used;
    char text[NEREUS_SLURM_TEXT_MAX]; /**< storage of the added words */
};

/** Is it the number of a job: digits, up to NEREUS_SLURM_ID_MAX - 1? */
bool nereus_slurm_is_id(const char *text);

/** Add a word. If there is no room for all of it, the command is not run. */
void nereus_slurm_add_word(struct nereus_slurm_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Run a command, and wait for it.
 * @param[out] text  what it printed to stdout; to be freed by the caller. NULL: not wanted
 * @return NEREUS_ERR_IO with its name and its own last line, if it fails or is not there;
 *         NEREUS_ERR_ARGUMENT: words that are too long; NEREUS_ERR_CANCELLED: interrupted;
 *         NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_slurm_run(const struct nereus_slurm_command *command, char **text,
                                    struct nereus_error *err);

/** One of several commands. */
struct nereus_slurm_run {
    const struct nereus_slurm_command *command;
    enum nereus_status status; /**< [out] and `error`: as nereus_slurm_run */
    char *text;                /**< [out] to be freed by the caller; NULL unless `status` is OK */
    struct nereus_error error;
};

/**
 * Run several commands, at most at_once of them at a time, and wait for all.
 * @return NEREUS_OK, whatever their status; NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY,
 *         NEREUS_ERR_IO: none was run, and no text is to be freed
 */
enum nereus_status nereus_slurm_run_all(struct nereus_slurm_run *runs, int64_t count,
                                        int64_t at_once, struct nereus_error *err);

/**
 * Run a sbatch with --parsable, which then ignores signals.
 * @param[out] id  the number of the job; written on NEREUS_OK only
 * @return also NEREUS_ERR_PARSE: it printed no number
 */
enum nereus_status nereus_slurm_submit(struct nereus_slurm_command *command,
                                       char id[NEREUS_SLURM_ID_MAX], struct nereus_error *err);

enum { NEREUS_SLURM_COLUMNS_MAX = 8, NEREUS_SLURM_MARK_MAX = 32 };

/** Rows that could not be read. */
struct nereus_slurm_left_out {
    int64_t count;
    char first[256]; /**< the message about the first of them; "": none */
};

struct nereus_slurm_rows {
    /** fields of this row; the last one has the rest of the line */
    char *fields[NEREUS_SLURM_COLUMNS_MAX];
    const char *before; /**< the first field of the row before, or "": a node of several partitions
                           is listed several times, one after the other */
    struct nereus_slurm_left_out *left_out; /**< owned by the caller; NULL: not counted */
    const char *command;                    /**< name of the command */
    int columns;
    char mark[NEREUS_SLURM_MARK_MAX];
    char *text; /**< owned */
    char *next; /**< NULL: there is no further row */
};

/**
 * @param[in] command  without -o; a constant argv[0]
 * @param[in] columns  as "%A|%k"; a text that may have '|' or line breaks is the last one
 * @return as nereus_slurm_run
 */
enum nereus_status nereus_slurm_query(struct nereus_slurm_command *command, const char *columns,
                                      struct nereus_slurm_rows *rows, struct nereus_error *err);

/** Make rows from a text that was printed.
 * @param text  owned by the rows afterwards */
void nereus_slurm_rows_init(const char *command, const char *columns, const char *mark, char *text,
                            struct nereus_slurm_rows *rows);

/** Go to the next row that has all columns; others are left out.
 * @return false: there is none */
bool nereus_slurm_rows_next(struct nereus_slurm_rows *rows);

/** Count a row that cannot be read, with the message about it. */
void nereus_slurm_rows_leave_out(struct nereus_slurm_rows *rows, const struct nereus_error *fault);

void nereus_slurm_rows_fini(struct nereus_slurm_rows *rows);
