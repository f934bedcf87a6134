/**
 * @file run.h
 * Runs the job's own mpiexec: starts it, serves until mpiexec and all launched worlds have ended,
 * and ends a job that cannot continue (run.c); finds how the job has ended: its status, why, and
 * whether that was a loss (run_outcome.c).
 */
#pragma once

#include <sys/types.h>

#include "output.h"
#include "supervisor.h"
#include "time_limit.h"

enum { RUN_LAUNCHER_FAILED = 255 }; /* mpiexec's status where its launcher has failed */

/** The job's own mpiexec. */
struct run {
    pid_t child;
    bool ended;
    int wait_status;
    bool guarded; /* every process has a guard */
    int signals;
    double deadline_s; /* then remaining processes are ended; 0: none */
    bool ending;       /* the job is being ended */
    int force;         /* signals sent to mpiexec */
    int interrupt;     /* the first signal to this process that asks the job to end; 0: none */
    struct launcher_check check; /* of mpiexec; next_s 0: none */
    double repeat_s;             /* time to repeat the signal */
    struct time_limit limit;
    struct output output;
    /* the job may be restarted: the reason for its end is stored in `why`, and printed later */
    bool holds;
    char why[1000]; /* "": no reason is stored */
};

/** Block and take over the signals of this process. */
void run_watch_signals(struct run *run);
/** Start mpiexec, each program under a guard.
 * @return false: errno is set */
bool run_start(struct run *run, struct supervisor *supervisor, char **mpiexec);
/** Serve until mpiexec and all launched worlds have ended.
 * @return mpiexec's exit status; 128 + N for signal N */
int run_watch(struct run *run, struct supervisor *supervisor);
/** Note and pass on signals that this process has received. */
void run_forward_signals(struct run *run, struct supervisor *supervisor);
/** Kill the processes that mpiexec has left behind. */
void run_kill_orphans(void);

/** Print or store why the job ends. The first sentence is kept. */
void run_explain(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The job will not be restarted: print the stored reason, and later ones at once. */
void run_print_reasons(struct run *run);
/** "mpiexec's launcher (ssh, srun) has ended, ..." */
extern const char run_launcher_ended[];
/** Beginning of a sentence about a file that mpiexec could not start (its output.missing_program). */
const char *run_get_missing(const struct run *run);
/** The exit status of a shell: 127 if the program does not exist, 126 if it cannot be executed.
 * @param missing  "NAME: REASON" */
int run_missing_status(const char *missing);
/** Path of a file relative to this program.
 * @return false: it does not exist */
bool run_find_program(const char *place, char *path, size_t size);

/** Pass on the rest of the output.
 * @return the job's status */
int run_end_output(struct run *run, const struct supervisor *supervisor, int mpiexec_status);
/** Print why the job has ended with this status, if that has not been printed. */
void run_explain_end(struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                     int status);
/** Was the end a loss? Not if the program has set the status: it would end the next attempt, too.
 * @param further  not the first attempt of the job */
bool run_is_loss(const struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                 bool further);
/** Describe the loss that has ended the job, as the beginning of a sentence about the next
 * attempt. */
const char *run_get_loss(const struct run *run);
