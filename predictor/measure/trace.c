/** @file trace.c  Reads the runtime's traces, and turns their events into samples. */
#include "trace.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/file.h"
#include "model/util/grow.h"
#include "model/util/try.h"
#include "trace_record.h"

/* Where a value is read, for messages. */
struct place {
    const char *path;
    int64_t line;
    const json_t *event;
    struct nereus_error *err;
};

static double real(const struct place *place, const char *key)
{
    const json_t *value = json_object_get(place->event, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A required whole number. The first error is kept in *status, which the caller checks. */
static int64_t integer(const struct place *place, const char *key, enum nereus_status *status)
{
    const json_t *value = json_object_get(place->event, key);
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
    if (*status == NEREUS_OK) {
        *status =
            nereus_fail(place->err, NEREUS_ERR_PARSE, "%s, line %lld: key %s needs a whole number",
                        place->path, (long long)place->line, key);
    }
    return 0;
}

/* A key that older traces do not have. */
static int64_t integer_or(const struct place *place, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(place->event, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static const char *text(const struct place *place, const char *key)
{
    const char *value = json_string_value(json_object_get(place->event, key));
    return value != NULL ? value : "";
}

static enum nereus_status parse_step(const struct place *place, struct nereus_trace_event *event)
{
    enum nereus_status status = NEREUS_OK;
    event->kind = NEREUS_TRACE_STEP;
    event->step = integer(place, "step", &status);
    event->old_processes = integer(place, "old_processes", &status);
    event->new_processes = integer(place, "new_processes", &status);
    event->level = integer_or(place, "level", 0);
    event->repeat = integer_or(place, "repeat", 1);
    event->times = integer_or(place, "times", 1);
    event->start_s = real(place, "start_s");
    event->arrived_s = real(place, "arrived_s");
    event->time_s = real(place, "time_s");
    event->step_kind = nereus_step_from_name(text(place, "kind"));
    if (status == NEREUS_OK && event->step_kind == NEREUS_STEP_KIND_COUNT) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: there is no kind of step '%s'", place->path,
                           (long long)place->line, text(place, "kind"));
    }
    if (status == NEREUS_OK && !(event->time_s >= 0.0)) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: key time_s needs a time of at least 0", place->path,
                           (long long)place->line);
    }
    return status;
}

static enum nereus_status parse_group(const struct place *place, struct nereus_trace_event *event)
{
    enum nereus_status status = NEREUS_OK;
    event->kind = NEREUS_TRACE_GROUP;
    event->group = integer(place, "group", &status);
    event->node = integer(place, "node", &status);
    event->processes = integer(place, "processes", &status);
    event->level = integer(place, "level", &status);
    event->parent_group = integer(place, "parent_group", &status);
    event->parent_rank = integer(place, "parent_rank", &status);
    return status;
}

static void parse_choice(const struct place *place, struct nereus_trace_event *event)
{
    event->kind = NEREUS_TRACE_CHOICE;
    event->by_model = strcmp(text(place, "by"), "model") == 0;
    event->predicted_rt_s = real(place, "predicted_rt_s");
    event->predicted_rt_low_s = real(place, "predicted_rt_low_s");
    event->predicted_rt_high_s = real(place, "predicted_rt_high_s");
    snprintf(event->sentence, sizeof event->sentence, "%s", text(place, "reason"));
}

static enum nereus_status parse_event(const struct place *place, struct nereus_trace_event *event,
                                      bool *known)
{
    enum nereus_status status = NEREUS_OK;
    const char *name = text(place, "event");
    memset(event, 0, sizeof *event);
    event->line = place->line;
    event->request = -1;
    const bool iterations = strcmp(name, "iterations") == 0, group = strcmp(name, "group") == 0,
               choice = strcmp(name, "choice") == 0;
    *known = iterations || group || choice || strcmp(name, "step") == 0 ||
             strcmp(name, "reconfiguration") == 0;
    if (!*known) {
        return NEREUS_OK;
    }
    event->reconfiguration = integer(place, "reconfiguration", &status);
    event->iterations = real(place, "iterations");
    if (group) {
        return status == NEREUS_OK ? parse_group(place, event) : status;
    }
    if (iterations) {
        event->kind = NEREUS_TRACE_ITERATIONS;
        event->t_iter_s = real(place, "t_iter_s");
        event->overlapped_s = real(place, "overlapped_s");
        event->t_iter_after_s = real(place, "t_iter_after_s");
        return status;
    }
    event->ns = integer(place, "ns", &status);
    event->nt = integer(place, "nt", &status);
    if (status == NEREUS_OK) {
        status = nereus_method_parse(text(place, "method"), &event->method, place->err);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    if (choice) {
        parse_choice(place, event);
        return NEREUS_OK;
    }
    event->bytes = real(place, "bytes");
    event->critical_s = real(place, "critical_s");
    event->wait_s = real(place, "wait_s");
    event->oversubscribed = json_is_true(json_object_get(place->event, "oversubscribed"));
    if (strcmp(name, "step") == 0) {
        return parse_step(place, event);
    }
    event->kind = NEREUS_TRACE_RECONFIGURATION;
    event->began_s = real(place, "began_s");
    event->rt_s = real(place, "rt_s");
    event->waits_s = real(place, "waits_s");
    event->not_attributed_s = real(place, "not_attributed_s");
    snprintf(event->outcome, sizeof event->outcome, "%s", text(place, "outcome"));
    snprintf(event->sentence, sizeof event->sentence, "%s", text(place, "sentence"));
    return NEREUS_OK;
}

enum nereus_status nereus_trace_append(struct nereus_trace *trace,
                                       const struct nereus_trace_event *event,
                                       struct nereus_error *err)
{
    struct nereus_trace_event *events = nereus_grow(trace->events, trace->count, sizeof *events);
    NEREUS_TRY_MEMORY(events, err, "for a trace of %lld events", (long long)trace->count + 1);
    trace->events = events;
    trace->events[trace->count++] = *event;
    return NEREUS_OK;
}

/* What the plan of a reconfiguration was made from. */
static enum nereus_status keep_record(const struct place *place, const json_t *record,
                                      struct nereus_trace_event *event, struct nereus_trace *trace)
{
    const int64_t count = trace->request_count;
    struct nereus_request *requests =
        realloc(trace->requests, ((size_t)count + 1) * sizeof *requests);
    if (requests == NULL) {
        return nereus_fail(place->err, NEREUS_ERR_MEMORY, "no memory for a trace");
    }
    trace->requests = requests;
    if (!nereus_trace_record_read(place->event, record, event, &requests[count])) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: key record is not as formats.md says", place->path,
                           (long long)place->line);
    }
    trace->request_count++;
    event->request = count;
    return NEREUS_OK;
}

static enum nereus_status parse_line(const char *line, size_t length, struct place *place,
                                     struct nereus_trace *trace)
{
    json_error_t json_err;
    struct nereus_trace_event event;
    bool known;
    json_t *object = json_loadb(line, length, 0, &json_err);
    if (!json_is_object(object)) {
        json_decref(object);
        return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s, line %lld: not a JSON object%s%s",
                           place->path, (long long)place->line, object == NULL ? ": " : "",
                           object == NULL ? json_err.text : "");
    }
    place->event = object;
    enum nereus_status status = parse_event(place, &event, &known);
    const json_t *record = json_object_get(object, "record");
    if (status == NEREUS_OK && known && record != NULL) {
        status = keep_record(place, record, &event, trace);
    }
    if (status == NEREUS_OK && known) {
        status = nereus_trace_append(trace, &event, place->err);
    }
    json_decref(object);
    return status;
}

enum nereus_status nereus_trace_read(const char *path, struct nereus_trace *trace,
                                     struct nereus_error *err)
{
    char *content;
    struct nereus_trace read = {0};
    struct place place = {path, 0, NULL, err};
    NEREUS_TRY(nereus_file_read(path, "trace", &content, NULL, err));
    enum nereus_status status = NEREUS_OK;
    for (const char *line = content; *line != '\0' && status == NEREUS_OK;) {
        size_t length = strcspn(line, "\n");
        place.line++;
        if (strspn(line, " \t\r") < length) {
            status = parse_line(line, length, &place, &read);
        }
        line += length + (line[length] == '\n');
    }
    free(content);
    if (status != NEREUS_OK) {
        nereus_trace_fini(&read);
        return status;
    }
    *trace = read;
    return NEREUS_OK;
}

void nereus_trace_fini(struct nereus_trace *trace)
{
    for (int64_t i = 0; i < trace->request_count; i++) {
        nereus_request_fini(&trace->requests[i]);
    }
    free(trace->requests);
    free(trace->events);
    *trace = (struct nereus_trace){0};
}

static const struct nereus_trace_event *find(const struct nereus_trace *trace,
                                             enum nereus_trace_kind kind, int64_t number)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == kind && event->reconfiguration == number) {
            return event;
        }
    }
    return NULL;
}

const struct nereus_trace_event *nereus_trace_reconfiguration(const struct nereus_trace *trace,
                                                              int64_t number)
{
    return find(trace, NEREUS_TRACE_RECONFIGURATION, number);
}

const struct nereus_trace_event *nereus_trace_iterations(const struct nereus_trace *trace,
                                                         int64_t number)
{
    return find(trace, NEREUS_TRACE_ITERATIONS, number);
}

bool nereus_trace_has_step(const struct nereus_trace *trace, int64_t number,
                           enum nereus_step_kind kind)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && event->reconfiguration == number &&
            event->step_kind == kind) {
            return true;
        }
    }
    return false;
}

bool nereus_trace_is_typical(const struct nereus_trace_event *event)
{
    const bool together = event->repeat > 1 && event->step_kind != NEREUS_STEP_CONNECT;
    return event->kind == NEREUS_TRACE_STEP && !nereus_method_is_overlapped(&event->method) &&
           !together;
}

/* One of the steps that the event stands for, as model/price/cost.c counts them. */
static void fill_step(const struct nereus_trace_event *event, struct nereus_sample *sample)
{
    const int64_t times = event->times > 1 ? event->times : 1,
                  repeat = event->repeat > 1 ? event->repeat : 1;
    sample->kind = NEREUS_SAMPLE_STEP;
    sample->step = event->step_kind;
    sample->old_processes = event->old_processes;
    sample->new_processes = nereus_divide_up(event->new_processes, times);
    sample->time_s = event->time_s / (double)times;
    if (event->step_kind == NEREUS_STEP_CONNECT && event->level > 0) {
        sample->old_processes = sample->new_processes =
            nereus_divide_up(event->new_processes, 2 * repeat);
    }
}

void nereus_trace_sample(const struct nereus_trace_event *event, const char *cluster,
                         const struct nereus_machine *machine, struct nereus_sample *sample)
{
    memset(sample, 0, sizeof *sample);
    snprintf(sample->cluster, sizeof sample->cluster, "%s", cluster);
    sample->cores_per_process = nereus_machine_per_process(machine);
    sample->cores_per_node = machine->cores_per_node * sample->cores_per_process;
    sample->ns = event->ns;
    sample->nt = event->nt;
    sample->method = event->method;
    sample->t_iter_ns_s = sample->t_iter_nt_s = sample->ct_s = sample->iterations = NAN;
    sample->rt_s = sample->time_s = NAN;
    sample->bytes = isnan(event->bytes) ? 0.0 : event->bytes;
    sample->oversubscribed = event->oversubscribed;
    sample->n = 1;
    if (event->kind == NEREUS_TRACE_STEP) {
        fill_step(event, sample);
    } else {
        sample->kind = NEREUS_SAMPLE_RECONFIGURATION;
        sample->rt_s = event->rt_s;
    }
}
