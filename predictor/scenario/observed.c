/** @file observed.c  Reads the properties of an application, for a question, from the results or
 * the trace of a job. */
#include "observed.h"

#include "model/statistics/statistics.h"
#include "model/trace/results.h"
#include "predictor/cli/command.h"

static void begin_observed(const char *path, struct nereus_observed *observed)
{
    const char *slash = strrchr(path, '/');
    *observed = (struct nereus_observed){
        .constant_bytes = -1, .variable_bytes = -1, .replicated_bytes = -1};
    snprintf(observed->file, sizeof observed->file, "%s", slash != NULL ? slash + 1 : path);
}

static struct nereus_scaling_point *find_point(const struct nereus_observed *observed, int64_t size)
{
    for (int64_t i = 0; i < observed->count; i++)
        if (observed->points[i].n == size)
            return &observed->points[i];
    return NULL;
}

/* Add the iteration time of a size, which replaces an earlier one. */
static enum nereus_status store_time(int64_t size, double t_iter_s,
                                     struct nereus_observed *observed, struct nereus_error *err)
{
    struct nereus_scaling_point *point = find_point(observed, size);
    if (point == NULL) {
        NEREUS_TRY_GROW(observed->points, observed->count, err, "for the iteration times in %s",
                        observed->file);
        point = &observed->points[observed->count++];
    }
    *point = (struct nereus_scaling_point){size, t_iter_s};
    return NEREUS_OK;
}

static int64_t get_size_after(const char *outcome, int64_t ns, int64_t nt)
{
    return strcmp(outcome, "resized") == 0 ? nt : ns;
}

/* Find the size after the last change that was carried out, else that of the job, and the data that
 * it moved. */
static void find_changes(const struct nereus_trace *trace, struct nereus_observed *observed)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_SIZE)
            observed->size = event->ns;
        if (event->kind != NEREUS_TRACE_RECONFIGURATION)
            continue;
        observed->size = get_size_after(event->outcome, event->ns, event->nt);
        if (event->request >= 0) { /* one entry per kind of data (trace_record.c) */
            const struct nereus_request *request = &trace->requests[event->request];
            const bool data = request->data_count > 0;
            observed->constant_bytes = data ? request->data[0].count : 0;
            observed->variable_bytes = data ? request->data[1].count : 0;
            observed->replicated_bytes = data ? request->data[2].count : 0;
        }
    }
}

/* Read the iteration time of each size from the event at its end; older runtimes write it with the
 * choice of a method. */
static enum nereus_status find_times(const struct nereus_trace *trace,
                                     struct nereus_observed *observed, struct nereus_error *err)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if ((event->kind == NEREUS_TRACE_CHOICE || event->kind == NEREUS_TRACE_SIZE) &&
            event->t_iter_s > 0)
            NEREUS_TRY(store_time(event->ns, event->t_iter_s, observed, err));
    }
    return NEREUS_OK;
}

enum nereus_status nereus_observed_read_trace(const char *path, struct nereus_observed *observed,
                                              struct nereus_error *err)
{
    struct nereus_trace trace;
    struct nereus_observed read;
    NEREUS_TRY(nereus_trace_read(path, &trace, err));
    nereus_cli_note_left_out(path, trace.left_out.lines, trace.left_out.first, trace.left_out.why);
    begin_observed(path, &read);
    find_changes(&trace, &read);
    enum nereus_status status = find_times(&trace, &read, err);
    nereus_trace_fini(&trace);
    if (status == NEREUS_OK && read.size == 0) {
        status = nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: neither an event 'reconfiguration' nor 'size': it is not the "
                             "trace of a job (NEREUS_TRACE)",
                             path);
    }
    if (status != NEREUS_OK) {
        nereus_observed_fini(&read);
        return status;
    }
    *observed = read;
    return NEREUS_OK;
}

/* @return median over the iterations of a size; overlapped ones count only if there are no others
 */
static double compute_median_s(const struct nereus_results *results, int64_t size, double *times)
{
    for (int any = 0; any < 2; any++) {
        int count = 0;
        for (int64_t i = 0; i < results->iteration_count; i++) {
            const struct nereus_result_iteration *iteration = &results->iterations[i];
            if (iteration->processes == size && (any || !iteration->overlapped) &&
                iteration->time_s > 0)
                times[count++] = iteration->time_s;
        }
        if (count > 0)
            return nereus_median(times, count);
    }
    return NAN;
}

static enum nereus_status find_iterations(const struct nereus_results *results,
                                          struct nereus_observed *observed,
                                          struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    double *times = malloc(((size_t)results->iteration_count + 1) * sizeof *times);
    NEREUS_TRY_MEMORY(times, err, "for the iteration times in %s", observed->file);
    for (int64_t i = 0; i < results->iteration_count && status == NEREUS_OK; i++) {
        const int64_t size = results->iterations[i].processes;
        if (find_point(observed, size) != NULL)
            continue;
        const double t_iter_s = compute_median_s(results, size, times);
        if (t_iter_s > 0)
            status = store_time(size, t_iter_s, observed, err);
    }
    free(times);
    return status;
}

/* Set size and data by the results' own events. They replace what the trace within the results
 * says, as the trace may be in another file. */
static void set_application(const struct nereus_results *results, struct nereus_observed *observed)
{
    if (observed->size == 0 && results->iteration_count > 0)
        observed->size = results->iterations[results->iteration_count - 1].processes;
    for (int64_t i = 0; i < results->change_count; i++) {
        const struct nereus_result_change *change = &results->changes[i];
        observed->size = get_size_after(change->outcome, change->ns, change->nt);
    }
    if (results->constant_bytes >= 0 && results->variable_bytes >= 0) {
        observed->constant_bytes = results->constant_bytes;
        observed->variable_bytes = results->variable_bytes;
    }
}

enum nereus_status nereus_observed_read_results(const char *path, struct nereus_observed *observed,
                                                struct nereus_error *err)
{
    struct nereus_results results;
    struct nereus_observed read;
    NEREUS_TRY(nereus_results_read(path, &results, err));
    nereus_cli_note_left_out(path, results.trace.left_out.lines, results.trace.left_out.first,
                             results.trace.left_out.why);
    begin_observed(path, &read);
    find_changes(&results.trace, &read);
    set_application(&results, &read);
    enum nereus_status status = find_iterations(&results, &read, err);
    nereus_results_fini(&results);
    if (status == NEREUS_OK && read.count == 0) {
        status = nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: no event 'iteration' with a time_s above 0: the job has not "
                             "ended a group of iterations",
                             path);
    }
    if (status != NEREUS_OK) {
        nereus_observed_fini(&read);
        return status;
    }
    *observed = read;
    return NEREUS_OK;
}

void nereus_observed_fini(struct nereus_observed *observed)
{
    free(observed->points);
    *observed = (struct nereus_observed){.size = 0};
}

enum nereus_status nereus_observed_t_iter(const struct nereus_observed *observed, int64_t size,
                                          double *t_iter_s, struct nereus_error *err)
{
    const struct nereus_scaling_point *point = find_point(observed, size);
    char sizes[128];
    size_t used = 0;
    if (point != NULL) {
        *t_iter_s = point->t_iter_s;
        return NEREUS_OK;
    }
    if (observed->count == 0) {
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "%s has no iteration time, as where a job has ended before a point of "
                           "its last size: --t-iter says it",
                           observed->file);
    }
    for (int64_t i = 0; i < observed->count && used < sizeof sizes; i++) {
        used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%lld", i > 0 ? ", " : "",
                                 (long long)observed->points[i].n);
    }
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "%s has the iteration time of %s, and none of %lld process%s: --t-iter says it",
        observed->file, sizes, (long long)size, nereus_plural_es(size));
}

enum nereus_status nereus_observed_set_scaling(const struct nereus_observed *observed,
                                               struct nereus_scaling *scaling,
                                               struct nereus_error *err)
{
    const size_t bytes = (size_t)observed->count * sizeof *observed->points;
    if (observed->count < 2)
        return NEREUS_OK;
    scaling->points = malloc(bytes);
    NEREUS_TRY_MEMORY(scaling->points, err, "for the iteration times of %s", observed->file);
    memcpy(scaling->points, observed->points, bytes);
    scaling->count = observed->count;
    scaling->law = NEREUS_SCALING_MEASURED;
    return NEREUS_OK;
}
