/**
 * @file run.c
 * Starts mpiexec, serves the supervisor until all processes have ended, and passes signals on.
 */
#include "run.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_end.h"
#include "job_line.h"
#include "model/util/clock.h"
#include "model/util/strings.h"
#include "src/guard/processes.h"
#include "src/link/connection.h"
#include "src/mpi/process_manager.h"

extern char **environ;

/* Time limits: for reports of launched processes after mpiexec failed; and for the end of a job
 * that was told to end. */
static const double grace_s = 1, ending_limit_s = 1;
/* Time for processes to end after a signal, before the signal is repeated. */
static const double repeat_s = 1;
/* Time, after the end of mpiexec, until the guards that were killed with it have ended. */
static const double guard_end_s = 5;

void run_explain(struct run *run, const char *format, ...)
{
    char sentence[sizeof run->why];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!run->holds)
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    else if (run->why[0] == '\0')
        memcpy(run->why, sentence, sizeof sentence);
}

void run_print_reasons(struct run *run)
{
    run->holds = false;
    if (run->why[0] != '\0')
        run_explain(run, "%s", run->why);
}

static pid_t start_mpiexec(char **command, const struct output *output)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* the job ends with this process */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    output_redirect(output->ends);
    execvp(command[0], command);
    fprintf(stderr, "nereus-mpiexec: cannot start '%s': %s\n", command[0], strerror(errno));
    _exit(127);
}

bool run_find_program(const char *place, char *path, size_t size)
{
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    snprintf(path, size, "%.*s%s", slash != NULL ? (int)(slash - own + 1) : 0, own, place);
    return access(path, X_OK) == 0;
}

void run_forward_signals(struct run *run, struct supervisor *supervisor)
{
    struct signalfd_siginfo caught;
    while (read(run->signals, &caught, sizeof caught) == (ssize_t)sizeof caught) {
        const int number = (int)caught.ssi_signo;
        if (number == SIGUSR1 && supervisor->can_requeue)
            supervisor->signalled_usr1 = true;
        if (number == SIGCHLD || (number == SIGUSR1 && supervisor->can_requeue))
            continue;
        supervisor_signal(supervisor, number);
        if (run->interrupt == 0 &&
            (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)) {
            run->interrupt = number;
            run->output.ending = true;
            run->repeat_s = nereus_monotonic_s() + repeat_s;
        }
        if (!run->ended && caught.ssi_code <= 0) /* a terminal sends Ctrl-C to mpiexec, too */
            kill(run->child, number);
    }
}

/* Poll timeout in ms until the earliest of the time limits, at most an hour; -1: there is none. */
static int find_timeout_ms(const struct run *run, const struct supervisor *supervisor)
{
    const double own_s[] = {run->deadline_s, run->repeat_s, run->check.next_s,
                            run->limit.deadline_s}; /* 0: none */
    double next_s = supervisor_next_deadline_s(supervisor);
    for (size_t i = 0; i < sizeof own_s / sizeof *own_s; i++)
        next_s = own_s[i] > 0 ? fmin(next_s, own_s[i]) : next_s;
    const double left_s = fmin(next_s - nereus_monotonic_s(), 3600);
    return isinf(next_s) ? -1 : left_s <= 0 ? 0 : (int)(left_s * 1e3) + 1;
}

static void repeat_interrupt(struct run *run)
{
    if (run->interrupt == 0 || nereus_monotonic_s() < run->repeat_s)
        return;
    processes_signal_again(getpid(), run->interrupt);
    run->repeat_s = nereus_monotonic_s() + repeat_s;
}

int run_missing_status(const char *missing)
{
    const char *reason = strrchr(missing, ':');
    return reason != NULL && strcmp(reason + 2, strerror(ENOENT)) == 0 ? 127 : 126;
}

/* The guards, if there are any, look for the job's programs, so that mpiexec can only miss its own
 * helper programs. */
const char *run_get_missing(const struct run *run)
{
    return run->guarded ? "mpiexec cannot start what it needs" : "the program cannot be started";
}

/* The launcher may wait forever for a program that it cannot start. Before the first nereus_init
 * this ends the job. */
static void handle_event(struct run *run, struct supervisor *supervisor)
{
    char byte;
    const char *missing = run->output.missing_program;
    if (read(run->output.event, &byte, 1) == 1 && !supervisor->begun)
        job_end_fail_start(supervisor, run_missing_status(missing), run_get_missing(run), missing);
}

/* Wait for input until the next time limit, and handle it. */
static void wait_and_serve(struct run *run, struct supervisor *supervisor)
{
    size_t count;
    struct pollfd *fds = supervisor_list_descriptors(supervisor, &count);
    struct pollfd *all_fds = fds == NULL ? NULL : realloc(fds, (count + 2) * sizeof *fds);
    if (all_fds == NULL) {
        free(fds);
        usleep(10000); /* no memory: retry later */
        return;
    }
    all_fds[count] = (struct pollfd){run->signals, POLLIN, 0};
    all_fds[count + 1] = (struct pollfd){run->output.event, POLLIN, 0};
    poll(all_fds, count + 2, find_timeout_ms(run, supervisor));
    if (all_fds[count + 1].revents != 0)
        handle_event(run, supervisor);
    free(all_fds);
    supervisor_serve(supervisor);
    run_forward_signals(run, supervisor);
    repeat_interrupt(run);
}

static void reap(struct run *run, struct supervisor *supervisor)
{
    int wait_status;
    for (pid_t pid; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;) {
        if (pid == run->child) {
            run->ended = true;
            run->wait_status = wait_status;
        } else {
            supervisor_handle_child_end(supervisor, pid, wait_status);
        }
    }
}

/* mpiexec's exit status; 128 + N for signal N. */
static int get_mpiexec_status(const struct run *run)
{
    return WIFSIGNALED(run->wait_status) ? 128 + WTERMSIG(run->wait_status)
                                         : WEXITSTATUS(run->wait_status);
}

/* The launcher's status is that of a lost process, also if the job has continued without that
 * process; then the status comes from the guards' reports. */
static int get_job_status(const struct run *run, const struct supervisor *supervisor)
{
    const bool has_survived = supervisor->recovery.count > 0 && !supervisor->end.broken &&
                              supervisor->end.early.status == 0 && WIFEXITED(run->wait_status);
    return has_survived ? 0 : get_mpiexec_status(run);
}

/* Evaluate, after the end of mpiexec, the reports of processes that ended before it. */
static void read_last_reports(struct run *run, struct supervisor *supervisor)
{
    supervisor_serve(supervisor);
    run_forward_signals(run, supervisor); /* mpiexec may have received Ctrl-C first */
    if (!run->ending && run->interrupt == 0)
        supervisor_handle_mpiexec_end(supervisor, get_mpiexec_status(run));
}

/* End launched processes after the end of mpiexec, unless the initial world has left the job: then
 * they continue. Otherwise the job is lost; if launched processes were joining or had been lost,
 * that is the reason. */
static void end_launched_after_mpiexec(struct run *run, struct supervisor *supervisor)
{
    const int status = get_mpiexec_status(run);
    const bool badly =
        WIFSIGNALED(run->wait_status) || (status != 0 && !supervisor->initial_world_left);
    if (!badly || !supervisor_is_busy(supervisor))
        return;
    if (run->deadline_s <= 0)
        run->deadline_s = nereus_monotonic_s() + (WIFSIGNALED(run->wait_status) ? 0 : grace_s);
    if (nereus_monotonic_s() < run->deadline_s)
        return;
    read_last_reports(run, supervisor);
    if (supervisor->end.broken)
        return; /* end_job is next */
    if (!run->ending)
        run_explain(run, "the job has lost its initial processes, and what was launched is ended");
    run->ending = true;
    supervisor_end_all(supervisor);
    run->deadline_s += ending_limit_s;
}

static void explain_end(struct run *run, const struct supervisor *supervisor)
{
    if (!run->ending && run->interrupt == 0)
        run_explain(run, "%s", supervisor->end.sentence);
    run->ending = run->output.ending = true;
}

const char run_launcher_ended[] =
    "mpiexec's launcher (ssh, srun) has ended, and no process of the job was started";

/* Check the launcher that mpiexec has started (srun, ssh): if it ends before any process of the job
 * exists, mpiexec waits forever. */
static void check_launcher(struct run *run, struct supervisor *supervisor)
{
    const double now_s = nereus_monotonic_s();
    if (run->ended || !run->guarded || supervisor->processes > 0 || run->interrupt != 0) {
        run->check.next_s = 0;
        return;
    }
    if (launcher_waits_in_vain(&run->check, run->child, now_s))
        supervisor_fail_job(supervisor, run_launcher_ended);
}

/* End a job that cannot continue: processes that wait for a dead one inside MPI would wait forever.
 * A launcher that ignores SIGTERM is killed. */
static void end_job(struct run *run, struct supervisor *supervisor)
{
    if (!run->ending)
        run->deadline_s = supervisor->end.detection_deadline_s;
    explain_end(run, supervisor);
    if (nereus_monotonic_s() < run->deadline_s)
        return;
    run->deadline_s = nereus_monotonic_s() + ending_limit_s;
    if (!run->ended)
        kill(run->child, run->force == 0 ? SIGTERM : SIGKILL);
    if (run->force++ == 0)
        supervisor_end_all(supervisor);
}

/* Kill the processes that mpiexec has left behind after a killed job (a remote shell that waits for
 * a host, a proxy that does not end). They are now children of this process; when they end, their
 * own children become children of this process, too. */
void run_kill_orphans(void)
{
    processes_kill_children(ending_limit_s);
}

int run_watch(struct run *run, struct supervisor *supervisor)
{
    while (!run->ended || supervisor_is_busy(supervisor)) {
        check_launcher(run, supervisor);
        wait_and_serve(run, supervisor);
        reap(run, supervisor);
        time_limit_handle(&run->limit, supervisor);
        if (supervisor->end.broken)
            end_job(run, supervisor);
        else if (run->ended)
            end_launched_after_mpiexec(run, supervisor);
    }
    run->deadline_s = nereus_monotonic_s() + guard_end_s;
    while (!supervisor->end.broken && run->interrupt == 0 && supervisor_awaits_ends(supervisor) &&
           nereus_monotonic_s() < run->deadline_s)
        wait_and_serve(run, supervisor);
    read_last_reports(run, supervisor);
    if (supervisor->end.broken)
        explain_end(run, supervisor);
    if (supervisor->end.broken || run->interrupt != 0)
        run_kill_orphans();
    return get_job_status(run, supervisor);
}

void run_watch_signals(struct run *run)
{
    sigset_t set;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans become children of this process */
    signal(SIGCHLD, SIG_DFL);         /* if ignored, signalfd would not report it */
    sigemptyset(&set);
    for (const int *s =
             (const int[]){SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, 0};
         *s != 0; s++)
        sigaddset(&set, *s);
    run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    sigaddset(&set, SIGPIPE); /* a closed pipe does not end the job */
    sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Start the job's mpiexec, each program under a guard.
 * @return false: errno is set */
bool run_start(struct run *run, struct supervisor *supervisor, char **mpiexec)
{
    char guard[PATH_MAX];
    output_open(&run->output);
    run->guarded =
        job_line_names_programs(mpiexec) && run_find_program("nereus-guard", guard, sizeof guard);
    if (run->signals < 0 || !supervisor_open(supervisor, mpiexec, &run->output))
        return false;
    char **words = job_line_to_start(
        mpiexec, environ, run->guarded ? guard : NULL,
        supervisor->recovery.limit_s > 0 ? nereus_process_manager()->recovery : NULL);
    run->child = words != NULL ? start_mpiexec(words, &run->output) : -1;
    nereus_strings_free(words);
    return run->child > 0;
}
