/** @file plan_terminal.c  Draws the time line of a plan on a terminal: a bar of blocks for each
 * step. */
#include <unistd.h>

#include "plan_print.h"
#include "predictor/cli/terminal.h"

enum { LABEL_MAX = 40, TIME = 12, BAR_MIN = 20 };

/* Characters that are filled from the left by 0 to 8 eighths. */
static const char *const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* @return eighths of character `column` that a bar fills which ends at `end` (in characters) */
static int count_filled_eighths(double end, int column)
{
    return (int)fmin(fmax(round(8 * (end - column)), 0), 8);
}

/* Draw a bar, at least an eighth long. Blocks fill a character from the left, so that a bar that
 * begins within one is drawn with colours exchanged. */
static void print_bar(FILE *stream, double from, double to, int width, int rgb, bool blocks)
{
    from = fmin(from, width - 0.125);
    to = fmax(to, from + 0.125);
    for (int column = 0; column < width; column++) {
        const int eighths_before = count_filled_eighths(from, column),
                  end = count_filled_eighths(to, column);
        if (end <= eighths_before) {
            fputc(' ', stream);
            continue;
        }
        nereus_terminal_paint(stream, blocks ? rgb : -1, blocks ? -1 : rgb);
        if (eighths_before > 0 && blocks)
            fputs("\033[7m", stream);
        fputs(blocks ? eighths[eighths_before > 0 ? eighths_before : end] : " ", stream);
        nereus_terminal_plain(stream);
    }
}

static int measure_labels(const struct nereus_plan *plan)
{
    char label[96];
    int widest = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const int length = (int)strlen(nereus_step_label(&plan->steps[i], label));
        widest = length > widest ? length : widest;
    }
    return widest < LABEL_MAX ? widest : LABEL_MAX;
}

void nereus_plan_print_bars(const struct nereus_priced_plan *priced, FILE *stream)
{
    const struct nereus_plan *plan = &priced->plan;
    const int label_width = measure_labels(plan);
    const int width = nereus_terminal_columns(STDOUT_FILENO) - label_width - TIME - 4;
    const double end_s = plan->step_count > 0 ? priced->prices[plan->step_count - 1].end_s : 0;
    if (width < BAR_MIN || !(end_s > 0))
        return;
    fputc('\n', stream);
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step_price *price = &priced->prices[i];
        char label[96], time[32];
        fprintf(stream, "%2d %-*.*s ", i + 1, label_width, label_width,
                nereus_step_label(&plan->steps[i], label));
        print_bar(stream, width * price->start_s / end_s, width * price->end_s / end_s, width,
                  (int)nereus_ink_rgb(nereus_step_ink(plan->steps[i].kind), true),
                  nereus_terminal_is_utf8());
        fprintf(stream, " %s\n",
                price->time_s.value > 0 ? nereus_axis_seconds_text(price->time_s.value, time) : "");
    }
}
