/** @file trace_time_line.c  Draws when each step of a reconfiguration waited and ran, a line each.
 */

#include "predictor/plan/priced_plan.h"
#include "trace_view.h"

enum { WIDTH = 60 };

double nereus_trace_arrived_s(const struct nereus_trace_event *step)
{
    return isnan(step->arrived_s) ? step->start_s : step->arrived_s;
}

double nereus_trace_end_s(const struct nereus_trace_event *step)
{
    return nereus_trace_arrived_s(step) + step->time_s;
}

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
            char label[96];
            const int length = (int)strlen(nereus_trace_step_label(event, label));
            *width = length > *width ? length : *width;
            last_s = fmax(last_s, nereus_trace_end_s(event));
        }
    }
    return last_s;
}

void nereus_trace_print_time_line(const struct nereus_trace *trace,
                                  const struct nereus_trace_change *change, FILE *stream)
{
    int width = 0;
    const double whole_s = measure_steps(trace, change, &width);
    if (width == 0 || !(whole_s > 0))
        return;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && !isnan(event->start_s)) {
            char label[96], line[WIDTH + 1];
            draw_step(event, whole_s, line);
            fprintf(stream, "  %-*s |%s|\n", width, nereus_trace_step_label(event, label), line);
        }
    }
    fprintf(stream, "  %-*s  0%*.4g s   . waits for the last process, # runs\n", width, "",
            WIDTH - 2, whole_s);
}

const char *nereus_trace_step_label(const struct nereus_trace_event *step,
                                    char text[NEREUS_TRACE_LABEL])
{
    const struct nereus_step planned_step = {.kind = step->step_kind,
                                             .level = step->level,
                                             .repeat = step->repeat,
                                             .times = step->times};
    return nereus_step_label(&planned_step, text);
}
