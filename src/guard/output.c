/* A thread between launchers and this program's standard output and standard error: see output.h. A
 * thread of its own, as a reader that is slow must not keep nereus-supervise from its lifelines. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

/* One of the two streams. */
struct stream {
    struct line_filter filter;
    int from, to; /* from -1: has ended */
    int lost;     /* errno of the first write that failed; 0: none */
};

/* What is printed from now on is lost, and the job goes on: of a reader that has gone nothing is
 * said. */
static void lose(struct stream *stream, int reason)
{
    stream->lost = reason;
    if (reason != EPIPE && stream->to == STDOUT_FILENO)
        fprintf(stderr, "nereus-mpiexec: standard output could not be written: %s\n",
                strerror(reason));
}

static void write_all(void *user, const char *text, size_t length)
{
    struct stream *stream = user;
    while (length > 0 && stream->lost == 0) {
        const ssize_t written = write(stream->to, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){stream->to, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            lose(stream, errno);
        }
    }
}

static void end(struct stream *stream)
{
    close(stream->from);
    stream->from = -1;
}

/* @return false: nothing is there now, or ever */
static bool read_some(struct stream *stream, char *chunk)
{
    const ssize_t length = stream->from < 0 ? 0 : read(stream->from, chunk, CHUNK_BYTES);
    if (length > 0)
        line_filter_take(&stream->filter, chunk, (size_t)length);
    if (stream->from >= 0 && length == 0)
        end(stream);
    return length > 0;
}

static void *run(void *argument)
{
    static char chunk[CHUNK_BYTES]; /* there is one such thread */
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
    while (fds[2].revents == 0) {
        for (int i = 0; i < 2; i++)
            fds[i].fd = streams[i].from;
        poll(fds, 3, -1);
        for (int i = 0; i < 2; i++)
            if (fds[i].revents != 0)
                read_some(&streams[i], chunk);
    }
    for (int i = 0; i < 2; i++) {
        while (read_some(&streams[i], chunk))
            ;
        line_filter_end(&streams[i].filter, output->drops);
        output->aborted = output->aborted || streams[i].filter.aborted;
        if (streams[i].filter.missing[0] != '\0')
            memcpy(output->missing, streams[i].filter.missing, sizeof output->missing);
        if (streams[i].from >= 0)
            end(&streams[i]);
    }
    output->lost = streams[0].lost != 0 && streams[0].lost != EPIPE;
    return NULL;
}

static void close_all(struct output *output)
{
    const int all[] = {output->ends[0],           output->ends[1],           output->ends[2],
                       output->launchers_ends[0], output->launchers_ends[1], output->command};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
}

void output_open(struct output *output)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    output->runs = true;
    output->drops = false;
    output->missing[0] = '\0';
    for (int i = 0; i < 3; i++)
        output->runs = output->runs && pipe2(pipes[i], O_CLOEXEC) == 0;
    for (int i = 0; i < 3; i++)
        output->ends[i] = pipes[i][0];
    output->launchers_ends[0] = pipes[0][1];
    output->launchers_ends[1] = pipes[1][1];
    output->command = pipes[2][1];
    output->runs = output->runs && pthread_create(&output->thread, NULL, run, output) == 0;
    if (!output->runs)
        close_all(output);
}

void output_use(const struct output *output)
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
    pthread_join(output->thread, NULL);
    close(output->launchers_ends[0]);
    close(output->launchers_ends[1]);
    close(output->ends[2]);
    output->runs = false;
}
