/**
 * @file live_job.h
 * Runs one live reconfiguration: a small synthetic application in a temporary folder changes from
 * NS to NT processes and leaves a trace.
 */
#pragma once

#include "model/trace/trace.h"
#include "nereus/method.h"
#include "predictor/run/child.h"

/** How jobs are run. */
struct nereus_live {
    char mpiexec[PATH_MAX], program[PATH_MAX];
    char folder[PATH_MAX];   /**< "": not made yet */
    double limit_s;          /**< limit of one job */
    char hostfile[PATH_MAX]; /**< nodes of the jobs; "": this host */
    int64_t cores_per_process;
    /** folder of the checkpoints of restarts, emptied after a job; owned by the caller */
    const char *checkpoints;
    void (*on_tick)(void *user);
    void *user;
};

/**
 * Find the programs and make the folder. End with nereus_live_fini, which removes it.
 * @param[in] hostfile  NULL: this host
 * @param cores_per_process  cores of each process of the jobs
 */
enum nereus_status nereus_live_init(struct nereus_live *live, double limit_s, const char *hostfile,
                                    int64_t cores_per_process, struct nereus_error *err);
void nereus_live_fini(struct nereus_live *live);

/** @return number of the compared reconfiguration in the job. For a termination shrink it is the
 * second: the job first grows from nt to ns processes by merge-multiple, to have worlds that can
 * end. */
int64_t nereus_live_request_number(const struct nereus_method *method);
/** Method of that growth. */
extern const char nereus_live_growth_method[];

/** Iterations of each group of the job, and of a question about it; before a compared asynchronous
 * method the job makes more. */
enum { NEREUS_LIVE_ITERATIONS = 4 };

/** Computing time of an iteration on one core, shared among the processes. */
extern const double nereus_live_work_s;

/** A change of size, and the data of the application that makes it. */
struct nereus_live_change {
    int64_t ns, nt;
    const struct nereus_method *method;
    int64_t constant_bytes, variable_bytes;
};

/**
 * Run one job that makes the change.
 * @param[out] trace  trace of the job, with the iteration times of the compared reconfiguration; to
 *     be freed with nereus_trace_fini; written on NEREUS_OK
 * @param[out] result  how the job ended (interrupt is set when a signal ended it)
 * @return NEREUS_ERR_SPAWN, with the job's last line, if it failed or did not reconfigure
 */
enum nereus_status nereus_live_run(const struct nereus_live *live,
                                   const struct nereus_live_change *change,
                                   struct nereus_trace *trace, struct nereus_child_result *result,
                                   struct nereus_error *err);
