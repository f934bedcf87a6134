/** @file processes.c  Walks the children of a process in /proc, down to all descendants. */
#include "processes.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "model/util/process.h"

/* Call a function for each direct child.
 * @return the sum of its results */
static int call_for_each_child(pid_t parent, int (*call)(pid_t pid, int signal_number),
                               int signal_number)
{
    char path[64];
    long pid;
    int sum = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *children = fopen(path, "re");
    while (children != NULL && fscanf(children, "%ld", &pid) == 1)
        sum += call((pid_t)pid, signal_number);
    if (children != NULL)
        fclose(children);
    return sum;
}

static int end_process(pid_t pid, int signal_number)
{
    kill(pid, signal_number);
    return 1;
}

int processes_end_children(pid_t parent, int signal_number)
{
    return call_for_each_child(parent, end_process, signal_number);
}

void processes_kill_children(double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + limit_s;
    while (processes_end_children(getpid(), SIGKILL) > 0 && nereus_monotonic_s() < deadline_s) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        usleep(2000);
    }
}

static int end_tree(pid_t pid, int signal_number)
{
    call_for_each_child(pid, end_tree, signal_number);
    return end_process(pid, signal_number);
}

void processes_end_below(pid_t parent, int signal_number)
{
    call_for_each_child(parent, end_tree, signal_number);
}

static int is_running(pid_t pid, int nothing)
{
    struct nereus_process_stat process;
    (void)nothing;
    return nereus_process_read(pid, &process) && process.state != 'Z' && process.state != 'X';
}

int processes_running_below(pid_t parent)
{
    return call_for_each_child(parent, is_running, 0);
}

/* Field 11 of /proc/PID/stat counts the page faults of children that were waited for; every process
 * has some. */
bool processes_has_seen_one_end(pid_t pid)
{
    char path[64];
    unsigned long faults = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "re");
    const bool known =
        file != NULL &&
        fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %lu", &faults) == 1;
    if (file != NULL)
        fclose(file);
    return known && faults > 0;
}

/* Is the signal neither handled, nor ignored, nor blocked? */
static bool is_fatal(pid_t pid, int signal_number)
{
    char path[64], line[256];
    unsigned long long one, set = 0;
    int found = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "SigBlk: %llx", &one) == 1 || sscanf(line, "SigIgn: %llx", &one) == 1 ||
            sscanf(line, "SigCgt: %llx", &one) == 1) {
            set |= one;
            found++;
        }
    if (status != NULL)
        fclose(status);
    return found == 3 && (set >> (signal_number - 1) & 1) == 0;
}

static int repeat_signal(pid_t pid, int signal_number)
{
    call_for_each_child(pid, repeat_signal, signal_number);
    return is_fatal(pid, signal_number) ? end_process(pid, signal_number) : 0;
}

void processes_signal_again(pid_t parent, int signal_number)
{
    call_for_each_child(parent, repeat_signal, signal_number);
}
