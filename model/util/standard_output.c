/** @file standard_output.c  Replaces stdout by a stream that records why a write failed. */
#include "standard_output.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void (*say_sentence)(const char *sentence);
/* errno of the write that failed, after which nothing is written; 0: none */
static int write_error;
static bool has_failed; /* a write has, other than to a reader that is gone */
static bool is_in_line; /* the last byte written ends no line */

static void report_write_error(int reason)
{
    char sentence[200];
    write_error = reason;
    if (reason == EPIPE || has_failed)
        return;
    has_failed = true;
    snprintf(sentence, sizeof sentence, "standard output could not be written: %s",
             strerror(reason));
    if (say_sentence != NULL)
        say_sentence(sentence);
    else
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence);
}

static ssize_t write_all(void *cookie, const char *text, size_t length)
{
    (void)cookie;
    const int old_errno = errno;
    for (size_t done = 0; done < length && write_error == 0;) {
        const ssize_t written = write(STDOUT_FILENO, text + done, length - done);
        if (written >= 0) {
            done += (size_t)written;
            is_in_line = done > 0 && text[done - 1] != '\n';
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){STDOUT_FILENO, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            report_write_error(errno);
        }
    }
    errno = old_errno;
    return (ssize_t)length;
}

bool nereus_output_flush(void)
{
    fflush(stdout);
    return !has_failed;
}

bool nereus_output_resume(void)
{
    fflush(stdout);
    const bool was_lost = write_error != 0 && write_error != EPIPE;
    if (was_lost) {
        write_error = 0;
        if (is_in_line)
            write_all(NULL, "\n", 1);
    }
    return was_lost;
}

bool nereus_output_has_reader(void)
{
    return write_error != EPIPE;
}

static void flush_at_exit(int status, void *nothing)
{
    (void)nothing;
    if (!nereus_output_flush() && status == EXIT_SUCCESS)
        _exit(EXIT_FAILURE);
}

void nereus_output_begin(void (*say)(const char *sentence))
{
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_all});
    say_sentence = say;
    signal(SIGPIPE, SIG_IGN);
    if (stream == NULL)
        return;
    if (isatty(STDOUT_FILENO))
        setvbuf(stream, NULL, _IOLBF, 0);
    stdout = stream;
    on_exit(flush_at_exit, NULL);
}
