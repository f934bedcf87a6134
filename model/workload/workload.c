/** @file workload.c  Builds workloads of the simulator: adds jobs and classes, checks them, counts
 * warnings. */
#include "nereus/workload.h"

#include "formats.h"

const char *const nereus_sim_warning_texts[] = {
    [NEREUS_SIM_FIELDS] = "not 18 fields: missing ones count as unknown, further ones are ignored",
    [NEREUS_SIM_UNKNOWN] =
        "submit time, run time or processors unknown (-1), or below 0: the job is left "
        "out",
    [NEREUS_SIM_TOO_LARGE] = "more nodes than the machine has: the job is left out",
    [NEREUS_SIM_UNSORTED] = "submitted before the line above: sorted by submit time",
    [NEREUS_SIM_PARTIAL] = "part of a job that has its own line (status 2 to 4): left out",
    [NEREUS_SIM_CANCELLED] = "cancelled before it ran (status 5): the job is left out",
    [NEREUS_SIM_TWICE] = "the number of a job of another line: taken as another job",
    [NEREUS_SIM_STEP] = "a step of a job",
    [NEREUS_SIM_NOT_STARTED] = "a job that has not run",
    [NEREUS_SIM_NOT_ENDED] = "a job that had not ended",
    [NEREUS_SIM_COMPONENT] = "a component of a heterogeneous job: taken as a job of its own",
};

void nereus_workload_warn(struct nereus_workload *workload, enum nereus_sim_warning warning,
                          int64_t line)
{
    const int64_t count = workload->warnings[warning].count++;
    if (count < NEREUS_SIM_LINES_NAMED)
        workload->warnings[warning].lines[count] = line;
}

enum nereus_status nereus_workload_class(struct nereus_workload *workload, const char *name,
                                         int32_t *number, struct nereus_error *err)
{
    for (*number = 0; *number < workload->class_count; (*number)++)
        if (strcmp(workload->classes[*number], name) == 0)
            return NEREUS_OK;
    NEREUS_TRY_GROW(workload->classes, workload->class_count, err, "for %d classes",
                    workload->class_count + 1);
    workload->classes[workload->class_count] = strdup(name);
    NEREUS_TRY_MEMORY(workload->classes[workload->class_count], err, "for class '%s'", name);
    workload->class_count++;
    return NEREUS_OK;
}

enum nereus_status nereus_workload_add(struct nereus_workload *workload,
                                       const struct nereus_workload_line *line,
                                       struct nereus_error *err)
{
    if (line->submit_s < 0 || line->run_s < 0 || line->processors < 1) {
        nereus_workload_warn(workload, NEREUS_SIM_UNKNOWN, line->line);
        return NEREUS_OK;
    }
    if (workload->count >= NEREUS_SIM_JOBS_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a workload has at most %d jobs",
                           NEREUS_SIM_JOBS_MAX);
    }
    if (workload->count > 0 && line->submit_s < workload->jobs[workload->count - 1].submit_s)
        nereus_workload_warn(workload, NEREUS_SIM_UNSORTED, line->line);
    NEREUS_TRY_GROW(workload->jobs, workload->count, err, "for %lld jobs",
                    (long long)(workload->count + 1));
    struct nereus_sim_job *job = &workload->jobs[workload->count++];
    *job = (struct nereus_sim_job){
        .number = line->number,
        .line = line->line,
        .processors = line->processors,
        .submit_s = line->submit_s,
        .run_s = line->run_s,
        .estimate_s = nereus_max_real(line->requested_s, line->run_s),
        .given = (uint8_t)line->given,
        .malleable = line->malleable,
        .t_iter_s = line->t_iter_s,
        .serial = line->serial,
        .bytes_per_process = line->bytes_per_process,
        .min = (int32_t)nereus_min(line->min, INT32_MAX),
        .max = (int32_t)nereus_min(line->max, INT32_MAX),
    };
    job->app_class = NEREUS_SIM_NONE;
    return line->app_class == NULL
               ? NEREUS_OK
               : nereus_workload_class(workload, line->app_class, &job->app_class, err);
}

/* qsort is not stable: `event` keeps the order of the log. */
static int compare_submissions(const void *a, const void *b)
{
    const struct nereus_sim_job *x = a, *y = b;
    if (x->submit_s != y->submit_s)
        return x->submit_s < y->submit_s ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

void nereus_workload_sort(struct nereus_workload *workload)
{
    if (workload->count < 2)
        return;
    for (int64_t i = 0; i < workload->count; i++)
        workload->jobs[i].event = (int32_t)i;
    qsort(workload->jobs, (size_t)workload->count, sizeof *workload->jobs, compare_submissions);
}

/* A job gets at least the processors that the log gives. */
static void set_range(const struct nereus_sim_machine *machine, struct nereus_sim_job *job)
{
    const int64_t min = nereus_divide_up(job->min, machine->cores_per_node);
    const int64_t max = job->max / machine->cores_per_node;
    job->min = (job->given & NEREUS_SIM_GIVEN_MIN) != 0
                   ? (int32_t)nereus_max(1, nereus_min(min, job->nodes))
                   : job->nodes;
    job->max = (job->given & NEREUS_SIM_GIVEN_MAX) != 0
                   ? (int32_t)nereus_max(job->nodes, nereus_min(max, machine->nodes))
                   : job->nodes;
}

enum nereus_status nereus_workload_prepare(struct nereus_workload *workload,
                                           const struct nereus_sim_machine *machine,
                                           struct nereus_error *err)
{
    int64_t kept_count = 0;
    for (int64_t i = 0; i < workload->count; i++) {
        struct nereus_sim_job *job = &workload->jobs[i];
        const int64_t nodes = nereus_divide_up(job->processors, machine->cores_per_node);
        if (nodes > machine->nodes) {
            nereus_workload_warn(workload, NEREUS_SIM_TOO_LARGE, job->line);
            continue;
        }
        job->nodes = (int32_t)nodes;
        set_range(machine, job);
        workload->jobs[kept_count++] = *job;
    }
    workload->count = kept_count;
    if (kept_count == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the workload has no job that can run on %d node%s of %d core%s",
                           machine->nodes, nereus_plural_s(machine->nodes), machine->cores_per_node,
                           nereus_plural_s(machine->cores_per_node));
    }
    nereus_workload_sort(workload);
    return NEREUS_OK;
}

bool nereus_workload_has_malleable_jobs(const struct nereus_workload *workload)
{
    bool any = false;
    for (int64_t i = 0; i < workload->count && !any; i++) {
        any = (workload->jobs[i].given & NEREUS_SIM_GIVEN_MALLEABLE) != 0 &&
              workload->jobs[i].malleable;
    }
    return any;
}

double nereus_workload_offered_load(const struct nereus_workload *workload,
                                    const struct nereus_sim_machine *machine)
{
    double node_s = 0;
    for (int64_t i = 0; i < workload->count; i++)
        node_s += workload->jobs[i].nodes * workload->jobs[i].run_s;
    const double span_s = workload->jobs[workload->count - 1].submit_s - workload->jobs[0].submit_s;
    return span_s > 0 ? node_s / (span_s * machine->nodes) : 0;
}

void nereus_workload_scale_arrivals(struct nereus_workload *workload, double factor)
{
    for (int64_t i = 0; i < workload->count; i++)
        workload->jobs[i].submit_s *= factor;
}

void nereus_workload_fini(struct nereus_workload *workload)
{
    for (int32_t i = 0; i < workload->class_count; i++)
        free(workload->classes[i]);
    free(workload->classes);
    free(workload->survival);
    free(workload->jobs);
    *workload = (struct nereus_workload){0};
}
