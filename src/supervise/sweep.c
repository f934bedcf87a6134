/**
 * @file sweep.c
 * Removes shared-memory files on a job's other hosts. MPI removes its files only at the end of a
 * successful job, and nereus-supervise sees only those of its own host. It therefore starts itself
 * once on each other host, by the job's launcher, to remove the files that no process uses there.
 * Which files existed there before the job is unknown: files older than the job, by that host's
 * clock, stay.
 */
#include "sweep.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_hosts.h"
#include "launcher.h"
#include "model/util/clock.h"
#include "model/util/shared_files.h"
#include "output.h"
#include "src/guard/processes.h"

/* Time limits: for all hosts, which are swept in parallel; on each host, for the end of
 * processes. */
static const double limit_s = 3, ending_limit_s = 1;

/* The launcher's errors about an unreachable host are discarded: the job's own message is
 * enough. */
static pid_t start_sweep(const char *host, char **mpiexec, double job_s)
{
    char self[4096], seconds[32], sentence[400];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const int dev_null = length < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dev_null < 0)
        return -1;
    self[length] = '\0';
    snprintf(seconds, sizeof seconds, "%.0f", job_s + 1);
    char *words[] = {self, SWEEP_OPTION, seconds, NULL};
    const int quiet[2] = {dev_null, dev_null};
    const struct launcher_order order = {
        .host = host, .hosts = 1, .command = "", .processes = 1, .argv = words};
    const pid_t child = launcher_start(&order, mpiexec, quiet, sentence, sizeof sentence);
    close(dev_null);
    return child;
}

/* Launchers that run at a time. */
enum { LAUNCHERS_MAX = 64 };

/* Wait for launchers, one for each host; pids become 0.
 * @return false: stopped */
static bool await_all(struct job_host *const *hosts, pid_t *pids, int count,
                      const struct sweep_limit *limit)
{
    const double deadline_s = nereus_monotonic_s() + limit->seconds;
    int status, left = count;
    while (left > 0 && nereus_monotonic_s() < deadline_s && !limit->stop(limit->user)) {
        left = 0;
        for (int i = 0; i < count; i++) {
            if (pids[i] <= 0)
                continue;
            const pid_t ended = waitpid(pids[i], &status, WNOHANG);
            if (ended == pids[i]) {
                hosts[i]->answers = WIFEXITED(status) && WEXITSTATUS(status) == 0;
                pids[i] = 0;
            }
            left += ended == 0;
        }
        usleep(5000);
    }
    return !limit->stop(limit->user);
}

bool sweep_each_host(struct job_hosts *hosts, char **mpiexec, double job_s,
                     const struct sweep_limit *limit)
{
    bool goes_on = true;
    for (size_t i = 0; i < hosts->count && goes_on;) {
        struct job_host *started[LAUNCHERS_MAX];
        pid_t pids[LAUNCHERS_MAX];
        int count = 0;
        for (; i < hosts->count && count < LAUNCHERS_MAX; i++) {
            struct job_host *host = &hosts->list[i];
            host->answers = host->here;
            if (host->here)
                continue;
            started[count] = host;
            pids[count++] = start_sweep(host->name, mpiexec, job_s);
        }
        goes_on = await_all(started, pids, count, limit);
        processes_kill_children(ending_limit_s);
    }
    return goes_on;
}

static bool never_stop(void *user)
{
    (void)user;
    return false;
}

void sweep_other_hosts(char **mpiexec, double job_s)
{
    struct job_hosts hosts;
    job_hosts_find(&hosts, mpiexec);
    sweep_each_host(&hosts, mpiexec, job_s, &(const struct sweep_limit){limit_s, never_stop, NULL});
    job_hosts_fini(&hosts);
}

int sweep_this_host(const char *seconds)
{
    const double deadline_s = nereus_monotonic_s() + ending_limit_s;
    const double age_s = nereus_strtod(seconds, NULL);
    while (nereus_shared_files_remove_young(NEREUS_SHARED_FOLDER, age_s) > 0 &&
           nereus_monotonic_s() < deadline_s)
        usleep(20000);
    return 0;
}
