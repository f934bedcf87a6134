/**
 * @file slurm_rows.h
 * Columns that squeue and sinfo print. Each record begins with a line that begins with a random
 * mark: the lines of a comment, and what a site's own commands say before, are no records.
 *
 *     struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "--me"}};
 *     NEREUS_TRY(nereus_slurm_ask(&squeue, "%A|%k", &rows, err));
 *     while (nereus_slurm_rows_next(&rows)) { ... rows.fields[1] ... }
 *     nereus_slurm_rows_fini(&rows);
 */
#ifndef NEREUS_SLURM_ROWS_H
#define NEREUS_SLURM_ROWS_H

#include <stdint.h>

#include "slurm_command.h"

enum { NEREUS_SLURM_COLUMNS_MAX = 8, NEREUS_SLURM_MARK_MAX = 32 };

/** What could not be read. */
struct nereus_slurm_left_out {
    int64_t count;
    char first[256]; /**< the sentence about the first of them; "": none */
};

struct nereus_slurm_rows {
    char *fields[NEREUS_SLURM_COLUMNS_MAX]; /**< of this row; the last one is the rest */
    const char *before; /**< the first field of the row before, or "": a node of several partitions
                           is listed several times, one after the other */
    struct nereus_slurm_left_out *left_out; /**< the caller's; NULL: not counted */
    const char *command;                    /**< its name */
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
enum nereus_status nereus_slurm_ask(struct nereus_slurm_command *command, const char *columns,
                                    struct nereus_slurm_rows *rows, struct nereus_error *err);

/** The rows of a text that has been printed. @param text  owned from here on */
void nereus_slurm_rows_init(const char *command, const char *columns, const char *mark, char *text,
                            struct nereus_slurm_rows *rows);

/** Go to the next row that has all columns; others are left out. @return false: there is none */
bool nereus_slurm_rows_next(struct nereus_slurm_rows *rows);

/** Count a row that cannot be read, with the sentence about it. */
void nereus_slurm_rows_leave_out(struct nereus_slurm_rows *rows, const struct nereus_error *fault);

void nereus_slurm_rows_fini(struct nereus_slurm_rows *rows);

#endif
