/**
 * @file output.c
 * Launchers' output passes through a thread, so that a slow reader cannot keep nereus-supervise
 * from its lifelines.
 */
#include "output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "model/util/clock.h"

enum { CHUNK_BYTES = 1 << 16 };
/* Time limit for the job's own message after a launcher's error; then the launcher's lines are
 * printed. */
static const double error_wait_s = 3;
/* Time limit for output that arrives after the last launcher has ended. */
static const double rest_s = 0.3;

/* Standard output or standard error. */
struct stream {
    struct line_filter filter;
    int from, to;    /* from: -1 after its end */
    int write_errno; /* errno of the first write that failed; 0: none */
};

/* Discard further output, and let the job continue. A reader that has closed the pipe is not an
 * error. */
static void discard(struct stream *stream, int reason)
{
    stream->write_errno = reason;
    if (reason != EPIPE && stream->to == STDOUT_FILENO)
        fprintf(stderr, "nereus-mpiexec: standard output could not be written: %s\n",
                strerror(reason));
}

static void write_all(void *user, const char *text, size_t length)
{
    struct stream *stream = user;
    while (length > 0 && stream->write_errno == 0) {
        const ssize_t written = write(stream->to, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){stream->to, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            discard(stream, errno);
        }
    }
}

static void close_stream(struct stream *stream)
{
    close(stream->from);
    stream->from = -1;
}

/* @return false: no data now, or end of file */
static bool read_available(struct stream *stream, char *chunk)
{
    const ssize_t length = stream->from < 0 ? 0 : read(stream->from, chunk, CHUNK_BYTES);
    if (length > 0)
        line_filter_add(&stream->filter, chunk, (size_t)length);
    if (stream->from >= 0 && length == 0)
        close_stream(stream);
    return length > 0;
}

/* Continue to read after the launcher has ended: a child that could not be started may report
 * late. */
static void drain(struct stream *stream, char *chunk)
{
    const double deadline_s = nereus_monotonic_s() + rest_s;
    while (stream->from >= 0 && nereus_monotonic_s() < deadline_s)
        if (!read_available(stream, chunk) && stream->from >= 0)
            poll(&(struct pollfd){stream->from, POLLIN, 0}, 1, 10);
    while (read_available(stream, chunk))
        ;
}

/* Report a program that the launcher could not start. */
static void report_missing(struct output *output, const struct stream *stream)
{
    if (stream->filter.missing_program[0] == '\0' || output->missing_program[0] != '\0')
        return;
    memcpy(output->missing_program, stream->filter.missing_program, sizeof output->missing_program);
    if (write(output->event_end, "m", 1) < 0)
        return; /* reported at the end */
}

/* Poll timeout in ms; -1: none. Errors of the launcher are held back until `deadline_s`; 0: no errors
 * are held back. */
static int get_poll_timeout_ms(const struct output *output, struct stream *streams,
                               double *deadline_s)
{
    const bool holds =
        !output->ending && (streams[0].filter.has_error || streams[1].filter.has_error);
    const double now_s = nereus_monotonic_s();
    if (!holds)
        *deadline_s = 0;
    else if (*deadline_s <= 0)
        *deadline_s = now_s + error_wait_s;
    if (!holds || now_s < *deadline_s)
        return holds ? (int)((*deadline_s - now_s) * 1e3) + 1 : -1;
    for (int i = 0; i < 2; i++)
        line_filter_release(&streams[i].filter);
    *deadline_s = 0;
    return -1;
}

static void *run_thread(void *argument)
{
    static char chunk[CHUNK_BYTES]; /* static: there is one such thread */
    struct output *output = argument;
    struct stream streams[2] = {{.from = output->ends[0], .to = STDOUT_FILENO},
                                {.from = output->ends[1], .to = STDERR_FILENO}};
    for (int i = 0; i < 2; i++) {
        streams[i].filter.sink = write_all;
        streams[i].filter.user = &streams[i];
        streams[i].filter.is_stderr = i == 1;
        fcntl(streams[i].from, F_SETFL, O_NONBLOCK);
    }
    struct pollfd fds[3] = {{-1, POLLIN, 0}, {-1, POLLIN, 0}, {output->ends[2], POLLIN, 0}};
    double deadline_s = 0;
    while (fds[2].revents == 0) {
        for (int i = 0; i < 2; i++)
            fds[i].fd = streams[i].from;
        poll(fds, 3, get_poll_timeout_ms(output, streams, &deadline_s));
        for (int i = 0; i < 2; i++)
            if (fds[i].revents != 0 && read_available(&streams[i], chunk))
                report_missing(output, &streams[i]);
    }
    for (int i = 0; i < 2; i++) {
        drain(&streams[i], chunk);
        line_filter_end(&streams[i].filter, output->drops);
        output->aborted = output->aborted || streams[i].filter.aborted;
        report_missing(output, &streams[i]);
        if (streams[i].filter.write_error[0] != '\0')
            memcpy(output->write_error, streams[i].filter.write_error, sizeof output->write_error);
        if (streams[i].from >= 0)
            close_stream(&streams[i]);
    }
    output->lost = streams[0].write_errno != 0 && streams[0].write_errno != EPIPE;
    return NULL;
}

static void close_all(struct output *output)
{
    const int all[] = {
        output->ends[0],           output->ends[1], output->ends[2], output->launchers_ends[0],
        output->launchers_ends[1], output->command, output->event,   output->event_end};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
}

void output_open(struct output *output)
{
    int pipes[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    output->runs = true;
    output->drops = output->ending = false;
    output->missing_program[0] = output->write_error[0] = '\0';
    for (int i = 0; i < 4; i++)
        output->runs = output->runs && pipe2(pipes[i], O_CLOEXEC) == 0;
    for (int i = 0; i < 3; i++)
        output->ends[i] = pipes[i][0];
    output->launchers_ends[0] = pipes[0][1];
    output->launchers_ends[1] = pipes[1][1];
    output->command = pipes[2][1];
    output->event = pipes[3][0];
    output->event_end = pipes[3][1];
    output->runs = output->runs && pthread_create(&output->thread, NULL, run_thread, output) == 0;
    if (!output->runs) {
        close_all(output);
        output->event = -1;
    }
}

void output_redirect(const struct output *output)
{
    if (!output->runs)
        return;
    dup2(output->launchers_ends[0], STDOUT_FILENO);
    dup2(output->launchers_ends[1], STDERR_FILENO);
}

void output_close(struct output *output, bool drops)
{
    if (!output->runs)
        return;
    output->drops = drops;
    close(output->command);
    close(output->launchers_ends[0]); /* closed so that the streams reach end of file */
    close(output->launchers_ends[1]);
    pthread_join(output->thread, NULL);
    close(output->ends[2]);
    close(output->event);
    close(output->event_end);
    output->runs = false;
}
