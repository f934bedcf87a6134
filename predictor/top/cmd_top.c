/** @file cmd_top.c  nereus top: what a monitored job does, now. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/util/standard_output.h"
#include "predictor/cli/command.h"
#include "predictor/cli/options.h"
#include "predictor/cli/terminal.h"
#include "top_view.h"

struct settings {
    bool once;
    int format, colour;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"once", 0, NEREUS_OPTION_FLAG, NULL, "show the latest interval, and end", AT(once), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text (live), csv (a row for each process) or json; these two end like --once (text)",
     AT(format), nereus_format_choices},
    NEREUS_COLOUR_OPTION(AT(colour)),
};

/* A file that is read while it is written. */
struct feed {
    const char *name;
    int descriptor;
    bool is_pipe; /* it ends when nothing more comes */
    char *text;   /* what has come, from the last line that was taken */
    size_t length, room;
};

/* Lines of an interval are written at once, and shown as soon as they are seen. */
static const struct timespec pause_between_reads = {0, 100 * 1000 * 1000};

/* @return bytes; 0: none now; below 0: errno says why */
static ssize_t read_more(struct feed *feed)
{
    if (feed->room - feed->length < 4096) {
        const size_t room = 2 * feed->room + 65536;
        char *text = realloc(feed->text, room);
        if (text == NULL) {
            return -1;
        }
        feed->text = text;
        feed->room = room;
    }
    const ssize_t bytes =
        read(feed->descriptor, feed->text + feed->length, feed->room - feed->length);
    feed->length += bytes > 0 ? (size_t)bytes : 0;
    return bytes;
}

/* All lines that are complete; what follows stays. */
static enum nereus_status take_lines(struct feed *feed, struct nereus_monitored *job,
                                     struct nereus_error *err)
{
    const char *begin = feed->text, *end = feed->text + feed->length, *newline;
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK && (newline = memchr(begin, '\n', (size_t)(end - begin))) != NULL) {
        status = nereus_monitored_take(feed->name, begin, (size_t)(newline - begin), job, err);
        begin = newline + 1;
    }
    feed->length = (size_t)(end - begin);
    memmove(feed->text, begin, feed->length);
    return status;
}

static bool show(const struct settings *settings, const struct nereus_monitored *job, bool live)
{
    const bool colours = nereus_terminal_colours(settings->colour);
    if (settings->format == NEREUS_FORMAT_JSON) {
        return nereus_json_print(nereus_top_json(job), stdout);
    }
    if (settings->format == NEREUS_FORMAT_CSV) {
        struct nereus_table rows;
        nereus_top_rows(job, &rows);
        return nereus_table_print(&rows, NEREUS_FORMAT_CSV, stdout);
    }
    const bool screen = live && nereus_terminal_can(STDOUT_FILENO);
    if (screen) {
        nereus_terminal_clear(stdout);
    }
    const bool printed = nereus_top_print(job, screen ? nereus_terminal_rows(STDOUT_FILENO) / 2 : 0,
                                          colours, stdout);
    if (live && !screen) {
        fputc('\n', stdout);
    }
    return printed && nereus_output_flush();
}

/* What is there now, and with `live` what comes, until the job has ended. */
static int follow(const struct settings *settings, struct feed *feed, bool live)
{
    struct nereus_monitored job = {0};
    struct nereus_error err;
    int64_t shown = 0; /* news */
    int exit_status = NEREUS_EXIT_OK;
    for (bool more = true; more && exit_status == NEREUS_EXIT_OK;) {
        const ssize_t bytes = read_more(feed);
        if (bytes < 0 && errno != EINTR) {
            exit_status = nereus_cli_fail("%s: %s", feed->name, strerror(errno));
        } else if (bytes > 0 && take_lines(feed, &job, &err) != NEREUS_OK) {
            exit_status = nereus_cli_fail("%s", err.text);
        } else if (bytes == 0 || (bytes > 0 && feed->is_pipe && live)) {
            more = live && nereus_output_is_read() && !job.ended && (bytes > 0 || !feed->is_pipe);
            if (job.samples > 0 && job.news > shown && (live || !more) &&
                !show(settings, &job, live)) {
                exit_status = NEREUS_EXIT_FAILED;
            }
            shown = job.news;
        }
        if (bytes == 0 && more) {
            nanosleep(&pause_between_reads, NULL);
        }
    }
    if (exit_status == NEREUS_EXIT_OK && job.samples == 0) {
        exit_status = nereus_cli_fail("%s holds no interval yet", feed->name);
    }
    nereus_monitored_fini(&job);
    return exit_status;
}

static const char help[] =
    "Shows what NEREUS_MONITOR writes while the job runs: its processes and hosts, iteration time, "
    "imbalance, MPI calls, and the latest request for another size. FILE is - for standard input. "
    "It is drawn anew with each interval, until the job has ended; where standard output is no "
    "terminal each interval is printed. Terms are explained in docs/monitoring.md.";

static const struct nereus_plain_line plain = {"FILE", help, table, NEREUS_COUNT_OF(table)};

static int run(int argc, char **argv)
{
    struct settings settings = {0};
    const char *file;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    const bool is_stdin = strcmp(file, "-") == 0;
    struct feed feed = {.name = is_stdin ? "standard input" : file,
                        .descriptor = STDIN_FILENO,
                        .is_pipe = is_stdin};
    if (!is_stdin) {
        feed.descriptor = open(feed.name, O_RDONLY | O_CLOEXEC);
    }
    if (feed.descriptor < 0) {
        return nereus_cli_fail("%s: %s", feed.name, strerror(errno));
    }
    const bool live = !settings.once && settings.format == NEREUS_FORMAT_TEXT;
    exit_status = follow(&settings, &feed, live);
    free(feed.text);
    if (!is_stdin) {
        close(feed.descriptor);
    }
    return exit_status;
}

const struct command nereus_cmd_top = {"top", "show what a monitored job does, live", run};
