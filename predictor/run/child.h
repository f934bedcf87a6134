/**
 * @file child.h
 * Runs programs, mainly mpiexec: each in its own process group, with a time limit, forwarding
 * SIGINT and SIGTERM. Processes that the program leaves are killed, and its files in /dev/shm
 * removed.
 *
 *     char mpiexec[PATH_MAX];
 *     if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, &err) != NEREUS_OK)
 *     ...
 *     const char *const argv[] = {mpiexec, "-n", "2", program, NULL};
 *     struct nereus_child child = {.argv = argv, .limit_s = 30, .on_line = take, .user = &me};
 *     struct nereus_child_result result;
 *     status = nereus_child_run(&child, &result, &err);
 *
 * Call nereus_interrupt_watch() around several calls in a row, so that a signal between two of them
 * is not lost.
 */
#pragma once

#include "model/util/base.h"

/** Folder of a program, relative to the running `nereus`: the same one, or ../libexec/nereus. */
enum nereus_program_place { NEREUS_PROGRAM_BIN, NEREUS_PROGRAM_LIBEXEC };

/**
 * @param[in]  name  in that folder; an absolute path is the program itself
 * @param[out] path  PATH_MAX characters
 * @return NEREUS_ERR_IO with an error message when it is not there or cannot be executed
 */
enum nereus_status nereus_program_find(enum nereus_program_place place, const char *name,
                                       char *path, struct nereus_error *err);

/** Does a folder of PATH have such a program? */
bool nereus_program_is_on_path(const char *name);

/**
 * Check a configuration and get its first number of processes.
 * @param[in] program  nereus-sam
 * @return NEREUS_ERR_PARSE with its message, which begins with file and line
 */
enum nereus_status nereus_sam_query(const char *program, const char *file, int64_t *processes,
                                    struct nereus_error *err);

/** Does the line contain text? Launchers print lines of = or - around a report about a killed
 * process. */
bool nereus_child_line_has_text(const char *line);

/** A line of output, without newline (longer ones than 64 KiB come in pieces). */
typedef void nereus_child_line(void *user, const char *line, bool is_stderr);

struct nereus_child {
    const char *const
        *argv; /**< argv[0]: the program, by its path or as PATH has it; ended by NULL */
    const char *const
        *environment;   /**< "NAME=VALUE" to add or replace, "NAME" to remove, "NAME*" to remove all
                           that begin so; ended by NULL; NULL: none */
    const char *folder; /**< to run in; NULL: this one */
    double limit_s;     /**< 0: none */
    /** A signal to this command does not end the program, which must not be interrupted. */
    bool ignores_signals;
    /** Find the exit status that a line tells before the program ends; -1: none. NULL: no line
     * does. From such a line on the program has ending_limit_s instead of limit_s, and is then
     * ended with the status that it has told. */
    int (*find_status)(const char *line, bool is_stderr);
    double ending_limit_s;
    nereus_child_line *on_line; /**< NULL: output passes through, unless it is dropped: */
    bool quiet;
    void (*on_tick)(void *user); /**< every 100 ms, and at each output; may be NULL */
    void *user;
};

struct nereus_child_result {
    int start_error; /**< errno if it could not be started; 0: it was */
    int exit_status; /**< as a shell gives it: 128 + signal when killed by one; 127 when it could
                        not be started */
    bool timed_out;  /**< the limit ended it */
    bool hung;       /**< it had told its exit status, and ending_limit_s ended it */
    int interrupt;   /**< the signal to this command that ended it, or 0 */
    int left_behind; /**< processes that outlived it (and the others of the same call), and had to
                        be killed */
    double wall_s;   /**< from its start to its end */
    char last[256];  /**< its last line with text on stderr, unless output passes through */
};

/**
 * Run and wait. Its standard input is empty.
 * @return NEREUS_OK if it was started, however it ended; NEREUS_ERR_IO if not
 */
enum nereus_status nereus_child_run(const struct nereus_child *child,
                                    struct nereus_child_result *result, struct nereus_error *err);

/**
 * Run several, in this order, at most at_once of them at a time, and wait for all. Each has its
 * time limit from its own start; after a signal to this command no further one is started.
 * @param[out] results  one each; see nereus_child_check_start
 * @return NEREUS_OK, however they ended; NEREUS_ERR_MEMORY, NEREUS_ERR_IO: none was started
 */
enum nereus_status nereus_child_run_all(const struct nereus_child *children, int64_t count,
                                        int64_t at_once, struct nereus_child_result *results,
                                        struct nereus_error *err);

/** @return NEREUS_ERR_IO with its name and the reason if it could not be started */
enum nereus_status nereus_child_check_start(const struct nereus_child *child,
                                            const struct nereus_child_result *result,
                                            struct nereus_error *err);

/**
 * How a failed child ended, as a part of a message: "was stopped after 30 s", "ended with status
 * 5", "was killed by signal 9 (Killed)".
 * @param[out] text  at least 96 characters, returned
 */
char *nereus_child_format_outcome(const struct nereus_child *child,
                                  const struct nereus_child_result *result, char *text);
