/**
 * @file step_restart.c
 * Runs the steps "write" and "end" of a restart: all sources write a checkpoint and, when all have
 * agreed, end as at the end of a job; nereus-supervise then starts the targets, which read it
 * (core/restarted.c).
 */

#include "src/checkpoint/folder_lock.h"
#include "src/checkpoint/stamps_file.h"
#include "src/checkpoint/write.h"
#include "src/job/machine.h"
#include "src/job/stamps.h"
#include "src/link/supervise_requests.h"
#include "src/start/hosts.h"
#include "src/util/callback.h"
#include "src/util/clock.h"
#include "src/util/guard_events.h"
#include "steps.h"

/* Root: refuse a restart without nereus-supervise before any data is written. */
static void check_supervisor(struct reconfiguration *reconfig)
{
    if (reconfig->job->rank == 0 && reconfig->failure.status == NEREUS_OK &&
        getenv(NEREUS_LAUNCHER_NAME) == NULL)
        nereus_fail(&reconfig->failure, NEREUS_ERR_UNSUPPORTED,
                    "to be restarted the job has to be started with nereus-mpiexec");
}

/* @param[out] verdict  why there is no checkpoint, the same in all processes */
static enum nereus_status write_checkpoint(struct reconfiguration *reconfig,
                                           struct nereus_error *verdict)
{
    const struct planned_restart planned_restart = {true, reconfig->record, reconfig->request};
    const struct checkpoint_cause cause = {&reconfig->failure, &planned_restart};
    struct written_checkpoint checkpoint;
    check_supervisor(reconfig);
    NEREUS_TRY(
        nereus_write_checkpoint(reconfig->job, &cause, &checkpoint, verdict, &reconfig->error));
    strcpy(reconfig->checkpoint, checkpoint.path);
    if (reconfig->job->rank == 0 && verdict->status == NEREUS_OK)
        nereus_supervise_report_checkpoint(reconfig->checkpoint, true);
    return NEREUS_OK;
}

enum nereus_status nereus_run_write(struct reconfiguration *reconfig)
{
    struct nereus_error verdict;
    NEREUS_TRY(write_checkpoint(reconfig, &verdict));
    reconfig->failure = verdict; /* agreed on again in the next step */
    return NEREUS_OK;
}

/* Format "host0:2,host1:1" from the groups of the record; "" on one host; or that Slurm has to
 * allocate the hosts. */
static void format_hosts(const struct reconfiguration *reconfig, char *text, size_t bytes)
{
    const struct nereus_request *record = &reconfig->record;
    char host[NEREUS_NODE_NAME_MAX];
    text[0] = '\0';
    if (nereus_restart_needs_requeue(reconfig->job, &record->method, record->nt)) {
        snprintf(text, bytes, "%s", NEREUS_HOSTS_OF_SLURM);
        return;
    }
    for (int64_t i = 0; reconfig->several_hosts && i < record->group_count; i++) {
        nereus_host_of_node(&reconfig->job->machine, record->groups[i].node, host, sizeof host);
        nereus_append(text, bytes, "%s%s:%lld", i > 0 ? "," : "", host,
                      (long long)record->groups[i].processes);
    }
}

/* Root: order the restart from nereus-supervise; the job cannot continue afterwards. */
static void order_restart(struct reconfiguration *reconfig, struct nereus_error *failure)
{
    enum { HOSTS_BYTES = 1 << 16 };
    char *hosts = malloc(HOSTS_BYTES);
    if (hosts == NULL) {
        nereus_fail(failure, NEREUS_ERR_MEMORY, "no memory for the names of hosts");
        return;
    }
    format_hosts(reconfig, hosts, HOSTS_BYTES);
    nereus_supervise_restart(reconfig->plan.nt, reconfig->checkpoint, hosts, failure);
    free(hosts);
}

/* Root: latest departure of all sources. */
static double find_latest_departure_s(const struct kept_stamps *stamps)
{
    double latest_s = 0;
    for (int64_t row = 0; row < stamps->rows; row++)
        for (int64_t i = PACKED_HEAD + 1; i < stamps->doubles; i += PACKED_PER_STEP)
            if (stamps->packed_times[row * stamps->doubles + i + 1] > 0 &&
                stamps->packed_times[row * stamps->doubles + i] > latest_s)
                latest_s = stamps->packed_times[row * stamps->doubles + i];
    return latest_s;
}

/* Root: keep the times for the trace.
 * @param packed_times  NULL: there is no trace */
static void keep_trace(const struct reconfiguration *reconfig, double *packed_times,
                       int64_t doubles, struct nereus_error *failure)
{
    struct kept_stamps stamps = {.job_time_s =
                                     nereus_skewed_monotonic_s() + nereus_clock_correction_s(),
                                 .wall_s = nereus_wall_clock_s(),
                                 .rows = packed_times != NULL ? reconfig->job->size : 0,
                                 .doubles = doubles,
                                 .packed_times = packed_times};
    stamps.ended_s = find_latest_departure_s(&stamps);
    nereus_stamps_file_write(reconfig->checkpoint, &stamps, failure);
}

static enum nereus_status keep_stamps(struct reconfiguration *reconfig,
                                      struct nereus_error *failure)
{
    const nereus_job *job = reconfig->job;
    if (job->trace.path == NULL) {
        if (job->rank == 0)
            keep_trace(reconfig, NULL, 0, failure);
        return NEREUS_OK;
    }
    const int64_t doubles = nereus_stamps_count_doubles(&reconfig->plan);
    const size_t rows = 1 + (job->rank == 0 ? (size_t)job->size : 0);
    double *packed_times = malloc(rows * (size_t)doubles * sizeof *packed_times);
    if (packed_times == NULL) {
        nereus_fail(&reconfig->error, NEREUS_ERR_MEMORY, "no memory for the times of this process");
        nereus_abort_job(&reconfig->error); /* the others are in the gather */
    }
    nereus_stamps_pack(job, &reconfig->plan, packed_times);
    const int code = MPI_Gather(packed_times, (int)doubles, MPI_DOUBLE, packed_times + doubles,
                                (int)doubles, MPI_DOUBLE, 0, job->control);
    if (code == MPI_SUCCESS && job->rank == 0)
        keep_trace(reconfig, packed_times + doubles, doubles, failure);
    free(packed_times);
    return code == MPI_SUCCESS ? NEREUS_OK
                               : nereus_mpi_failed(code, "MPI_Gather", &reconfig->error);
}

enum nereus_status nereus_run_end(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    struct nereus_error failure = {0};
    if (reconfig->checkpoint[0] == '\0') /* without data there is no step for the state alone */
        NEREUS_TRY(write_checkpoint(reconfig, &reconfig->verdict));
    if (reconfig->verdict.status != NEREUS_OK)
        return reconfig->verdict.status;
    NEREUS_TRY(keep_stamps(reconfig, &failure));
    if (job->rank == 0 && failure.status == NEREUS_OK)
        order_restart(reconfig, &failure);
    NEREUS_TRY(nereus_broadcast_verdict(reconfig, &failure, reconfig->wait_mode));
    nereus_callback_call("options.before", job->callbacks.before, job, job->callbacks.user);
    nereus_registry_release(&job->registry);
    nereus_folder_unlock(job);
    if (job->rank == 0) /* a sleeping zombie would keep the job alive forever */
        NEREUS_TRY(nereus_zombies_call(&job->zombies, job->zombies.count, ZOMBIE_END, NULL, 0,
                                       &reconfig->error));
    job->zombies.count = 0;
    job->leaving = job->ends_to_restart = true;
    return NEREUS_OK;
}
