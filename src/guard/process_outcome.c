/**
 * @file process_outcome.c
 * Waits for events of the process and for the end of the guard's child, with poll.
 */
#include "process_outcome.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lifeline.h"
#include "model/util/clock.h"
#include "model/util/process.h"
#include "processes.h"
#include "src/util/guard_events.h"

/* Time limits: for the wrapper, which knows the exit status, to end after the MPI process; for a
 * descendant (a daemon) to reach MPI after the initial process has ended. */
static const double wrapper_limit_s = 1, descendant_limit_s = 60;
/* Polling interval if the kernel does not report a process' end (no pidfd_open). */
enum { POLL_MS = 50 };

/* What the guard waits for. A descriptor is -1 if there is none, or if it is closed. */
struct watched {
    int events;                /* channel from the process (guard_events.h) */
    int lifeline;              /* to nereus-supervise */
    int parent, child, sender; /* pidfds: ready when the process has ended */
    pid_t parent_pid;
    bool child_ended, sender_ended;
    double deadline_s; /* to reach MPI; 0: none */
};

bool outcome_open_channel(int ends[2])
{
    const int yes = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    /* The kernel adds the sender's pid, in this pid namespace, to each event. */
    setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0;
}

/* Open a descriptor that is readable when the process has ended. -1: not supported */
static int watch_process(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

static void close_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum process_phase find_next_phase(enum process_phase old_phase, char event)
{
    switch (event) {
    case GUARD_REACHED_MPI:
        return old_phase == PHASE_START ? PHASE_MPI : old_phase;
    case GUARD_ENTERS_JOB:
        return PHASE_JOB;
    case GUARD_LEFT:
    case GUARD_FINISHES:
        return PHASE_LEFT;
    case GUARD_ENDS_MPI:
        return PHASE_FINALIZE;
    case GUARD_HAS_NO_MPI:
        return PHASE_DONE;
    default:
        return old_phase;
    }
}

static void enter_phase(struct outcome *outcome, enum process_phase phase)
{
    if (phase != outcome->phase) {
        lifeline_report(outcome->initial_connection, REPORT_PHASE, (int)phase, "");
        lifeline_report(outcome->start_connection, REPORT_PHASE, (int)phase, "");
    }
    outcome->phase = phase;
}

static void record_event(struct outcome *outcome, char event)
{
    outcome->reached_mpi = outcome->reached_mpi || event == GUARD_REACHED_MPI;
    outcome->error_reported = outcome->error_reported || event == GUARD_GIVES_UP;
    outcome->left = outcome->left || event == GUARD_LEFT;
    outcome->finishes = outcome->finishes || event == GUARD_FINISHES;
    enter_phase(outcome, find_next_phase(outcome->phase, event));
}

/* @return 1: an event; 0: none now; -1: the other end is closed */
static int receive(int events, char *event, pid_t *sender)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec data = {event, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t n;
    while ((n = recvmsg(events, &message, MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    if (n <= 0)
        return n < 0 && errno == EAGAIN ? 0 : -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    struct ucred credentials = {0};
    if (header != NULL && header->cmsg_type == SCM_CREDENTIALS)
        memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
    *sender = credentials.pid;
    return 1;
}

static void read_events(struct watched *watched, struct outcome *outcome)
{
    char event;
    pid_t from;
    int got = watched->events < 0 ? 0 : 1;
    while (got > 0 && (got = receive(watched->events, &event, &from)) > 0) {
        record_event(outcome, event);
        if (outcome->sender == 0 && from > 0) {
            outcome->sender = from;
            watched->sender = watch_process(from);
        }
        if (outcome->left || outcome->finishes)
            lifeline_report(watched->lifeline, REPORT_LEFT, 0, "");
    }
    if (got < 0)
        close_descriptor(&watched->events);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Has the process begun to exit? It closes its descriptors before its parent can see the exit. */
static bool is_ending(pid_t pid)
{
    enum { PF_EXITING = 4 };
    struct nereus_process_stat process;
    return !nereus_process_read(pid, &process) || (process.flags & PF_EXITING) != 0;
}

/* Check whether the sender has ended, without a pidfd. */
static void check_sender(struct watched *watched, pid_t sender)
{
    struct nereus_process_stat process;
    if (sender != 0 && watched->sender < 0 && !watched->sender_ended)
        watched->sender_ended =
            !nereus_process_read(sender, &process) || process.state == 'Z' || process.state == 'X';
}

static void check_child(struct watched *watched, pid_t child, struct outcome *outcome)
{
    if (watched->child_ended || waitpid(child, &outcome->wait_status, WNOHANG) <= 0)
        return;
    watched->child_ended = true;
    close_descriptor(&watched->child);
    if (watched->deadline_s <= 0)
        watched->deadline_s = nereus_monotonic_s() + descendant_limit_s;
    watched->sender_ended = watched->sender_ended || outcome->sender == child;
}

/* Interpret a closed channel: the process is exiting or has called execve; or a wrapper has closed
 * the channel, and its program cannot be observed. */
static void interpret_closed_channel(const struct watched *watched, pid_t child,
                                     struct outcome *outcome)
{
    const pid_t who = outcome->sender != 0 ? outcome->sender : child;
    const bool ends = watched->child_ended || watched->sender_ended || is_ending(who);
    if (watched->events >= 0 || ends || outcome->replaced)
        return;
    if (outcome->phase == PHASE_START)
        enter_phase(outcome, PHASE_UNSEEN);
    else if (outcome->phase != PHASE_UNSEEN)
        outcome->replaced = outcome->phase != PHASE_DONE;
}

/* May a descendant still reach MPI? The child has ended with 0 before MPI, but another process has
 * the channel open: a helper, or the program itself in the background. */
static bool may_reach_mpi(const struct watched *watched, const struct outcome *outcome)
{
    return watched->events >= 0 && outcome->phase == PHASE_START && outcome->sender == 0 &&
           outcome->wait_status == 0 && outcome->exec_errno == 0 && !outcome->timed_out &&
           !outcome->connection_lost;
}

static bool have_all_ended(const struct watched *watched, const struct outcome *outcome)
{
    return watched->child_ended &&
           (outcome->sender == 0 ? !may_reach_mpi(watched, outcome)
                                 : watched->sender_ended || outcome->replaced);
}

/* @param reason  member of *outcome that gives the reason; set before the end is detected */
static void end_all(pid_t child, const struct outcome *outcome, bool *reason)
{
    *reason = true;
    processes_end_below(getpid(), SIGKILL); /* includes the children of a wrapper */
    kill(child, SIGKILL);                   /* events that the child has sent are read afterwards */
    if (outcome->sender > 0)
        kill(outcome->sender, SIGKILL);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int compute_wait_ms(const struct watched *watched, const struct outcome *outcome)
{
    const bool blind = (watched->child < 0 && !watched->child_ended) ||
                       (outcome->sender != 0 && watched->sender < 0 && !watched->sender_ended) ||
                       (watched->parent < 0 && watched->parent_pid != 0);
    if (outcome->reached_mpi || outcome->timed_out || watched->deadline_s <= 0)
        return blind ? POLL_MS : -1;
    const double left_s = watched->deadline_s - nereus_monotonic_s();
    const int left_ms = left_s > 0 ? (int)(left_s * 1e3) + 1 : 0;
    return blind && left_ms > POLL_MS ? POLL_MS : left_ms;
}

/* Wait for the next event and handle it. */
static void wait_once(struct watched *watched, pid_t child, struct outcome *outcome)
{
    const bool tied = !outcome->left && !outcome->finishes && !outcome->connection_lost;
    struct pollfd fds[] = {{watched->events, POLLIN, 0},
                           {watched->child, POLLIN, 0},
                           {watched->sender, POLLIN, 0},
                           {tied ? watched->lifeline : -1, POLLIN, 0},
                           {tied ? watched->parent : -1, POLLIN, 0}};
    if (poll(fds, sizeof fds / sizeof *fds, compute_wait_ms(watched, outcome)) < 0)
        return; /* interrupted by a signal, which the handler forwards */
    if (fds[2].revents != 0) {
        watched->sender_ended = true;
        close_descriptor(&watched->sender);
    }
    check_child(watched, child, outcome);
    read_events(watched, outcome);
    check_sender(watched, outcome->sender);
    interpret_closed_channel(watched, child, outcome);
    const bool overdue = watched->deadline_s > 0 && nereus_monotonic_s() >= watched->deadline_s;
    if (overdue && !outcome->reached_mpi && !outcome->timed_out && !watched->child_ended)
        end_all(child, outcome, &outcome->timed_out);
    outcome->timed_out =
        outcome->timed_out || (overdue && may_reach_mpi(watched, outcome)); /* still running */
    const bool orphaned = tied && watched->parent_pid != 0 && getppid() != watched->parent_pid;
    if (fds[0].revents == 0 && (fds[3].revents != 0 || fds[4].revents != 0 || orphaned))
        end_all(child, outcome,
                &outcome->connection_lost); /* the only event of these descriptors is their end */
}

bool outcome_is_lost(const struct outcome *outcome)
{
    const bool left = outcome->initial_connection < 0 && (outcome->left || outcome->finishes);
    return !left && outcome->phase != PHASE_DONE && !outcome->error_reported;
}

/* Wait for the wrapper, which knows the exit status, if it ends soon. */
static void await_wrapper(struct watched *watched, pid_t child, struct outcome *outcome)
{
    const double deadline_s = nereus_monotonic_s() + wrapper_limit_s;
    while (!outcome->replaced && !watched->child_ended && nereus_monotonic_s() < deadline_s) {
        poll(&(struct pollfd){watched->child, POLLIN, 0}, 1, POLL_MS);
        check_child(watched, child, outcome);
    }
}

void outcome_await(const struct outcome_watch *watch, struct outcome *outcome,
                   void (*lost)(void *user, const struct outcome *outcome), void *user)
{
    struct watched watched = {
        .events = watch->events,
        .lifeline = watch->lifeline,
        .parent = watch->has_parent ? watch_process(getppid()) : -1,
        .parent_pid = watch->has_parent ? getppid() : 0,
        .child = watch_process(watch->child),
        .sender = -1,
        .deadline_s = watch->limit_s < 0 ? 0 : nereus_monotonic_s() + watch->limit_s + 1e-9};
    bool reported = false;
    while (!have_all_ended(&watched, outcome)) {
        wait_once(&watched, watch->child, outcome);
        if (reported || watched.child_ended || !outcome_is_lost(outcome) ||
            !(watched.sender_ended || outcome->replaced))
            continue;
        await_wrapper(&watched, watch->child, outcome);
        reported = !watched.child_ended;
        outcome->wrapper_stays = reported;
        if (reported)
            lost(user, outcome);
        outcome->wrapper_stays = false;
    }
    read_events(&watched, outcome);
    outcome->is_child = outcome->sender == watch->child;
    close_descriptor(&watched.events);
    close_descriptor(&watched.child);
    close_descriptor(&watched.sender);
    close_descriptor(&watched.parent);
}
