/* Children of a process: see processes.h. */
#include "processes.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

static FILE *open_children(pid_t parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    return fopen(path, "re");
}

int processes_end_children(pid_t parent, int signal_number)
{
    long pid;
    int count = 0;
    FILE *children = open_children(parent);
    for (; children != NULL && fscanf(children, "%ld", &pid) == 1; count++)
        kill((pid_t)pid, signal_number);
    if (children != NULL)
        fclose(children);
    return count;
}

void processes_end_below(pid_t parent, int signal_number)
{
    long pid;
    FILE *children = open_children(parent);
    while (children != NULL && fscanf(children, "%ld", &pid) == 1) {
        processes_end_below((pid_t)pid, signal_number);
        kill((pid_t)pid, signal_number);
    }
    if (children != NULL)
        fclose(children);
}

int processes_running_below(pid_t parent)
{
    long pid;
    int count = 0;
    FILE *children = open_children(parent);
    while (children != NULL && fscanf(children, "%ld", &pid) == 1) {
        char path[64], state = '?';
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *file = fopen(path, "re");
        const bool known = file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
        count += known && state != 'Z' && state != 'X';
        if (file != NULL)
            fclose(file);
    }
    if (children != NULL)
        fclose(children);
    return count;
}

/* The page faults of children that it has waited for are counted with its own. */
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

/* Neither handled, nor ignored, nor blocked. */
static bool would_end_by(pid_t pid, int signal_number)
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

void processes_repeat(pid_t parent, int signal_number)
{
    long pid;
    FILE *children = open_children(parent);
    while (children != NULL && fscanf(children, "%ld", &pid) == 1) {
        processes_repeat((pid_t)pid, signal_number);
        if (would_end_by((pid_t)pid, signal_number))
            kill((pid_t)pid, signal_number);
    }
    if (children != NULL)
        fclose(children);
}
