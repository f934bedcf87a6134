/**
 * @file command.h
 * Defines exit statuses and messages, for the files cmd_NAME.c, which have the functions of the
 * commands.
 */
#pragma once

#include "commands.h"
#include "output.h"

/** Exit statuses of the command itself (`run` hands on the job's). */
enum nereus_exit { NEREUS_EXIT_OK = 0, NEREUS_EXIT_FAILED = 1, NEREUS_EXIT_USAGE = 2 };

/** Remember the command that is being run, for the message below ("" before any is known). */
void nereus_cli_set_command(const char *name);

/**
 * Print "nereus COMMAND: " and one sentence to stderr.
 * @return NEREUS_EXIT_FAILED, so that `return nereus_cli_fail(...)` reads well
 */
int nereus_cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** In the function of a command: return with the message in `err` of a call that is not
 * NEREUS_OK. */
#define NEREUS_CLI_TRY(call, err)                                                                  \
    do {                                                                                           \
        if ((call) != NEREUS_OK)                                                                   \
            return nereus_cli_fail("%s", (err).text);                                              \
    } while (0)

/** As nereus_cli_fail, for an invalid command line.
 * @return NEREUS_EXIT_USAGE */
int nereus_cli_fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Print a note that is not an error to stderr: "nereus COMMAND: note: ...". */
void nereus_cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Note the lines of a file that could not be read.
 * @param lines  their number; 0: nothing is printed
 * @param first  line number of the first of them
 * @param why    error in the line; NULL or "": the line is incomplete
 */
void nereus_cli_note_left_out(const char *path, int64_t lines, int64_t first, const char *why);

/** Do two sentences differ only in their numbers (sizes, process ids)? */
_Bool nereus_cli_is_same_but_numbers(const char *a, const char *b);

/** Make the command fail if standard output cannot be written; call it before anything is printed.
 */
void nereus_cli_init(void);

/** Print version, commit, MPI, and the profile that is used if none is given. */
void nereus_version_print(void);
