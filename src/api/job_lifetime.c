/**
 * @file job_lifetime.c
 * Allocates and frees the job handle in one place, so that nereus_init, nereus_finalize and a
 * failed join free the same parts.
 */
#include "job_lifetime.h"

#include <unistd.h>

#include "model/util/strings.h"
#include "src/checkpoint/folder_lock.h"
#include "src/checkpoint/write.h"
#include "src/core/external.h"
#include "src/core/model_choice.h"
#include "src/core/policy_module.h"
#include "src/grid/links.h"
#include "src/monitor/monitor.h"
#include "src/start/bind.h"

static struct nereus_error last_init_error; /* no lock: only the main thread calls nereus_init */

nereus_job *nereus_job_new(struct nereus_error *err)
{
    nereus_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a job");
        return NULL;
    }
    job->pool = job->control = job->app = job->self = MPI_COMM_NULL;
    job->consensus.receive_request = job->trace.gathering = MPI_REQUEST_NULL;
    job->checkpoint_lock = job->warning.connection = -1;
    return job;
}

static void free_communicator(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

void nereus_job_free(nereus_job *job)
{
    if (job == NULL)
        return;
    nereus_external_end(job);
    nereus_grid_links_drop(job);
    free_communicator(&job->app);
    if (job->pool != job->control)
        free_communicator(&job->pool);
    free_communicator(&job->control);
    free_communicator(&job->self);
    nereus_bind_restore();
    nereus_registry_fini(&job->registry);
    nereus_machine_fini(&job->machine);
    free(job->freed_nodes);
    free(job->restart_path);
    nereus_jobstate_fini(&job->state);
    nereus_plan_fini(&job->trace.plan);
    nereus_zombies_fini(&job->zombies);
    nereus_strings_free(job->settings.environment);
    free(job->settings.schedule);
    free(job->settings.user_state);
    free(job->settings.program);
    free(job->settings.profile);
    free(job->settings.scaling);
    free(job->settings.learn_path);
    free(job->settings.monitor_path);
    nereus_monitor_fini(job);
    free(job->settings.policy_path);
    nereus_policy_module_fini(job);
    free(job->settings.name);
    free(job->settings.folder);
    free(job->settings.checkpoint_folder);
    nereus_write_checkpoint_fini(job);
    nereus_folder_unlock(job);
    if (job->warning.connection >= 0)
        close(job->warning.connection);
    nereus_model_choice_fini(job);
    free(job->settings.state_path);
    free(job->trace.path);
    free(job->times.stamps);
    free(job->trace.packed_times);
    free(job->trace.groups);
    free(job->trace.leaver_times);
    free(job);
}

void nereus_store_last_error(const struct nereus_error *err)
{
    last_init_error = *err;
}

const char *nereus_last_error(const nereus_job *job)
{
    return job != NULL ? job->error.text : last_init_error.text;
}
