/**
 * @file child.h
 * Runs programs (mpiexec above all) so that nothing is left running: in a process group of their own, with a
 * time limit, handing on SIGINT and SIGTERM, and collecting what survives them: processes, and files in /dev/shm.
 *
 *     char mpiexec[PATH_MAX];
 *     if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, &err) != NEREUS_OK) ...
 *     const char *const argv[] = {mpiexec, "-n", "2", program, NULL};
 *     struct nereus_child child = {.argv = argv, .limit_s = 30, .on_line = take, .user = &me};
 *     struct nereus_child_result result;
 *     status = nereus_child_run(&child, &result, &err);
 *
 * Several calls in a row (a calibration): call nereus_interrupt_watch() around them, so that a signal between
 * two is not lost.
 */
#ifndef NEREUS_CHILD_H
#define NEREUS_CHILD_H

#include <limits.h>
#include <stdbool.h>

#include "status.h"

/** Where a program lies, seen from the `nereus` that runs: beside it, or in ../libexec/nereus. */
enum nereus_program_place { NEREUS_PROGRAM_BIN, NEREUS_PROGRAM_LIBEXEC };

/** @param[out] path  PATH_MAX characters @return NEREUS_ERR_IO with a sentence when it is not there or cannot
 * be executed */
enum nereus_status nereus_program_find(enum nereus_program_place place, const char *name, char *path,
                                       struct nereus_error *err);

/** A line of output, without newline (longer ones than 64 KiB come in pieces). */
typedef void nereus_child_line(void *user, const char *line, bool is_stderr);

struct nereus_child {
    const char *const *argv;        /**< argv[0]: path of the program; ended by NULL */
    const char *const *environment; /**< "NAME=VALUE" to add or replace, ended by NULL; NULL: none */
    const char *folder;             /**< to run in; NULL: this one */
    double limit_s;                 /**< 0: none */
    nereus_child_line *on_line;     /**< NULL: output passes through */
    void (*on_tick)(void *user);    /**< every 100 ms, and at each output; may be NULL */
    void *user;
};

struct nereus_child_result {
    int exit_status; /**< as a shell gives it: 128 + signal when killed by one; 127 when it could not be
                        started */
    bool timed_out;  /**< the limit ended it */
    int interrupt;   /**< the signal that ended it by way of this command, or 0 */
    int left_behind; /**< processes that outlived it and had to be killed */
    double wall_s;
};

/**
 * Run and wait. Its standard input is empty.
 * @return NEREUS_OK whenever it was started, whatever became of it; NEREUS_ERR_IO when it could not be
 */
enum nereus_status nereus_child_run(const struct nereus_child *child, struct nereus_child_result *result,
                                    struct nereus_error *err);

/**
 * Why a child that did not end well ended so, as half a sentence: "was stopped after 30 s", "ended with
 * status 5", "was killed by signal 9 (Killed)". @param[out] text  at least 96 characters, returned
 */
char *nereus_child_outcome(const struct nereus_child *child, const struct nereus_child_result *result,
                           char *text);

/** Monotonic clock in seconds. */
/** Seconds on a clock that is never set back. NEREUS_TEST_CLOCK_S: for tests, a made-up one that goes on by so much with each look. */
double nereus_clock_s(void);

#endif
