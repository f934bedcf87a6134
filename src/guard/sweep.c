/* On another host it is unknown what existed before the job. So files older than the job
 * stay, by the clock of that host, as clocks may differ.
 */
#include "sweep.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_hosts.h"
#include "launcher.h"
#include "model/util/shared_files.h"
#include "output.h"
#include "processes.h"
#include "src/link/line.h"

/* Time limits: for all hosts in parallel; on each host, for the end of processes. */
static const double limit_s = 3, ending_limit_s = 1;

/* Mpiexec's list of the other hosts, "A:1,B:1"; owned, NULL: none, or no memory. */
static char *list_others(const struct job_hosts *hosts, int *count)
{
    char *list = NULL;
    size_t length = 0;
    *count = 0;
    for (size_t i = 0; i < hosts->count; i++) {
        const struct job_host *host = &hosts->list[i];
        char *grown = host->here ? NULL : realloc(list, length + strlen(host->name) + 4);
        if (grown == NULL)
            continue;
        list = grown;
        length += (size_t)sprintf(list + length, "%s%s:1", *count > 0 ? "," : "", host->name);
        ++*count;
    }
    return list;
}

/* The launcher's errors about unreachable hosts are discarded: the job's own message is enough.
 * @param list, count  the hosts, as mpiexec takes them */
static pid_t start(const char *list, int count, char **mpiexec, double job_s)
{
    char self[4096], seconds[32], sentence[400];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (length < 0 || nowhere < 0)
        return -1;
    self[length] = '\0';
    snprintf(seconds, sizeof seconds, "%.0f", job_s + 1);
    char *words[] = {self, SWEEP_OPTION, seconds, NULL};
    const struct output quiet = {.runs = true, .launchers_ends = {nowhere, nowhere}};
    const struct launcher_order order = {
        .host = list, .hosts = count, .command = "", .processes = count, .words = words};
    const pid_t child = launcher_start(&order, mpiexec, &quiet, sentence, sizeof sentence);
    close(nowhere);
    return child;
}

void sweep_other_hosts(char **mpiexec, double job_s)
{
    struct job_hosts hosts;
    int count;
    job_hosts_find(&hosts, mpiexec);
    char *list = list_others(&hosts, &count);
    const pid_t child = list != NULL ? start(list, count, mpiexec, job_s) : -1;
    const double until_s = nereus_line_now_s() + limit_s;
    while (child > 0 && waitpid(child, NULL, WNOHANG) == 0) {
        if (nereus_line_now_s() > until_s) {
            processes_end_children(getpid(), SIGKILL);
            waitpid(child, NULL, 0);
            break;
        }
        usleep(5000);
    }
    free(list);
    job_hosts_fini(&hosts);
}

/* ---- host by host ---------------------------------------------------------------------------- */

/* Launchers that run at a time. */
enum { AT_ONCE = 64 };

/* Wait for launchers, one for each host; pids become 0.
 * @return false: stopped */
static bool await_all(struct job_host *const *hosts, pid_t *pids, int count,
                      const struct sweep_limit *limit)
{
    const double until_s = nereus_line_now_s() + limit->seconds;
    int status, left = count;
    while (left > 0 && nereus_line_now_s() < until_s && !limit->stop(limit->user)) {
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
        struct job_host *started[AT_ONCE];
        pid_t pids[AT_ONCE];
        int count = 0;
        for (; i < hosts->count && count < AT_ONCE; i++) {
            struct job_host *host = &hosts->list[i];
            host->answers = host->here;
            if (host->here)
                continue;
            started[count] = host;
            pids[count++] = start(host->name, 1, mpiexec, job_s);
        }
        goes_on = await_all(started, pids, count, limit);
        processes_kill_children(ending_limit_s);
    }
    return goes_on;
}

int sweep_here(const char *seconds)
{
    const double until_s = nereus_line_now_s() + ending_limit_s;
    while (nereus_shared_files_remove_young(NEREUS_SHARED_FOLDER, atof(seconds)) > 0 &&
           nereus_line_now_s() < until_s)
        usleep(20000);
    return 0;
}
