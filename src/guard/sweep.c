/*
 * Hosts: those on mpiexec's command line, in NEREUS_HOSTFILE and in a Slurm allocation. A host file
 * given only in nereus_options.hostfile is not known here.
 *
 * Files: on another host it is unknown what existed before the job. So files older than the job
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

#include "job_line.h"
#include "launcher.h"
#include "model/layout/slurm.h"
#include "model/util/shared_files.h"
#include "nereus/layout.h"
#include "output.h"
#include "processes.h"
#include "src/link/line.h"

/* Time limits: for all hosts in parallel; on each host, for the end of processes. */
static const double limit_s = 3, ending_limit_s = 1;

/* ---- the hosts ------------------------------------------------------------------------------- */

struct hosts {
    char *list; /* "A:1,B:1"; owned, NULL: none, or no memory */
    size_t length;
    int count;
};

static bool is_here(const char *name)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    const size_t length = strcspn(own, ".");
    return strcmp(name, "localhost") == 0 ||
           (strcspn(name, ".") == length && strncmp(name, own, length) == 0);
}

static bool has(const struct hosts *hosts, const char *entry)
{
    const size_t length = strlen(entry);
    for (const char *at = hosts->list; at != NULL && (at = strstr(at, entry)) != NULL; at += length)
        if ((at == hosts->list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static void add_host(struct hosts *hosts, const char *node)
{
    char entry[NEREUS_NODE_NAME_MAX + 4];
    const int name = (int)strcspn(node, "/"); /* the host of a virtual node */
    snprintf(entry, sizeof entry, "%.*s", name, node);
    if (is_here(entry))
        return;
    snprintf(entry, sizeof entry, "%.*s:1", name, node);
    char *grown =
        has(hosts, entry) ? NULL : realloc(hosts->list, hosts->length + strlen(entry) + 2);
    if (grown == NULL)
        return;
    hosts->list = grown;
    hosts->length +=
        (size_t)sprintf(grown + hosts->length, "%s%s", hosts->count > 0 ? "," : "", entry);
    hosts->count++;
}

static void add_machine(struct hosts *hosts, struct nereus_machine *machine)
{
    for (int64_t i = 0; i < machine->node_count; i++)
        add_host(hosts, machine->nodes[i].name);
    nereus_machine_fini(machine);
}

static void add_file(struct hosts *hosts, const char *file)
{
    struct nereus_machine machine;
    if (file != NULL && nereus_machine_from_file(file, &machine, NULL) == NEREUS_OK)
        add_machine(hosts, &machine);
}

static void find_hosts(struct hosts *hosts, char **mpiexec)
{
    static const char *const lists[] = {"hosts", "host", NULL}, *const files[] = {"f", "hostfile",
                                                                                  "machinefile",
                                                                                  NULL};
    const struct nereus_slurm slurm = nereus_slurm_environment();
    struct nereus_machine machine;
    char *const *at = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_next(&at)).words > 0; at += option.words) {
        const char *value = job_option_value(&option, at);
        if (value != NULL && job_option_is(&option, lists) &&
            nereus_machine_from_text(value, &machine, NULL) == NEREUS_OK)
            add_machine(hosts, &machine);
        if (job_option_is(&option, files))
            add_file(hosts, value);
    }
    add_file(hosts, getenv("NEREUS_HOSTFILE"));
    if (nereus_machine_around(&slurm, "localhost", 1, &machine, NULL) == NEREUS_OK)
        add_machine(hosts, &machine);
}

/* ---- there and back -------------------------------------------------------------------------- */

/* The launcher's errors about unreachable hosts are discarded: the job's own message is enough. */
static pid_t start(const struct hosts *hosts, char **mpiexec, double job_s)
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
    const struct launcher_order order = {.host = hosts->list,
                                         .hosts = hosts->count,
                                         .command = "",
                                         .processes = hosts->count,
                                         .words = words};
    const pid_t child = launcher_start(&order, mpiexec, &quiet, sentence, sizeof sentence);
    close(nowhere);
    return child;
}

void sweep_other_hosts(char **mpiexec, double job_s)
{
    struct hosts hosts = {0};
    find_hosts(&hosts, mpiexec);
    const pid_t child = hosts.count > 0 ? start(&hosts, mpiexec, job_s) : -1;
    const double until_s = nereus_line_now_s() + limit_s;
    while (child > 0 && waitpid(child, NULL, WNOHANG) == 0) {
        if (nereus_line_now_s() > until_s) {
            processes_end_children(getpid(), SIGKILL);
            waitpid(child, NULL, 0);
            break;
        }
        usleep(5000);
    }
    free(hosts.list);
}

int sweep_here(const char *seconds)
{
    const double until_s = nereus_line_now_s() + ending_limit_s;
    while (nereus_shared_files_remove_young(NEREUS_SHARED_FOLDER, atof(seconds)) > 0 &&
           nereus_line_now_s() < until_s)
        usleep(20000);
    return 0;
}
