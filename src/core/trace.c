/**
 * @file trace.c
 * Converts the stamps of every process at every step to step times
 * (model/include/nereus/timeline.h) and lines of JSON.
 *
 * The targets' stamps are gathered by a non-blocking collective that is completed at later
 * malleability points, so that writing the trace delays no reconfiguration. Leaving processes send
 * their stamps before they leave.
 */

#include "trace.h"

#include "external.h"
#include "model/util/json_make.h"
#include "src/checkpoint/restart.h"
#include "src/checkpoint/write.h"
#include "src/job/stamps.h"
#include "src/start/command.h"
#include "src/util/clock.h"
#include "src/util/json_lines.h"

/* Move the plan and the groups from the reconfiguration, which no longer needs them. */
static void move_plan_and_groups(struct trace *trace, struct reconfiguration *reconfig)
{
    nereus_plan_fini(&trace->plan);
    trace->plan = reconfig->plan;
    memset(&reconfig->plan, 0, sizeof reconfig->plan);
    free(trace->groups);
    trace->groups = reconfig->record.groups;
    trace->group_count = reconfig->record.group_count;
    reconfig->record.groups = NULL;
    reconfig->record.group_count = 0;
    free(trace->leaver_times);
    trace->leaver_times = reconfig->leavers.stamps;
    trace->leaver_count = reconfig->leavers.count;
    reconfig->leavers.stamps = NULL;
}

static void describe_trace(struct trace *trace, const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    trace->number = reconfig->record.number;
    trace->method = reconfig->request.method;
    trace->targets = job->size;
    trace->points = job->points - reconfig->record.point;
    trace->zombies = reconfig->record.zombies;
    trace->bridge = reconfig->record.bridge;
    trace->batch = reconfig->record.batch;
    trace->data_count = reconfig->record.data_count;
    nereus_request_sum_bytes(&reconfig->record, &trace->bytes);
    trace->oversubscribed = reconfig->wait_mode.shares_cores;
}

enum nereus_status nereus_trace_report(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    struct trace *trace = &job->trace;
    const int doubles = (int)nereus_stamps_count_doubles(&reconfig->plan);
    const size_t rows = job->rank == 0 ? 1 + (size_t)job->size : 1;
    if (trace->path == NULL)
        return NEREUS_OK;
    describe_trace(trace, reconfig);
    move_plan_and_groups(trace, reconfig);
    free(trace->packed_times);
    trace->packed_times = malloc(rows * (size_t)doubles * sizeof *trace->packed_times);
    if (trace->packed_times == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to report a reconfiguration");
    /* This time is not part of RT, as the reconfiguration is over. */
    NEREUS_TRY(nereus_clock_align(job, err));
    nereus_stamps_pack(job, &trace->plan, trace->packed_times);
    NEREUS_MPI(MPI_Igather(trace->packed_times, doubles, MPI_DOUBLE, trace->packed_times + doubles,
                           doubles, MPI_DOUBLE, 0, job->control, &trace->gathering),
               err);
    trace->reporting = job->unfinished = true;
    return NEREUS_OK;
}

/* ---- at the root ----------------------------------------------------------------------------- */

static void write_line(const char *path, json_t *line)
{
    nereus_json_line_append(path, "trace", line, &nereus_unwritten.trace);
}

const char *nereus_outcome_name(enum nereus_outcome outcome)
{
    static const char *const names[] = {"none",      "pending", "resized",
                                        "unchanged", "failed",  "too-late"};
    return names[outcome];
}

static void write_step(const struct trace *trace, int i, const struct nereus_step_time *time,
                       double start_s, const char *method)
{
    const struct nereus_step *step = &trace->plan.steps[i];
    write_line(
        trace->path,
        nereus_json_pack(
            "{s:s, s:I, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, "
            "s:f, s:b}",
            "event", "step", "reconfiguration", (json_int_t)trace->number, "step", i, "kind",
            nereus_step_name(step->kind), "level", (json_int_t)step->level, "repeat",
            (json_int_t)step->repeat, "times", (json_int_t)step->times, "ns",
            (json_int_t)trace->plan.ns, "nt", (json_int_t)trace->plan.nt, "method", method,
            "old_processes", (json_int_t)step->old_processes, "new_processes",
            (json_int_t)step->new_processes, "bytes",
            (json_int_t)(step->constant_bytes + step->variable_bytes + step->replicated_bytes),
            "start_s", time->first_arrival_s - start_s, "arrived_s", time->last_arrival_s - start_s,
            "time_s", time->time_s, "critical_s", time->critical_s, "wait_s", time->wait_s,
            "oversubscribed", trace->oversubscribed));
}

/* Write the spawn tree, group by group. */
static void write_groups(const struct trace *trace)
{
    for (int64_t i = 0; i < trace->plan.tree.group_count; i++) {
        const struct nereus_tree_group *group = &trace->plan.tree.groups[i];
        write_line(trace->path,
                   nereus_json_pack(
                       "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "event", "group",
                       "reconfiguration", (json_int_t)trace->number, "group", (json_int_t)i, "node",
                       (json_int_t)(i < trace->group_count ? trace->groups[i].node : 0),
                       "processes", (json_int_t)group->processes, "level", (json_int_t)group->level,
                       "parent_group", (json_int_t)group->parent, "parent_rank",
                       (json_int_t)group->parent_rank));
    }
}

/* Describe the request record, from which the plan can be made again. Its method may differ from
 * the requested one: a shrink starts no process, or uses another strategy. */
static json_t *describe_record(const struct trace *trace)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    json_t *groups = json_array(), *leavers = json_array();
    for (int64_t i = 0; i < trace->group_count; i++)
        json_array_append_new(groups, nereus_json_pack("[I, I]", (json_int_t)trace->groups[i].node,
                                                       (json_int_t)trace->groups[i].processes));
    for (int64_t i = 0; i < trace->plan.leaver_count; i++) {
        const struct nereus_leavers *range = &trace->plan.leavers[i];
        json_array_append_new(leavers,
                              nereus_json_pack("[I, I, I]", (json_int_t)range->first,
                                               (json_int_t)range->count, (json_int_t)range->ends));
    }
    return nereus_json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "carried_out",
                            nereus_method_format(&trace->plan.method, method), "zombies",
                            (json_int_t)trace->zombies, "bridge", (json_int_t)trace->bridge,
                            "batch", (json_int_t)trace->batch, "data",
                            (json_int_t)trace->data_count, "groups", groups, "leavers", leavers);
}

static void write_reconfiguration(const struct trace *trace, const struct nereus_timeline *sum,
                                  double start_s, const double *busiest, const double *data_bytes,
                                  const char *method)
{
    write_line(
        trace->path,
        nereus_json_pack(
            "{s:s, s:I, s:I, s:I, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:b, s:I, s:I, s:I, s:I, "
            "s:I, s:I, s:I, s:f, s:f, s:o}",
            "event", "reconfiguration", "reconfiguration", (json_int_t)trace->number, "ns",
            (json_int_t)trace->plan.ns, "nt", (json_int_t)trace->plan.nt, "method", method,
            "outcome", "resized", "began_s", start_s, "rt_s", sum->rt_s, "critical_s",
            sum->critical_s, "waits_s", sum->waits_s, "not_attributed_s", sum->not_attributed_s,
            "oversubscribed", trace->oversubscribed, "bytes",
            (json_int_t)(trace->bytes.constant_bytes + trace->bytes.variable_bytes),
            "constant_bytes", (json_int_t)trace->bytes.constant_bytes, "variable_bytes",
            (json_int_t)trace->bytes.variable_bytes, "replicated_bytes",
            (json_int_t)trace->bytes.replicated_bytes, "moved_bytes", (json_int_t)data_bytes[0],
            "kept_bytes", (json_int_t)data_bytes[1], "iterations", (json_int_t)trace->points,
            "thread_s", busiest[PACKED_THREAD], "thread_cpu_s", busiest[PACKED_THREAD_CPU],
            "record", describe_record(trace)));
}

static void unpack_row(const double *row, int steps, struct nereus_stamp *stamps, double *start_s,
                       double *end_s)
{
    if (!isnan(row[PACKED_START]) && (isnan(*start_s) || row[PACKED_START] < *start_s))
        *start_s = row[PACKED_START];
    if (!isnan(row[PACKED_END]) && (isnan(*end_s) || row[PACKED_END] > *end_s))
        *end_s = row[PACKED_END];
    row += PACKED_HEAD;
    for (int i = 0; i < steps; i++, row += PACKED_PER_STEP)
        stamps[i] = (struct nereus_stamp){row[0], row[1], row[2] > 0};
}

/* @param[out] rt_s  below 0: unknown */
static enum nereus_status write_report(struct trace *trace, double *rt_s, struct nereus_error *err)
{
    const int steps = trace->plan.step_count;
    const int64_t doubles = nereus_stamps_count_doubles(&trace->plan),
                  rows = trace->targets + trace->leaver_count;
    double start_s = NAN, end_s = NAN, data_bytes[2] = {0, 0}; /* received, kept */
    const double *busiest =
        trace->packed_times + doubles; /* index of the auxiliary threads' times */
    char method[NEREUS_METHOD_TEXT_MAX];
    struct nereus_timeline sum;
    struct nereus_stamp *stamps = malloc(((size_t)(rows * steps) + 1) * sizeof *stamps);
    struct nereus_step_time *times = malloc(((size_t)steps + 1) * sizeof *times);
    enum nereus_status status = NEREUS_ERR_MEMORY;
    if (stamps != NULL && times != NULL) {
        for (int64_t p = 0; p < rows; p++) {
            const double *row = p < trace->targets
                                    ? trace->packed_times + (1 + p) * doubles
                                    : trace->leaver_times + (p - trace->targets) * doubles;
            unpack_row(row, steps, stamps + p * steps, &start_s, &end_s);
            data_bytes[0] += p < trace->targets ? row[PACKED_MOVED_BYTES] : 0;
            data_bytes[1] += p < trace->targets ? row[PACKED_KEPT_BYTES] : 0;
            if (row[PACKED_THREAD_CPU] > busiest[PACKED_THREAD_CPU])
                busiest = row;
        }
        status = nereus_timeline_make(&(struct nereus_stamps){stamps, rows, steps, start_s, end_s},
                                      times, &sum, err);
    }
    if (status == NEREUS_OK) {
        nereus_method_format(&trace->method, method);
        for (int i = 0; i < steps; i++)
            if (times[i].taken)
                write_step(trace, i, &times[i], start_s, method);
        write_groups(trace);
        write_reconfiguration(trace, &sum, start_s, busiest, data_bytes, method);
        *rt_s = sum.rt_s;
    }
    free(stamps);
    free(times);
    return status;
}

enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err)
{
    struct trace *trace = &job->trace;
    double rt_s = -1;
    int done = 0;
    if (!trace->reporting)
        return NEREUS_OK;
    if (wait) {
        NEREUS_MPI(MPI_Wait(&trace->gathering, MPI_STATUS_IGNORE), err);
        done = 1;
    } else {
        NEREUS_MPI(MPI_Test(&trace->gathering, &done, MPI_STATUS_IGNORE), err);
    }
    if (!done)
        return NEREUS_OK;
    trace->reporting = false;
    if (job->rank == 0 && write_report(trace, &rt_s, err) != NEREUS_OK)
        /* Not an error of the job */
        nereus_log("the times of a reconfiguration are lost: %s", err->text);
    nereus_external_set_rt(job, rt_s);
    free(trace->leaver_times);
    trace->leaver_times = NULL;
    trace->leaver_count = 0;
    return NEREUS_OK;
}

void nereus_trace_write_outcome(nereus_job *job, const struct resize_request *request,
                                enum nereus_outcome outcome, const char *sentence)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    if (job->rank != 0 || job->trace.path == NULL)
        return;
    write_line(job->trace.path,
               nereus_json_pack("{s:s, s:I, s:i, s:I, s:s, s:s, s:s}", "event", "reconfiguration",
                                "reconfiguration", (json_int_t)job->requests, "ns", job->size, "nt",
                                (json_int_t)request->nt, "method",
                                nereus_method_format(&request->method, method), "outcome",
                                nereus_outcome_name(outcome), "sentence", sentence));
}

void nereus_trace_record_point(nereus_job *job)
{
    if (job->trace.path == NULL)
        return;
    job->trace.last_point_s = nereus_skewed_monotonic_s();
    job->unfinished = true; /* called again at the next point */
}

void nereus_trace_write_size(nereus_job *job)
{
    const int64_t iterations = job->points - job->size_since_points;
    const double t_iter_s = (job->trace.last_point_s - job->size_since_s) / (double)iterations;
    if (job->rank == 0 && job->trace.path != NULL && job->size_since_s > 0 && iterations > 0)
        write_line(job->trace.path,
                   nereus_json_pack("{s:s, s:I, s:I, s:f}", "event", "size", "processes",
                                    (json_int_t)job->size, "iterations", (json_int_t)iterations,
                                    "t_iter_s", t_iter_s));
}

void nereus_trace_write_choice(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    const struct method_choice *choice = &reconfig->choice;
    char method[NEREUS_METHOD_TEXT_MAX];
    if (job->rank != 0 || job->trace.path == NULL || !reconfig->request.method_is_auto)
        return;
    json_t *line = nereus_json_pack(
        "{s:s, s:I, s:i, s:I, s:s, s:s, s:s, s:s, s:i, s:f}", "event", "choice", "reconfiguration",
        (json_int_t)job->requests, "ns", job->size, "nt", (json_int_t)reconfig->request.nt,
        "method", nereus_method_format(&reconfig->request.method, method), "by",
        reconfig->request.by_model ? "model" : "rule", "reason", choice->reason, "goal",
        job->settings.goal_name, "candidates", choice->candidates, "decided_s", choice->decided_s);
    if (line != NULL && reconfig->request.by_model) {
        json_t *predicted = nereus_json_pack(
            "{s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "predicted_rt_s", choice->rt_s.value,
            "predicted_rt_low_s", choice->rt_s.low, "predicted_rt_high_s", choice->rt_s.high,
            "predicted_t_ex_s", choice->t_ex_s, "t_iter_ns_s", choice->t_iter_ns_s, "t_iter_nt_s",
            choice->t_iter_nt_s, "scaling", choice->t_iter_ns_s > 0 ? choice->scaling : "unknown");
        json_object_update(line, predicted);
        json_decref(predicted);
    }
    if (line != NULL && reconfig->request.by_model &&
        job->settings.ranking.goal == NEREUS_GOAL_ENERGY)
        json_object_set_new(line, "predicted_energy_j", nereus_json_real(choice->energy_j));
    write_line(job->trace.path, line);
}

void nereus_trace_write_start(const struct reconfiguration *reconfig)
{
    const nereus_job *job = reconfig->job;
    char method[NEREUS_METHOD_TEXT_MAX];
    if (job->rank != 0 || job->trace.path == NULL || reconfig->spec.program_text[0] == '\0')
        return;
    write_line(job->trace.path,
               nereus_json_pack("{s:s, s:I, s:i, s:I, s:s, s:s, s:s}", "event", "start",
                                "reconfiguration", (json_int_t)job->requests, "ns", job->size, "nt",
                                (json_int_t)reconfig->request.nt, "method",
                                nereus_method_format(&reconfig->request.method, method), "command",
                                reconfig->spec.program_text, "from",
                                nereus_command_source_name(reconfig->spec.source)));
}

void nereus_trace_write_checkpoint(const nereus_job *job,
                                   const struct written_checkpoint *checkpoint)
{
    if (job->rank == 0 && job->trace.path != NULL)
        write_line(job->trace.path,
                   nereus_json_pack("{s:s, s:I, s:I, s:i, s:f, s:f, s:s}", "event", "checkpoint",
                                    "point", (json_int_t)checkpoint->points, "bytes",
                                    (json_int_t)checkpoint->bytes, "processes", job->size, "took_s",
                                    checkpoint->took_s, "held_s", checkpoint->held_s, "path",
                                    checkpoint->path));
}

void nereus_trace_write_restart(const nereus_job *job, const struct restart_result *restart)
{
    if (job->rank == 0 && job->trace.path != NULL)
        write_line(job->trace.path,
                   nereus_json_pack("{s:s, s:s, s:I, s:i, s:I, s:I}", "event", "restart", "path",
                                    restart->path, "ns", (json_int_t)restart->writers, "nt",
                                    job->size, "points", (json_int_t)job->points, "restarts",
                                    (json_int_t)job->restarts));
}
