/**
 * @file descriptors.c
 * Counts the launcher's descriptors. A launcher keeps descriptors open for each process that it has
 * started, some of them until it ends. If it runs out of descriptors the whole job ends. Its proxy
 * is an ancestor of this process, and so is mpiexec if it runs on this host: /proc shows their
 * limits and their open descriptors. A launch needs no check: it starts a new launcher, whose
 * failure can be handled. Proxies on other hosts cannot be inspected.
 */
#include <dirent.h>
#include <unistd.h>

#include "hosts.h"
#include "model/plan/strategies/strategy.h"
#include "model/util/process.h"
#include "spawn.h"
#include "src/mpi/process_manager.h"

/* Temporary descriptors of the launcher while it starts a process; descriptors that MPI opens in a
 * new process. */
enum { TEMPORARY_DESCRIPTORS = 4, MPI_DESCRIPTORS = 20 };

struct launcher {
    long pid;
    char name[32];
    int64_t open, inherited, limit;
};

/* @return false: no such file */
static bool read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return true;
}

static bool is_close_on_exec(long pid, const char *number)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%ld/fdinfo/%.12s", pid, number);
    const char *flags = read_text(path, text, sizeof text) ? strstr(text, "flags:") : NULL;
    return flags != NULL && (strtoul(flags + strlen("flags:"), NULL, 8) & 02000000) != 0;
}

static bool count_open(struct launcher *launcher)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd", launcher->pid);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        launcher->open++;
        launcher->inherited += !is_close_on_exec(launcher->pid, entry->d_name);
    }
    closedir(folder);
    return true;
}

static bool read_limit(struct launcher *launcher)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%ld/limits", launcher->pid);
    const char *line = read_text(path, text, sizeof text) ? strstr(text, "Max open files") : NULL;
    if (line == NULL)
        return false;
    launcher->limit = strtoll(line + strlen("Max open files"), NULL, 10);
    return launcher->limit > 0; /* not a number: unlimited */
}

/* Find the nearest ancestor whose name has this prefix.
 * @return false: none, or not readable */
static bool find_launcher(const char *name, struct launcher *launcher)
{
    struct nereus_process_stat process;
    *launcher = (struct launcher){0};
    for (long pid = getppid(); pid > 1 && nereus_process_read(pid, &process);
         pid = process.parent) {
        if (!nereus_text_begins_with(process.name, name))
            continue;
        launcher->pid = pid;
        memcpy(launcher->name, process.name, sizeof launcher->name);
        return count_open(launcher) && read_limit(launcher);
    }
    return false;
}

static enum nereus_status fail_limit(const struct launcher *launcher, int64_t needed,
                                     int64_t processes, const char *who,
                                     struct nereus_error *failure)
{
    return nereus_fail(
        failure, NEREUS_ERR_SPAWN,
        "the launcher's %s (process %ld) has %lld of %lld descriptor%s open, and for %lld new "
        "process%s %s would need %lld: nothing was started; raise the limit of open files "
        "(ulimit -n) before the job starts, or use launch, which brings a launcher of its own",
        launcher->name, launcher->pid, (long long)launcher->open, (long long)launcher->limit,
        nereus_plural_s(launcher->limit), (long long)processes, nereus_plural_es(processes), who,
        (long long)needed);
}

static int64_t count_new(const struct nereus_request *request)
{
    int64_t count = 0;
    for (int64_t i = 0; i < request->group_count; i++)
        count += request->groups[i].processes;
    return count > 0 ? count : request->nt;
}

/* Count the new processes on this host; proxies on other hosts start the others. */
static int64_t count_here(const nereus_job *job, const struct nereus_request *request)
{
    char own_host[NEREUS_NODE_NAME_MAX] = "", host[NEREUS_NODE_NAME_MAX];
    int64_t count = 0;
    gethostname(own_host, sizeof own_host - 1);
    for (int64_t i = 0; i < request->group_count; i++) {
        nereus_host_of_node(&job->machine, request->groups[i].node, host, sizeof host);
        if (strcmp(host, own_host) == 0 || strcmp(host, "localhost") == 0)
            count += request->groups[i].processes;
    }
    return count;
}

int64_t nereus_count_new_here(const nereus_job *job, const struct nereus_request *request)
{
    const bool adds =
        request->method.process == NEREUS_MERGE && request->method.shrink != NEREUS_SS;
    const int64_t added = request->nt - request->ns - request->zombies;
    if (request->group_count == 0 && adds)
        return added > 0 ? added : 0;
    return nereus_machine_has_several_hosts(&job->machine) ? count_here(job, request)
                                                           : count_new(request);
}

/* Check mpiexec: if hosts are named it starts a proxy for each group, with further descriptors. */
static enum nereus_status check_mpiexec(const nereus_job *job, const struct nereus_request *request,
                                        struct nereus_error *failure)
{
    const struct nereus_manager_descriptors *of = &nereus_process_manager()->descriptors;
    struct launcher mpiexec;
    const int64_t proxies = request->group_count > 0 ? request->group_count : 1,
                  here = count_here(job, request);
    if (!find_launcher(nereus_process_manager()->launcher, &mpiexec))
        return NEREUS_OK;
    const int64_t needed = mpiexec.open + of->proxy * proxies + TEMPORARY_DESCRIPTORS;
    if (needed > mpiexec.limit)
        return fail_limit(&mpiexec, needed, count_new(request), "it", failure);
    const int64_t inherited = mpiexec.inherited + of->inherited_of_proxy * proxies +
                              of->of_a_proxy + of->inherited_of_process * here + MPI_DESCRIPTORS;
    return here > 0 && inherited > mpiexec.limit
               ? fail_limit(&mpiexec, inherited, here, "the last of them, which inherits,", failure)
               : NEREUS_OK;
}

enum nereus_status nereus_check_descriptors(const nereus_job *job,
                                            const struct nereus_request *record,
                                            struct nereus_error *failure)
{
    struct launcher launcher;
    const int64_t processes = count_new(record);
    if (nereus_strategy_of(&record->method)->channel ==
        NEREUS_CHANNEL_LINES) /* launched by a separate launcher */
        return NEREUS_OK;
    if (nereus_machine_has_several_hosts(&job->machine))
        return check_mpiexec(job, record, failure);
    const char *proxy = nereus_process_manager()->proxy;
    const struct nereus_manager_descriptors *of = &nereus_process_manager()->descriptors;
    if (proxy == NULL || !find_launcher(proxy, &launcher))
        return NEREUS_OK;
    const int64_t needed = launcher.open + of->process * processes + TEMPORARY_DESCRIPTORS;
    if (needed > launcher.limit)
        return fail_limit(&launcher, needed, processes, "it", failure);
    const int64_t inherited =
        launcher.inherited + of->inherited_of_process * processes + MPI_DESCRIPTORS;
    return inherited > launcher.limit ? fail_limit(&launcher, inherited, processes,
                                                   "the last of them, which inherits,", failure)
                                      : NEREUS_OK;
}
