/** @file trace_text.c  Prints a trace as text, with tables and time lines, and as CSV. */

#include "model/util/values.h"
#include "predictor/plan/priced_plan.h"
#include "trace_view.h"

const char *nereus_trace_step_label(const struct nereus_trace_event *step,
                                    char text[NEREUS_TRACE_LABEL])
{
    const struct nereus_step planned_step = {.kind = step->step_kind,
                                             .level = step->level,
                                             .repeat = step->repeat,
                                             .times = step->times};
    return nereus_step_label(&planned_step, text);
}

double nereus_trace_arrived_s(const struct nereus_trace_event *step)
{
    return isnan(step->arrived_s) ? step->start_s : step->arrived_s;
}

double nereus_trace_end_s(const struct nereus_trace_event *step)
{
    return nereus_trace_arrived_s(step) + step->time_s;
}

/* ---- the table ---- */

#define COLUMNS(X)                                                                                 \
    X("job", "job", NULL, nereus_cell_integer(change->job))                                        \
    X("reconfiguration", "no.", NULL, nereus_cell_integer(change->number))                         \
    X("ns", "ns", NULL, nereus_cell_integer(any->ns))                                              \
    X("nt", "nt", NULL, nereus_cell_integer(any->nt))                                              \
    X("method", "method", NULL, nereus_cell_text(nereus_method_format(&any->method, method)))      \
    X("outcome", "outcome", NULL,                                                                  \
      nereus_cell_text(change->whole == NULL ? "unfinished" : change->whole->outcome))             \
    X("step", "step", NULL, nereus_cell_if(is_step, nereus_cell_integer(any->step)))               \
    X("kind", "kind", NULL, nereus_cell_text(kind))                                                \
    X("level", "level", NULL, nereus_cell_if(is_step, nereus_cell_integer(any->level)))            \
    X("repeat", "repeat", NULL, nereus_cell_if(is_step, nereus_cell_integer(any->repeat)))         \
    X("times", "times", NULL, nereus_cell_if(is_step, nereus_cell_integer(any->times)))            \
    X("old_processes", "old", NULL,                                                                \
      nereus_cell_if(is_step, nereus_cell_integer(any->old_processes)))                            \
    X("new_processes", "new", NULL,                                                                \
      nereus_cell_if(is_step, nereus_cell_integer(any->new_processes)))                            \
    X("bytes", "bytes", NULL, nereus_cell_real(any->bytes))                                        \
    X("start_s", "from", "s", nereus_cell_if(is_step, nereus_cell_real(any->start_s)))             \
    X("arrived_s", "all there", "s", nereus_cell_if(is_step, nereus_cell_real(any->arrived_s)))    \
    X("time_s", "time", "s", nereus_cell_real(time_s))                                             \
    X("critical_s", "critical", "s", nereus_cell_if(is_step, nereus_cell_real(any->critical_s)))   \
    X("wait_s", "wait", "s", nereus_cell_if(is_step, nereus_cell_real(any->wait_s)))               \
    X("sentence", "sentence", NULL, nereus_cell_text(sentence))

static void add_row(struct nereus_table *table, const struct nereus_trace_change *change,
                    const struct nereus_trace_event *any, const char *kind, double time_s)
{
    const bool is_step = any->kind == NEREUS_TRACE_STEP;
    const char *sentence = !is_step && any->sentence[0] != '\0' ? any->sentence : NULL;
    char method[NEREUS_METHOD_TEXT_MAX];
    NEREUS_TABLE_ADD(table, COLUMNS);
}

static void add_change(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                       struct nereus_table *table)
{
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP)
            add_row(table, change, event, nereus_step_name(event->step_kind), event->time_s);
    }
    const struct nereus_trace_event *whole = change->whole;
    if (whole != NULL && !isnan(whole->rt_s)) {
        add_row(table, change, whole, "waits", whole->waits_s);
        add_row(table, change, whole, "not-attributed", whole->not_attributed_s);
    }
    if (whole != NULL)
        add_row(table, change, whole, "RT", whole->rt_s);
}

void nereus_trace_fill_table(const struct nereus_trace *trace, struct nereus_table *table)
{
    struct nereus_trace_change change = {0};
    NEREUS_TABLE_INIT(table, COLUMNS);
    while (nereus_trace_next_change(trace, &change))
        add_change(trace, &change, table);
}

/* ---- time lines ---- */

enum { WIDTH = 60 };

static int compute_column(double time_s, double whole_s)
{
    const double column = time_s / whole_s * WIDTH;
    return column < 0 ? 0 : column > WIDTH - 1 ? WIDTH - 1 : (int)column;
}

/* Draw a step, which takes at least one column. */
static void draw_step(const struct nereus_trace_event *step, double whole_s, char line[WIDTH + 1])
{
    const int from = compute_column(step->start_s, whole_s),
              arrived = compute_column(nereus_trace_arrived_s(step), whole_s),
              end = compute_column(nereus_trace_end_s(step), whole_s);
    memset(line, ' ', WIDTH);
    line[WIDTH] = '\0';
    for (int i = from; i < arrived; i++)
        line[i] = '.';
    for (int i = arrived; i <= end; i++)
        line[i] = '#';
}

/* Find the widest label of the steps that are drawn.
 * @return end of the last one */
static double measure_steps(const struct nereus_trace *trace,
                            const struct nereus_trace_change *change, int *width)
{
    double last_s = change->whole != NULL ? change->whole->rt_s : NAN;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && !isnan(event->start_s)) {
            char label[NEREUS_TRACE_LABEL];
            const int length = (int)strlen(nereus_trace_step_label(event, label));
            *width = length > *width ? length : *width;
            last_s = fmax(last_s, nereus_trace_end_s(event));
        }
    }
    return last_s;
}

/* Draw when each step of one reconfiguration waited and ran, a line each. */
static void print_time_line(const struct nereus_trace *trace,
                            const struct nereus_trace_change *change, FILE *stream)
{
    int width = 0;
    const double whole_s = measure_steps(trace, change, &width);
    if (width == 0 || !(whole_s > 0))
        return;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && !isnan(event->start_s)) {
            char label[NEREUS_TRACE_LABEL], line[WIDTH + 1];
            draw_step(event, whole_s, line);
            fprintf(stream, "  %-*s |%s|\n", width, nereus_trace_step_label(event, label), line);
        }
    }
    fprintf(stream, "  %-*s  0%*.4g s   . waits for the last process, # runs\n", width, "",
            WIDTH - 2, whole_s);
}

/* ---- for people ---- */

#define STEP_COLUMNS(X)                                                                            \
    X("step", "#", NULL, nereus_cell_integer(step->step))                                          \
    X("kind", "step", NULL, nereus_cell_text(nereus_trace_step_label(step, label)))                \
    X("old", "old", NULL, nereus_cell_integer(step->old_processes))                                \
    X("new", "new", NULL, nereus_cell_integer(step->new_processes))                                \
    X("bytes", "bytes", NULL, nereus_cell_if(step->bytes > 0, nereus_cell_integer(bytes)))         \
    X("start_s", "from", "s", nereus_cell_real(step->start_s))                                     \
    X("time_s", "time", "s", nereus_cell_real(step->time_s))                                       \
    X("critical_s", "critical", "s", nereus_cell_real(step->critical_s))                           \
    X("wait_s", "wait", "s", nereus_cell_real(step->wait_s))

static bool print_steps(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                        FILE *stream)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, STEP_COLUMNS);
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *step = &trace->events[i];
        if (step->kind == NEREUS_TRACE_STEP) {
            char label[NEREUS_TRACE_LABEL];
            const int64_t bytes = isnan(step->bytes) ? 0 : (int64_t)step->bytes;
            NEREUS_TABLE_ADD(&table, STEP_COLUMNS);
        }
    }
    const bool printed =
        table.row_count == 0 || nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    nereus_table_fini(&table);
    return printed;
}

static void print_head(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                       FILE *stream)
{
    const struct nereus_trace_event *whole = change->whole,
                                    *any = whole != NULL ? whole : &trace->events[change->first];
    char method[NEREUS_METHOD_TEXT_MAX];
    if (change->job > 1)
        fprintf(stream, "Job %lld, reconfiguration", (long long)change->job);
    else
        fprintf(stream, "Reconfiguration");
    fprintf(stream, " %lld: %lld -> %lld process%s by %s: ", (long long)change->number,
            (long long)any->ns, (long long)any->nt, nereus_plural_es(any->nt),
            nereus_method_format(&any->method, method));
    if (whole == NULL) {
        fprintf(stream, "unfinished: the trace ends before its line\n");
    } else if (isnan(whole->rt_s)) {
        fprintf(stream, "%s: %s\n", whole->outcome, whole->sentence);
    } else {
        fprintf(stream, "%s, RT %.4g s (critical path %.4g, waits %.4g, not attributed %.4g)%s\n",
                whole->outcome, whole->rt_s, whole->critical_s, whole->waits_s,
                whole->not_attributed_s, whole->oversubscribed ? ", oversubscribed" : "");
    }
}

/* "Chosen by the model" for a goal, with the energy where that is the goal. */
static void describe_goal(const struct nereus_trace_event *choice, char *text, size_t size)
{
    char energy[32];
    text[0] = '\0';
    if (choice->goal[0] != '\0')
        nereus_append(text, size, " for the goal %s", choice->goal);
    if (choice->predicted_energy_j >= 0)
        nereus_append(text, size, " (%s J predicted)",
                      nereus_format_digits(choice->predicted_energy_j, 4, energy));
}

/* Print why the method was chosen, if the request named none, and the program of new processes. */
static void print_decision(const struct nereus_trace *trace,
                           const struct nereus_trace_change *change, FILE *stream)
{
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *choice = &trace->events[i];
        char goal[80];
        if (choice->kind == NEREUS_TRACE_CHOICE && choice->by_model) {
            describe_goal(choice, goal, sizeof goal);
            nereus_print_wrapped(
                stream, 2,
                "Chosen by the model%s, RT of %.4g s predicted (90 %%: %.4g to %.4g): %s", goal,
                choice->predicted_rt_s, choice->predicted_rt_low_s, choice->predicted_rt_high_s,
                choice->sentence);
        } else if (choice->kind == NEREUS_TRACE_CHOICE) {
            nereus_print_wrapped(stream, 2, "Chosen by a rule, not by the model: %s",
                                 choice->sentence);
        } else if (choice->kind == NEREUS_TRACE_START) {
            nereus_print_wrapped(stream, 2, "New processes start (%s): %s", choice->outcome,
                                 choice->sentence);
        }
    }
}

/* Print the restarts among the events [first, end). */
static void print_restarts(const struct nereus_trace *trace, int64_t first, int64_t end,
                           FILE *stream)
{
    for (int64_t i = first; i < end; i++) {
        const struct nereus_trace_event *restart = &trace->events[i];
        if (restart->kind != NEREUS_TRACE_RESTART)
            continue;
        fprintf(stream, "Restart from '%s', after point %lld: %lld -> %lld process%s\n",
                restart->sentence, (long long)restart->points, (long long)restart->ns,
                (long long)restart->nt, nereus_plural_es(restart->nt));
    }
}

bool nereus_trace_print(const struct nereus_trace *trace, FILE *stream)
{
    struct nereus_trace_change change = {0};
    bool printed = true;
    int64_t shown = 0;
    for (; printed && nereus_trace_next_change(trace, &change); shown = change.end) {
        print_restarts(trace, shown, change.first, stream);
        if (change.first > 0)
            fputc('\n', stream);
        print_head(trace, &change, stream);
        print_decision(trace, &change, stream);
        printed = print_steps(trace, &change, stream);
        print_time_line(trace, &change, stream);
    }
    print_restarts(trace, shown, trace->count, stream);
    return printed && !ferror(stream);
}
