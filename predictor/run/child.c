/**
 * @file child.c
 * Runs a program in its own process group, and ends all processes that it leaves.
 *
 * The command is the subreaper (PR_SET_CHILD_SUBREAPER): every process that the program started, in
 * any group or session, becomes its child when its parent ends. It can therefore wait until none is
 * left (waitpid gives ECHILD) and kill the rest by pid. After that no process uses what MPI left in
 * /dev/shm, and it is removed.
 */
#include "child.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "model/util/clock.h"
#include "model/util/process.h"
#include "model/util/shared_files.h"
#include "model/util/try.h"

enum { LINE_MAX_BYTES = 65536, TICK_MS = 100, EXEC_FAILED = 127, SIGNAL_MAX = 64 };

/* Time for a program to clean up after the first signal, and for its orphans after its end. */
static const double grace_s = 3, orphans_grace_s = 1;

/* Pipe of standard output or standard error. */
struct stream {
    int fd; /* -1: closed */
    bool is_stderr;
    size_t length;
    char buffer[LINE_MAX_BYTES + 1];
};

struct running {
    const struct nereus_child *child;
    struct nereus_child_result *result;
    pid_t pid;
    int pidfd;
    bool ended;
    struct stream *streams;    /* 2, or NULL when output passes through */
    double started_s, asked_s; /* asked_s: when the first signal was sent; 0: not sent */
    bool killed;
};

/* ---- in the new process ---- */

/* Remove variables whose names begin with `begin`; the following ones move up. */
static void remove_variables(const char *begin, size_t length)
{
    for (char **variable = environ; *variable != NULL;) {
        char *name = strncmp(*variable, begin, length) == 0
                         ? strndup(*variable, strcspn(*variable, "="))
                         : NULL;
        variable = name == NULL || unsetenv(name) != 0 ? variable + 1 : environ;
        free(name);
    }
}

static void set_environment(const char *const *environment)
{
    for (; environment != NULL && *environment != NULL; environment++) {
        char *entry = strdup(*environment);
        char *value = entry != NULL ? strchr(entry, '=') : NULL;
        if (value != NULL) {
            *value = '\0';
            setenv(entry, value + 1, 1);
        } else if (entry != NULL && entry[strlen(entry) - 1] == '*') {
            remove_variables(entry, strlen(entry) - 1);
        } else if (entry != NULL) {
            unsetenv(entry);
        }
        free(entry);
    }
}

static void exec_program(const struct nereus_child *child, const int *outputs, int report)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* kill -9 of this command ends the program, too */
    sigprocmask(SIG_SETMASK, nereus_interrupt_old_mask(), NULL);
    signal(SIGPIPE, SIG_DFL); /* ignored in this process */
    int nothing = open("/dev/null", O_RDONLY);
    bool ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) == STDIN_FILENO;
    if (outputs != NULL) {
        ready =
            ready && dup2(outputs[0], STDOUT_FILENO) >= 0 && dup2(outputs[1], STDERR_FILENO) >= 0;
    }
    if (ready && (child->folder == NULL || chdir(child->folder) == 0)) {
        set_environment(child->environment);
        execvp(child->argv[0], (char *const *)(uintptr_t)child->argv);
    }
    int reason = errno;
    if (write(report, &reason, sizeof reason) != (ssize_t)sizeof reason)
        _exit(EXEC_FAILED + 1);
    _exit(EXEC_FAILED);
}

/* ---- starting ---- */

static void close_all(int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
            fds[i] = -1;
        }
    }
}

/* Wait until exec has succeeded (the report pipe closes) or failed.
 * @return 0, or errno of the failure */
static int read_report(int report)
{
    int reason = 0;
    ssize_t got;
    do {
        got = read(report, &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof reason ? reason : 0;
}

/* Start the program. fds: report pipe, standard output pipe, standard error pipe (read end, write
 * end each).
 * @return 0 or errno */
static int start_with(struct running *running, int *fds)
{
    bool piped = running->streams != NULL;
    for (int i = 0; i < (piped ? 3 : 1); i++)
        if (pipe2(&fds[2 * i], O_CLOEXEC) != 0)
            return errno;
    fflush(NULL);
    running->pid = fork();
    if (running->pid < 0)
        return errno;
    if (running->pid == 0)
        exec_program(running->child, piped ? (int[]){fds[3], fds[5]} : NULL, fds[1]);
    setpgid(running->pid, running->pid); /* in parent and child: whichever runs first */
    close_all((int[]){fds[1], fds[3], fds[5]}, 3);
    fds[1] = fds[3] = fds[5] = -1;
    int reason = read_report(fds[0]);
    if (reason != 0)
        waitpid(running->pid, NULL, 0);
    return reason;
}

/* Start the program unless a signal was received already; then pid stays 0. @return 0 or errno */
static int start_child(struct running *running)
{
    if (nereus_interrupted() != 0)
        return 0;
    int fds[6] = {-1, -1, -1, -1, -1, -1};
    int reason = start_with(running, fds);
    if (reason == 0 && running->streams != NULL) {
        for (int i = 0; i < 2; i++) {
            running->streams[i].fd = fds[2 + 2 * i];
            running->streams[i].is_stderr = i == 1;
            fcntl(running->streams[i].fd, F_SETFL, O_NONBLOCK);
            fds[2 + 2 * i] = -1;
        }
    }
    close_all(fds, 6);
    if (reason == 0)
        running->pidfd = pidfd_open(running->pid, 0);
    return reason;
}

/* ---- output ---- */

static void pass_lines(struct running *running, struct stream *stream, bool all)
{
    char *line = stream->buffer, *end;
    char *limit = stream->buffer + stream->length;
    while ((end = memchr(line, '\n', (size_t)(limit - line))) != NULL) {
        *end = '\0';
        running->child->on_line(running->child->user, line, stream->is_stderr);
        line = end + 1;
    }
    size_t rest = (size_t)(limit - line);
    if (rest > 0 && (all || rest == LINE_MAX_BYTES)) {
        *limit = '\0';
        running->child->on_line(running->child->user, line, stream->is_stderr);
        rest = 0;
    }
    memmove(stream->buffer, line, rest);
    stream->length = rest;
}

/* Read what is available. */
static void read_stream(struct running *running, struct stream *stream)
{
    while (stream->fd >= 0) {
        ssize_t got =
            read(stream->fd, stream->buffer + stream->length, LINE_MAX_BYTES - stream->length);
        if (got > 0) {
            stream->length += (size_t)got;
            pass_lines(running, stream, false);
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else {
            if (got == 0 || errno != EAGAIN) {
                pass_lines(running, stream, true);
                close_all(&stream->fd, 1);
            }
            return;
        }
    }
}

static void read_streams(struct running *running)
{
    for (int i = 0; running->streams != NULL && i < 2; i++)
        read_stream(running, &running->streams[i]);
}

/* ---- waiting ---- */

static void wait_for_something(struct running *running, int timeout_ms)
{
    struct pollfd fds[4];
    nfds_t count = 0;
    fds[count++] = (struct pollfd){.fd = running->ended ? -1 : running->pidfd, .events = POLLIN};
    fds[count++] =
        (struct pollfd){.fd = running->asked_s > 0 ? -1 : nereus_interrupt_fd(), .events = POLLIN};
    for (int i = 0; running->streams != NULL && i < 2; i++)
        fds[count++] = (struct pollfd){.fd = running->streams[i].fd, .events = POLLIN};
    poll(fds, count, timeout_ms);
}

static void note_end(struct running *running, int wait_status)
{
    running->ended = true;
    running->result->exit_status =
        WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Collect ended children. @return false when no child is left at all */
static bool reap_children(struct running *running)
{
    int wait_status;
    pid_t pid;
    while ((pid = waitpid(-1, &wait_status, WNOHANG)) > 0)
        if (pid == running->pid)
            note_end(running, wait_status);
    return !(pid < 0 && errno == ECHILD);
}

/* Stop the program: send a signal to the whole group, and SIGKILL after the grace period. */
static void stop_if_due(struct running *running)
{
    double now_s = nereus_monotonic_s();
    const int seen = nereus_interrupted(); /* reads the signalfd, so that poll() waits again */
    const int signal_number = running->child->ignores_signals ? 0 : seen;
    bool over_limit =
        running->child->limit_s > 0 && now_s - running->started_s >= running->child->limit_s;
    if (running->asked_s == 0 && (over_limit || signal_number != 0)) {
        running->result->interrupt = signal_number;
        running->result->timed_out = signal_number == 0;
        kill(-running->pid, signal_number != 0 ? signal_number : SIGTERM);
        running->asked_s = now_s;
    } else if (running->asked_s > 0 && !running->killed && now_s - running->asked_s >= grace_s) {
        kill(-running->pid, SIGKILL);
        running->killed = true;
    }
}

static void supervise_child(struct running *running)
{
    while (!running->ended) {
        wait_for_something(running, TICK_MS);
        read_streams(running);
        reap_children(running);
        if (!running->ended)
            stop_if_due(running);
        if (running->child->on_tick != NULL)
            running->child->on_tick(running->child->user);
    }
}

static bool is_living_child(const char *pid)
{
    struct nereus_process_stat process;
    return nereus_process_read(strtol(pid, NULL, 10), &process) && process.parent == getpid() &&
           process.state != 'Z';
}

/* Send SIGKILL to every direct child. Their own children become direct ones when they are gone, so
 * that the caller repeats this until waitpid finds none. @return number of killed processes */
static int kill_children(void)
{
    int killed = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL)
        return 0;
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]) && is_living_child(entry->d_name))
            killed += kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL) == 0 ? 1 : 0;
    closedir(folder);
    return killed;
}

/* The program has ended: its orphans get orphans_grace_s, then SIGKILL. */
static void collect_orphans(struct running *running)
{
    double ended_s = nereus_monotonic_s();
    while (reap_children(running)) {
        if (nereus_monotonic_s() - ended_s >= orphans_grace_s)
            running->result->left_behind += kill_children();
        read_streams(running);
        wait_for_something(running, 10);
    }
    read_streams(running);
}

enum nereus_status nereus_child_run(const struct nereus_child *child,
                                    struct nereus_child_result *result, struct nereus_error *err)
{
    *result = (struct nereus_child_result){0};
    struct running running = {
        .child = child, .result = result, .pidfd = -1, .started_s = nereus_monotonic_s()};
    if (child->on_line != NULL) {
        running.streams = calloc(2, sizeof *running.streams);
        NEREUS_TRY_MEMORY(running.streams, err, "to run %s", child->argv[0]);
        running.streams[0].fd = running.streams[1].fd = -1;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct nereus_shared_files before;
    nereus_shared_files_record(NEREUS_SHARED_FOLDER, &before);
    int reason = nereus_interrupt_watch() == 0 ? start_child(&running) : errno;
    if (reason == 0 && running.pid == 0) {
        result->interrupt = nereus_interrupted();
        result->exit_status = 128 + result->interrupt;
    } else if (reason == 0) {
        supervise_child(&running);
        collect_orphans(&running);
        result->wall_s = nereus_monotonic_s() - running.started_s;
    }
    /* Also after success: a job may succeed although one of its processes was killed. */
    nereus_shared_files_remove(&before);
    nereus_interrupt_end();
    if (running.streams != NULL) {
        close_all((int[]){running.streams[0].fd, running.streams[1].fd}, 2);
        free(running.streams);
    }
    if (running.pidfd >= 0)
        close(running.pidfd);
    if (reason != 0) {
        return nereus_fail(err, NEREUS_ERR_IO, "%s could not be started%s%s: %s", child->argv[0],
                           child->folder != NULL ? " in " : "",
                           child->folder != NULL ? child->folder : "", strerror(reason));
    }
    return NEREUS_OK;
}

bool nereus_child_line_has_text(const char *line)
{
    return line[0] != '\0' && strchr("=-", line[0]) == NULL;
}

char *nereus_child_print_outcome(const struct nereus_child *child,
                                 const struct nereus_child_result *result, char *text)
{
    if (result->interrupt != 0) {
        snprintf(text, 96, "was interrupted (%s)", strsignal(result->interrupt));
    } else if (result->timed_out) {
        snprintf(text, 96, "was stopped after %.3g s", child->limit_s);
    } else if (result->exit_status > 128 && result->exit_status <= 128 + SIGNAL_MAX) {
        snprintf(text, 96, "was killed by signal %d (%s)", result->exit_status - 128,
                 strsignal(result->exit_status - 128));
    } else {
        snprintf(text, 96, "ended with status %d", result->exit_status);
    }
    return text;
}
