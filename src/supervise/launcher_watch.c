/**
 * @file launcher_watch.c
 * Looks at the launcher's children several times, as it may start others; opens a pipe for a
 * launcher's errors, which the main thread reads before the thread of the output.
 */
#include "launcher_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include "src/guard/processes.h"

static const double check_every_s = 0.5;
/* Number of checks without a running child. */
enum { IDLE_CHECKS = 4 };

bool launcher_waits_in_vain(struct launcher_check *check, pid_t launcher, double now_s)
{
    if (now_s < check->next_s)
        return false;
    const bool idle =
        processes_running_below(launcher) == 0 && processes_has_seen_one_end(launcher);
    check->idle = idle ? check->idle + 1 : 0;
    check->next_s = now_s + check_every_s;
    return check->idle >= IDLE_CHECKS;
}

void launcher_errors_open(struct launcher_errors *errors, struct output *output, int ends[2])
{
    int pair[2];
    errors->from = -1;
    memcpy(ends, output->ends, sizeof output->ends);
    if (!output->runs || pipe2(pair, O_CLOEXEC) != 0)
        return;
    if (!output_add(output, ends)) {
        close(pair[0]);
        close(pair[1]);
        return;
    }
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    errors->from = pair[0];
    errors->to = ends[1];
    ends[1] = pair[1];
}

void launcher_errors_started(const struct launcher_errors *errors, const int ends[2])
{
    if (errors->from < 0)
        return;
    close(ends[0]);
    close(ends[1]);
}

static void keep_last_line(struct launcher_errors *errors, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool ends = text[i] == '\n' || text[i] == '\r';
        if (!ends && errors->complete)
            errors->length = 0;
        if (!ends && errors->length < sizeof errors->line)
            errors->line[errors->length++] = text[i];
        errors->complete = ends;
    }
}

static bool can_write(int to)
{
    return poll(&(struct pollfd){to, POLLOUT, 0}, 1, 0) == 1;
}

struct pollfd launcher_errors_watch(const struct launcher_errors *errors)
{
    return errors->from < 0 || can_write(errors->to) ? (struct pollfd){errors->from, POLLIN, 0}
                                                     : (struct pollfd){errors->to, POLLOUT, 0};
}

void launcher_errors_pass_on(struct launcher_errors *errors, bool ended)
{
    char text[PIPE_BUF]; /* so much is written in one piece where there is room */
    while (errors->from >= 0 && can_write(errors->to)) {
        const ssize_t length = read(errors->from, text, sizeof text);
        if (length < 0 && (errno == EINTR || (errno == EAGAIN && !ended)))
            return;
        if (length <= 0) {
            close(errors->from);
            close(errors->to);
            errors->from = -1;
            return;
        }
        keep_last_line(errors, text, (size_t)length);
        if (!errors->silent && write(errors->to, text, (size_t)length) < 0)
            return; /* the reader is gone, and all output with it */
    }
}

const char *launcher_errors_reason(const struct launcher_errors *errors, char *text, size_t size)
{
    char line[sizeof errors->line + 1];
    snprintf(line, sizeof line, "%.*s", (int)errors->length, errors->line);
    text[0] = '\0';
    if (errors->length > 0 && size > 2)
        nereus_text_replace_controls(nereus_text_copy(line, strcpy(text, ": ") + 2, size - 2), ' ');
    return text;
}
