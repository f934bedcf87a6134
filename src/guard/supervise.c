/*
 * nereus-supervise COMMAND ARGUMENTS...: runs mpiexec, each program of the job under a guard, and
 * ends with the status of the world that finished the job, non-zero if any process was killed. Used
 * by nereus-mpiexec.
 *
 * Hydra's mpiexec returns the status of the initial world only; after a baseline reconfiguration
 * that world has long ended. The guards over spawned processes report to the socket named in
 * NEREUS_LAUNCHER. Worlds that are launched during the job are started from here and hold their
 * lifelines here (supervisor.h): the end of this process is the job's end, whichever world its root
 * is in.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_line.h"
#include "life.h"
#include "model/layout/slurm.h"
#include "model/util/shared_files.h"
#include "model/util/strings.h"
#include "next_life.h"
#include "output.h"
#include "processes.h"
#include "supervisor.h"
#include "survival.h"
#include "sweep.h"

extern char **environ;

/* Time limits: for reports of launched processes after mpiexec failed; and for the end of a job
 * that was told to end. */
static const double grace_s = 1, ending_limit_s = 1;
/* Time for processes to end by a signal, before it is repeated. */
static const double repeat_s = 1;
/* Interval between checks for processes that mpiexec left; and number of checks without success. */
static const double check_s = 0.5;
enum { IDLE_CHECKS = 4 };
/* After mpiexec's end: time for guards to die that were killed with it. */
static const double dying_s = 5;

/* The job's own mpiexec. */
struct run {
    pid_t child;
    bool ended;
    int wait_status;
    bool guarded; /* every process has a guard */
    int signals;
    double until_s;  /* time at which remaining processes are ended; 0: none */
    bool ending;     /* the job is being ended */
    int force;       /* signals sent to mpiexec */
    int interrupt;   /* the first signal to this process that asks the job to end; 0: none */
    double check_s;  /* next check of mpiexec's children; 0: none */
    int idle;        /* successive checks that found no running child */
    double repeat_s; /* time to repeat the signal */
    struct output output;
    bool holds;     /* the job may go on: why it has ended is said when that is known */
    char why[1000]; /* "": it has not been said */
};

/* Why the job ends; the first sentence counts. */
static void explain(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void explain(struct run *run, const char *format, ...)
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

/* The job will not go on: nothing is held back any more. */
static void say_at_once(struct run *run)
{
    run->holds = false;
    if (run->why[0] != '\0')
        explain(run, "%s", run->why);
}

/* In a Slurm job MPICH starts processes by srun. A second step would wait for the cores of the
 * first (hence SLURM_OVERLAP). The number of tasks per node, by which mpiexec fills the allocation,
 * is not visible in the processes (hence the copy). */
static void prepare_for_slurm(void)
{
    if (getenv("SLURM_JOB_ID") == NULL)
        return;
    setenv("SLURM_OVERLAP", "1", 0);
    nereus_slurm_hand_on();
}

static pid_t start(char **command, const struct output *output)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* the job ends with this process */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    output_use(output);
    execvp(command[0], command);
    fprintf(stderr, "nereus-mpiexec: cannot start '%s': %s\n", command[0], strerror(errno));
    _exit(127);
}

/* Path of a file relative to this program.
 * @return false: it does not exist */
static bool find_relative_program(const char *place, char *path, size_t size)
{
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    snprintf(path, size, "%.*s%s", slash != NULL ? (int)(slash - own + 1) : 0, own, place);
    return access(path, X_OK) == 0;
}

static void take_signals(struct run *run, struct supervisor *supervisor)
{
    struct signalfd_siginfo caught;
    while (read(run->signals, &caught, sizeof caught) == (ssize_t)sizeof caught) {
        const int number = (int)caught.ssi_signo;
        if (number == SIGCHLD)
            continue;
        supervisor_signal(supervisor, number);
        if (run->interrupt == 0 &&
            (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)) {
            run->interrupt = number;
            run->output.ending = true;
            run->repeat_s = nereus_line_now_s() + repeat_s;
        }
        if (!run->ended && caught.ssi_code <= 0) /* a terminal sends Ctrl-C to mpiexec, too */
            kill(run->child, number);
    }
}

/* Shorten a timeout so that it ends at a time; 0: no such limit. */
static int shorten(int wait_ms, double until_s)
{
    if (until_s <= 0)
        return wait_ms;
    const double left_s = until_s - nereus_line_now_s();
    const int left_ms = left_s <= 0 ? 0 : (int)(left_s * 1e3) + 1;
    return wait_ms < 0 || left_ms < wait_ms ? left_ms : wait_ms;
}

static void repeat_interrupt(struct run *run)
{
    if (run->interrupt == 0 || nereus_line_now_s() < run->repeat_s)
        return;
    processes_signal_again(getpid(), run->interrupt);
    run->repeat_s = nereus_line_now_s() + repeat_s;
}

/* The exit status of a shell: 127 if the program does not exist, 126 if it cannot be executed.
 * @param missing  "NAME: REASON" */
static int not_started(const char *missing)
{
    const char *reason = strrchr(missing, ':');
    return reason != NULL && strcmp(reason + 2, strerror(ENOENT)) == 0 ? 127 : 126;
}

/* With guards the job's programs are searched by these, so that only mpiexec's own helpers can be
 * missing. */
static const char *what_is_missing(const struct run *run)
{
    return run->guarded ? "mpiexec cannot start what it needs" : "the program cannot be started";
}

/* The launcher may wait forever for a program that it cannot start. */
static void take_event(struct run *run, struct supervisor *supervisor)
{
    char byte;
    if (read(run->output.event, &byte, 1) == 1)
        supervisor_missing(supervisor, what_is_missing(run), run->output.missing,
                           not_started(run->output.missing));
}

/* Wait for input until the next time limit, and handle it. */
static void wait_and_serve(struct run *run, struct supervisor *supervisor)
{
    size_t count;
    struct pollfd *fds = supervisor_watch(supervisor, &count);
    const int wait_ms =
        shorten(shorten(shorten(supervisor_poll_ms(supervisor), run->until_s), run->repeat_s),
                run->check_s);
    struct pollfd *all = fds == NULL ? NULL : realloc(fds, (count + 2) * sizeof *fds);
    if (all == NULL) {
        free(fds);
        usleep(10000); /* no memory: retry later */
        return;
    }
    all[count] = (struct pollfd){run->signals, POLLIN, 0};
    all[count + 1] = (struct pollfd){run->output.event, POLLIN, 0};
    poll(all, count + 2, wait_ms);
    if (all[count + 1].revents != 0)
        take_event(run, supervisor);
    free(all);
    supervisor_serve(supervisor);
    take_signals(run, supervisor);
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
            supervisor_reaped(supervisor, pid, wait_status);
        }
    }
}

/* mpiexec's exit status; 128 + N for signal N. */
static int mpiexec_status_of(const struct run *run)
{
    return WIFSIGNALED(run->wait_status) ? 128 + WTERMSIG(run->wait_status)
                                         : WEXITSTATUS(run->wait_status);
}

/* After the end of mpiexec: evaluate the reports of processes that ended before it. */
static void take_last_reports(struct run *run, struct supervisor *supervisor)
{
    supervisor_serve(supervisor);
    take_signals(run, supervisor); /* mpiexec may have received Ctrl-C first */
    if (!run->ending && run->interrupt == 0)
        supervisor_take_end(supervisor, mpiexec_status_of(run));
}

/* After the end of mpiexec: if the initial world has left the job, launched processes continue. If
 * not, the job is lost, and launched processes are ended; if launched processes were joining or had
 * been lost, that is the reason. */
static void end_launched_after_mpiexec(struct run *run, struct supervisor *supervisor)
{
    const int status = mpiexec_status_of(run);
    const bool badly =
        WIFSIGNALED(run->wait_status) || (status != 0 && !supervisor->initial_world_told);
    if (!badly || !supervisor_busy(supervisor))
        return;
    if (run->until_s <= 0)
        run->until_s = nereus_line_now_s() + (WIFSIGNALED(run->wait_status) ? 0 : grace_s);
    if (nereus_line_now_s() < run->until_s)
        return;
    take_last_reports(run, supervisor);
    if (supervisor->broken)
        return; /* end_job is next */
    if (!run->ending)
        explain(run, "the job has lost its initial processes, and what was launched is ended");
    run->ending = true;
    supervisor_end_all(supervisor);
    run->until_s += ending_limit_s;
}

static void log_end(struct run *run, const struct supervisor *supervisor)
{
    if (!run->ending && run->interrupt == 0)
        explain(run, "%s", supervisor->sentence);
    run->ending = run->output.ending = true;
}

static const int launcher_failed = 255; /* mpiexec's status where its launcher has failed */
static const char launcher_ended[] =
    "mpiexec's launcher (ssh, srun) has ended, and no process of the job was started";

/* mpiexec waits forever if what it has started (srun) ends before any process of the job exists.
 */
static void check_launcher(struct run *run, struct supervisor *supervisor)
{
    const double now_s = nereus_line_now_s();
    if (run->ended || !run->guarded || supervisor->processes > 0 || run->interrupt != 0) {
        run->check_s = 0;
        return;
    }
    if (now_s < run->check_s)
        return;
    const bool waits =
        processes_running_below(run->child) == 0 && processes_has_seen_one_end(run->child);
    run->idle = waits ? run->idle + 1 : 0;
    run->check_s = now_s + check_s;
    if (run->idle >= IDLE_CHECKS)
        supervisor_give_up(supervisor, launcher_ended);
}

/* End a job that cannot go on: processes that wait for a dead one inside MPI would wait forever. A
 * launcher that ignores SIGTERM is killed. */
static void end_job(struct run *run, struct supervisor *supervisor)
{
    if (!run->ending)
        run->until_s = supervisor->mpiexec_may_end_until_s;
    log_end(run, supervisor);
    if (nereus_line_now_s() < run->until_s)
        return;
    run->until_s = nereus_line_now_s() + ending_limit_s;
    if (!run->ended)
        kill(run->child, run->force == 0 ? SIGTERM : SIGKILL);
    if (run->force++ == 0)
        supervisor_end_all(supervisor);
}

/* After a killed job: processes that mpiexec has left behind (a remote shell that waits for a host,
 * a proxy that does not end) are now children of this process, and so will be, one after the other,
 * those which they have started. */
static void kill_orphans(void)
{
    processes_kill_children(ending_limit_s);
}

/* Until mpiexec and all that was launched have ended. */
static int watch(struct run *run, struct supervisor *supervisor)
{
    while (!run->ended || supervisor_busy(supervisor)) {
        check_launcher(run, supervisor);
        wait_and_serve(run, supervisor);
        reap(run, supervisor);
        if (supervisor->broken)
            end_job(run, supervisor);
        else if (run->ended)
            end_launched_after_mpiexec(run, supervisor);
    }
    run->until_s = nereus_line_now_s() + dying_s;
    while (!supervisor->broken && run->interrupt == 0 && supervisor_awaits_ends(supervisor) &&
           nereus_line_now_s() < run->until_s)
        wait_and_serve(run, supervisor);
    take_last_reports(run, supervisor);
    if (supervisor->broken)
        log_end(run, supervisor);
    if (supervisor->broken || run->interrupt != 0)
        kill_orphans();
    return mpiexec_status_of(run);
}

/* Guards report every other kind of end: a process was killed together with its guard, or only the
 * guard. */
static bool has_lost_a_guard(const struct run *run, const struct supervisor *supervisor,
                             int mpiexec_status)
{
    return run->guarded && mpiexec_status == SIGKILL && run->interrupt == 0 &&
           !supervisor->broken && supervisor->early_end.status == 0 &&
           supervisor->verdict.status == 0 && supervisor->verdict.killed == 0;
}

/* Has mpiexec ended because of a proxy or guard that was killed, or been killed itself? */
static bool lost_its_launcher(const struct run *run, const struct supervisor *supervisor)
{
    return !supervisor->broken && run->interrupt == 0 &&
           (supervisor->mpiexec_until_s > 0 || WIFSIGNALED(run->wait_status));
}

static void explain_launcher(struct run *run, const struct supervisor *supervisor)
{
    const int signal_number = WIFSIGNALED(run->wait_status) ? WTERMSIG(run->wait_status) : 0;
    if (run->why[0] != '\0' || !lost_its_launcher(run, supervisor))
        return;
    if (signal_number != 0)
        explain(run, "mpiexec was killed by signal %d (%s)", signal_number,
                strsignal(signal_number));
    else
        explain(run, "%s", supervisor->why_it_may_end);
}

/* The loss of new processes is a likely reason: MPI may end a job that sends to a process that has
 * just died, and a launcher one that has lost a process. */
static void log_loss(struct run *run, const struct supervisor *supervisor, int status)
{
    if (status == 0 || !supervisor_lost_lately(supervisor))
        return;
    explain(run, "the job ended with status %d, when it had just lost new processes: %s", status,
            supervisor->loss);
}

/* Without guards a killed process is visible in mpiexec's status only, which has the signal's
 * number like an exit status. */
static bool log_signal(struct run *run, int mpiexec_status)
{
    static const char signals[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV};
    const bool may_be = !run->guarded && mpiexec_status > 0 && mpiexec_status < 64 &&
                        memchr(signals, mpiexec_status, sizeof signals) != NULL;
    if (may_be)
        explain(run,
                "mpiexec ended with status %d: signal %d (%s) killed a process "
                "that it had started, or that was the program's own status",
                mpiexec_status, mpiexec_status, strsignal(mpiexec_status));
    return may_be;
}

static void log_killed(struct run *run, const struct supervisor *supervisor, int mpiexec_status)
{
    const struct early_end *early_end = &supervisor->early_end;
    const bool own = early_end->stage == STAGE_DONE && early_end->status < 128;
    if (has_lost_a_guard(run, supervisor, mpiexec_status))
        explain(run, "the job was ended: signal %d (%s) killed a process and its nereus-guard",
                SIGKILL, strsignal(SIGKILL));
    else if (supervisor->verdict.killed > 128)
        explain(run,
                "the job was ended: signal %d killed a process that a reconfiguration had started",
                supervisor->verdict.killed - 128);
    else if (early_end->status != 0 && mpiexec_status != 0 && supervisor->processes > 1 && !own)
        explain(run, "%s", early_end->sentence);
    else if ((early_end->status == 0 || own) && !log_signal(run, mpiexec_status))
        log_loss(run, supervisor, mpiexec_status);
}

static int own_status(const struct run *run, const struct supervisor *supervisor,
                      int mpiexec_status)
{
    const struct verdict *verdict = &supervisor->verdict;
    if (verdict->killed != 0)
        return verdict->killed;
    if (supervisor->broken) /* mpiexec's own status only tells how mpiexec was ended */
        return verdict->status != 0 ? verdict->status : 1;
    if (mpiexec_status != 0 && supervisor->early_end.status != 0)
        return supervisor->early_end.status;
    if (has_lost_a_guard(run, supervisor, mpiexec_status))
        return 128 + SIGKILL;
    return mpiexec_status != 0 ? mpiexec_status : verdict->status;
}

/* Status after an interrupt: that of the signal, as mpiexec's own varies. If the job ended with 0
 * nevertheless, it has handled the signal or was over. */
static int job_status(const struct run *run, const struct supervisor *supervisor,
                      int mpiexec_status)
{
    const int status = own_status(run, supervisor, mpiexec_status);
    return run->interrupt != 0 && status != 0 ? 128 + run->interrupt : status;
}

static void log_why(struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                    int status)
{
    if (supervisor->not_started)
        return; /* already reported */
    if (status != 0 && run->output.missing[0] != '\0')
        explain(run, "%s: %s", what_is_missing(run), run->output.missing);
    else if (run->interrupt != 0 && status != 0)
        explain(run, "the job was interrupted by signal %d (%s)", run->interrupt,
                strsignal(run->interrupt));
    else if (status != 0 && run->output.unwritten[0] != '\0')
        explain(run,
                "mpiexec cannot write what the job prints (-outfile-pattern, -errfile-pattern): %s",
                run->output.unwritten);
    else if (run->guarded && mpiexec_status == launcher_failed && supervisor->processes == 0 &&
             !supervisor->broken)
        explain(run, "%s", launcher_ended);
    else if (!supervisor->broken && !run->ending && run->interrupt == 0)
        log_killed(run, supervisor, mpiexec_status);
}

/* After a failed job: processes may outlive mpiexec for a moment, and still use their files. */
static void remove_shared_files(struct nereus_shared_files *before, int status)
{
    const double until_s = nereus_line_now_s() + ending_limit_s;
    while (status != 0 && nereus_line_now_s() < until_s && waitpid(-1, NULL, WNOHANG) >= 0)
        usleep(2000);
    nereus_shared_files_remove(before);
}

static void watch_signals(struct run *run)
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

/* --help is handled by nereus-mpiexec, which calls this program. */
static bool is_a_job(char **mpiexec)
{
    char sentence[400], path[PATH_MAX];
    const char *unchecked = getenv("NEREUS_MPIEXEC_UNCHECKED");
    const enum job_line_kind kind =
        job_line_kind(mpiexec, unchecked == NULL || *unchecked == '\0', sentence, sizeof sentence);
    if (kind == JOB_LINE_REFUSED)
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    if (kind == JOB_LINE_HELP &&
        find_relative_program("../../bin/nereus-mpiexec", path, sizeof path))
        execl(path, path, "--help", (char *)NULL);
    return kind == JOB_LINE_JOB;
}

/* Reserve descriptors 0 to 2 if they are closed (`>&-`), so that sockets opened here do not get
 * their numbers; what is written to them is lost, which is reported. */
static void fill_streams(void)
{
    int file = STDIN_FILENO;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file >= 0)
        close(file);
}

/* Start the job's mpiexec, each program under a guard.
 * @return false: errno is set */
static bool start_job(struct run *run, struct supervisor *supervisor, char **mpiexec)
{
    char guard[PATH_MAX];
    output_open(&run->output);
    run->guarded = job_line_names_programs(mpiexec) &&
                   find_relative_program("nereus-guard", guard, sizeof guard);
    if (run->signals < 0 || !supervisor_open(supervisor, mpiexec, &run->output))
        return false;
    char **words = job_line_to_start(mpiexec, environ, run->guarded ? guard : NULL);
    run->child = words != NULL ? start(words, &run->output) : -1;
    nereus_strings_free(words);
    return run->child > 0;
}

/* Status of the job, once its output has been passed on. */
static int final_status(struct run *run, const struct supervisor *supervisor, int mpiexec_status)
{
    int status = job_status(run, supervisor, mpiexec_status);
    output_close(&run->output, supervisor->broken || run->interrupt != 0 ||
                                   (run->holds && lost_its_launcher(run, supervisor)) ||
                                   has_lost_a_guard(run, supervisor, mpiexec_status));
    if (run->output.unwritten[0] != '\0' && run->interrupt == 0)
        status = EXIT_FAILURE;
    if (supervisor->begun) /* the program of a later launch; the job continued */
        run->output.missing[0] = '\0';
    if (run->interrupt == 0 && status != 0 && run->output.missing[0] != '\0')
        status = not_started(run->output.missing);
    /* A signal to the process group reaches mpiexec twice; then its status may be 0. */
    if (run->interrupt != 0 && status == 0 && run->output.aborted)
        status = 128 + run->interrupt;
    return status;
}

/* The restart that the job has asked for, when all of it has ended well. Returns if it fails. */
static void go_on_as_planned(const struct supervisor *supervisor, const struct life *life)
{
    struct life next = *life;
    next.number++;
    next.processes = supervisor->planned.processes;
    next.hosts = supervisor->planned.hosts;
    next.attempts = 0;
    next.fell_back = false;
    life_begin(&next, supervisor->planned.path);
    fprintf(stderr, "nereus-mpiexec: the job cannot be restarted: %s\n", strerror(errno));
}

/* ---- after a loss ---------------------------------------------------------------------------- */

/* A job of this process. */
struct whole {
    struct run run;
    struct supervisor supervisor;
    struct life life;
    struct life_checkpoints checkpoints;
    struct survival survival;
    double begun_s;
};

/* A status of the program's own is no loss: it would end the next life, too. */
static bool is_loss(const struct whole *whole, int mpiexec_status)
{
    const struct run *run = &whole->run;
    const struct supervisor *supervisor = &whole->supervisor;
    if (run->output.missing[0] != '\0' || run->output.unwritten[0] != '\0' || run->output.lost ||
        supervisor->not_started)
        return false;
    const bool not_launched =
        !whole->life.first && mpiexec_status == launcher_failed && supervisor->processes == 0;
    return supervisor_has_loss(supervisor) || has_lost_a_guard(run, supervisor, mpiexec_status) ||
           lost_its_launcher(run, supervisor) || status_is_loss(supervisor->verdict.killed) ||
           (!supervisor->broken && status_is_loss(supervisor->early_end.status)) || not_launched ||
           supervisor->planned.processes > 0;
}

static bool is_interrupted(void *user)
{
    struct whole *whole = user;
    take_signals(&whole->run, &whole->supervisor);
    return whole->run.interrupt != 0;
}

static struct life_loss describe_loss(const struct whole *whole)
{
    const struct planned_restart *planned = &whole->supervisor.planned;
    const char *written = whole->supervisor.checkpoint;
    return (struct life_loss){.life = &whole->life,
                              .checkpoints = &whole->checkpoints,
                              .written = written != NULL ? written : planned->path,
                              .planned = planned->processes,
                              .planned_hosts = planned->hosts,
                              .survival = &whole->survival};
}

/* What has ended the job, as the beginning of a sentence about how it goes on. */
static const char *what_was_lost(const struct run *run)
{
    static const char *const begins[] = {
        "the job cannot go on and is ended: ", "the job was ended: ", NULL};
    for (const char *const *begin = begins; *begin != NULL; begin++)
        if (strncmp(run->why, *begin, strlen(*begin)) == 0)
            return run->why + strlen(*begin);
    return run->why[0] != '\0' ? run->why : "it was lost";
}

static bool all_answer(const struct job_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (!hosts->list[i].answers)
            return false;
    return true;
}

/* All of the lost life is ended here and on the other hosts; the next one begins. Returns if there
 * is none.
 * @return the job's status */
static int go_on_after_loss(struct whole *whole, char **mpiexec, int status, bool lost)
{
    static struct next_life next; /* static: large */
    struct run *run = &whole->run;
    const struct life_loss loss = describe_loss(whole);
    const struct sweep_limit limit = {whole->survival.answer_s, is_interrupted, whole};
    const double job_s = nereus_line_now_s() - whole->begun_s;
    struct nereus_error err = {0};
    struct job_hosts hosts;
    kill_orphans();
    job_hosts_find(&hosts, whole->life.mpiexec);
    bool goes_on = next_life_checkpoint(&loss, &next, &err) == NEREUS_OK;
    if (!goes_on)
        sweep_other_hosts(mpiexec, job_s);
    else if (sweep_each_host(&hosts, mpiexec, job_s, &limit))
        goes_on = (lost = lost || !all_answer(&hosts)) &&
                  next_life_size(&loss, &hosts, &next, &err) == NEREUS_OK;
    job_hosts_fini(&hosts);
    if (is_interrupted(whole)) {
        fprintf(stderr, "nereus-mpiexec: %s; the job was interrupted by signal %d (%s)\n",
                what_was_lost(run), run->interrupt, strsignal(run->interrupt));
        return 128 + run->interrupt;
    }
    if (goes_on) {
        fprintf(stderr, "nereus-mpiexec: %s; the job %s\n", what_was_lost(run), next.sentence);
        life_begin(&next.life, next.checkpoint);
        nereus_fail(&err, NEREUS_ERR_IO, "it cannot be restarted: %s", strerror(errno));
    }
    if (lost)
        fprintf(stderr, "nereus-mpiexec: %s; the job does not go on, as %s\n",
                run->why[0] != '\0' ? run->why : what_was_lost(run), err.text);
    else if (run->why[0] != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", run->why);
    return status;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Run the job, and its next lives.
 * @return its status */
static int run_job(struct whole *whole, char **mpiexec)
{
    struct run *run = &whole->run;
    struct supervisor *supervisor = &whole->supervisor;
    struct nereus_shared_files before;
    nereus_shared_files_record(NEREUS_SHARED_FOLDER, &before);
    if (mpiexec == NULL || !start_job(run, supervisor, mpiexec)) {
        fprintf(stderr, "nereus-mpiexec: %s\n", strerror(errno));
        return 1;
    }
    const int mpiexec_status = watch(run, supervisor);
    int status = final_status(run, supervisor, mpiexec_status);
    log_why(run, supervisor, mpiexec_status, status);
    if (status == 0 || run->interrupt != 0 || run->output.missing[0] != '\0')
        say_at_once(run);
    const bool lost = is_loss(whole, mpiexec_status);
    if (run->holds)
        explain_launcher(run, supervisor);
    status = status == 0 && run->output.lost ? 1 : status; /* already reported */
    remove_shared_files(&before, status);
    if (run->holds)
        status = go_on_after_loss(whole, mpiexec, status, lost);
    else if (status != 0 && run->output.missing[0] == '\0')
        sweep_other_hosts(mpiexec, nereus_line_now_s() - whole->begun_s);
    else if (status == 0 && run->interrupt == 0 && supervisor->planned.processes > 0) {
        go_on_as_planned(supervisor, &whole->life);
        status = EXIT_FAILURE;
    }
    supervisor_close(supervisor);
    return status;
}

/* The settings of a job, and the checkpoint that its first life begins from.
 * @return false: they are wrong, which has been said */
static bool read_settings(struct whole *whole)
{
    char sentence[NEXT_LIFE_TEXT_MAX];
    struct nereus_error err = {0};
    bool good = survival_read(&whole->survival, sentence, sizeof sentence);
    if (good && whole->life.first) {
        good = next_life_first(&whole->life, &whole->survival, sentence, sizeof sentence, &err) ==
               NEREUS_OK;
        if (!good)
            snprintf(sentence, sizeof sentence, "%s", err.text);
    } else if (good) {
        *sentence = '\0';
    }
    if (*sentence != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    next_life_note(&whole->checkpoints);
    whole->run.holds = whole->supervisor.finds_dead_hosts = whole->survival.restarts;
    return good;
}

int main(int argc, char **argv)
{
    static struct whole whole; /* static: large, and zeroed */
    whole.begun_s = nereus_line_now_s();
    fill_streams();
    if (argc == 3 && strcmp(argv[1], SWEEP_OPTION) == 0)
        return sweep_here(argv[2]);
    if (!life_read(argv, &whole.life)) {
        fprintf(stderr, "nereus-supervise: give the command to run\n");
        return 2;
    }
    if (!is_a_job(whole.life.mpiexec) || !read_settings(&whole))
        return 2;
    prepare_for_slurm();
    watch_signals(&whole.run);
    char **mpiexec = job_line_resized(whole.life.mpiexec, whole.life.processes, whole.life.hosts);
    const int status = run_job(&whole, mpiexec);
    nereus_strings_free(mpiexec);
    return status;
}
