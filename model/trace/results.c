/**
 * @file results.c
 * Reads the results of a synthetic application, and makes samples of its changes.
 */
#include "results.h"

#include "event_line.h"
#include "model/statistics/statistics.h"
#include "model/util/json_reader.h"

static enum nereus_status read_iteration(const struct nereus_event_line *line,
                                         struct nereus_results *results)
{
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_GROW(results->iterations, results->iteration_count, line->err,
                    "for the results in %s", line->path);
    results->iterations[results->iteration_count++] = (struct nereus_result_iteration){
        .group = nereus_event_integer(line, "group", &status),
        .iteration = nereus_event_integer(line, "iteration", &status),
        .processes = nereus_event_processes(line, "processes", &status),
        .nodes = nereus_event_integer_or(line, "nodes", 1),
        .start_s = nereus_event_real(line, "start_s"),
        .time_s = nereus_event_real(line, "time_s"),
        .overlapped = json_is_true(json_object_get(line->event, "overlapped"))};
    return status;
}

static enum nereus_status read_stage(const struct nereus_event_line *line,
                                     struct nereus_results *results)
{
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_GROW(results->stages, results->stage_count, line->err, "for the results in %s",
                    line->path);
    struct nereus_result_stage *stage = &results->stages[results->stage_count++];
    *stage =
        (struct nereus_result_stage){.group = nereus_event_integer(line, "group", &status),
                                     .iteration = nereus_event_integer(line, "iteration", &status),
                                     .stage = nereus_event_integer(line, "stage", &status),
                                     .time_s = nereus_event_real(line, "time_s")};
    nereus_text_copy(nereus_event_text(line, "kind"), stage->kind, sizeof stage->kind);
    return status;
}

static enum nereus_status read_change(const struct nereus_event_line *line,
                                      struct nereus_results *results)
{
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_GROW(results->changes, results->change_count, line->err, "for the results in %s",
                    line->path);
    struct nereus_result_change *change = &results->changes[results->change_count++];
    *change = (struct nereus_result_change){
        .reconfiguration = nereus_event_integer(line, "reconfiguration", &status),
        .ns = nereus_event_processes(line, "ns", &status),
        .nt = nereus_event_processes(line, "nt", &status),
        .nodes = nereus_event_integer_or(line, "nodes", 1),
        .start_s = nereus_event_real(line, "start_s"),
        .time_s = nereus_event_real(line, "time_s"),
        .constant_bytes = nereus_event_real(line, "constant_bytes"),
        .variable_bytes = nereus_event_real(line, "variable_bytes"),
        .iterations = nereus_event_real(line, "iterations"),
        .overlap_mean_s = nereus_event_real(line, "overlap_mean_s"),
        .oversubscribed = json_is_true(json_object_get(line->event, "oversubscribed"))};
    nereus_text_copy(nereus_event_text(line, "method"), change->method, sizeof change->method);
    nereus_text_copy(nereus_event_text(line, "outcome"), change->outcome, sizeof change->outcome);
    nereus_text_copy(nereus_event_text(line, "sentence"), change->sentence,
                     sizeof change->sentence);
    return status;
}

/* Read a number of bytes; -1: unknown. */
static enum nereus_status read_bytes(const struct nereus_event_line *line, const char *key,
                                     int64_t *bytes)
{
    *bytes = nereus_event_integer_or(line, key, -1);
    return *bytes >= 0 || json_object_get(line->event, key) == NULL
               ? NEREUS_OK
               : nereus_fail(line->err, NEREUS_ERR_PARSE,
                             "%s, line %lld: key %s needs a whole number of bytes from 0 on",
                             line->path, (long long)line->line, key);
}

static enum nereus_status read_run(const struct nereus_event_line *line,
                                   struct nereus_results *results)
{
    nereus_text_copy(nereus_event_text(line, "configuration"), results->configuration,
                     sizeof results->configuration);
    NEREUS_TRY(read_bytes(line, "constant_bytes", &results->constant_bytes));
    return read_bytes(line, "variable_bytes", &results->variable_bytes);
}

static enum nereus_status read_event(void *user, const struct nereus_event_line *line)
{
    struct nereus_results *results = user;
    const char *name = nereus_event_text(line, "event");
    NEREUS_TRY(nereus_trace_add_event(&results->trace, line));
    if (strcmp(name, "iteration") == 0)
        return read_iteration(line, results);
    if (strcmp(name, "stage") == 0)
        return read_stage(line, results);
    if (strcmp(name, "change") == 0)
        return read_change(line, results);
    if (strcmp(name, "run") == 0)
        return read_run(line, results);
    return NEREUS_OK;
}

/* Is the file in the other format of results, one document without iterations? */
static bool is_document(const char *path)
{
    json_t *document = NULL;
    nereus_json_read(path, "results", &document, NULL);
    const bool is = json_is_object(json_object_get(document, "t_op_s"));
    json_decref(document);
    return is;
}

enum nereus_status nereus_results_read(const char *path, struct nereus_results *results,
                                       struct nereus_error *err)
{
    struct nereus_results read = {.path = path, .constant_bytes = -1, .variable_bytes = -1};
    enum nereus_status status =
        nereus_event_lines_read(path, "results", read_event, &read, &read.trace.left_out, err);
    if ((status == NEREUS_ERR_PARSE || read.configuration[0] == '\0') && is_document(path)) {
        nereus_results_fini(&read);
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: the summary of a run, without its iterations: `nereus run "
                           "--results FILE.jsonl` (with this ending) writes what is needed here",
                           path);
    }
    if (status == NEREUS_OK && read.configuration[0] == '\0') {
        status = nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: no results: an event 'run' is missing (`nereus run --results "
                             "FILE.jsonl` writes them)",
                             path);
    }
    if (status != NEREUS_OK) {
        nereus_results_fini(&read);
        return status;
    }
    *results = read;
    return NEREUS_OK;
}

void nereus_results_fini(struct nereus_results *results)
{
    free(results->iterations);
    free(results->stages);
    free(results->changes);
    nereus_trace_fini(&results->trace);
    *results = (struct nereus_results){.path = NULL};
}

const struct nereus_result_change *nereus_results_change(const struct nereus_results *results,
                                                         int64_t reconfiguration)
{
    for (int64_t i = 0; i < results->change_count; i++)
        if (results->changes[i].reconfiguration == reconfiguration)
            return &results->changes[i];
    return NULL;
}

double nereus_results_t_iter_s(const struct nereus_results *results, int64_t group)
{
    double *times = malloc(((size_t)results->iteration_count + 1) * sizeof *times);
    int count = 0;
    for (int64_t i = 0; i < results->iteration_count && times != NULL; i++) {
        const struct nereus_result_iteration *iteration = &results->iterations[i];
        if (iteration->group == group && !iteration->overlapped && iteration->time_s > 0)
            times[count++] = iteration->time_s;
    }
    const double median_s = nereus_median(times, count);
    free(times);
    return median_s;
}

static bool is_carried_out(const struct nereus_trace_event *event)
{
    return event->kind == NEREUS_TRACE_RECONFIGURATION && strcmp(event->outcome, "resized") == 0;
}

/* Add the iterations before, during and after a change, which only the results have. */
static void add_iterations(const struct nereus_results *results, int64_t number,
                           struct nereus_sample *row)
{
    const struct nereus_result_change *change = nereus_results_change(results, number);
    row->t_iter_ns_s = nereus_results_t_iter_s(results, number - 1);
    row->t_iter_nt_s = nereus_results_t_iter_s(results, number);
    if (change != NULL && nereus_method_is_overlapped(&row->method)) {
        row->iterations = change->iterations;
        row->ct_s = change->iterations > 0 ? change->iterations * change->overlap_mean_s : NAN;
    }
}

enum nereus_status nereus_results_samples(const struct nereus_results *results, const char *cluster,
                                          const struct nereus_machine *machine,
                                          struct nereus_samples *rows, struct nereus_error *err)
{
    const struct nereus_trace *trace = &results->trace;
    struct nereus_samples new_samples = {
        .rows = calloc((size_t)trace->count + 1, sizeof *new_samples.rows)};
    NEREUS_TRY_MEMORY(new_samples.rows, err, "for the rows of %s", results->path);
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        const bool carried_out = is_carried_out(event);
        if (carried_out || (nereus_trace_is_typical(event) && event->time_s > 0)) {
            struct nereus_sample *row = &new_samples.rows[new_samples.count++];
            nereus_trace_sample(event, cluster, machine, row);
            if (carried_out)
                add_iterations(results, event->reconfiguration, row);
        }
    }
    *rows = new_samples;
    return NEREUS_OK;
}
