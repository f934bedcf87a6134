/**
 * @file monitor.c
 * Implements monitoring: intervals, samples of all processes at rank 0, and the file.
 *
 * All processes pass the same malleability points, so an interval ends at the same point in each of
 * them, and its samples reach rank 0 by one non-blocking gather, which is completed at later
 * points, so that no process waits. If an interval has a length in seconds, rank 0 computes the
 * number of points of a later interval from the measured iteration time, and sends it by a
 * non-blocking broadcast. The broadcast has a whole interval to arrive: a number that is sent at
 * the end of one interval is used from the end of the next one.
 *
 * While an asynchronous reconfiguration is under way nothing is sampled, as its auxiliary threads
 * use the same communicator.
 */
#include "monitor.h"

#include <unistd.h>

#include "sample.h"
#include "src/util/clock.h"

/* Largest ratio of the number of points of an interval to that of the one before: the first
 * iterations of a program may be much shorter than the others. */
enum { GROWTH_MAX = 8 };

/* Begin of a measurement of compute time, at a malleability point. */
struct compute_time {
    double begin_s, begin_mpi_s;
    int64_t begin_point;
};

struct nereus_monitor {
    struct work_counter work;
    struct counts begin;           /* counts at the begin of the interval */
    struct compute_time computing; /* since data moved, or loads were compared */
    int64_t begin_point, next_point;
    int64_t next_points; /* points of the next interval; written by a broadcast */
    int64_t points;      /* points of the present interval */
    bool pending;        /* a gather and a broadcast are pending */
    MPI_Request requests[2];
    struct nereus_metrics last; /* latest interval of this process; iterations 0: none yet */
    /* Rank 0: intervals of all processes: the latest complete one, and the one being received */
    struct nereus_metrics *all_metrics, *arriving;
    struct process_host *process_hosts;
    bool complete; /* `all_metrics` is valid */
};

/* ---- compute time, the measurement behind load balance and policies ---- */

static void begin_compute_time(struct compute_time *time, int64_t point)
{
    time->begin_s = nereus_skewed_monotonic_s();
    time->begin_mpi_s = nereus_sample_mpi_s();
    time->begin_point = point;
}

/* Wall-clock time since begin, minus the time in MPI calls and malleability points. CPU time is not
 * used: it does not show that a shared core slows the work, and it counts busy waiting as work.
 * @return 0: MPI calls are not counted, or no point was passed */
static double read_compute_time(const struct compute_time *time, int64_t point)
{
    const double outside_s =
        nereus_skewed_monotonic_s() - time->begin_s - (nereus_sample_mpi_s() - time->begin_mpi_s);
    return point > time->begin_point && outside_s > 0 ? outside_s : 0; /* false for NAN */
}

/* ---- begin ---- */

static struct nereus_monitor *make_monitor(const nereus_job *job)
{
    struct nereus_monitor *monitor = calloc(1, sizeof *monitor);
    if (monitor != NULL)
        nereus_work_open(&monitor->work,
                         nereus_work_first_level((enum nereus_work)job->settings.monitor.work));
    return monitor;
}

static void choose_lower_level(struct work_counter *work, int level)
{
    char why[WORK_WHY_MAX + 64];
    snprintf(why, sizeof why, "%s%sanother process can count no better", work->why,
             work->why[0] != '\0' ? "; " : "");
    nereus_work_close(work);
    nereus_work_open(work, level);
    snprintf(work->why, sizeof work->why, "%.*s", (int)sizeof work->why - 1, why);
}

/* Agree on the kind of work (with PAPI also on the event): the best one that all processes can
 * count. Each reduction may lower the level of some processes, so that another one follows until
 * all levels are equal. */
static enum nereus_status agree_on_work(nereus_job *job, struct nereus_error *err)
{
    struct nereus_monitor *monitor = job->monitor;
    for (int round = 1; round < WORK_LEVELS; round++) {
        int own_level = nereus_work_level(&monitor->work), worst_level = own_level;
        NEREUS_MPI(MPI_Allreduce(&own_level, &worst_level, 1, MPI_INT, MPI_MAX, job->control), err);
        if (worst_level > own_level)
            choose_lower_level(&monitor->work, worst_level);
    }
    return NEREUS_OK;
}

static enum nereus_status gather_hosts(nereus_job *job, struct nereus_error *err)
{
    struct nereus_monitor *monitor = job->monitor;
    const size_t rows = job->rank == 0 ? (size_t)job->size : 0;
    struct process_host own_host = {.pid = getpid(), .counts_mpi = nereus_sample_has_mpi()};
    gethostname(own_host.host, sizeof own_host.host - 1);
    for (char *c = own_host.host; *c != '\0'; c++)
        *c = *c == '"' || *c == '\\' || *c < ' ' ? '?' : *c; /* printed in a JSON string */
    free(monitor->process_hosts);
    free(monitor->all_metrics);
    free(monitor->arriving);
    monitor->process_hosts = calloc(rows + 1, sizeof *monitor->process_hosts);
    monitor->all_metrics = calloc(rows + 1, sizeof *monitor->all_metrics);
    monitor->arriving = calloc(rows + 1, sizeof *monitor->arriving);
    NEREUS_TRY_MEMORY(monitor->process_hosts && monitor->all_metrics && monitor->arriving, err,
                      "to monitor %d processes", job->size);
    NEREUS_MPI(MPI_Gather(&own_host, sizeof own_host, MPI_BYTE, monitor->process_hosts,
                          sizeof own_host, MPI_BYTE, 0, job->control),
               err);
    return NEREUS_OK;
}

static int count_uncounted_processes(const nereus_job *job)
{
    int count = 0;
    for (int rank = 0; rank < job->size; rank++)
        count += !job->monitor->process_hosts[rank].counts_mpi;
    return count;
}

/* Write the header of the file: what is counted, what is not counted, and why. */
static void write_header(const nereus_job *job)
{
    const struct work_counter *work = &job->monitor->work;
    char degraded[WORK_WHY_MAX + 200] = "";
    if (work->why[0] != '\0')
        snprintf(degraded, sizeof degraded, "work is counted as %s (%s)%s",
                 work->kind == NEREUS_WORK_CPU_TIME       ? "CPU time"
                 : work->kind == NEREUS_WORK_INSTRUCTIONS ? "instructions"
                                                          : work->event,
                 work->why, count_uncounted_processes(job) > 0 ? "; " : "");
    if (count_uncounted_processes(job) > 0)
        snprintf(
            degraded + strlen(degraded), sizeof degraded - strlen(degraded),
            "MPI calls are not counted in %d of %d processes (nereus-mpiexec loads what counts "
            "them where NEREUS_MONITOR is set)",
            count_uncounted_processes(job), job->size);
    if (degraded[0] != '\0')
        nereus_log("monitoring: %s", degraded);
    if (job->settings.monitor_path != NULL)
        nereus_stream_write_header(job, work->kind, work->event, degraded);
}

/* Log a change of the kind of work: hosts of new processes may not be able to count the former
 * one. */
static void log_change(const nereus_job *job, enum nereus_work old_work)
{
    const enum nereus_work now = job->monitor->work.kind;
    if (job->rank == 0 && now != old_work)
        nereus_log("monitoring: from now on work is counted as %s (%s)", nereus_work_name((int)now),
                   job->monitor->work.why);
}

enum nereus_status nereus_monitor_begin(nereus_job *job, struct nereus_error *err)
{
    if (!job->settings.monitor.on)
        return NEREUS_OK;
    if (job->monitor == NULL)
        job->monitor = make_monitor(job);
    NEREUS_TRY_MEMORY(job->monitor, err, "to monitor this process");
    const enum nereus_work old_work = job->monitor->work.kind;
    NEREUS_TRY(agree_on_work(job, err));
    NEREUS_TRY(gather_hosts(job, err));
    if (job->rank == 0 && job->reconfigurations == 0)
        write_header(job);
    else
        log_change(job, old_work);
    const int64_t fixed = job->settings.monitor.iterations;
    job->monitor->complete = false;
    job->monitor->last.iterations = 0;
    job->monitor->next_points = fixed > 0 ? fixed : 1;
    job->monitored = true;
    nereus_monitor_restart(job);
    return NEREUS_OK;
}

static void begin_interval(struct nereus_monitor *monitor, int64_t point)
{
    monitor->begin_point = point;
    monitor->points = monitor->next_points;
    monitor->next_point = point + monitor->points;
}

void nereus_monitor_restart(nereus_job *job)
{
    if (!job->monitored)
        return;
    begin_interval(job->monitor, job->points);
    begin_compute_time(&job->monitor->computing, job->points);
    nereus_sample_read_counts(&job->monitor->work, &job->monitor->begin);
}

double nereus_monitor_compute_s(const nereus_job *job, int64_t *points)
{
    *points = 0;
    if (!job->monitored)
        return 0;
    *points = job->points - job->monitor->computing.begin_point;
    return read_compute_time(&job->monitor->computing, job->points);
}

void nereus_monitor_restart_compute_time(nereus_job *job)
{
    if (job->monitored)
        begin_compute_time(&job->monitor->computing, job->points);
}

void nereus_monitor_fini(nereus_job *job)
{
    struct nereus_monitor *monitor = job->monitor;
    if (monitor == NULL)
        return;
    nereus_work_close(&monitor->work);
    free(monitor->process_hosts);
    free(monitor->all_metrics);
    free(monitor->arriving);
    free(monitor);
    job->monitor = NULL;
    job->monitored = false;
}

/* ---- intervals ---- */

/* Complete the gather and broadcast of the previous interval. wait: block until they are
 * complete. */
static enum nereus_status finish_previous_gather(nereus_job *job, bool wait,
                                                 struct nereus_error *err)
{
    struct nereus_monitor *monitor = job->monitor;
    int done = 1;
    if (!monitor->pending)
        return NEREUS_OK;
    if (wait)
        NEREUS_MPI(MPI_Waitall(2, monitor->requests, MPI_STATUSES_IGNORE), err);
    else
        NEREUS_MPI(MPI_Testall(2, monitor->requests, &done, MPI_STATUSES_IGNORE), err);
    if (!done)
        return NEREUS_OK;
    monitor->pending = false;
    if (job->rank != 0)
        return NEREUS_OK;
    struct nereus_metrics *complete = monitor->arriving;
    monitor->arriving = monitor->all_metrics;
    monitor->all_metrics = complete;
    monitor->complete = true;
    if (job->settings.monitor_path != NULL)
        nereus_stream_write_interval(job, monitor->process_hosts, monitor->all_metrics);
    return NEREUS_OK;
}

/* Choose the number of points that take the configured seconds, by rank 0's measurement. */
static int64_t choose_points(const nereus_job *job)
{
    const struct nereus_monitor *monitor = job->monitor;
    const struct nereus_metrics *last = &monitor->last;
    const double points =
        job->settings.monitor.seconds * (double)last->iterations / fmax(last->real_s, 1e-9);
    const int64_t most = GROWTH_MAX * monitor->points;
    return points < 1 ? 1 : points < (double)most ? (int64_t)points : most;
}

static enum nereus_status send_sample(nereus_job *job, struct nereus_error *err)
{
    struct nereus_monitor *monitor = job->monitor;
    const int bytes = (int)sizeof monitor->last;
    monitor->requests[0] = monitor->requests[1] = MPI_REQUEST_NULL;
    NEREUS_MPI(MPI_Igather(&monitor->last, bytes, MPI_BYTE, monitor->arriving, bytes, MPI_BYTE, 0,
                           job->control, &monitor->requests[0]),
               err);
    if (job->settings.monitor.iterations == 0) {
        if (job->rank == 0)
            monitor->next_points = choose_points(job);
        NEREUS_MPI(MPI_Ibcast(&monitor->next_points, 1, MPI_INT64_T, 0, job->control,
                              &monitor->requests[1]),
                   err);
    }
    monitor->pending = true;
    return NEREUS_OK;
}

static enum nereus_status end_interval(nereus_job *job, int64_t point, struct nereus_error *err)
{
    struct nereus_monitor *monitor = job->monitor;
    const int64_t iterations = point - monitor->begin_point;
    struct nereus_metrics taken;
    struct counts now;
    nereus_sample_measure(&monitor->work, &monitor->begin, job->power, &now, &taken);
    NEREUS_TRY(
        finish_previous_gather(job, true, err)); /* `last` may still be in use by the gather */
    monitor->last = taken;
    monitor->last.point = point;
    monitor->last.iterations = iterations;
    begin_interval(monitor, point);
    NEREUS_TRY(send_sample(job, err));
    nereus_sample_read_counts(&monitor->work, &monitor->begin);
    return NEREUS_OK;
}

enum nereus_status nereus_monitor_point(nereus_job *job, int64_t point, struct nereus_error *err)
{
    if (job->under_way != NULL)
        return NEREUS_OK;
    if (point >= job->monitor->next_point)
        return end_interval(job, point, err);
    return finish_previous_gather(job, false, err);
}

enum nereus_status nereus_monitor_flush(nereus_job *job, struct nereus_error *err)
{
    if (!job->monitored)
        return NEREUS_OK;
    if (job->points > job->monitor->begin_point)
        NEREUS_TRY(end_interval(job, job->points, err));
    return finish_previous_gather(job, true, err);
}

/* ---- queries ---- */

static bool writes_stream(const nereus_job *job)
{
    return job->monitored && job->rank == 0 && job->settings.monitor_path != NULL;
}

void nereus_monitor_write_outcome(const nereus_job *job, int64_t ns, int64_t nt,
                                  const struct nereus_method *method, const char *outcome)
{
    if (writes_stream(job))
        nereus_stream_write_reconfiguration(job, ns, nt, method, outcome);
}

void nereus_monitor_write_end(const nereus_job *job)
{
    nereus_sample_report_data(job);
    if (writes_stream(job))
        nereus_stream_write_end(job);
}

enum nereus_status nereus_monitor_metrics(const nereus_job *job, int rank,
                                          struct nereus_metrics *metrics)
{
    const struct nereus_monitor *monitor = job->monitor;
    const struct nereus_metrics *found;
    if (!job->monitored)
        return NEREUS_ERR_STATE;
    if (rank < 0 || rank >= job->size || (rank != job->rank && job->rank != 0))
        return NEREUS_ERR_ARGUMENT;
    if (job->rank == 0 ? !monitor->complete : monitor->last.iterations == 0)
        return NEREUS_ERR_NO_BASIS;
    found = job->rank == 0 ? &monitor->all_metrics[rank] : &monitor->last;
    const size_t size = metrics->size < sizeof *found ? metrics->size : sizeof *found;
    memcpy(metrics, found, size);
    metrics->size = size;
    return NEREUS_OK;
}
