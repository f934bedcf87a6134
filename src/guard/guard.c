/**
 * @file guard.c
 * nereus-guard: the program that MPI_Comm_spawn starts. It forks the application's program and
 * waits for it. If the program is missing, ends before it reaches MPI, or does not reach MPI within
 * the time limit, the guard becomes nereus-guard-join, which joins the job in its place and reports
 * the reason. The job then continues at its old size; without a guard MPI_Comm_spawn would hang
 * forever.
 *
 * The guard does not use MPI: it keeps the launcher's connection open for its child, and starts in
 * a millisecond.
 *
 * For a process of a launched world (NEREUS_LAUNCH is set) the guard also holds a lifeline, and
 * ends the program when that connection closes; no process has to join in the program's place.
 *
 * Words on the command line: a letter and a value, in which all but plain characters are encoded as
 * %XX:
 *
 *   tSECONDS  time limit until MPI is reached    dFOLDER  working directory
 *   eNAME=VALUE  environment
 *   pPROGRAM  what to start                      aWORD    an argument of it
 *   nNAME     of the call of MPI_Comm_spawn      q        only check whether the program can be
 *                                                         started
 *   rNAME     nereus-supervise has further       c        the environment is what follows, and what
 *             words under this name                       the launcher has set
 *   i         an initial process: the program and its arguments follow, not encoded
 *
 * For an initial process the guard only reports to nereus-supervise which phase the process has
 * reached, and how it has ended (process_phase.h).
 *
 * Before anything else a spawned guard reports to nereus-supervise that it runs: this distinguishes
 * a host that does not answer from a program that takes long to reach MPI (pending_spawns.h).
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lifeline.h"
#include "memory_hooks.h"
#include "model/util/process.h"
#include "model/util/strings.h"
#include "process_outcome.h"
#include "shm_hint.h"
#include "src/link/connection.h"
#include "src/link/launcher_environment.h"
#include "src/mpi/process_manager.h"
#include "src/util/guard_events.h"

struct order {
    double limit_s;
    const char *folder, *program;
    const char *spawn; /* NULL: no pending spawn counts this guard */
    /* name of the start record in nereus-supervise with the other words; NULL: there are none */
    const char *record;
    bool only_checks, initial;
    struct nereus_strings arguments; /* the program's command line, argv[0] first */
};

/* Argument of the callback for a spawned or launched process. */
struct spawned {
    const struct order *order;
    int lifeline;
};

/* The words are not copied, as the environment points to them. */
static bool parse_word(struct order *order, char letter, char *value)
{
    switch (letter) {
    case 't':
        order->limit_s = atof(value);
        return true;
    case 'd':
        order->folder = value;
        return true;
    case 'c':
        nereus_environment_keep(nereus_is_local_variable);
        return true;
    case 'e':
        return putenv(value) == 0;
    case 'n':
        order->spawn = value;
        return true;
    case 'r':
        order->record = value;
        return true;
    case 'q':
        order->only_checks = true;
        return true;
    case 'p':
        order->program = value;
        /* fall through */
    case 'a':
        nereus_strings_add(&order->arguments, value);
        return !order->arguments.broken;
    default:
        return false;
    }
}

static bool read_order(int argc, char **argv, struct order *order)
{
    memset(order, 0, sizeof *order);
    order->limit_s = 60;
    if (argc > 2 && strcmp(argv[1], "i") == 0) {
        order->initial = true;
        order->limit_s = -1;
        order->program = argv[2];
        for (int i = 2; i < argc; i++)
            nereus_strings_add(&order->arguments, argv[i]);
        return !order->arguments.broken;
    }
    for (int i = 1; i < argc; i++)
        if (!parse_word(order, argv[i][0], nereus_word_decode(argv[i] + 1)))
            return false;
    return order->program != NULL || order->record != NULL;
}

/* Fetch the start record from nereus-supervise. `line` owns the words. */
static bool fetch_order(struct order *order, struct nereus_connection *connection)
{
    static const double limit_s = 10;
    enum { RECORD_BYTES_MAX = 64 << 20 };
    if (!nereus_connection_open(
            connection, getenv(NEREUS_LAUNCHER_NAME),
            (const char *const[]){NEREUS_LETTER(REQUEST_GET_RECORD), order->record, NULL}, limit_s))
        return false;
    connection->limit = RECORD_BYTES_MAX;
    char *position = nereus_connection_wait_line(connection, limit_s), *word;
    while ((word = nereus_word_next(&position)) != NULL)
        if (!parse_word(order, word[0], word + 1))
            return false;
    return order->program != NULL;
}

/* Let only the job's first process keep standard input: the launcher gives all others a pipe to
 * which it never writes, and which it does not close. */
static void choose_input(const struct order *order)
{
    const char *rank = getenv(nereus_process_manager()->rank);
    const bool is_first = order->initial && (rank == NULL || strcmp(rank, "0") == 0);
    const int nothing = is_first ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing > STDIN_FILENO)
        dup2(nothing, STDIN_FILENO);
}

/* Execute the program, in the child. A failure is reported through `error_end`, which is closed by
 * a successful exec. */
static void exec_program(const struct order *order, pid_t guard, int error_end)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the program is killed with its guard */
    choose_input(order);
    if (getppid() == guard && (order->folder == NULL || chdir(order->folder) == 0))
        execvp(order->program, order->arguments.words);
    const int code = errno;
    if (write(error_end, &code, sizeof code) < 0)
        _exit(126);
    _exit(127);
}

static volatile pid_t program; /* read by the signal handler */
static volatile sig_atomic_t forwarded_signal;

/* Connection to nereus-supervise, for the report of Slurm's signal before the time limit; -1: not
 * known yet. */
static volatile sig_atomic_t warning_connection = -1;
static bool is_warned;

/* Slurm may signal all processes of a step. MPI_Init sets a handler in MPICH, but before and after
 * MPI, or in a script around the program, the signal would end the job. */
static void ignore_warning_signal(void)
{
    is_warned = getenv(NEREUS_WARNED_NAME) != NULL;
    if (is_warned)
        signal(SIGUSR1, SIG_IGN); /* inherited by the program, too */
}

static void forward_signal(int signal_number)
{
    static const char warning[] = {REPORT_SIGUSR1, ' ', '0', ' ', '%', '\n'};
    if (signal_number == SIGUSR1 && is_warned) {
        if (warning_connection >= 0)
            send(warning_connection, warning, sizeof warning, MSG_DONTWAIT | MSG_NOSIGNAL);
        return;
    }
    forwarded_signal = signal_number;
    if (program > 0)
        kill(program, signal_number);
}

/* Forward signals to the program: the launcher knows only the guard. */
static void forward_signals(pid_t child)
{
    struct sigaction action = {.sa_handler = forward_signal, .sa_flags = SA_RESTART};
    program = child;
    for (const int *s =
             (const int[]){SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, 0};
         *s != 0; s++)
        sigaction(*s, &action, NULL);
}

/* Name the channel in the environment. An initial process gets another variable, so that it does
 * not join as a spawned process does. The value contains the launcher's pid, as the process' parent
 * is the guard. */
static void export_channel(const struct order *order, int end)
{
    char text[48];
    unsetenv(NEREUS_GUARD_FD_NAME);
    unsetenv(NEREUS_INITIAL_FD_NAME);
    snprintf(text, sizeof text, order->initial ? "%d:%ld" : "%d", end, (long)getppid());
    setenv(order->initial ? NEREUS_INITIAL_FD_NAME : NEREUS_GUARD_FD_NAME, text, 1);
    if (order->initial)
        unsetenv(NEREUS_LAUNCH_NAME); /* inherited from an outer job */
    else
        memory_hooks_choose("");
}

static pid_t start_program(const struct order *order, int *events, struct outcome *outcome)
{
    int events_ends[2], error_pipe[2];
    const pid_t guard = getpid();
    if (!outcome_open_channel(events_ends) || pipe2(error_pipe, O_CLOEXEC) != 0) {
        outcome->exec_errno = errno;
        return -1;
    }
    export_channel(order, events_ends[1]);
    const pid_t child = fork();
    if (child == 0)
        exec_program(order, guard, error_pipe[1]);
    if (child < 0)
        outcome->exec_errno = errno;
    close(events_ends[1]);
    close(error_pipe[1]);
    while (read(error_pipe[0], &outcome->exec_errno, sizeof outcome->exec_errno) < 0 &&
           errno == EINTR)
        ;
    close(error_pipe[0]);
    *events = events_ends[0];
    return child;
}

static void describe_failure(char *reason, size_t size, const struct order *order,
                             const struct outcome *outcome)
{
    char host[64] = "?";
    gethostname(host, sizeof host - 1);
    if (outcome->lacks_record)
        snprintf(reason, size,
                 "nereus-mpiexec did not tell a new process on %s which program to start", host);
    else if (outcome->exec_errno != 0)
        snprintf(reason, size, "the program '%.250s' cannot be started on %s: %s", order->program,
                 host, strerror(outcome->exec_errno));
    else if (outcome->timed_out)
        snprintf(reason, size,
                 "the program '%.250s' had not reached MPI on %s after %g s, and was ended",
                 order->program, host, order->limit_s);
    else if (WIFSIGNALED(outcome->wait_status))
        snprintf(reason, size,
                 "the program '%.250s' on %s was killed by signal %d before it reached MPI",
                 order->program, host, WTERMSIG(outcome->wait_status));
    else
        snprintf(
            reason, size,
            "the program '%.250s' on %s ended with status %d before it reached MPI through Nereus",
            order->program, host, WEXITSTATUS(outcome->wait_status));
}

/* Become nereus-guard-join, with the reason. Returns only if that cannot be started. The connection
 * to nereus-supervise stays open, to report if nereus-guard-join, which has no guard, dies in
 * MPI. */
static void replace_program(const char *own_path, const char *reason, int start_connection)
{
    char path[4096], descriptor[16];
    snprintf(path, sizeof path, "%s-join", own_path);
    snprintf(descriptor, sizeof descriptor, "%d", start_connection);
    if (start_connection >= 0) {
        lifeline_report(start_connection, REPORT_NOT_STARTED, 0, reason);
        fcntl(start_connection, F_SETFD, 0);
    }
    execl(path, path, reason, descriptor, (char *)NULL);
    fprintf(stderr, "nereus-guard: %s; and %s cannot be started: %s\n", reason, path,
            strerror(errno));
}

/* The program never reached MPI. A launched world has not joined yet: a report is enough. */
static int report_never_reached(const char *own_path, const struct order *order,
                                const struct outcome *outcome, int lifeline)
{
    char reason[480];
    if (outcome->connection_lost) /* nereus-supervise sees the closed connection */
        return 0;
    describe_failure(reason, sizeof reason, order, outcome);
    if (lifeline < 0)
        replace_program(own_path, reason, outcome->start_connection);
    else
        lifeline_report(lifeline, REPORT_NOT_STARTED, 0, reason);
    return 126;
}

static bool end_was_requested(const struct outcome *outcome)
{
    return WIFSIGNALED(outcome->wait_status) && WTERMSIG(outcome->wait_status) == forwarded_signal;
}

/* Status as in a shell: 128 + N for signal N. A wrapper also exits with 128 + N if its child was
 * killed: the status is certain only if the MPI process is the guard's own child. */
static int find_shell_status(const struct outcome *outcome)
{
    const int status = WEXITSTATUS(outcome->wait_status);
    if (WIFSIGNALED(outcome->wait_status))
        return 128 + WTERMSIG(outcome->wait_status);
    return status > 128 && outcome->is_child ? status | OWN_STATUS : status;
}

/* "process 1 of the initial world ('./app' on node) ended with status 0 ...".
 * @param after  end of the message for a process that ended with a status */
static void describe_end(const struct order *order, const struct outcome *outcome,
                         const char *after, char *sentence, size_t size)
{
    char host[64] = "?", hint[240];
    const char *rank = getenv(nereus_process_manager()->rank);
    const int status = find_shell_status(outcome);
    gethostname(host, sizeof host - 1);
    shm_hint(status, hint, sizeof hint);
    const int length = snprintf(sentence, size, "process %s of %s world ('%.120s' on %s) ",
                                rank != NULL ? rank : "?",
                                order->initial ? "the initial" : "a spawned", order->program, host);
    sentence += length;
    size -= (size_t)length;
    if (outcome->replaced)
        snprintf(sentence, size,
                 "has become another program (exec), or closed all its descriptors, %s", after);
    else if (outcome->wrapper_stays)
        snprintf(sentence, size, "has ended, while its wrapper still runs, %s", after);
    else if (status_is_signal(status))
        snprintf(sentence, size, "was killed by signal %d (%s)%s", status - 128,
                 strsignal(status - 128), hint);
    else
        snprintf(sentence, size, "ended with status %d%s%s", status & ~OWN_STATUS,
                 *after != '\0' ? " " : "", after);
}

/* End as the child has ended, so that the launcher sees the same status; end with 0 if the child
 * has left the job, as its status is no longer the job's. Not by _exit: MPICH sends the launcher
 * its last message in an exit handler. */
static int exit_like_child(const struct order *order, const struct outcome *outcome)
{
    char sentence[NEREUS_LOSS_SENTENCE_MAX];
    const int status = find_shell_status(outcome);
    if (WIFSIGNALED(outcome->wait_status)) {
        signal(WTERMSIG(outcome->wait_status), SIG_DFL);
        raise(WTERMSIG(outcome->wait_status));
    }
    if (outcome->phase == PHASE_DONE)
        nereus_finalise_launcher();
    if (!outcome->left)
        return status;
    describe_end(order, outcome, "after it had left the job", sentence, sizeof sentence);
    if (status != 0 && !outcome->error_reported)
        fprintf(stderr, "nereus-mpiexec: %s, so that it is not the job's\n", sentence);
    return 0;
}

static void report_loss(const struct order *order, const struct outcome *outcome)
{
    char sentence[NEREUS_LOSS_SENTENCE_MAX];
    describe_end(order, outcome, "after it had reached MPI, without having left the job", sentence,
                 sizeof sentence);
    lifeline_report_end(outcome->start_connection, REPORT_LOST, find_shell_status(outcome),
                        sentence);
}

static void report_launched_end(int lifeline, enum report_kind kind, int status)
{
    char hint[240];
    shm_hint(status, hint, sizeof hint);
    lifeline_report(lifeline, kind, status, hint);
}

static void report_exit(const struct order *order, const struct outcome *outcome, int lifeline)
{
    const bool killed = WIFSIGNALED(outcome->wait_status);
    const int status = find_shell_status(outcome);
    const enum report_kind kind = killed ? REPORT_SIGNALLED : REPORT_EXITED;
    if (lifeline < 0 && outcome_is_lost(outcome) && !end_was_requested(outcome))
        report_loss(order, outcome);
    else if (!killed && (status == 0 || outcome->left))
        /* a regular end, in every phase */
        lifeline_report(outcome->start_connection, REPORT_PHASE, PHASE_DONE, "");
    else if (lifeline >= 0)
        report_launched_end(lifeline, kind, status);
    else
        lifeline_report_end(outcome->start_connection, kind, status, "");
}

/* Report a lost process whose wrapper still runs. */
static void report_loss_under_wrapper(void *user, const struct outcome *outcome)
{
    const struct spawned *spawned = user;
    if (spawned->lifeline >= 0)
        report_launched_end(spawned->lifeline, REPORT_EXITED, 1);
    else
        report_loss(spawned->order, outcome);
}

/* ---- over an initial process ----------------------------------------------------------------- */

/* Report the end, once: the wrapper of a lost process may end later. */
static void report_end(void *user, const struct outcome *outcome)
{
    const struct order *order = user;
    static bool reported;
    char sentence[NEREUS_LOSS_SENTENCE_MAX];
    const int status = find_shell_status(outcome);
    const bool may_end = outcome->phase == PHASE_DONE || outcome->phase == PHASE_UNSEEN;
    if (reported ||
        (may_end && (status == 0 || (outcome->left && !WIFSIGNALED(outcome->wait_status)))))
        return;
    reported = true;
    if (outcome->exec_errno != 0)
        snprintf(sentence, sizeof sentence, "%.300s: %s", order->program,
                 strerror(outcome->exec_errno));
    else if (outcome->error_reported || (!outcome->connection_lost && end_was_requested(outcome)))
        return;
    else if (outcome->connection_lost)
        snprintf(sentence, sizeof sentence, "the launcher's proxy over '%.120s' has ended",
                 order->program);
    else
        describe_end(order, outcome, phase_text(outcome->phase), sentence, sizeof sentence);
    lifeline_report_end(outcome->initial_connection,
                        outcome->exec_errno != 0   ? REPORT_NOT_STARTED
                        : outcome->connection_lost ? REPORT_PROXY_ENDED
                                                   : REPORT_INITIAL_ENDED,
                        status, sentence);
}

/* The exit status of a shell: 127 if the program does not exist, else 126. */
static int report_cannot_start(const struct order *order, struct outcome *outcome)
{
    outcome->wait_status = W_EXITCODE(outcome->exec_errno == ENOENT ? 127 : 126, 0);
    if (outcome->initial_connection < 0)
        fprintf(stderr, "nereus-mpiexec: the program cannot be started: %s: %s\n", order->program,
                strerror(outcome->exec_errno));
    report_end((void *)(size_t)order, outcome);
    return WEXITSTATUS(outcome->wait_status);
}

static int guard_initial(const struct order *order)
{
    struct outcome outcome = {.start_connection = -1, .initial_connection = -1};
    int events = -1;
    const pid_t child = start_program(order, &events, &outcome);
    if (child > 0)
        forward_signals(child);
    const char *rank = getenv(nereus_process_manager()->rank);
    warning_connection = outcome.initial_connection =
        lifeline_open_initial(rank != NULL ? rank : "?");
    if (outcome.initial_connection < 0 && outcome.exec_errno == 0)
        fprintf(stderr, "nereus-guard: process %s is not watched: nereus-mpiexec did not answer\n",
                rank != NULL ? rank : "?");
    if (outcome.exec_errno != 0)
        return report_cannot_start(order, &outcome);
    const struct outcome_watch watch = {
        .child = child, .events = events, .lifeline = -1, .limit_s = -1, .has_parent = true};
    outcome_await(&watch, &outcome, report_end, (void *)(size_t)order);
    report_end((void *)(size_t)order, &outcome);
    return exit_like_child(order, &outcome);
}

/* Check, without starting the program, whether it can be started. */
static int check_startable(const struct order *order, struct outcome *outcome, int lifeline)
{
    char path[4096], sentence[400];
    if (!outcome->lacks_record && ((order->folder != NULL && chdir(order->folder) != 0) ||
                                   !nereus_program_search(order->program, NULL, path, sizeof path)))
        outcome->exec_errno = errno;
    describe_failure(sentence, sizeof sentence, order, outcome);
    if (!outcome->lacks_record && outcome->exec_errno == 0)
        lifeline_report(lifeline, REPORT_STARTABLE, 0, "");
    else
        lifeline_report(lifeline, REPORT_NOT_STARTED, 0, sentence);
    return 0;
}

int main(int argc, char **argv)
{
    static struct order order; /* static: its words are used until the end of the program */
    struct outcome outcome = {.start_connection = -1, .initial_connection = -1};
    int events = -1, lifeline = -1;
    /* if SIGCHLD is ignored, waitpid does not return the program's status */
    signal(SIGCHLD, SIG_DFL);
    ignore_warning_signal();
    struct nereus_connection record = {.fd = -1};
    if (!read_order(argc, argv, &order)) {
        fprintf(stderr, "nereus-guard: it is started by libnereus, not by hand\n");
        return 2;
    }
    if (order.initial)
        return guard_initial(&order);
    if (lifeline_is_of_launched() && (lifeline = lifeline_open()) < 0)
        return 125; /* the job has ended */
    if (lifeline < 0 && order.spawn != NULL && !order.only_checks)
        outcome.start_connection = lifeline_open_spawned(order.spawn);
    outcome.lacks_record = order.record != NULL && !fetch_order(&order, &record);
    if (order.only_checks)
        return check_startable(&order, &outcome, lifeline);
    const pid_t child = outcome.lacks_record ? -1 : start_program(&order, &events, &outcome);
    if (child > 0)
        forward_signals(child);
    if (child >= 0)
        outcome_await(
            &(struct outcome_watch){.child = child,
                                    .events = events,
                                    .lifeline = lifeline,
                                    .limit_s = outcome.exec_errno != 0 ? 0 : order.limit_s,
                                    .has_parent = true},
            &outcome, report_loss_under_wrapper, &(struct spawned){&order, lifeline});
    if (!outcome.reached_mpi)
        return report_never_reached(argv[0], &order, &outcome, lifeline);
    if (outcome.connection_lost)
        return 0; /* with status 0 the launcher prints nothing */
    report_exit(&order, &outcome, lifeline);
    return exit_like_child(&order, &outcome);
}
