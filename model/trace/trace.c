/** @file trace.c  Reads the events of a trace, finds them by number, and makes samples of them. */
#include "trace.h"

#include "trace_record.h"

static enum nereus_status parse_step(const struct nereus_event_line *place,
                                     struct nereus_trace_event *event)
{
    enum nereus_status status = NEREUS_OK;
    event->kind = NEREUS_TRACE_STEP;
    event->step = nereus_event_integer(place, "step", &status);
    event->old_processes = nereus_event_integer(place, "old_processes", &status);
    event->new_processes = nereus_event_integer(place, "new_processes", &status);
    event->level = nereus_event_integer_or(place, "level", 0);
    event->repeat = nereus_event_integer_or(place, "repeat", 1);
    event->times = nereus_event_integer_or(place, "times", 1);
    event->start_s = nereus_event_real(place, "start_s");
    event->arrived_s = nereus_event_real(place, "arrived_s");
    event->time_s = nereus_event_real(place, "time_s");
    event->step_kind = nereus_step_from_name(nereus_event_text(place, "kind"));
    if (status == NEREUS_OK && event->step_kind == NEREUS_STEP_KIND_COUNT) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: there is no kind of step '%s'", place->path,
                           (long long)place->line, nereus_event_text(place, "kind"));
    }
    if (status == NEREUS_OK && !(event->time_s >= 0.0)) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: key time_s needs a time of at least 0", place->path,
                           (long long)place->line);
    }
    return status;
}

static enum nereus_status parse_group(const struct nereus_event_line *place,
                                      struct nereus_trace_event *event)
{
    enum nereus_status status = NEREUS_OK;
    event->kind = NEREUS_TRACE_GROUP;
    event->group = nereus_event_integer(place, "group", &status);
    event->node = nereus_event_integer(place, "node", &status);
    event->processes = nereus_event_integer(place, "processes", &status);
    event->level = nereus_event_integer(place, "level", &status);
    event->parent_group = nereus_event_integer(place, "parent_group", &status);
    event->parent_rank = nereus_event_integer(place, "parent_rank", &status);
    return status;
}

static void parse_choice(const struct nereus_event_line *place, struct nereus_trace_event *event)
{
    event->kind = NEREUS_TRACE_CHOICE;
    event->by_model = strcmp(nereus_event_text(place, "by"), "model") == 0;
    event->t_iter_s = nereus_event_real(place, "t_iter_ns_s");
    event->predicted_rt_s = nereus_event_real(place, "predicted_rt_s");
    event->predicted_rt_low_s = nereus_event_real(place, "predicted_rt_low_s");
    event->predicted_rt_high_s = nereus_event_real(place, "predicted_rt_high_s");
    event->predicted_energy_j = nereus_event_real(place, "predicted_energy_j");
    snprintf(event->goal, sizeof event->goal, "%s", nereus_event_text(place, "goal"));
    snprintf(event->sentence, sizeof event->sentence, "%s", nereus_event_text(place, "reason"));
}

static void parse_start(const struct nereus_event_line *place, struct nereus_trace_event *event)
{
    event->kind = NEREUS_TRACE_START;
    snprintf(event->outcome, sizeof event->outcome, "%s", nereus_event_text(place, "from"));
    snprintf(event->sentence, sizeof event->sentence, "%s", nereus_event_text(place, "command"));
}

static enum nereus_status parse_restart(const struct nereus_event_line *place,
                                        struct nereus_trace_event *event)
{
    enum nereus_status status = NEREUS_OK;
    event->kind = NEREUS_TRACE_RESTART;
    event->ns = nereus_event_processes(place, "ns", &status);
    event->nt = nereus_event_processes(place, "nt", &status);
    event->points = nereus_event_integer(place, "points", &status);
    snprintf(event->sentence, sizeof event->sentence, "%s", nereus_event_text(place, "path"));
    return status;
}

static enum nereus_status parse_event(const struct nereus_event_line *place,
                                      struct nereus_trace_event *event, bool *known)
{
    enum nereus_status status = NEREUS_OK;
    const char *name = nereus_event_text(place, "event");
    memset(event, 0, sizeof *event);
    event->line = place->line;
    event->request = -1;
    const bool iterations = strcmp(name, "iterations") == 0, group = strcmp(name, "group") == 0,
               choice = strcmp(name, "choice") == 0, start = strcmp(name, "start") == 0,
               size = strcmp(name, "size") == 0, restart = strcmp(name, "restart") == 0;
    *known = iterations || group || choice || start || size || restart ||
             strcmp(name, "step") == 0 || strcmp(name, "reconfiguration") == 0;
    if (!*known)
        return NEREUS_OK;
    if (restart)
        return parse_restart(place, event);
    if (size) {
        event->kind = NEREUS_TRACE_SIZE;
        event->ns = event->nt = nereus_event_processes(place, "processes", &status);
        event->t_iter_s = nereus_event_real(place, "t_iter_s");
        return status;
    }
    event->reconfiguration = nereus_event_integer(place, "reconfiguration", &status);
    event->iterations = nereus_event_real(place, "iterations");
    if (group)
        return status == NEREUS_OK ? parse_group(place, event) : status;
    if (iterations) {
        event->kind = NEREUS_TRACE_ITERATIONS;
        event->t_iter_s = nereus_event_real(place, "t_iter_s");
        event->overlapped_s = nereus_event_real(place, "overlapped_s");
        event->t_iter_after_s = nereus_event_real(place, "t_iter_after_s");
        return status;
    }
    event->ns = nereus_event_processes(place, "ns", &status);
    event->nt = nereus_event_processes(place, "nt", &status);
    if (status == NEREUS_OK) {
        status =
            nereus_method_parse(nereus_event_text(place, "method"), &event->method, place->err);
    }
    if (status != NEREUS_OK)
        return status;
    if (choice) {
        parse_choice(place, event);
        return NEREUS_OK;
    }
    if (start) {
        parse_start(place, event);
        return NEREUS_OK;
    }
    event->bytes = nereus_event_real(place, "bytes");
    event->critical_s = nereus_event_real(place, "critical_s");
    event->wait_s = nereus_event_real(place, "wait_s");
    event->oversubscribed = json_is_true(json_object_get(place->event, "oversubscribed"));
    if (strcmp(name, "step") == 0)
        return parse_step(place, event);
    event->kind = NEREUS_TRACE_RECONFIGURATION;
    event->began_s = nereus_event_real(place, "began_s");
    event->rt_s = nereus_event_real(place, "rt_s");
    event->waits_s = nereus_event_real(place, "waits_s");
    event->not_attributed_s = nereus_event_real(place, "not_attributed_s");
    snprintf(event->outcome, sizeof event->outcome, "%s", nereus_event_text(place, "outcome"));
    snprintf(event->sentence, sizeof event->sentence, "%s", nereus_event_text(place, "sentence"));
    return NEREUS_OK;
}

enum nereus_status nereus_trace_append(struct nereus_trace *trace,
                                       const struct nereus_trace_event *event,
                                       struct nereus_error *err)
{
    NEREUS_TRY_GROW(trace->events, trace->count, err, "for a trace of %lld events",
                    (long long)trace->count + 1);
    trace->events[trace->count++] = *event;
    return NEREUS_OK;
}

static enum nereus_status store_record(const struct nereus_event_line *place, const json_t *record,
                                       struct nereus_trace_event *event, struct nereus_trace *trace)
{
    const int64_t count = trace->request_count;
    NEREUS_TRY_GROW(trace->requests, count, place->err, "for a trace");
    if (!nereus_trace_record_read(place->event, record, event, &trace->requests[count])) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: key record is not as formats.md says", place->path,
                           (long long)place->line);
    }
    trace->request_count++;
    event->request = count;
    return NEREUS_OK;
}

enum nereus_status nereus_trace_add_event(void *user, const struct nereus_event_line *place)
{
    struct nereus_trace *trace = user;
    struct nereus_trace_event event;
    bool known;
    NEREUS_TRY(parse_event(place, &event, &known));
    const json_t *record = json_object_get(place->event, "record");
    if (known && record != NULL)
        NEREUS_TRY(store_record(place, record, &event, trace));
    return known ? nereus_trace_append(trace, &event, place->err) : NEREUS_OK;
}

enum nereus_status nereus_trace_read(const char *path, struct nereus_trace *trace,
                                     struct nereus_error *err)
{
    struct nereus_trace read = {0};
    const enum nereus_status status =
        nereus_event_lines_read(path, "trace", nereus_trace_add_event, &read, &read.left_out, err);
    if (status != NEREUS_OK) {
        nereus_trace_fini(&read);
        return status;
    }
    *trace = read;
    return NEREUS_OK;
}

void nereus_trace_fini(struct nereus_trace *trace)
{
    for (int64_t i = 0; i < trace->request_count; i++)
        nereus_request_fini(&trace->requests[i]);
    free(trace->requests);
    free(trace->events);
    *trace = (struct nereus_trace){0};
}

static const struct nereus_trace_event *find_event(const struct nereus_trace *trace,
                                                   enum nereus_trace_kind kind, int64_t number)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == kind && event->reconfiguration == number)
            return event;
    }
    return NULL;
}

const struct nereus_trace_event *nereus_trace_reconfiguration(const struct nereus_trace *trace,
                                                              int64_t number)
{
    return find_event(trace, NEREUS_TRACE_RECONFIGURATION, number);
}

const struct nereus_trace_event *nereus_trace_iterations(const struct nereus_trace *trace,
                                                         int64_t number)
{
    return find_event(trace, NEREUS_TRACE_ITERATIONS, number);
}

bool nereus_trace_has_step(const struct nereus_trace *trace, int64_t number,
                           enum nereus_step_kind kind)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && event->reconfiguration == number &&
            event->step_kind == kind)
            return true;
    }
    return false;
}

bool nereus_trace_is_typical(const struct nereus_trace_event *event)
{
    const bool together = event->repeat > 1 && event->step_kind != NEREUS_STEP_CONNECT;
    return event->kind == NEREUS_TRACE_STEP && !nereus_method_is_overlapped(&event->method) &&
           !together;
}

/* Set the processes of a step's sample, which are counted as in model/price/cost.c. */
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
    sample->cores_per_process = nereus_machine_cores_per_process(machine);
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
