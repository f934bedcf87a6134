/** @file requeue.c  Lets Slurm queue the job again, and waits for its end. */
#include <poll.h>
#include <signal.h>

#include "job_run.h"
#include "model/util/clock.h"
#include "slurm_job.h"

/* Time limit for Slurm to end a job that it has queued again. */
static const double requeue_limit_s = 120;

/* Slurm signals a job's processes one by one: the script's shell may get its signal after this. */
static const double script_ends_s = 2;

/* Wait until Slurm ends the job: the user's batch script would continue with its next command. */
static int await_end(struct run *run, struct supervisor *supervisor)
{
    double deadline_s = nereus_monotonic_s() + requeue_limit_s;
    bool is_signalled = false;
    while (nereus_monotonic_s() < deadline_s) {
        poll(&(struct pollfd){run->signals, POLLIN, 0}, 1, 1000);
        run_forward_signals(run, supervisor);
        if (run->interrupt != 0 && !is_signalled) {
            deadline_s = nereus_monotonic_s() + script_ends_s;
            is_signalled = true;
        }
    }
    return 128 + (run->interrupt != 0 ? run->interrupt : SIGTERM);
}

int requeue_job(struct job_run *job_run, const char *sentence, int64_t tasks, int64_t nodes)
{
    char why[400] = "";
    fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    job_run->is_requeued = slurm_job_requeue(tasks, nodes, why, sizeof why);
    if (job_run->is_requeued)
        return await_end(&job_run->run, &job_run->supervisor);
    fprintf(stderr, "nereus-mpiexec: Slurm does not queue the job again, which ends: %s\n", why);
    return EXIT_FAILURE;
}

bool requeue_is_preempted(const struct job_run *job_run)
{
    struct slurm_job job;
    return job_run->supervisor.can_requeue && job_run->run.interrupt == 0 && slurm_job_read(&job) &&
           job.is_preempted;
}
