/** @file victim.c  See victim.h. */
#include "victim.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static const char *moment, *record_file;
static volatile sig_atomic_t stage;
static bool is_set;
static int exit_status = -1; /* instead of SIGKILL */

/* Async-signal-safe calls only. Only the first victim dies: after a cancelled reconfiguration a
 * later process may have the same word. */
static void die(int signal_number)
{
    static const char *const names[] = {"joining\n", "member\n", "leaving\n"};
    (void)signal_number;
    const int file = open(record_file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const char *name = names[stage];
    if (write(file, name, strlen(name)) < 0)
        return;
    if (exit_status >= 0)
        _exit(exit_status);
    kill(getpid(), SIGKILL);
}

static void set_timer(int64_t microseconds)
{
    const struct itimerval in = {.it_value = {microseconds / 1000000, microseconds % 1000000 + 1}};
    is_set = true;
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &in, NULL);
}

void victim_begin(const char *when, const char *record)
{
    moment = when;
    record_file = record;
    if (moment != NULL && strchr(moment, ':') != NULL)
        exit_status = atoi(strchr(moment, ':') + 1);
    if (moment != NULL && nereus_will_join() && strncmp(moment, "new+", 4) == 0)
        set_timer(atoll(moment + 4));
}

void victim_is(enum victim_stage new_stage)
{
    stage = (sig_atomic_t)new_stage;
}

void victim_look(const nereus_job *job)
{
    long long rank, changes, microseconds;
    if (moment != NULL && !is_set &&
        sscanf(moment, "%lld@%lld+%lld", &rank, &changes, &microseconds) == 3 &&
        nereus_reconfigurations(job) == changes && nereus_rank(job) == rank % nereus_size(job))
        set_timer(microseconds);
}

void victim_progress(const char *file)
{
    static int64_t *steps;
    if (file == NULL)
        return;
    if (steps == NULL) {
        const int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor < 0 || ftruncate(descriptor, sizeof *steps) != 0)
            return;
        steps = mmap(NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        close(descriptor);
        if (steps == MAP_FAILED)
            exit(9);
    }
    __atomic_add_fetch(steps, 1, __ATOMIC_RELAXED);
}
