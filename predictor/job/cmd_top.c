/** @file cmd_top.c  The command nereus job top: shows the present state of a monitored job. */
#include <time.h>
#include <unistd.h>

#include "model/util/standard_output.h"
#include "predictor/cli/command.h"
#include "predictor/cli/terminal.h"
#include "top_view.h"

struct settings {
    bool once;
    int format, colour;
};

static const struct nereus_option table[] = {
    {"once", 0, NEREUS_OPTION_FLAG, NULL, "show the latest interval, and end",
     offsetof(struct settings, once), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text (live), csv (a row for each process) or json; these two end like --once (text)",
     offsetof(struct settings, format), nereus_format_choices},
    NEREUS_COLOUR_OPTION(offsetof(struct settings, colour)),
};

/* Interval between two reads of the file. The lines of an interval are written at once, and shown
 * after the next read. */
static const struct timespec pause_between_reads = {0, 100 * 1000 * 1000};

static bool show_interval(const struct settings *settings, const struct nereus_monitored *job,
                          bool live)
{
    const bool colours = nereus_terminal_has_colours(settings->colour);
    if (settings->format == NEREUS_FORMAT_JSON)
        return nereus_json_write(nereus_top_json(job), stdout);
    if (settings->format == NEREUS_FORMAT_CSV)
        return nereus_top_print_csv(job, stdout);
    const bool screen = live && nereus_terminal_is_capable(STDOUT_FILENO);
    if (screen)
        nereus_terminal_clear(stdout);
    const bool printed = nereus_top_print(job, screen ? nereus_terminal_rows(STDOUT_FILENO) / 2 : 0,
                                          colours, stdout);
    if (live && !screen)
        fputc('\n', stdout);
    return printed && nereus_output_flush();
}

/* Read the events that are in the file; with `live` follow it until the job has ended. */
static enum nereus_status follow(const struct settings *settings, struct nereus_event_file *file,
                                 bool live, struct nereus_monitored *job)
{
    const bool is_pipe = strcmp(file->line.path, "-") == 0; /* a pipe ends with its writer */
    const struct nereus_event_line *line;
    int64_t shown = 0; /* value of job->event_count at the last output */
    for (bool may_grow = true; may_grow;) {
        NEREUS_TRY(nereus_event_file_next(file, &line));
        if (line != NULL)
            NEREUS_TRY(nereus_monitored_add_event(line, job));
        may_grow = line != NULL || (live && nereus_output_has_reader() && !job->ended && !is_pipe);
        if (job->samples > 0 && job->event_count > shown && (line == NULL || (is_pipe && live))) {
            if ((live || !may_grow) && !show_interval(settings, job, live)) {
                *file->line.err =
                    /* the failed write was reported already */
                    (struct nereus_error){.status = NEREUS_ERR_IO};
                return NEREUS_ERR_IO;
            }
            shown = job->event_count;
        }
        if (line == NULL && may_grow)
            nanosleep(&pause_between_reads, NULL);
    }
    return job->samples > 0
               ? NEREUS_OK
               : nereus_fail(file->line.err, NEREUS_ERR_PARSE, "%s holds no interval yet",
                             is_pipe ? "standard input" : file->line.path);
}

static const char help[] =
    "Shows what NEREUS_MONITOR writes while the job runs: its processes and hosts, iteration time, "
    "imbalance, MPI calls, and the latest request for another size. FILE is - for standard input. "
    "It is drawn anew with each interval, until the job has ended; where standard output is no "
    "terminal each interval is printed. Terms are explained in docs/jobs.md.";

static const struct nereus_plain_line plain = {"FILE", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_top(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments words;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &exit_status))
        return exit_status;
    const char *file = words.items[0];
    const bool live = !settings.once && settings.format == NEREUS_FORMAT_TEXT;
    struct nereus_monitored job = {0};
    struct nereus_event_file events;
    struct nereus_error err;
    enum nereus_status status =
        nereus_event_file_open(file, "file of a monitored job", &events, &err);
    if (status == NEREUS_OK) {
        events.text.is_followed = live;
        status = follow(&settings, &events, live, &job);
        status = nereus_event_file_close(&events, status);
        if (status == NEREUS_OK) {
            nereus_cli_note_left_out(file, events.left_out.lines, events.left_out.first,
                                     events.left_out.why);
        }
    }
    nereus_monitored_fini(&job);
    return status == NEREUS_OK   ? NEREUS_EXIT_OK
           : err.text[0] == '\0' ? NEREUS_EXIT_FAILED
                                 : nereus_cli_fail("%s", err.text);
}
