/**
 * @file child.c
 * Runs programs, each in its own process group, and leaves nothing of them running.
 *
 * The command is the subreaper (PR_SET_CHILD_SUBREAPER): every process that a program started, in
 * any group or session, becomes its child when its parent ends. So it can wait until none is left
 * (waitpid gives ECHILD) and kill the rest by pid. After that no process uses what MPI left in
 * /dev/shm, and it is removed. Several programs are watched by one poll() over their pipes and
 * pidfds.
 */
#include "child.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "model/util/clock.h"
#include "model/util/process.h"
#include "model/util/shared_files.h"

enum { LINE_MAX_BYTES = 65536, TICK_MS = 100, EXEC_FAILED = 127, SIGNAL_MAX = 64 };

/* Time for a program to clean up after the first signal, and for its orphans after its end. */
static const double grace_s = 3, orphans_grace_s = 1;

/* One of the two pipes. */
struct stream {
    int fd; /* -1: closed */
    bool is_stderr;
    size_t length;
    char buffer[LINE_MAX_BYTES + 1];
};

/* A program while it is watched. */
struct child_run {
    const struct nereus_child *child;
    struct nereus_child_result *result;
    pid_t pid; /* 0: not started */
    int pidfd; /* -1: not under way */
    bool ended;
    struct stream *streams;    /* 2, or NULL when output passes through or all has been read */
    double started_s, asked_s; /* asked_s: when the first signal was sent; 0: not sent */
    double told_s;             /* when it told its exit status; 0: not yet */
    int told_status;
    bool killed;
};

struct group {
    struct child_run *all;
    int64_t count, begun;  /* begun: those before this one have been started, or could not be */
    struct pollfd *polled; /* room for all descriptors of all programs, and for the signals' */
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
static int start_with(struct child_run *run, int *fds)
{
    bool piped = run->streams != NULL;
    for (int i = 0; i < (piped ? 3 : 1); i++)
        if (pipe2(&fds[2 * i], O_CLOEXEC) != 0)
            return errno;
    fflush(NULL);
    run->pid = fork();
    if (run->pid < 0)
        return errno;
    if (run->pid == 0)
        exec_program(run->child, piped ? (int[]){fds[3], fds[5]} : NULL, fds[1]);
    setpgid(run->pid, run->pid); /* in parent and child: whichever runs first */
    close_all((int[]){fds[1], fds[3], fds[5]}, 3);
    fds[1] = fds[3] = fds[5] = -1;
    int reason = read_report(fds[0]);
    if (reason != 0)
        waitpid(run->pid, NULL, 0);
    return reason;
}

/* Start the program with its pipes.
 * @return 0 or errno */
static int start_piped(struct child_run *run)
{
    int fds[6] = {-1, -1, -1, -1, -1, -1};
    if (run->child->on_line != NULL || run->child->quiet) {
        run->streams = calloc(2, sizeof *run->streams);
        if (run->streams == NULL)
            return ENOMEM;
        run->streams[0].fd = run->streams[1].fd = -1;
    }
    int reason = start_with(run, fds);
    for (int i = 0; reason == 0 && run->streams != NULL && i < 2; i++) {
        run->streams[i].fd = fds[2 + 2 * i];
        run->streams[i].is_stderr = i == 1;
        fcntl(run->streams[i].fd, F_SETFL, O_NONBLOCK);
        fds[2 + 2 * i] = -1;
    }
    close_all(fds, 6);
    return reason;
}

/* Start the program unless a signal has come already. */
static void start_child(struct child_run *run)
{
    run->started_s = nereus_monotonic_s();
    run->result->interrupt = nereus_interrupted();
    if (run->result->interrupt != 0) {
        run->result->exit_status = 128 + run->result->interrupt;
        return;
    }
    run->result->start_error = start_piped(run);
    if (run->result->start_error != 0)
        run->pid = 0;
    else
        run->pidfd = pidfd_open(run->pid, 0);
}

static bool is_under_way(const struct child_run *run)
{
    return run->pid > 0 && !run->ended;
}

/* Start programs until so many are under way.
 * @return number of those that are */
static int64_t start_up_to(struct group *group, int64_t at_once)
{
    int64_t under_way = 0;
    for (int64_t i = 0; i < group->begun; i++)
        under_way += is_under_way(&group->all[i]);
    while (under_way < at_once && group->begun < group->count) {
        struct child_run *next = &group->all[group->begun++];
        start_child(next);
        under_way += is_under_way(next);
    }
    return under_way;
}

/* ---- output ---- */

static void pass_line(struct child_run *run, const struct stream *stream, const char *line)
{
    const struct nereus_child *child = run->child;
    if (run->result->hung) /* what it says as it is ended */
        return;
    const int status =
        child->find_status != NULL ? child->find_status(line, stream->is_stderr) : -1;
    if (status >= 0) {
        run->told_status = status;
        run->told_s = nereus_monotonic_s();
    }
    if (stream->is_stderr && line[strspn(line, " \t\r")] != '\0')
        snprintf(run->result->last, sizeof run->result->last, "%s", line);
    if (child->on_line != NULL)
        child->on_line(child->user, line, stream->is_stderr);
}

static void forward_lines(struct child_run *run, struct stream *stream, bool all)
{
    char *line = stream->buffer, *end;
    char *limit = stream->buffer + stream->length;
    while ((end = memchr(line, '\n', (size_t)(limit - line))) != NULL) {
        *end = '\0';
        pass_line(run, stream, line);
        line = end + 1;
    }
    size_t rest = (size_t)(limit - line);
    if (rest > 0 && (all || rest == LINE_MAX_BYTES)) {
        *limit = '\0';
        pass_line(run, stream, line);
        rest = 0;
    }
    memmove(stream->buffer, line, rest);
    stream->length = rest;
}

/* Read what is available. */
static void read_stream(struct child_run *run, struct stream *stream)
{
    while (stream->fd >= 0) {
        ssize_t got =
            read(stream->fd, stream->buffer + stream->length, LINE_MAX_BYTES - stream->length);
        if (got > 0) {
            stream->length += (size_t)got;
            forward_lines(run, stream, false);
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else {
            if (got == 0 || errno != EAGAIN) {
                forward_lines(run, stream, true);
                close_all(&stream->fd, 1);
            }
            return;
        }
    }
}

static void free_streams(struct child_run *run)
{
    if (run->streams != NULL)
        close_all((int[]){run->streams[0].fd, run->streams[1].fd}, 2);
    free(run->streams);
    run->streams = NULL;
}

static void read_streams(struct child_run *run)
{
    for (int i = 0; run->streams != NULL && i < 2; i++)
        read_stream(run, &run->streams[i]);
    if (run->streams != NULL && run->streams[0].fd < 0 && run->streams[1].fd < 0)
        free_streams(run);
}

static void read_all_streams(struct group *group)
{
    for (int64_t i = 0; i < group->begun; i++)
        read_streams(&group->all[i]);
}

/* ---- waiting ---- */

static void wait_for_something(struct group *group, int timeout_ms)
{
    nfds_t count = 0;
    group->polled[count++] = (struct pollfd){.fd = nereus_interrupt_fd(), .events = POLLIN};
    for (int64_t i = 0; i < group->begun; i++) {
        const struct child_run *run = &group->all[i];
        group->polled[count++] = (struct pollfd){.fd = run->pidfd, .events = POLLIN};
        for (int k = 0; run->streams != NULL && k < 2; k++)
            group->polled[count++] = (struct pollfd){.fd = run->streams[k].fd, .events = POLLIN};
    }
    poll(group->polled, count, timeout_ms);
    nereus_interrupted(); /* reads the signalfd, so that poll() waits again */
}

static void record_end(struct child_run *run, int wait_status)
{
    run->ended = true;
    run->result->exit_status = run->result->hung          ? run->told_status
                               : WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
                                                          : WEXITSTATUS(wait_status);
    run->result->wall_s = nereus_monotonic_s() - run->started_s;
    close_all(&run->pidfd, 1);
}

/* Collect ended children.
 * @return false when no child is left at all */
static bool reap_children(struct group *group)
{
    int wait_status;
    pid_t pid;
    while ((pid = waitpid(-1, &wait_status, WNOHANG)) > 0)
        for (int64_t i = 0; i < group->begun; i++)
            if (pid == group->all[i].pid && !group->all[i].ended)
                record_end(&group->all[i], wait_status);
    return !(pid < 0 && errno == ECHILD);
}

static bool is_over_limit(const struct child_run *run, double now_s)
{
    const double limit_s = run->told_s > 0 ? run->child->ending_limit_s : run->child->limit_s;
    return limit_s > 0 && now_s - (run->told_s > 0 ? run->told_s : run->started_s) >= limit_s;
}

/* Stop the program: send a signal to the whole group, and SIGKILL after the grace period. */
static void stop_if_due(struct child_run *run)
{
    double now_s = nereus_monotonic_s();
    const int signal_number = run->child->ignores_signals ? 0 : nereus_interrupted();
    if (run->asked_s == 0 && (is_over_limit(run, now_s) || signal_number != 0)) {
        run->result->interrupt = signal_number;
        run->result->timed_out = signal_number == 0 && run->told_s == 0;
        run->result->hung = signal_number == 0 && run->told_s > 0;
        kill(-run->pid, signal_number != 0 ? signal_number : SIGTERM);
        run->asked_s = now_s;
    } else if (run->asked_s > 0 && !run->killed && now_s - run->asked_s >= grace_s) {
        kill(-run->pid, SIGKILL);
        run->killed = true;
    }
}

static void poll_child(struct child_run *run)
{
    stop_if_due(run);
    if (run->child->on_tick != NULL)
        run->child->on_tick(run->child->user);
}

static void supervise(struct group *group, int64_t at_once)
{
    while (start_up_to(group, at_once) > 0) {
        wait_for_something(group, TICK_MS);
        read_all_streams(group);
        reap_children(group);
        for (int64_t i = 0; i < group->begun; i++)
            if (is_under_way(&group->all[i]))
                poll_child(&group->all[i]);
    }
}

static bool is_living_child(const char *pid)
{
    struct nereus_process_stat process;
    return nereus_process_read(strtol(pid, NULL, 10), &process) && process.parent == getpid() &&
           process.state != 'Z';
}

/* Send SIGKILL to every direct child. Their own children become direct ones when they are gone, so
 * that the caller repeats this until waitpid finds none.
 * @return number of killed processes */
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

/* The programs have ended: their orphans get orphans_grace_s, then SIGKILL.
 * @return number of killed processes */
static int collect_orphans(struct group *group)
{
    double ended_s = nereus_monotonic_s();
    int killed = 0;
    while (reap_children(group)) {
        if (nereus_monotonic_s() - ended_s >= orphans_grace_s)
            killed += kill_children();
        read_all_streams(group);
        wait_for_something(group, 10);
    }
    read_all_streams(group);
    return killed;
}

static void run_group(struct group *group, int64_t at_once)
{
    struct nereus_shared_files earlier_files;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    nereus_shared_files_record(NEREUS_SHARED_FOLDER, &earlier_files);
    supervise(group, at_once);
    const int killed = collect_orphans(group);
    for (int64_t i = 0; i < group->count; i++) {
        group->all[i].result->left_behind = killed;
        free_streams(&group->all[i]);
    }
    /* Also after success: a job may succeed although one of its processes was killed. */
    nereus_shared_files_remove(&earlier_files);
}

enum nereus_status nereus_child_run_all(const struct nereus_child *children, int64_t count,
                                        int64_t at_once, struct nereus_child_result *results,
                                        struct nereus_error *err)
{
    struct group group = {.all = calloc((size_t)count + 1, sizeof *group.all),
                          .count = count,
                          .polled = calloc(3 * (size_t)count + 1, sizeof *group.polled)};
    enum nereus_status status = NEREUS_OK;
    if (group.all == NULL || group.polled == NULL)
        status =
            nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to run %lld programs", (long long)count);
    else if (nereus_interrupt_watch() != 0)
        status = nereus_fail(err, NEREUS_ERR_IO, "signals cannot be watched: %s", strerror(errno));
    for (int64_t i = 0; i < count; i++) {
        results[i] = (struct nereus_child_result){0};
        if (status == NEREUS_OK)
            group.all[i] =
                (struct child_run){.child = &children[i], .result = &results[i], .pidfd = -1};
    }
    if (status == NEREUS_OK) {
        run_group(&group, at_once);
        nereus_interrupt_end();
    }
    free(group.all);
    free(group.polled);
    return status;
}

enum nereus_status nereus_child_check_start(const struct nereus_child *child,
                                            const struct nereus_child_result *result,
                                            struct nereus_error *err)
{
    if (result->start_error == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_IO, "%s could not be started%s%s: %s", child->argv[0],
                       child->folder != NULL ? " in " : "",
                       child->folder != NULL ? child->folder : "", strerror(result->start_error));
}

enum nereus_status nereus_child_run(const struct nereus_child *child,
                                    struct nereus_child_result *result, struct nereus_error *err)
{
    NEREUS_TRY(nereus_child_run_all(child, 1, 1, result, err));
    return nereus_child_check_start(child, result, err);
}

bool nereus_child_line_has_text(const char *line)
{
    return line[0] != '\0' && strchr("=-", line[0]) == NULL;
}

char *nereus_child_format_outcome(const struct nereus_child *child,
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
