/*
 * nereus-supervise COMMAND ARGUMENTS...: runs mpiexec and ends with the status of the world that finished the
 * job, non-zero if any process was killed. Used by nereus-mpiexec.
 *
 * Hydra's mpiexec returns the status of the initial world only; after a baseline reconfiguration that world
 * has long gone. The guards over spawned processes report to the socket named in NEREUS_LAUNCHER.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard_events.h"

struct verdict {
    int killed; /* 128 + signal of the first process that was killed */
    int status; /* the largest status reported */
    bool initial_world_left;
};

static int open_door(char *token, size_t token_size)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof any;
    unsigned char random[16];
    char host[64] = "localhost", address[160];
    const int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&any, sizeof any) != 0 || listen(door, 128) != 0 ||
        getsockname(door, (struct sockaddr *)&any, &length) != 0 ||
        getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return -1;
    for (size_t i = 0; i < sizeof random && 2 * i + 2 < token_size; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    gethostname(host, sizeof host - 1);
    snprintf(address, sizeof address, "%s:%d:%s", host, ntohs(any.sin_port), token);
    setenv(NEREUS_LAUNCHER_NAME, address, 1);
    return door;
}

static void take_report(int door, const char *token, struct verdict *verdict)
{
    char line[128] = "", theirs[64], kind;
    int status;
    const struct timeval limit = {2, 0};
    const int visitor = accept4(door, NULL, NULL, SOCK_CLOEXEC);
    if (visitor < 0)
        return;
    setsockopt(visitor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const ssize_t n = recv(visitor, line, sizeof line - 1, 0);
    close(visitor);
    if (n <= 0 || sscanf(line, "%63s %c %d", theirs, &kind, &status) != 3 || strcmp(theirs, token) != 0)
        return;
    if (kind == 'K' && verdict->killed == 0)
        verdict->killed = status;
    if (status > verdict->status)
        verdict->status = status;
    verdict->initial_world_left = verdict->initial_world_left || kind == 'X';
}

static pid_t start(char **command)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* whoever kills this process ends the job as well */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(command[0], command);
    fprintf(stderr, "nereus-mpiexec: cannot start '%s': %s\n", command[0], strerror(errno));
    _exit(127);
}

/* Until mpiexec ends: take reports, pass signals on. */
static int run(pid_t child, int door, int signals, const char *token, struct verdict *verdict)
{
    int wait_status = 0;
    for (;;) {
        struct pollfd doors[2] = {{signals, POLLIN, 0}, {door, POLLIN, 0}};
        struct signalfd_siginfo caught;
        if (poll(doors, 2, -1) < 0 && errno != EINTR)
            break;
        if (doors[1].revents & POLLIN)
            take_report(door, token, verdict);
        if ((doors[0].revents & POLLIN) && read(signals, &caught, sizeof caught) == (ssize_t)sizeof caught &&
            caught.ssi_signo != SIGCHLD &&
            caught.ssi_code <= 0) /* a terminal's Ctrl-C reaches mpiexec by itself */
            kill(child, (int)caught.ssi_signo);
        if (waitpid(child, &wait_status, WNOHANG) == child)
            break;
    }
    for (struct pollfd last = {door, POLLIN, 0}; poll(&last, 1, 0) > 0;)
        take_report(door, token, verdict);
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

static int job_status(const struct verdict *verdict, int mpiexec_status)
{
    if (verdict->killed != 0)
        return verdict->killed;
    if (verdict->initial_world_left && verdict->status != 0)
        return verdict->status; /* mpiexec's own speaks of processes that had left */
    return mpiexec_status != 0 ? mpiexec_status : verdict->status;
}

int main(int argc, char **argv)
{
    char token[40] = "";
    struct verdict verdict = {0};
    sigset_t set;
    if (argc < 2) {
        fprintf(stderr, "nereus-supervise: give the command to run\n");
        return 2;
    }
    signal(SIGCHLD, SIG_DFL); /* inherited as ignored, it would never be seen */
    sigemptyset(&set);
    for (const int *s =
             (const int[]){SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, 0};
         *s != 0; s++)
        sigaddset(&set, *s);
    sigprocmask(SIG_BLOCK, &set, NULL);
    const int signals = signalfd(-1, &set, SFD_CLOEXEC), door = open_door(token, sizeof token);
    const pid_t child = signals < 0 || door < 0 ? -1 : start(argv + 1);
    if (child < 0) {
        fprintf(stderr, "nereus-mpiexec: %s\n", strerror(errno));
        return 1;
    }
    return job_status(&verdict, run(child, door, signals, token, &verdict));
}
