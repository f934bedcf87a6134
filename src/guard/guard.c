/*
 * nereus-guard: the program that MPI_Comm_spawn starts. It forks the application's program and
 * waits for it. If the program is missing, ends before it has reached MPI, or takes too long to,
 * the guard becomes nereus-guard-join, which joins the job in its place and tells why: the job then
 * goes on as it was, where a plain spawn would hang it without end.
 *
 * It is no MPI program itself: it holds the launcher's connection for its child, and starting it
 * costs a millisecond.
 *
 * Over a process that was launched as part of a world of its own (NEREUS_LAUNCH is set) it holds a
 * lifeline too, and ends the program when that breaks; no process has to take a program's place
 * there.
 *
 * Words on the command line: a letter and a value in which all but plain characters are %XX:
 *
 *   tSECONDS  time limit until MPI is reached    dFOLDER  working directory    eNAME=VALUE
 *   environment
 *   pPROGRAM  what to start                      aWORD    an argument of it
 *   nNAME     of the call of MPI_Comm_spawn      q        only check whether the program can be
 *                                                         started
 *   rNAME     nereus-supervise has further       c        the environment is what follows, and what
 *             words under this name                       the launcher has set
 *
 * Before anything else a spawned guard reports to nereus-supervise that it runs: this distinguishes
 * a host that does not answer from a program that takes long to reach MPI (starts.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lifeline.h"
#include "memory_hooks.h"
#include "processes.h"
#include "report.h"
#include "src/link/handed_on.h"
#include "src/link/line.h"
#include "src/util/guard_events.h"

struct order {
    double limit_s;
    const char *folder, *program;
    const char *spawn;  /* NULL: not counted */
    const char *record; /* nereus-supervise has the rest; NULL: this is all */
    bool only_looks;
    char **arguments; /* of the program, from its name on, NULL-terminated */
    size_t count;     /* of them */
};

/* What became of the child. */
struct fate {
    bool reached_mpi, left, finishes, finishes_alone;
    bool late;          /* did not reach MPI in time, and was ended */
    bool cut_off;       /* the lifeline broke, and it was ended */
    bool knows_nothing; /* could not learn what to start */
    int exec_errno;     /* could not be started at all */
    int wait_status;
    bool gives_up;  /* ends the job, and has said why */
    int start_line; /* until it reaches MPI; -1: none */
};

static bool add_argument(struct order *order, char *value)
{
    char **arguments = realloc(order->arguments, (order->count + 2) * sizeof *arguments);
    if (arguments == NULL)
        return false;
    order->arguments = arguments;
    arguments[order->count++] = value;
    arguments[order->count] = NULL;
    return true;
}

/* The words stay where they are: the environment points to them. */
static bool take_word(struct order *order, char letter, char *value)
{
    switch (letter) {
    case 't':
        order->limit_s = atof(value);
        return true;
    case 'd':
        order->folder = value;
        return true;
    case 'c':
        nereus_clear_handed_on();
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
        order->only_looks = true;
        return true;
    case 'p':
        order->program = value;
        return add_argument(order, value);
    case 'a':
        return add_argument(order, value);
    default:
        return false;
    }
}

static bool read_order(int argc, char **argv, struct order *order)
{
    memset(order, 0, sizeof *order);
    order->limit_s = 60;
    for (int i = 1; i < argc; i++)
        if (!take_word(order, argv[i][0], nereus_word_decode(argv[i] + 1)))
            return false;
    return order->program != NULL || order->record != NULL;
}

/* What nereus-supervise has of it. `line` holds the words. */
static bool fetch_order(struct order *order, struct nereus_line *line)
{
    static const double limit_s = 10;
    enum { RECORD_BYTES_MAX = 64 << 20 };
    if (!nereus_line_call(line, getenv(NEREUS_LAUNCHER_NAME),
                          (const char *const[]){"T", order->record, NULL}, limit_s))
        return false;
    line->limit = RECORD_BYTES_MAX;
    char *at = nereus_line_wait(line, limit_s), *word;
    while ((word = nereus_word_next(&at)) != NULL)
        if (!take_word(order, word[0], word + 1))
            return false;
    return order->program != NULL;
}

/* In the child. A failure is reported through `trouble`, which closes by itself when the program
 * runs. */
static void become_program(const struct order *order, pid_t guard, int trouble)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the program is killed with its guard */
    if (getppid() == guard && (order->folder == NULL || chdir(order->folder) == 0))
        execvp(order->program, order->arguments);
    const int code = errno;
    if (write(trouble, &code, sizeof code) < 0)
        _exit(126);
    _exit(127);
}

static volatile pid_t program; /* for the handler */
static volatile sig_atomic_t passed_on;

static void pass_on(int signal_number)
{
    passed_on = signal_number;
    if (program > 0)
        kill(program, signal_number);
}

/* Signals are meant for the program: the launcher knows only the guard. */
static void pass_signals_on(pid_t child)
{
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    program = child;
    for (const int *s =
             (const int[]){SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, 0};
         *s != 0; s++)
        sigaction(*s, &action, NULL);
}

static pid_t start(const struct order *order, int *events, struct fate *fate)
{
    int event_pipe[2], trouble_pipe[2];
    const pid_t guard = getpid();
    char text[16];
    if (pipe2(event_pipe, 0) != 0 || pipe2(trouble_pipe, O_CLOEXEC) != 0) {
        fate->exec_errno = errno;
        return -1;
    }
    fcntl(event_pipe[0], F_SETFD, FD_CLOEXEC);
    snprintf(text, sizeof text, "%d", event_pipe[1]);
    setenv(NEREUS_GUARD_FD_NAME, text, 1);
    memory_hooks_choose("");
    const pid_t child = fork();
    if (child == 0)
        become_program(order, guard, trouble_pipe[1]);
    if (child < 0)
        fate->exec_errno = errno;
    close(event_pipe[1]);
    close(trouble_pipe[1]);
    while (read(trouble_pipe[0], &fate->exec_errno, sizeof fate->exec_errno) < 0 && errno == EINTR)
        ;
    close(trouble_pipe[0]);
    *events = event_pipe[0];
    return child;
}

static void note(struct fate *fate, char event)
{
    fate->reached_mpi = fate->reached_mpi || event == GUARD_REACHED_MPI;
    if (fate->reached_mpi)
        lifeline_close_spawned(&fate->start_line);
    fate->gives_up = fate->gives_up || event == GUARD_GIVES_UP;
    fate->left = fate->left || event == GUARD_LEFT;
    fate->finishes = fate->finishes || event == GUARD_FINISHES || event == GUARD_FINISHES_ALONE;
    fate->finishes_alone = fate->finishes_alone || event == GUARD_FINISHES_ALONE;
}

/* An event of the child. @return false: it has closed its end of the pipe */
static bool take_event(int events, int lifeline, struct fate *fate)
{
    char event;
    const ssize_t n = read(events, &event, 1);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    note(fate, event);
    if (fate->left || fate->finishes)
        lifeline_bye(lifeline);
    return true;
}

/* The program, and a wrapper around it. */
static void end_child(pid_t child, bool *why)
{
    *why = true;
    processes_end_below(getpid(), SIGKILL);
    kill(child, SIGKILL); /* its last events are still read */
}

/* Readable when the parent of this process has ended: a launcher's proxy that is killed ends none
 * of its processes, and its mpiexec does not notice. -1: cannot be watched here */
static int watch_parent(int lifeline)
{
    return lifeline < 0 ? -1 : (int)syscall(SYS_pidfd_open, getppid(), 0);
}

/* Read events until the child has closed its end of the pipe; a time limit holds until MPI is
 * reached, and lifeline and launcher are watched until the child has left the job. */
static void listen_to(int events, int lifeline, pid_t child, double limit_s, struct fate *fate)
{
    const double until_s = nereus_line_now_s() + limit_s;
    const int parent = watch_parent(lifeline);
    for (;;) {
        const bool tied = !fate->left && !fate->finishes && !fate->cut_off;
        struct pollfd lines[3] = {{events, POLLIN, 0},
                                  {tied ? lifeline : -1, POLLIN, 0},
                                  {tied ? parent : -1, POLLIN, 0}};
        const double left_s = until_s - nereus_line_now_s();
        const int wait_ms = fate->reached_mpi || fate->late ? -1
                            : left_s > 0                    ? (int)(left_s * 1e3) + 1
                                                            : 0;
        const int ready = poll(lines, 3, wait_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0 && !fate->reached_mpi && !fate->late)
            end_child(child, &fate->late);
        if (lines[0].revents != 0 && !take_event(events, lifeline, fate))
            break;
        if (lines[0].revents == 0 && (lines[1].revents != 0 || lines[2].revents != 0))
            end_child(child, &fate->cut_off); /* they only ever end */
    }
    if (parent >= 0)
        close(parent);
}

static void watch(pid_t child, int events, int lifeline, double limit_s, struct fate *fate)
{
    listen_to(events, lifeline, child, limit_s, fate);
    close(events);
    while (waitpid(child, &fate->wait_status, 0) < 0 && errno == EINTR)
        ;
}

/* What execvp would start; else errno tells why nothing. */
static bool find_on_path(const char *name, char *path, size_t size)
{
    const char *folders = strchr(name, '/') != NULL ? NULL : getenv("PATH");
    snprintf(path, size, "%s", name);
    if (folders == NULL)
        return access(path, X_OK) == 0;
    for (const char *at = folders; *at != '\0'; at += strspn(at, ":")) {
        const size_t length = strcspn(at, ":");
        snprintf(path, size, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0)
            return true;
        at += length;
    }
    errno = ENOENT;
    return false;
}

static void say_why(char *reason, size_t size, const struct order *order, const struct fate *fate)
{
    char host[64] = "?";
    gethostname(host, sizeof host - 1);
    if (fate->knows_nothing)
        snprintf(reason, size,
                 "nereus-mpiexec did not tell a new process on %s which program to start", host);
    else if (fate->exec_errno != 0)
        snprintf(reason, size, "the program '%.250s' cannot be started on %s: %s", order->program,
                 host, strerror(fate->exec_errno));
    else if (fate->late)
        snprintf(reason, size,
                 "the program '%.250s' had not reached MPI on %s after %g s, and was ended",
                 order->program, host, order->limit_s);
    else if (WIFSIGNALED(fate->wait_status))
        snprintf(reason, size,
                 "the program '%.250s' on %s was killed by signal %d before it reached MPI",
                 order->program, host, WTERMSIG(fate->wait_status));
    else
        snprintf(
            reason, size,
            "the program '%.250s' on %s ended with status %d before it reached MPI through Nereus",
            order->program, host, WEXITSTATUS(fate->wait_status));
}

/* Join in the program's place, with the reason. Returns only if even that cannot be started. It
 * keeps the line, as it has no guard and may die in MPI. */
static void take_its_place(const char *own_path, const char *reason, int start_line)
{
    char path[4096], line[16];
    snprintf(path, sizeof path, "%s-join", own_path);
    snprintf(line, sizeof line, "%d", start_line);
    if (start_line >= 0) {
        lifeline_fail(start_line, reason);
        fcntl(start_line, F_SETFD, 0);
    }
    execl(path, path, reason, line, (char *)NULL);
    fprintf(stderr, "nereus-guard: %s; and %s cannot be started: %s\n", reason, path,
            strerror(errno));
}

/* The program never reached MPI. A launched world has not joined yet, so a report is enough. */
static int give_up(const char *own_path, const struct order *order, const struct fate *fate,
                   int lifeline)
{
    char reason[480];
    say_why(reason, sizeof reason, order, fate);
    if (lifeline < 0)
        take_its_place(own_path, reason, fate->start_line);
    else if (!fate->cut_off)
        lifeline_fail(lifeline, reason);
    return fate->cut_off ? 0 : 126;
}

/* End as the child ended, so that the launcher sees it too. */
static int end_like(int wait_status)
{
    if (WIFSIGNALED(wait_status)) {
        signal(WTERMSIG(wait_status), SIG_DFL);
        raise(WTERMSIG(wait_status));
        return 128 + WTERMSIG(wait_status);
    }
    return WEXITSTATUS(wait_status);
}

/* It was, or was to be, part of the job: the others wait for it inside MPI. */
static bool is_lost(const struct fate *fate)
{
    const bool told_to_end =
        WIFSIGNALED(fate->wait_status) && WTERMSIG(fate->wait_status) == passed_on;
    return !fate->left && !fate->finishes && !fate->gives_up && !told_to_end;
}

static void report_loss(const struct order *order, int status)
{
    char host[64] = "?", sentence[360];
    const char *rank = getenv("PMI_RANK");
    gethostname(host, sizeof host - 1);
    const int length =
        snprintf(sentence, sizeof sentence, "process %s of a spawned world ('%.120s' on %s) ",
                 rank != NULL ? rank : "?", order->program, host);
    if (status > 128)
        snprintf(sentence + length, sizeof sentence - (size_t)length,
                 "was killed by signal %d (%s)", status - 128, strsignal(status - 128));
    else
        snprintf(sentence + length, sizeof sentence - (size_t)length,
                 "ended with status %d after it had reached MPI, without having left the job",
                 status);
    nereus_report_loss(status, sentence);
}

static void tell_launcher(const struct order *order, const struct fate *fate, int lifeline)
{
    const char *rank = getenv("PMI_RANK");
    const bool first = rank != NULL && strcmp(rank, "0") == 0;
    const bool killed = WIFSIGNALED(fate->wait_status);
    const int status = killed ? 128 + WTERMSIG(fate->wait_status) : WEXITSTATUS(fate->wait_status);
    const char kind = killed ? 'K' : fate->finishes_alone ? 'X' : 'S';
    if (lifeline < 0 && is_lost(fate) && status == 0)
        report_loss(order, status);
    if (!killed && (status == 0 || fate->left) && !(fate->finishes_alone && first))
        return;
    if (lifeline >= 0)
        lifeline_report(lifeline, kind, status);
    else if (is_lost(fate) && status != 0)
        report_loss(order, status);
    else
        nereus_report_send(kind, status);
}

/* The program is not started: could it be? */
static int look(const struct order *order, struct fate *fate, int lifeline)
{
    char path[4096], sentence[400];
    if (!fate->knows_nothing && ((order->folder != NULL && chdir(order->folder) != 0) ||
                                 !find_on_path(order->program, path, sizeof path)))
        fate->exec_errno = errno;
    say_why(sentence, sizeof sentence, order, fate);
    if (!fate->knows_nothing && fate->exec_errno == 0)
        lifeline_found(lifeline);
    else
        lifeline_fail(lifeline, sentence);
    return 0;
}

int main(int argc, char **argv)
{
    struct order order;
    struct fate fate = {.start_line = -1};
    int events = -1, lifeline = -1;
    signal(SIGCHLD, SIG_DFL); /* if inherited as ignored the program's status would be lost */
    struct nereus_line record = {.fd = -1};
    if (!read_order(argc, argv, &order)) {
        fprintf(stderr, "nereus-guard: it is started by libnereus, not by hand\n");
        free(order.arguments);
        return 2;
    }
    if (lifeline_wanted() && (lifeline = lifeline_open()) < 0)
        return 125; /* the job has ended */
    if (lifeline < 0 && order.spawn != NULL && !order.only_looks)
        fate.start_line = lifeline_open_spawned(order.spawn);
    fate.knows_nothing = order.record != NULL && !fetch_order(&order, &record);
    if (order.only_looks)
        return look(&order, &fate, lifeline);
    const pid_t child = fate.knows_nothing ? -1 : start(&order, &events, &fate);
    free(order.arguments); /* the child has its own by now */
    if (child > 0)
        pass_signals_on(child);
    if (child >= 0)
        watch(child, events, lifeline, fate.exec_errno != 0 ? 0 : order.limit_s, &fate);
    if (!fate.reached_mpi)
        return give_up(argv[0], &order, &fate, lifeline);
    if (fate.cut_off)
        return 0; /* let the launcher report nothing */
    tell_launcher(&order, &fate, lifeline);
    return end_like(fate.wait_status);
}
