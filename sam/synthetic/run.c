/**
 * @file run.c
 * Runs one process of the job: registered data, groups, iterations, malleability points.
 */
#include "run.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "events.h"
#include "model/util/clock.h"
#include "model/util/limits.h"
#include "model/util/text.h"
#include "stage.h"

enum { TIME, START, STAGES };

/* State of a process that is not redistributed. */
struct state {
    const struct sam_config *config;
    nereus_job *job;
    struct sam_run *run;
    MPI_Comm comm;
    int constant, variable;  /* ids of the arrays; -1: none */
    int64_t group, end;      /* the current group, and the iteration after which it ends */
    bool overlapping;        /* an asynchronous change to the next group is under way */
    bool finished;           /* the last group is over */
    const char *events_path; /* NULL: none */
    struct sam_events events;
    /* Times of this group's iterations in this process: TIME of each; with events also START and
     * one per stage. */
    double *times;
    size_t width; /* times of an iteration */
    size_t time_count, time_capacity;
    size_t reported;     /* iterations that have been appended to the events */
    size_t report_every; /* iterations per append */
    struct sam_stage_run *stages;
    struct sam_pace pace;
    struct sam_pending pending;
    double point_sum_s; /* over points without a reconfiguration */
    int64_t point_count;
    double last_point_s; /* during a reconfiguration: time of the point before this iteration; 0 if
                            it began there */
    struct nereus_error *err;
};

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum nereus_status status_ = (call);                                                 \
        if (status_ != NEREUS_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

/* Copy the runtime's error message. */
static enum nereus_status copy_job_error(const struct state *s, enum nereus_status status)
{
    return status == NEREUS_OK ? status
                               : nereus_fail(s->err, status, "%.500s", nereus_last_error(s->job));
}

static enum nereus_status check_mpi(const struct state *s, int code, const char *what)
{
    if (code == MPI_SUCCESS)
        return NEREUS_OK;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    return nereus_fail(s->err, NEREUS_ERR_MPI, "%s failed: %.400s", what, text);
}

static enum nereus_status fail_no_memory(const struct state *s, const char *what)
{
    return nereus_fail(s->err, NEREUS_ERR_MEMORY, "no memory for %s", what);
}

/* ---- registered data ------------------------------------------------------------------------- */

static enum nereus_status register_array(struct state *s, const char *name, MPI_Datatype type,
                                         int64_t bytes, enum nereus_data_kind kind, int *id)
{
    const int64_t elements = (bytes + 7) / 8; /* both arrays have elements of 8 bytes */
    *id = -1;
    if (elements == 0)
        return NEREUS_OK;
    return copy_job_error(s, nereus_register_array(s->job, name, type, elements, kind, id));
}

static enum nereus_status register_data(struct state *s)
{
    const struct sam_config *c = s->config;
    const int64_t record_bytes = c->group_count * (int64_t)sizeof *s->run->records;
    int id;
    TRY(register_array(s, "constant", MPI_UINT64_T, c->constant_bytes, NEREUS_CONSTANT,
                       &s->constant));
    TRY(register_array(s, "variable", MPI_DOUBLE, c->variable_bytes, NEREUS_VARIABLE,
                       &s->variable));
    TRY(copy_job_error(s, nereus_register_replicated(s->job, "iteration", MPI_INT64_T, 1,
                                                     NEREUS_VARIABLE, &s->run->iteration, &id)));
    TRY(copy_job_error(s, nereus_register_replicated(s->job, "group", MPI_INT64_T, 1,
                                                     NEREUS_VARIABLE, &s->run->group, &id)));
    TRY(copy_job_error(s, nereus_register_replicated(s->job, "t_op_s", MPI_DOUBLE, SAM_T_OP_COUNT,
                                                     NEREUS_CONSTANT, s->run->t_op_s, &id)));
    TRY(copy_job_error(s, nereus_register_replicated(s->job, "left_at_s", MPI_DOUBLE, 1,
                                                     NEREUS_VARIABLE, &s->run->left_at_s, &id)));
    return copy_job_error(s, nereus_register_replicated(s->job, "records", MPI_BYTE, record_bytes,
                                                        NEREUS_VARIABLE, s->run->records, &id));
}

static void fill_variable(const struct state *s, int64_t version)
{
    void *part;
    int64_t first, count;
    if (s->variable >= 0 && nereus_local(s->job, s->variable, &part, &first, &count) == NEREUS_OK)
        sam_fill_variable(part, first, count, version);
}

static void fill_data(const struct state *s)
{
    void *part;
    int64_t first, count;
    if (s->constant >= 0 && nereus_local(s->job, s->constant, &part, &first, &count) == NEREUS_OK)
        sam_fill_constant(part, first, count);
    fill_variable(s, 0);
}

/* T_op of every computation in use: as the profile on rank 0 has it; else the mean over the first
 * processes. */
static enum nereus_status find_operations(struct state *s)
{
    int rank, size;
    MPI_Comm_rank(s->comm, &rank);
    MPI_Comm_size(s->comm, &size);
    double *t_op_s = s->run->t_op_s, mine_s[2] = {0, 0};
    if (rank == 0 && !s->config->t_op_measured && !sam_t_op_read_profile(s->config, t_op_s))
        t_op_s[SAM_T_OP_FROM_PROFILE] = 0;
    TRY(check_mpi(s, MPI_Bcast(t_op_s, SAM_T_OP_COUNT, MPI_DOUBLE, 0, s->comm), "MPI_Bcast"));
    if (t_op_s[SAM_T_OP_FROM_PROFILE] > 0)
        return NEREUS_OK;
    for (int64_t i = 0; i < s->config->stage_count; i++) {
        const int64_t type = s->config->stages[i].type;
        if (!sam_stage_type_computes(type) || mine_s[type] > 0)
            continue;
        struct sam_work work;
        TRY(sam_work_init(&work, (enum sam_stage_type)type, s->config->granularity, rank, s->err));
        mine_s[type] = sam_work_measure(&work);
        sam_work_fini(&work);
    }
    const int code = MPI_Allreduce(mine_s, t_op_s, 2, MPI_DOUBLE, MPI_SUM, s->comm);
    for (int i = 0; i < 2; i++)
        t_op_s[i] /= size;
    return check_mpi(s, code, "MPI_Allreduce");
}

/* ---- groups ---------------------------------------------------------------------------------- */

enum { HOST_TEXT = 64 };

static int compare_hosts(const void *a, const void *b)
{
    return strncmp(a, b, HOST_TEXT);
}

/*
 * Count hosts, and the processes on the host of this process.
 * @param[in,out] hosts  the host of each process; is sorted
 * @param[out] local_ranks  number of processes on this host
 * @return number of hosts
 */
static int count_hosts(char (*hosts)[HOST_TEXT], int size, const char *own_host, int *local_ranks)
{
    int count = 0;
    qsort(hosts, (size_t)size, sizeof *hosts, compare_hosts);
    *local_ranks = 0;
    for (int i = 0; i < size; i++) {
        count += i == 0 || compare_hosts(hosts[i], hosts[i - 1]) != 0;
        *local_ranks += compare_hosts(hosts[i], own_host) == 0;
    }
    return count;
}

/* Count hosts, and check whether the processes exceed the cores of any. By host names: MPICH's
 * shared-memory communicators hold processes of other hosts where worlds were merged. The same
 * result in all processes. */
static enum nereus_status count_nodes(const struct state *s, struct sam_record *record)
{
    char own_host[HOST_TEXT] = "";
    int size, local_ranks = 0, over = 0, any = 0;
    MPI_Comm_size(s->comm, &size);
    char(*hosts)[HOST_TEXT] = calloc((size_t)size, sizeof *hosts);
    if (!hosts)
        return fail_no_memory(s, "the names of the hosts");
    gethostname(own_host, sizeof own_host - 1);
    enum nereus_status status = check_mpi(
        s, MPI_Allgather(own_host, HOST_TEXT, MPI_CHAR, hosts, HOST_TEXT, MPI_CHAR, s->comm),
        "MPI_Allgather");
    if (status == NEREUS_OK) {
        record->nodes = count_hosts(hosts, size, own_host, &local_ranks);
        over = local_ranks > nereus_cores_within_limits(sysconf(_SC_NPROCESSORS_ONLN));
        status =
            check_mpi(s, MPI_Allreduce(&over, &any, 1, MPI_INT, MPI_MAX, s->comm), "MPI_Allreduce");
    }
    record->oversubscribed = any;
    free(hosts);
    return status;
}

/* Check every element; the sums are the same in all processes. */
static enum nereus_status check_data(const struct state *s, struct sam_record *record)
{
    struct sam_wrong constant = {0, INT64_MAX}, variable = {0, INT64_MAX};
    void *part;
    int64_t first, count;
    if (s->constant >= 0) {
        TRY(copy_job_error(s, nereus_local(s->job, s->constant, &part, &first, &count)));
        constant = sam_check_constant(part, first, count);
    }
    if (s->variable >= 0) {
        TRY(copy_job_error(s, nereus_local(s->job, s->variable, &part, &first, &count)));
        variable = sam_check_variable(part, first, count, s->group);
    }
    const int64_t counts[2] = {constant.count, variable.count},
                  firsts[2] = {constant.first, variable.first};
    int64_t all_counts[2], all_firsts[2];
    TRY(check_mpi(s, MPI_Allreduce(counts, all_counts, 2, MPI_INT64_T, MPI_SUM, s->comm),
                  "MPI_Allreduce"));
    TRY(check_mpi(s, MPI_Allreduce(firsts, all_firsts, 2, MPI_INT64_T, MPI_MIN, s->comm),
                  "MPI_Allreduce"));
    record->wrong_constant = all_counts[0];
    record->wrong_variable = all_counts[1];
    record->first_wrong_constant = all_firsts[0];
    record->first_wrong_variable = all_firsts[1];
    if (s->run->iteration != nereus_points(s->job)) {
        return nereus_fail(s->err, NEREUS_ERR_MISMATCH,
                           "the iteration counter is %lld after %lld malleability point%s",
                           (long long)s->run->iteration, (long long)nereus_points(s->job),
                           nereus_plural_s(nereus_points(s->job)));
    }
    return NEREUS_OK;
}

static void end_stages(struct state *s)
{
    for (int64_t i = 0; s->stages && i < s->config->stage_count; i++)
        sam_stage_fini(&s->stages[i]);
    free(s->stages);
    free(s->times);
    s->stages = NULL;
    s->times = NULL;
    s->time_count = s->time_capacity = s->reported = 0;
    s->report_every = 1;
}

/* Parameters that depend on the group are computed again (Martín-Álvarez et al. (2024b), section
 * 4.4). */
static enum nereus_status begin_stages(struct state *s)
{
    end_stages(s);
    s->stages = calloc((size_t)s->config->stage_count, sizeof *s->stages);
    if (!s->stages)
        return fail_no_memory(s, "the stages");
    for (int i = 0; i < s->config->stage_count; i++) {
        s->stages[i].pace = &s->pace;
        s->stages[i].pending = &s->pending;
        TRY(sam_stage_init(&s->stages[i], s->config, i, s->group, s->comm, s->err));
    }
    s->point_sum_s = 0;
    s->point_count = 0;
    return NEREUS_OK;
}

/* The end of the current group. Overlapped iterations count as iterations of the group that the
 * reconfiguration leads to (Martín-Álvarez et al. (2024a), equation 7). If they were more than that
 * group has, it has none left, except one if another group follows: a request is handled after an
 * iteration. */
static void compute_group_end(struct state *s)
{
    const bool last = s->group + 1 == s->config->group_count;
    const int64_t min = s->run->iteration + (last ? 0 : 1);
    s->end = sam_config_first_iteration(s->config, s->group + 1);
    s->end = s->end > min ? s->end : min;
    s->finished = last && s->run->iteration >= s->end;
    s->overlapping = false;
}

/* Append pending events: called by rank 0 of the group and by the previous rank 0. A write error is
 * reported at the end of the job. */
static void append_events(struct state *s)
{
    struct nereus_error err;
    if (!s->events_path || sam_events_append(&s->events, s->events_path, &err) == NEREUS_OK)
        return;
    if (!s->run->results_lost)
        fprintf(stderr, "nereus-sam: %s\n", err.text);
    s->run->results_lost = true;
}

/* Overlapped iterations, and the change that has ended. */
static void append_change_event(struct state *s, bool is_start)
{
    const struct sam_record *records = s->run->records;
    if (s->events_path && !is_start && nereus_rank(s->job) == 0) {
        sam_events_add_change(&s->events, s->config, records, s->group,
                              s->run->left_at_s - records[0].begun_at_s);
    }
    append_events(s);
}

/* A change of size requested from outside or by a policy: the group continues with its new
 * processes. Times restart, as new processes have none from before. */
static enum nereus_status begin_resized_group(struct state *s)
{
    s->time_count = s->reported = 0;
    TRY(check_data(s, &s->run->records[s->group]));
    return begin_stages(s);
}

static enum nereus_status begin_group(struct state *s, enum sam_outcome outcome, const char *reason)
{
    /* By the wall clock: old and new processes may have no monotonic clock in common. */
    const double reached_at_s = nereus_wall_clock_s();
    s->comm = nereus_comm(s->job);
    s->group = s->run->group;
    compute_group_end(s);
    if (outcome == SAM_RESIZED && s->run->left_at_s <= 0)
        return begin_resized_group(s);
    struct sam_record *record = &s->run->records[s->group];
    record->outcome = outcome;
    record->processes = nereus_size(s->job);
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    if (outcome == SAM_START) {
        record->begun_at_s = reached_at_s;
    } else {
        double last_at_s;
        TRY(check_mpi(s, MPI_Allreduce(&reached_at_s, &last_at_s, 1, MPI_DOUBLE, MPI_MAX, s->comm),
                      "MPI_Allreduce"));
        record->reconfiguration_s = last_at_s - s->run->left_at_s;
        TRY(check_data(s, record));
    }
    TRY(count_nodes(s, record));
    append_change_event(s, outcome == SAM_START);
    s->run->left_at_s = 0;
    return begin_stages(s);
}

/* Reduce the times of all processes to one per iteration, as Capture_Method says, and
 * the times of each stage in the same way. */
static enum nereus_status reduce_times(const struct state *s, const double *all_times, size_t count,
                                       double *times)
{
    const size_t size = (size_t)nereus_size(s->job);
    double *of_one = malloc(size * sizeof *of_one);
    if (!of_one)
        return fail_no_memory(s, "the times of the iterations");
    for (size_t i = 0; i < count; i++) {
        for (size_t rank = 0; rank < size; rank++)
            of_one[rank] = all_times[rank * count + i];
        times[i] =
            i % s->width == START ||
                    isnan(all_times[i]) /* the same in all processes: stage not in this phase */
                ? all_times[i]
                : sam_capture_time((enum sam_capture)s->config->capture, of_one, (int64_t)size);
    }
    free(of_one);
    return NEREUS_OK;
}

/*
 * Collective.
 * @param[out] times  rank 0: one of each iteration of the group from `first` on, to be freed;
 *                    others: NULL
 */
static enum nereus_status gather_times(const struct state *s, size_t first, double **times)
{
    const size_t count = (s->time_count - first) * s->width;
    const int rank = nereus_rank(s->job), size = nereus_size(s->job);
    double *all_times = rank == 0 ? malloc(count * (size_t)size * sizeof *all_times + 1) : NULL;
    *times = rank == 0 ? malloc(count * sizeof **times + 1) : NULL;
    enum nereus_status status =
        rank == 0 && (!all_times || !*times)
            ? fail_no_memory(s, "the times of the iterations")
            : check_mpi(s,
                        MPI_Gather(s->times + first * s->width, (int)count, MPI_DOUBLE, all_times,
                                   (int)count, MPI_DOUBLE, 0, s->comm),
                        "MPI_Gather");
    if (status == NEREUS_OK && rank == 0)
        status = reduce_times(s, all_times, count, *times);
    free(all_times);
    return status;
}

/* Append the iterations that are not in the events yet.
 * @param times  times of these iterations */
static void report_iterations(struct state *s, const double *times)
{
    const int64_t first = s->run->iteration - (int64_t)s->time_count;
    for (size_t i = s->reported; s->events_path && i < s->time_count; i++, times += s->width) {
        const struct sam_iteration iteration = {.group = s->group,
                                                .iteration = first + (int64_t)i,
                                                .processes = nereus_size(s->job),
                                                .nodes = s->run->records[s->group].nodes,
                                                .start_s =
                                                    times[START] - s->run->records[0].begun_at_s,
                                                .time_s = times[TIME]};
        sam_events_add_iteration(&s->events, &iteration);
        for (int64_t k = 0; k < s->config->stage_count; k++) {
            if (!isnan(times[STAGES + k])) {
                sam_events_add_stage(&s->events, &iteration, k, s->config->stages[k].type,
                                     times[STAGES + k]);
            }
        }
    }
    append_events(s);
}

/* About once per second, so that a job that dies leaves what it had measured. Called between
 * iterations: no measured time includes it. */
static enum nereus_status report_new_iterations(struct state *s)
{
    double *times;
    enum nereus_status status = gather_times(s, s->reported, &times);
    if (status == NEREUS_OK && times) {
        const double last_s = times[(s->time_count - s->reported - 1) * s->width + TIME];
        s->report_every = (size_t)fmax(1, 1 / fmax(last_s, 1e-6));
        report_iterations(s, times);
    }
    free(times);
    TRY(status);
    s->reported = s->time_count;
    return check_mpi(s, MPI_Bcast(&s->report_every, sizeof s->report_every, MPI_BYTE, 0, s->comm),
                     "MPI_Bcast");
}

/* Reduce the times to one of each iteration; all processes get the same record. */
static enum nereus_status end_group(struct state *s)
{
    struct sam_record *record = &s->run->records[s->group];
    double *times;
    enum nereus_status status = gather_times(s, 0, &times);
    if (status == NEREUS_OK && times) {
        report_iterations(s, times + s->reported * s->width);
        for (size_t i = 0; i < s->time_count; i++)
            times[i] = times[i * s->width + TIME];
        sam_record_times(record, times, (int64_t)s->time_count);
        record->point_mean_s = s->point_count ? s->point_sum_s / (double)s->point_count : 0;
    }
    free(times);
    TRY(status);
    s->time_count = s->reported = 0;
    s->finished = s->group + 1 == s->config->group_count;
    s->run->group += s->finished ? 0 : 1; /* joining processes start with it */
    fill_variable(s, s->group + 1);
    s->run->left_at_s = nereus_wall_clock_s();
    TRY(check_mpi(s, MPI_Bcast(&s->run->left_at_s, 1, MPI_DOUBLE, 0, s->comm), "MPI_Bcast"));
    return check_mpi(s, MPI_Bcast(record, (int)sizeof *record, MPI_BYTE, 0, s->comm), "MPI_Bcast");
}

/* Find the outcome of the request at the end of a group. */
static enum sam_outcome read_outcome(const struct state *s, enum nereus_action action,
                                     const char **reason)
{
    const char *sentence = NULL;
    const enum nereus_outcome outcome = nereus_last_outcome(s->job, &sentence);
    *reason = "";
    if (action == NEREUS_RESIZED)
        return SAM_RESIZED;
    if (outcome == NEREUS_OUTCOME_UNCHANGED)
        return SAM_UNCHANGED;
    *reason = sentence ? sentence : "";
    return SAM_FAILED;
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Make room for the times of one more iteration. */
static enum nereus_status reserve_times(struct state *s)
{
    if (s->time_count == s->time_capacity) {
        const size_t capacity = 2 * s->time_capacity + 64;
        double *times = realloc(s->times, capacity * s->width * sizeof *times);
        if (!times)
            return fail_no_memory(s, "the times of the iterations");
        s->times = times;
        s->time_capacity = capacity;
    }
    return NEREUS_OK;
}

/* An overlapped iteration: recorded before the point, which may redistribute the record. Its event
 * waits until the reconfiguration is over, which it would delay. */
static void record_overlapped(struct state *s, const double *times)
{
    const struct sam_record *records = s->run->records;
    struct sam_record *next = &s->run->records[s->run->group];
    const double time_s = s->last_point_s + times[TIME]; /* with its point: data may move there */
    next->overlap_iterations++;
    next->overlap_mean_s += (time_s - next->overlap_mean_s) / (double)next->overlap_iterations;
    if (s->events_path && nereus_rank(s->job) == 0) {
        sam_events_add_iteration(
            &s->events, &(struct sam_iteration){.group = s->run->group,
                                                .iteration = s->run->iteration - 1,
                                                .processes = nereus_size(s->job),
                                                .nodes = records[s->group].nodes,
                                                .start_s = times[START] - records[0].begun_at_s,
                                                .time_s = times[TIME],
                                                .overlapped = true});
    }
}

/*
 * Run the stages of the present phase.
 * @param[out] times  time of each stage, NAN if it does not run in this one; NULL: not wanted
 */
static enum nereus_status run_stages(struct state *s, double *times)
{
    const int64_t phase = sam_config_find_phase(s->config, s->run->iteration);
    for (int64_t i = 0; i < s->config->stage_count; i++) {
        int64_t left = sam_config_times(&s->config->stages[i], s->run->iteration);
        if (s->config->stages[i].phase != phase || left == 0) {
            if (times)
                times[i] = NAN;
            continue;
        }
        if (s->config->rigid)
            TRY(check_mpi(s, MPI_Barrier(s->comm), "MPI_Barrier"));
        const double start_s = times ? nereus_monotonic_s() : 0;
        for (; left > 0; left--)
            TRY(sam_stage_execute(&s->stages[i], s->run->iteration, s->err));
        if (times)
            times[i] = nereus_monotonic_s() - start_s;
    }
    return NEREUS_OK;
}

static enum nereus_status run_iteration(struct state *s)
{
    TRY(reserve_times(s));
    double *times = s->times + s->time_count * s->width;
    if (s->events_path)
        times[START] = nereus_wall_clock_s();
    const double start_s = nereus_monotonic_s();
    s->pace.follows = s->run->t_op_s[SAM_T_OP_FROM_PROFILE] == 0 && !s->overlapping;
    TRY(run_stages(s, s->events_path ? times + STAGES : NULL));
    TRY(sam_pending_wait(&s->pending, s->err));
    times[TIME] = nereus_monotonic_s() - start_s;
    s->run->iteration++;
    if (s->overlapping)
        record_overlapped(s, times);
    else
        s->time_count++;
    return NEREUS_OK;
}

static void record_point(struct state *s, double time_s)
{
    s->point_sum_s += time_s;
    s->point_count++;
}

/* The choice of a method needs the iterations until the next change. */
static void report_iterations_left(const struct state *s)
{
    const int64_t next = s->group + 1;
    if (s->run->iteration == s->end && next < s->config->group_count)
        nereus_set_iterations_left(s->job, s->config->groups[next].iterations);
}

static enum nereus_status pass_point(struct state *s, enum nereus_action *action)
{
    report_iterations_left(s);
    const bool expected = s->overlapping || s->run->iteration == s->end;
    const double start_s = nereus_monotonic_s();
    TRY(copy_job_error(s, nereus_point(s->job, action)));
    if (*action == NEREUS_LEAVE)
        return NEREUS_OK;
    /* A woken zombie is in a later group. */
    if (*action == NEREUS_CONTINUE && !expected) {
        record_point(s, nereus_monotonic_s() - start_s);
        return NEREUS_OK;
    }
    if (s->finished)
        return NEREUS_OK;
    if (*action == NEREUS_CONTINUE && nereus_last_outcome(s->job, NULL) == NEREUS_OUTCOME_PENDING) {
        s->last_point_s = s->overlapping ? nereus_monotonic_s() - start_s : 0;
        s->overlapping = true;
        return NEREUS_OK;
    }
    const char *reason;
    const enum sam_outcome outcome = read_outcome(s, *action, &reason);
    return begin_group(s, outcome, reason);
}

static enum nereus_status continue_group(struct state *s, enum nereus_action *action)
{
    TRY(run_iteration(s));
    if (!s->overlapping && s->run->iteration == s->end)
        TRY(end_group(s));
    else if (s->events_path && s->time_count - s->reported >= s->report_every)
        TRY(report_new_iterations(s));
    return pass_point(s, action);
}

static enum nereus_status run_to_end(struct state *s)
{
    enum nereus_action action = NEREUS_CONTINUE;
    TRY(register_data(s));
    s->comm = nereus_comm(s->job);
    if (!nereus_is_joined(s->job)) {
        fill_data(s);
        TRY(find_operations(s));
    }
    memcpy(s->pace.t_op_s, s->run->t_op_s, sizeof s->pace.t_op_s);
    TRY(begin_group(s, nereus_is_joined(s->job) ? SAM_RESIZED : SAM_START, ""));
    while (!s->finished && action != NEREUS_LEAVE)
        TRY(continue_group(s, &action));
    s->run->ended_here = action != NEREUS_LEAVE;
    s->run->rank = nereus_rank(s->job);
    append_events(s); /* a process that leaves appends its events here */
    return NEREUS_OK;
}

enum nereus_status sam_run_execute(const struct sam_config *config, const char *events,
                                   nereus_job *job, struct sam_run *run, struct nereus_error *err)
{
    struct nereus_error own_error;
    struct state s = {.config = config,
                      .events_path = events,
                      .width = events ? STAGES + (size_t)config->stage_count : 1,
                      .job = job,
                      .run = run,
                      .err = err ? err : &own_error};
    *run = (struct sam_run){.records = calloc((size_t)config->group_count, sizeof *run->records)};
    const enum nereus_status status =
        run->records ? run_to_end(&s) : fail_no_memory(&s, "the results");
    end_stages(&s);
    sam_pending_fini(&s.pending);
    sam_events_fini(&s.events);
    return status;
}

void sam_run_fini(struct sam_run *run)
{
    free(run->records);
    *run = (struct sam_run){.records = NULL};
}
