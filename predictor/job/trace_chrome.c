/**
 * @file trace_chrome.c
 * Writes a trace in the format of chrome://tracing ("Trace Event Format"), which Perfetto reads,
 * too: complete events (ph X) with ts and dur in microseconds. A job is a process (pid); its
 * reconfigurations are one thread (tid 0), its steps are other threads, because events of one
 * thread may not overlap, and steps may.
 */

#include "trace_view.h"

static const double us_per_s = 1e6;

/* Time axis of one job. Reconfigurations are at their times, or one after the other if the trace
 * has no times. */
struct axis {
    int64_t job;
    double began_s; /* begin of the job's first reconfiguration */
    double next_us; /* end of the latest reconfiguration */
};

static void append_event(json_t *events, json_t *event)
{
    json_array_append_new(events, event); /* without effect for NULL: no memory */
}

static void append_name(json_t *events, const char *what, int64_t pid, int64_t tid, json_t *text)
{
    append_event(events,
                 nereus_json_pack("{s:s, s:s, s:I, s:I, s:{s:o}}", "name", what, "ph", "M", "pid",
                                  (json_int_t)pid, "tid", (json_int_t)tid, "args", "name", text));
}

/* Choose the thread of a step: the first of tid 1, 2, ... that is free from `from_us` on. `free_us`
 * has room for all steps. */
static int64_t choose_lane(double *free_us, int64_t *lanes, double from_us, double to_us)
{
    int64_t lane = 0;
    while (lane < *lanes && free_us[lane] > from_us)
        lane++;
    *lanes += lane == *lanes;
    free_us[lane] = to_us;
    return lane + 1;
}

static void add_step(json_t *events, const struct nereus_trace_event *step, int64_t pid,
                     int64_t tid, double base_us)
{
    char wait[8 + 96] = "wait: ", *label = wait + strlen(wait);
    nereus_trace_step_label(step, label);
    const double from_us = base_us + us_per_s * step->start_s,
                 arrived_us = base_us + us_per_s * nereus_trace_arrived_s(step);
    if (arrived_us > from_us) {
        append_event(events,
                     nereus_json_pack("{s:s, s:s, s:s, s:f, s:f, s:I, s:I}", "name", wait, "cat",
                                      "wait", "ph", "X", "ts", from_us, "dur", arrived_us - from_us,
                                      "pid", (json_int_t)pid, "tid", (json_int_t)tid));
    }
    append_event(events,
                 nereus_json_pack(
                     "{s:s, s:s, s:s, s:f, s:f, s:I, s:I, s:{s:I, s:I, s:I, s:I, s:I, s:f, s:f}}",
                     "name", label, "cat", "step", "ph", "X", "ts", arrived_us, "dur",
                     us_per_s * step->time_s, "pid", (json_int_t)pid, "tid", (json_int_t)tid,
                     "args", "reconfiguration", (json_int_t)step->reconfiguration, "step",
                     (json_int_t)step->step, "old_processes", (json_int_t)step->old_processes,
                     "new_processes", (json_int_t)step->new_processes, "bytes",
                     (json_int_t)(isnan(step->bytes) ? 0 : step->bytes), "critical_s",
                     isnan(step->critical_s) ? 0 : step->critical_s, "wait_s",
                     isnan(step->wait_s) ? 0 : step->wait_s));
}

static bool add_steps(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                      double base_us, json_t *events)
{
    int64_t lanes = 0;
    double *free_us = calloc((size_t)(change->end - change->first), sizeof *free_us);
    for (int64_t i = change->first; free_us != NULL && i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && !isnan(event->start_s)) {
            const int64_t tid = choose_lane(free_us, &lanes, base_us + us_per_s * event->start_s,
                                            base_us + us_per_s * nereus_trace_end_s(event));
            add_step(events, event, change->job, tid, base_us);
        }
    }
    free(free_us);
    return free_us != NULL;
}

/* Add the whole reconfiguration; an instant (ph i) where nothing was changed. */
static void add_whole(const struct nereus_trace_change *change, double base_us, json_t *events)
{
    const struct nereus_trace_event *whole = change->whole;
    char text[NEREUS_METHOD_TEXT_MAX + 80], method[NEREUS_METHOD_TEXT_MAX];
    snprintf(text, sizeof text, "%lld -> %lld by %s: %s", (long long)whole->ns,
             (long long)whole->nt, nereus_method_format(&whole->method, method), whole->outcome);
    if (isnan(whole->rt_s)) {
        append_event(events,
                     nereus_json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:i, s:{s:s}}", "name", text,
                                      "cat", "reconfiguration", "ph", "i", "s", "t", "ts", base_us,
                                      "pid", (json_int_t)change->job, "tid", 0, "args", "sentence",
                                      whole->sentence));
        return;
    }
    append_event(events, nereus_json_pack(
                             "{s:s, s:s, s:s, s:f, s:f, s:I, s:i, s:{s:I, s:f, s:f, s:f}}", "name",
                             text, "cat", "reconfiguration", "ph", "X", "ts", base_us, "dur",
                             us_per_s * whole->rt_s, "pid", (json_int_t)change->job, "tid", 0,
                             "args", "reconfiguration", (json_int_t)change->number, "critical_s",
                             isnan(whole->critical_s) ? 0 : whole->critical_s, "waits_s",
                             isnan(whole->waits_s) ? 0 : whole->waits_s, "not_attributed_s",
                             isnan(whole->not_attributed_s) ? 0 : whole->not_attributed_s));
}

/* Compute the start of a reconfiguration, in microseconds. */
static double compute_start_us(struct axis *axis, const struct nereus_trace_change *change,
                               json_t *events)
{
    const double began_s = change->whole != NULL ? change->whole->began_s : NAN;
    if (axis->job != change->job) {
        char text[32];
        *axis = (struct axis){change->job, NAN, 0};
        snprintf(text, sizeof text, "job %lld", (long long)change->job);
        append_name(events, "process_name", change->job, 0, nereus_json_text(text));
        append_name(events, "thread_name", change->job, 0, nereus_json_text("reconfigurations"));
    }
    if (isnan(axis->began_s))
        axis->began_s = began_s - axis->next_us / us_per_s;
    const double base_us = isnan(began_s) ? axis->next_us : us_per_s * (began_s - axis->began_s);
    const double rt_s =
        change->whole == NULL || isnan(change->whole->rt_s) ? 0 : change->whole->rt_s;
    axis->next_us = base_us + us_per_s * rt_s;
    return base_us;
}

json_t *nereus_trace_chrome(const struct nereus_trace *trace)
{
    json_t *events = json_array();
    struct nereus_trace_change change = {0};
    struct axis axis = {0, NAN, 0};
    bool complete = events != NULL;
    while (complete && nereus_trace_next_change(trace, &change)) {
        const double base_us = compute_start_us(&axis, &change, events);
        if (change.whole != NULL)
            add_whole(&change, base_us, events);
        complete = add_steps(trace, &change, base_us, events);
    }
    if (!complete) {
        json_decref(events);
        return NULL;
    }
    return nereus_json_pack("{s:o, s:s}", "traceEvents", events, "displayTimeUnit", "ms");
}
