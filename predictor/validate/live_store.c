/** @file live_store.c  Converts measurements of live jobs to rows of samples, and back. */
#include "live_store.h"

/* Least time of a row, which must be above 0; a step of one process may take less than a tick of
 * the clock. */
static const double min_s = 1e-9;

/* Make a row with the time of all repeated steps (unlike nereus_trace_sample), because it is
 * compared with their total price. */
static void set_step_row(const struct nereus_trace_event *event, struct nereus_sample *row)
{
    row->old_processes = event->old_processes;
    row->new_processes = event->new_processes;
    row->time_s = fmax(event->time_s, min_s);
}

static double get_positive_or_nan(double value)
{
    return value > 0 ? value : NAN;
}

static void set_whole_row(const struct nereus_trace *trace, const struct nereus_trace_event *event,
                          struct nereus_sample *row)
{
    const struct nereus_trace_event *times = nereus_trace_iterations(trace, event->reconfiguration);
    if (times == NULL)
        return;
    row->t_iter_ns_s = get_positive_or_nan(times->t_iter_s);
    row->t_iter_nt_s = get_positive_or_nan(times->t_iter_after_s);
    if (nereus_method_is_overlapped(&event->method)) {
        row->iterations = event->iterations;
        row->ct_s = event->iterations * times->overlapped_s;
    }
}

enum nereus_status nereus_live_make_rows(const struct nereus_trace *trace, int64_t number,
                                         const char *cluster, const struct nereus_machine *machine,
                                         struct nereus_samples *rows, struct nereus_error *err)
{
    *rows = (struct nereus_samples){.rows = calloc((size_t)trace->count + 1, sizeof *rows->rows)};
    NEREUS_TRY_MEMORY(rows->rows, err, "for the rows of a trace");
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->reconfiguration == number && event->kind == NEREUS_TRACE_STEP) {
            struct nereus_sample *row = &rows->rows[rows->count++];
            nereus_trace_sample(event, cluster, machine, row);
            set_step_row(event, row);
        }
    }
    const struct nereus_trace_event *whole = nereus_trace_reconfiguration(trace, number);
    if (whole != NULL) {
        struct nereus_sample *row = &rows->rows[rows->count++];
        nereus_trace_sample(whole, cluster, machine, row);
        set_whole_row(trace, whole, row);
    }
    return NEREUS_OK;
}

static struct nereus_trace_event make_event(const struct nereus_sample *row,
                                            enum nereus_trace_kind kind)
{
    struct nereus_trace_event event = {.kind = kind,
                                       .reconfiguration = 1,
                                       .ns = row->ns,
                                       .nt = row->nt,
                                       .method = row->method,
                                       .bytes = row->bytes,
                                       .oversubscribed = row->oversubscribed,
                                       .step = -1, /* matched by kind */
                                       .step_kind = row->step,
                                       .old_processes = row->old_processes,
                                       .new_processes = row->new_processes,
                                       .repeat = 1,
                                       .times = 1,
                                       .time_s = row->time_s,
                                       .rt_s = row->rt_s,
                                       .iterations = row->iterations,
                                       .t_iter_s = row->t_iter_ns_s,
                                       .overlapped_s = row->ct_s / row->iterations,
                                       .t_iter_after_s = row->t_iter_nt_s};
    event.critical_s = event.wait_s = event.waits_s = event.not_attributed_s = NAN;
    if (kind == NEREUS_TRACE_RECONFIGURATION)
        memcpy(event.outcome, "resized", sizeof "resized");
    return event;
}

/* Find the first of the step rows of the same job, which precede the row of the whole. */
static int64_t find_first_step(const struct nereus_samples *rows, int64_t whole, int step_max)
{
    const struct nereus_sample *last = &rows->rows[whole];
    int64_t first = whole;
    while (first > 0 && whole - first < step_max &&
           rows->rows[first - 1].kind == NEREUS_SAMPLE_STEP &&
           rows->rows[first - 1].ns == last->ns && rows->rows[first - 1].nt == last->nt &&
           nereus_method_equal(&rows->rows[first - 1].method, &last->method))
        first--;
    return first;
}

enum nereus_status nereus_live_make_trace(const struct nereus_samples *rows, int64_t whole,
                                          int step_max, struct nereus_trace *trace,
                                          struct nereus_error *err)
{
    struct nereus_trace new_trace = {0};
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = find_first_step(rows, whole, step_max); i < whole && status == NEREUS_OK;
         i++) {
        const struct nereus_trace_event event = make_event(&rows->rows[i], NEREUS_TRACE_STEP);
        status = nereus_trace_append(&new_trace, &event, err);
    }
    for (int i = 0; i < 2 && status == NEREUS_OK; i++) {
        const struct nereus_trace_event event = make_event(
            &rows->rows[whole], i == 0 ? NEREUS_TRACE_RECONFIGURATION : NEREUS_TRACE_ITERATIONS);
        status = nereus_trace_append(&new_trace, &event, err);
    }
    if (status != NEREUS_OK) {
        nereus_trace_fini(&new_trace);
        return status;
    }
    *trace = new_trace;
    return NEREUS_OK;
}
