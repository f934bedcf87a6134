/**
 * @file output.c
 * Launchers' output passes through a thread, so that a slow reader cannot keep nereus-supervise
 * from its lifelines.
 */
#include "output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "model/util/clock.h"

enum { CHUNK_BYTES = 1 << 16, EVENTS_MAX = 16 };
/* Time limit for the job's own message after a launcher's error; then the launcher's lines are
 * printed. */
static const double error_wait_s = 3;
/* Time limit for output that arrives after the last launcher has ended. */
static const double rest_s = 0.3;

/* Standard output or standard error of a launcher. */
struct stream {
    struct stream *next;
    struct line_filter filter;
    int from; /* -1 after its end */
};

/* What the thread works on. */
struct reader {
    struct output *output;
    struct stream *streams; /* those that are open or hold lines back */
    double deadline_s;      /* errors of launchers are held back until then; 0: none are */
};

/* ---- streams --------------------------------------------------------------------------------- */

/* Discard further output, and let the job continue. A reader that has closed the pipe is not an
 * error. */
static void discard(struct output_sink *sink, int reason)
{
    sink->write_errno = reason;
    if (reason != EPIPE && sink->to == STDOUT_FILENO)
        fprintf(stderr, "nereus-mpiexec: standard output could not be written: %s\n",
                strerror(reason));
}

static void write_all(void *user, const char *text, size_t length)
{
    struct output_sink *sink = user;
    while (length > 0 && sink->write_errno == 0) {
        const ssize_t written = write(sink->to, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){sink->to, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            discard(sink, errno);
        }
    }
}

/* Pass on what the filter of a stream has found in the launcher's lines. */
static void report(struct output *output, const struct line_filter *filter)
{
    output->aborted = output->aborted || filter->aborted;
    if (filter->write_error[0] != '\0')
        memcpy(output->write_error, filter->write_error, sizeof output->write_error);
    if (filter->missing_program[0] == '\0' || output->missing_program[0] != '\0')
        return;
    memcpy(output->missing_program, filter->missing_program, sizeof output->missing_program);
    if (write(output->event_end, "m", 1) < 0)
        return; /* reported at the end */
}

/* A launcher that is being started has copies of the descriptors of others: closing them does not
 * end the watch. */
static void close_watched(const struct output *output, int *from)
{
    epoll_ctl(output->poll, EPOLL_CTL_DEL, *from, NULL);
    close(*from);
    *from = -1;
}

/* @return false: no data now, or end of file */
static bool read_available(struct output *output, struct stream *stream)
{
    static char chunk[CHUNK_BYTES]; /* static: there is one such thread */
    const ssize_t length = stream->from < 0 ? 0 : read(stream->from, chunk, CHUNK_BYTES);
    if (length > 0) {
        line_filter_add(&stream->filter, chunk, (size_t)length);
        report(output, &stream->filter);
    }
    if (stream->from >= 0 && length == 0) {
        close_watched(output, &stream->from);
        line_filter_flush(&stream->filter);
    }
    return length > 0;
}

static void end_stream(struct output *output, struct stream *stream, bool drops)
{
    line_filter_end(&stream->filter, drops);
    report(output, &stream->filter);
    if (stream->from >= 0)
        close_watched(output, &stream->from);
    free(stream);
}

/* Forget the streams that have ended, unless they hold lines back. */
static void remove_ended(struct reader *reader)
{
    for (struct stream **link = &reader->streams; *link != NULL;) {
        struct stream *stream = *link;
        if (stream->from >= 0 || stream->filter.reports.length > 0) {
            link = &stream->next;
        } else {
            *link = stream->next;
            end_stream(reader->output, stream, true);
        }
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Take over the streams of a new launcher.
 * @return false: the job has ended, and there will be no more */
static bool take_streams(struct reader *reader)
{
    struct stream *pair[2];
    if (read(reader->output->command_end, pair, sizeof pair) != (ssize_t)sizeof pair) {
        close_watched(reader->output, &reader->output->command_end);
        return false;
    }
    struct stream **last = &reader->streams;
    while (*last != NULL)
        last = &(*last)->next;
    *last = pair[0];
    pair[0]->next = pair[1];
    pair[1]->next = NULL;
    return true;
}

/* Poll timeout in ms; -1: none. */
static int get_poll_timeout_ms(struct reader *reader)
{
    bool holds = false;
    for (const struct stream *stream = reader->streams; stream != NULL; stream = stream->next)
        holds = holds || stream->filter.has_error;
    holds = holds && !reader->output->ending;
    const double now_s = nereus_monotonic_s();
    if (!holds)
        reader->deadline_s = 0;
    else if (reader->deadline_s <= 0)
        reader->deadline_s = now_s + error_wait_s;
    if (!holds || now_s < reader->deadline_s)
        return holds ? (int)((reader->deadline_s - now_s) * 1e3) + 1 : -1;
    for (struct stream *stream = reader->streams; stream != NULL; stream = stream->next)
        line_filter_release(&stream->filter);
    reader->deadline_s = 0;
    return -1;
}

/* Wait for output, and pass it on.
 * @return false: the job has ended */
static bool pass_on(struct reader *reader, int timeout_ms)
{
    struct epoll_event events[EVENTS_MAX];
    const int count = epoll_wait(reader->output->poll, events, EVENTS_MAX, timeout_ms);
    bool goes_on = true;
    for (int i = 0; i < count; i++)
        if (events[i].data.ptr == NULL)
            goes_on = take_streams(reader);
        else
            read_available(reader->output, events[i].data.ptr);
    remove_ended(reader);
    return goes_on;
}

static bool has_open_stream(const struct reader *reader)
{
    for (const struct stream *stream = reader->streams; stream != NULL; stream = stream->next)
        if (stream->from >= 0)
            return true;
    return false;
}

/* Continue to read after the launchers have ended: a child that could not be started may report
 * late. */
static void read_rest(struct reader *reader)
{
    const double deadline_s = nereus_monotonic_s() + rest_s;
    while (has_open_stream(reader) && nereus_monotonic_s() < deadline_s)
        pass_on(reader, 10);
    for (struct stream *stream = reader->streams; stream != NULL; stream = stream->next)
        while (read_available(reader->output, stream))
            ;
}

static void *run_thread(void *argument)
{
    struct output *output = argument;
    struct reader reader = {.output = output};
    while (pass_on(&reader, get_poll_timeout_ms(&reader)))
        ;
    read_rest(&reader);
    for (struct stream *next; reader.streams != NULL; reader.streams = next) {
        next = reader.streams->next;
        end_stream(output, reader.streams, output->drops);
    }
    output->lost = output->sinks[0].write_errno != 0 && output->sinks[0].write_errno != EPIPE;
    return NULL;
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* @return false: no resources */
static bool watch(const struct output *output, int from, struct stream *stream)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    return epoll_ctl(output->poll, EPOLL_CTL_ADD, from, &event) == 0;
}

/* @param[out] end  the stream's write end
 * @return NULL: no descriptors or memory */
static struct stream *open_stream(struct output *output, int number, int *end)
{
    int ends[2];
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        free(stream);
        return NULL;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *stream = (struct stream){
        .from = ends[0],
        .filter = {.sink = write_all, .user = &output->sinks[number], .is_stderr = number == 1}};
    *end = ends[1];
    return stream;
}

bool output_add(struct output *output, int ends[2])
{
    int opened[2] = {-1, -1};
    if (!output->runs)
        return false;
    struct stream *pair[2] = {open_stream(output, 0, &opened[0]),
                              open_stream(output, 1, &opened[1])};
    const bool given = pair[0] != NULL && pair[1] != NULL &&
                       write(output->command, pair, sizeof pair) == (ssize_t)sizeof pair;
    /* Streams that the thread has been given are its own; it ends them when nobody can write. */
    if (given && watch(output, pair[0]->from, pair[0]) && watch(output, pair[1]->from, pair[1])) {
        memcpy(ends, opened, sizeof opened);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        if (!given && pair[i] != NULL)
            close(pair[i]->from);
        if (!given)
            free(pair[i]);
        close(opened[i]);
    }
    return false;
}

static void close_all(struct output *output)
{
    const int all[] = {output->ends[0], output->ends[1],   output->command, output->command_end,
                       output->event,   output->event_end, output->poll};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    output->ends[0] = output->ends[1] = output->event = -1;
}

void output_open(struct output *output)
{
    int commands[2] = {-1, -1}, events[2] = {-1, -1};
    *output = (struct output){.ends = {-1, -1},
                              .poll = epoll_create1(EPOLL_CLOEXEC),
                              .sinks = {{.to = STDOUT_FILENO}, {.to = STDERR_FILENO}}};
    output->runs = output->poll >= 0 && pipe2(commands, O_CLOEXEC) == 0 &&
                   pipe2(events, O_CLOEXEC) == 0 && watch(output, commands[0], NULL);
    output->command = commands[1];
    output->command_end = commands[0];
    output->event = events[0];
    output->event_end = events[1];
    output->runs = output->runs && output_add(output, output->ends) &&
                   pthread_create(&output->thread, NULL, run_thread, output) == 0;
    if (!output->runs)
        close_all(output);
}

void output_redirect(const int ends[2])
{
    if (ends[0] >= 0)
        dup2(ends[0], STDOUT_FILENO);
    if (ends[1] >= 0)
        dup2(ends[1], STDERR_FILENO);
}

void output_close(struct output *output, bool drops)
{
    if (!output->runs)
        return;
    output->drops = drops;
    close(output->command);
    close(output->ends[0]); /* closed so that the streams reach end of file */
    close(output->ends[1]);
    pthread_join(output->thread, NULL);
    close(output->event);
    close(output->event_end);
    close(output->poll);
    output->runs = false;
}
