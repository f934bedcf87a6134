/**
 * @file write_checkpoint.c
 * Writes checkpoints that the program requests, and answers queries about restarts.
 */
#include "src/core/async.h"
#include "src/core/checkpoints.h"
#include "src/util/callback.h"

enum nereus_status nereus_checkpoint(nereus_job *job)
{
    NEREUS_TRY(nereus_callback_check_outside("nereus_checkpoint", &job->error));
    if (job->leaving)
        return nereus_fail(&job->error, NEREUS_ERR_STATE,
                           "this process has left the job: it must end, not write a checkpoint");
    if (job->under_way != NULL)
        return nereus_fail(&job->error, NEREUS_ERR_BUSY,
                           "a reconfiguration to %lld process%s is under way: a checkpoint can be "
                           "written when it has ended",
                           (long long)job->under_way->request.nt,
                           nereus_plural_es(job->under_way->request.nt));
    return nereus_checkpoint_now(job, &job->error);
}

int64_t nereus_restarts(const nereus_job *job)
{
    return job->restarts;
}
