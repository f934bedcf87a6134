/** @file progress.c  Draws progress as a bar on a terminal, and as plain lines elsewhere. */
#include "progress.h"

#include <unistd.h>

#include "model/util/clock.h"
#include "terminal.h"

double nereus_progress_clock_s(void)
{
    static double simulated_s;
    const char *step = getenv("NEREUS_TEST_CLOCK_S");
    return step != NULL ? (simulated_s += nereus_strtod(step, NULL)) : nereus_monotonic_s();
}

/* Seconds between two drawings: drawing disturbs measurements, and a log should have few lines. */
static const double terminal_interval_s = 0.2, plain_interval_s = 10;
enum { BAR_WIDTH = 24 };

static double estimate_left_s(const struct nereus_progress *progress, double now_s)
{
    if (progress->left_s >= 0)
        return progress->left_s;
    double share = progress->done / progress->total;
    /* Early extrapolations mislead: first estimate after 2 %. */
    return share < 0.02 ? -1 : (now_s - progress->started_s) * (1 - share) / share;
}

static const char *format_left(double seconds, char *text, size_t bytes)
{
    if (seconds < 0)
        text[0] = '\0';
    else if (seconds < 90)
        snprintf(text, bytes, ", %.0f s left", seconds);
    else if (seconds < 2.0 * 60 * 60)
        snprintf(text, bytes, ", %.0f min left", seconds / 60);
    else
        snprintf(text, bytes, ", %.0f h left", seconds / 3600);
    return text;
}

static void draw_line(struct nereus_progress *progress, double now_s)
{
    char bar[BAR_WIDTH + 1] = "", left[32], line[256];
    double share = progress->done / progress->total;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    format_left(estimate_left_s(progress, now_s), left, sizeof left);
    if (progress->terminal) {
        for (int i = 0; i < BAR_WIDTH; i++)
            bar[i] = i < share * BAR_WIDTH ? '#' : '.';
        snprintf(line, sizeof line, "%s [%s] %3.0f %%%s  %s", progress->what, bar, 100 * share,
                 left, progress->note);
        fprintf(stderr, "\r\033[K%.*s", progress->columns - 1, line);
        fflush(stderr);
    } else {
        fprintf(stderr, "%s: %.0f %%%s%s%s\n", progress->what, 100 * share, left,
                progress->note[0] != '\0' ? ": " : "", progress->note);
    }
    progress->line_shown = progress->terminal;
    progress->ever_drawn = true;
    progress->drawn_s = now_s;
}

static void clear_bar(struct nereus_progress *progress)
{
    if (progress->line_shown) {
        fputs("\r\033[K", stderr);
        progress->line_shown = false;
    }
}

static void init_line(struct nereus_progress *progress, const char *what, double total,
                      double now_s)
{
    *progress = (struct nereus_progress){.what = what,
                                         .total = total > 0 ? total : 1,
                                         .started_s = now_s,
                                         .left_s = -1,
                                         .terminal = nereus_terminal_is_capable(STDERR_FILENO),
                                         .columns = nereus_terminal_columns(STDERR_FILENO)};
}

void nereus_progress_start(struct nereus_progress *progress, const char *what, double total)
{
    const double now_s = nereus_progress_clock_s();
    init_line(progress, what, total, now_s);
    draw_line(progress, now_s);
}

static double get_interval_s(const struct nereus_progress *progress)
{
    return progress->terminal ? terminal_interval_s : plain_interval_s;
}

void nereus_progress_start_quietly(struct nereus_progress *progress, const char *what, double total,
                                   double quiet_s)
{
    const double now_s = nereus_progress_clock_s();
    init_line(progress, what, total, now_s);
    progress->drawn_s =
        now_s + quiet_s - get_interval_s(progress); /* so that the first drawing is after quiet_s */
}

void nereus_progress_update(struct nereus_progress *progress, double done, const char *note)
{
    progress->done = done;
    if (note != NULL)
        snprintf(progress->note, sizeof progress->note, "%s", note);
    double now_s = nereus_progress_clock_s();
    if (now_s - progress->drawn_s >= get_interval_s(progress))
        draw_line(progress, now_s);
}

void nereus_progress_set_left(struct nereus_progress *progress, double left_s)
{
    progress->left_s = left_s;
}

void nereus_progress_print_line(struct nereus_progress *progress, const char *format, ...)
{
    clear_bar(progress);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (progress->terminal)
        draw_line(progress, nereus_progress_clock_s());
}

void nereus_progress_end(struct nereus_progress *progress, const char *result)
{
    clear_bar(progress);
    if (result != NULL && progress->ever_drawn) {
        fprintf(stderr, "%s: %s in %.1f s\n", progress->what, result,
                nereus_progress_clock_s() - progress->started_s);
    }
}
