/**
 * @file live_job.h
 * One live reconfiguration: a small synthetic application in a temporary folder goes from NS to NT processes
 * and leaves a trace.
 */
#ifndef NEREUS_LIVE_JOB_H
#define NEREUS_LIVE_JOB_H

#include <limits.h>

#include "nereus/method.h"
#include "predictor/measure/trace.h"
#include "predictor/run/child.h"

/** Where jobs are run, and with what. */
struct nereus_live {
    char mpiexec[PATH_MAX], program[PATH_MAX];
    char folder[PATH_MAX];   /**< "" until it is made */
    double limit_s;          /**< of one job */
    char hostfile[PATH_MAX]; /**< nodes of the jobs, virtual ones too; "": this host */
    void (*on_tick)(void *user);
    void *user;
};

/** Finds the programs and makes the folder. End with nereus_live_fini, which removes it. @param[in] hostfile  NULL: this host */
enum nereus_status nereus_live_init(struct nereus_live *live, double limit_s, const char *hostfile,
                                    struct nereus_error *err);
void nereus_live_fini(struct nereus_live *live);

/**
 * Which reconfiguration of the job is the one in question? The second one of a termination shrink: worlds that can end
 * have to come first, so that the job begins with nt processes and grows to ns by merge-multiple.
 */
int64_t nereus_live_number(const struct nereus_method *method);
/** By what it grows. */
extern const char nereus_live_growth[];

/** What an iteration computes, in seconds of one core, shared among the processes. */
extern const double nereus_live_work_s;
/** Iterations before a reconfiguration; more before an asynchronous one, which is compared with them. */
int64_t nereus_live_iterations(const struct nereus_method *method);

/** Data of the application. */
struct nereus_live_data {
    int64_t constant_bytes, variable_bytes;
};

/**
 * Run one job from ns to nt processes, with so much data.
 * @param[out] trace   of the job, with an event of iterations for the reconfiguration in question; to be freed with
 *                     nereus_trace_fini; written on NEREUS_OK
 * @param[out] result  how the job ended (interrupt is set when a signal ended it)
 * @return NEREUS_ERR_SPAWN, with what the job said last, when it did not end well or did not reconfigure
 */
enum nereus_status nereus_live_run(const struct nereus_live *live, int64_t ns, int64_t nt,
                                   const struct nereus_method *method, const struct nereus_live_data *data,
                                   struct nereus_trace *trace, struct nereus_child_result *result,
                                   struct nereus_error *err);

#endif
