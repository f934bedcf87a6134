/** @file time_limit.c  Acts on the states between Slurm's signal and the end of the job. */
#include "time_limit.h"

#include "model/util/clock.h"
#include "slurm_job.h"

/* Time before Slurm's limit that is needed to end all processes and to queue the job again. If less
 * is left, the checkpoint gets half of it. */
static const double requeue_time_s = 15;
/* Assumed time until the limit if Slurm does not answer. */
static const double unknown_left_s = 60;

/* Order the checkpoint first: the job writes while this process waits for Slurm's answer. */
static void begin_checkpoint(struct time_limit *limit, struct supervisor *supervisor)
{
    struct slurm_job job;
    limit->earlier_checkpoints = supervisor->checkpoints;
    supervisor_request_checkpoint(supervisor);
    const double left_s = slurm_job_read(&job) && job.left_s > 0 ? job.left_s : unknown_left_s;
    limit->is_near = true;
    limit->deadline_s =
        nereus_monotonic_s() + (left_s > 2 * requeue_time_s ? left_s - requeue_time_s : left_s / 2);
}

static void end_job(struct time_limit *limit, struct supervisor *supervisor, const char *sentence)
{
    limit->is_over = limit->ends_job = true;
    limit->deadline_s = 0;
    supervisor_fail_job(supervisor, sentence);
}

void time_limit_handle(struct time_limit *limit, struct supervisor *supervisor)
{
    if (!supervisor->can_requeue || !supervisor->signalled_usr1 || limit->is_over ||
        supervisor->end.broken)
        return;
    if (!limit->is_near)
        begin_checkpoint(limit, supervisor);
    if (supervisor->checkpoints > limit->earlier_checkpoints) {
        end_job(limit, supervisor, "Slurm's time limit is near");
    } else if (nereus_monotonic_s() > limit->deadline_s && supervisor->checkpoints > 0) {
        end_job(limit, supervisor,
                "Slurm's time limit is near, and the checkpoint has not become ready in time");
    } else if (nereus_monotonic_s() > limit->deadline_s) {
        fprintf(stderr, "nereus-mpiexec: Slurm's time limit is near, and no checkpoint has become "
                        "ready since the job was started: it is not queued again\n");
        limit->is_over = true;
        limit->deadline_s = 0;
    }
}
