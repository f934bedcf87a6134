/*
 * The trace: stamps of every process at every step become step times (model/include/nereus/timeline.h) and lines of JSON.
 *
 * The targets' stamps travel to the root by a gather that nobody waits for: it is completed at later
 * malleability points, so that writing the trace delays no reconfiguration. Who leaves hands its stamps over
 * before it goes.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum { START, END, THREAD, THREAD_CPU, MOVED, KEPT, HEAD_DOUBLES, STEP_DOUBLES = 3 };

int64_t nereus_trace_packed_doubles(const struct nereus_plan *plan)
{
    return HEAD_DOUBLES + STEP_DOUBLES * plan->step_count;
}

enum nereus_status nereus_trace_begin(nereus_job *job, const struct nereus_plan *plan,
                                      struct nereus_error *err)
{
    free(job->trace.stamps);
    job->trace.start_s = job->trace.end_s = job->trace.thread_s = job->trace.thread_cpu_s = 0;
    job->trace.stamps = calloc((size_t)plan->step_count + 1, sizeof *job->trace.stamps);
    if (job->trace.stamps == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of %d steps", plan->step_count);
    return NEREUS_OK;
}

void nereus_trace_pack(const nereus_job *job, const struct nereus_plan *plan, double *packed)
{
    const double correction_s = nereus_clock_correction_s();
    /* A source: here it began. */
    *packed++ = job->trace.stamps[0].taken ? job->trace.stamps[0].arrival_s + correction_s : NAN;
    *packed++ = job->trace.end_s > 0 ? job->trace.end_s + correction_s : NAN;
    *packed++ = job->trace.thread_s;
    *packed++ = job->trace.thread_cpu_s;
    *packed++ = (double)job->registry.coming_bytes;
    *packed++ = (double)job->registry.staying_bytes;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_stamp *stamp = &job->trace.stamps[i];
        *packed++ = stamp->arrival_s + correction_s;
        *packed++ = stamp->departure_s + correction_s;
        *packed++ = stamp->taken ? 1 : 0;
    }
}

static enum nereus_status keep_plan(struct trace *trace, const struct nereus_plan *plan,
                                    struct nereus_error *err)
{
    nereus_plan_fini(&trace->plan);
    trace->plan = *plan;
    trace->plan.leavers = NULL; /* these stay the move's */
    trace->plan.leaver_count = 0;
    trace->plan.steps = malloc(((size_t)plan->step_count + 1) * sizeof *plan->steps);
    trace->plan.tree.groups = calloc((size_t)plan->tree.group_count + 1, sizeof *plan->tree.groups);
    if (trace->plan.steps == NULL || trace->plan.tree.groups == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to report a reconfiguration");
    if (plan->tree.group_count > 0)
        memcpy(trace->plan.tree.groups, plan->tree.groups,
               (size_t)plan->tree.group_count * sizeof *plan->tree.groups);
    memcpy(trace->plan.steps, plan->steps, (size_t)plan->step_count * sizeof *plan->steps);
    return NEREUS_OK;
}

/* Where the groups of the plan's tree are. */
static enum nereus_status keep_groups(struct trace *trace, const struct nereus_request *request,
                                      struct nereus_error *err)
{
    free(trace->groups);
    trace->group_count = request->group_count;
    trace->groups = calloc((size_t)request->group_count + 1, sizeof *trace->groups);
    if (trace->groups == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to report a reconfiguration");
    if (request->group_count > 0)
        memcpy(trace->groups, request->groups, (size_t)request->group_count * sizeof *trace->groups);
    return NEREUS_OK;
}

enum nereus_status nereus_trace_report(nereus_job *job, const struct nereus_plan *plan,
                                       const struct nereus_request *request,
                                       const struct nereus_method *method, struct nereus_error *err)
{
    struct trace *trace = &job->trace;
    const int doubles = (int)nereus_trace_packed_doubles(plan);
    if (trace->path == NULL)
        return NEREUS_OK;
    NEREUS_TRY(keep_plan(trace, plan, err));
    NEREUS_TRY(keep_groups(trace, request, err));
    trace->number = request->number;
    trace->method = *method;
    trace->targets = job->size;
    trace->points = job->points - request->point;
    nereus_request_sum_bytes(request, &trace->bytes);
    const int64_t alive = plan->ns + plan->woken + plan->spawned;
    /* Virtual nodes may promise more cores than their host has. */
    trace->oversubscribed = nereus_machine_oversubscribed(&job->machine, alive) ||
                            (!nereus_several_hosts(&job->machine) && alive > job->cores_here);
    free(trace->packed);
    const size_t rows = job->rank == 0 ? 1 + (size_t)job->size : 1;
    trace->packed = malloc(rows * (size_t)doubles * sizeof *trace->packed);
    if (trace->packed == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to report a reconfiguration");
    NEREUS_TRY(nereus_clock_align(job, err)); /* the reconfiguration is over: this is not part of RT */
    nereus_trace_pack(job, plan, trace->packed);
    NEREUS_MPI(MPI_Igather(trace->packed, doubles, MPI_DOUBLE, trace->packed + doubles, doubles, MPI_DOUBLE,
                           0, job->control, &trace->gathering),
               err);
    trace->pending = true;
    return NEREUS_OK;
}

/* ---- at the root ---------------------------------------------------------------------------------- */

static void write_line(const char *path, json_t *line)
{
    FILE *file = fopen(path, "a");
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    static bool said; /* once is enough */
    const bool written = file != NULL && text != NULL && fprintf(file, "%s\n", text) >= 0;
    if (!written && !said)
        nereus_say("the trace cannot be written to '%s': %s", path, strerror(errno));
    if (file != NULL && fclose(file) != 0 && written && !said)
        nereus_say("the trace '%s' is not complete: %s", path, strerror(errno));
    said = said || !written;
    free(text);
    json_decref(line);
}

const char *nereus_outcome_name(enum nereus_outcome outcome)
{
    static const char *const names[] = {"none",    "pending", "resized", "unchanged",
                                        "refused", "failed",  "too-late"};
    return names[outcome];
}

static void write_step(const struct trace *trace, int i, const struct nereus_step_time *time, double start_s,
                       const char *method)
{
    const struct nereus_step *step = &trace->plan.steps[i];
    write_line(
        trace->path,
        json_pack("{s:s, s:I, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, "
                  "s:b}",
                  "event", "step", "reconfiguration", (json_int_t)trace->number, "step", i, "kind",
                  nereus_step_name(step->kind), "level", (json_int_t)step->level, "repeat",
                  (json_int_t)step->repeat, "times", (json_int_t)step->times, "ns",
                  (json_int_t)trace->plan.ns, "nt", (json_int_t)trace->plan.nt, "method", method,
                  "old_processes", (json_int_t)step->old_processes, "new_processes",
                  (json_int_t)step->new_processes, "bytes",
                  (json_int_t)(step->constant_bytes + step->variable_bytes + step->replicated_bytes),
                  "start_s", time->first_arrival_s - start_s, "time_s", time->time_s, "critical_s",
                  time->critical_s, "wait_s", time->wait_s, "oversubscribed", trace->oversubscribed));
}

/* The spawn tree, group by group. */
static void write_groups(const struct trace *trace)
{
    for (int64_t i = 0; i < trace->plan.tree.group_count; i++) {
        const struct nereus_tree_group *group = &trace->plan.tree.groups[i];
        write_line(trace->path,
                   json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "event", "group", "reconfiguration",
                             (json_int_t)trace->number, "group", (json_int_t)i, "node",
                             (json_int_t)(i < trace->group_count ? trace->groups[i].node : 0), "processes",
                             (json_int_t)group->processes, "level", (json_int_t)group->level, "parent_group",
                             (json_int_t)group->parent, "parent_rank", (json_int_t)group->parent_rank));
    }
}

static void write_reconfiguration(const struct trace *trace, const struct nereus_timeline *sum,
                                  const double *busiest, const double *data_bytes, const char *method)
{
    write_line(
        trace->path,
        json_pack(
            "{s:s, s:I, s:I, s:I, s:s, s:s, s:f, s:f, s:f, s:f, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}",
            "event", "reconfiguration", "reconfiguration", (json_int_t)trace->number, "ns",
            (json_int_t)trace->plan.ns, "nt", (json_int_t)trace->plan.nt, "method", method, "outcome",
            "resized", "rt_s", sum->rt_s, "critical_s", sum->critical_s, "waits_s", sum->waits_s,
            "not_attributed_s", sum->not_attributed_s, "oversubscribed", trace->oversubscribed, "bytes",
            (json_int_t)(trace->bytes.constant_bytes + trace->bytes.variable_bytes), "constant_bytes",
            (json_int_t)trace->bytes.constant_bytes, "variable_bytes",
            (json_int_t)trace->bytes.variable_bytes, "moved_bytes", (json_int_t)data_bytes[0], "kept_bytes",
            (json_int_t)data_bytes[1], "iterations", (json_int_t)trace->points, "thread_s", busiest[THREAD],
            "thread_cpu_s", busiest[THREAD_CPU]));
}

static void unpack_row(const double *row, int steps, struct nereus_stamp *stamps, double *start_s,
                       double *end_s)
{
    if (!isnan(row[START]) && (isnan(*start_s) || row[START] < *start_s))
        *start_s = row[START];
    if (!isnan(row[END]) && (isnan(*end_s) || row[END] > *end_s))
        *end_s = row[END];
    row += HEAD_DOUBLES;
    for (int i = 0; i < steps; i++, row += STEP_DOUBLES)
        stamps[i] = (struct nereus_stamp){row[0], row[1], row[2] > 0};
}

static enum nereus_status write_report(struct trace *trace, struct nereus_error *err)
{
    const int steps = trace->plan.step_count;
    const int64_t doubles = nereus_trace_packed_doubles(&trace->plan),
                  rows = trace->targets + trace->earlier_count;
    double start_s = NAN, end_s = NAN, data_bytes[2] = {0, 0}; /* that came, that stayed */
    const double *busiest = trace->packed + doubles;           /* of the auxiliary threads */
    char method[NEREUS_METHOD_TEXT_MAX];
    struct nereus_timeline sum;
    struct nereus_stamp *stamps = malloc(((size_t)(rows * steps) + 1) * sizeof *stamps);
    struct nereus_step_time *times = malloc(((size_t)steps + 1) * sizeof *times);
    enum nereus_status status = NEREUS_ERR_MEMORY;
    if (stamps != NULL && times != NULL) {
        for (int64_t p = 0; p < rows; p++) {
            const double *row = p < trace->targets ? trace->packed + (1 + p) * doubles
                                                   : trace->earlier + (p - trace->targets) * doubles;
            unpack_row(row, steps, stamps + p * steps, &start_s, &end_s);
            data_bytes[0] += p < trace->targets ? row[MOVED] : 0;
            data_bytes[1] += p < trace->targets ? row[KEPT] : 0;
            if (row[THREAD_CPU] > busiest[THREAD_CPU])
                busiest = row;
        }
        status = nereus_timeline_make(stamps, rows, steps, start_s, end_s, times, &sum, err);
    }
    if (status == NEREUS_OK) {
        nereus_method_print(&trace->method, method);
        for (int i = 0; i < steps; i++)
            if (times[i].taken)
                write_step(trace, i, &times[i], start_s, method);
        write_groups(trace);
        write_reconfiguration(trace, &sum, busiest, data_bytes, method);
    }
    free(stamps);
    free(times);
    return status;
}

enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err)
{
    struct trace *trace = &job->trace;
    int done = 0;
    if (!trace->pending)
        return NEREUS_OK;
    if (wait) {
        NEREUS_MPI(MPI_Wait(&trace->gathering, MPI_STATUS_IGNORE), err);
        done = 1;
    } else {
        NEREUS_MPI(MPI_Test(&trace->gathering, &done, MPI_STATUS_IGNORE), err);
    }
    if (!done)
        return NEREUS_OK;
    trace->pending = false;
    if (job->rank == 0 && write_report(trace, err) != NEREUS_OK)
        nereus_say("the times of a reconfiguration are lost: %s", err->text); /* the job itself is well */
    free(trace->earlier);
    trace->earlier = NULL;
    trace->earlier_count = 0;
    return NEREUS_OK;
}

void nereus_trace_outcome(nereus_job *job, const struct wish *wish, enum nereus_outcome outcome,
                          const char *sentence)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    if (job->rank != 0 || job->trace.path == NULL)
        return;
    write_line(job->trace.path,
               json_pack("{s:s, s:I, s:i, s:I, s:s, s:s, s:s}", "event", "reconfiguration", "reconfiguration",
                         (json_int_t)job->requests, "ns", job->size, "nt", (json_int_t)wish->nt, "method",
                         nereus_method_print(&wish->method, method), "outcome", nereus_outcome_name(outcome),
                         "sentence", sentence));
}
