/**
 * @file host_resources.c
 * Compares the resources with the need of new processes. The resources are checked before processes
 * are started, because these failures cannot be rolled back: a process that writes to a full
 * /dev/shm gets SIGBUS, at any later time (pages are allocated on first touch), and a process that
 * cannot create a thread fails inside MPI_Init.
 *
 * The need of a new process is estimated from this one, which runs the same MPI with the same
 * settings. In /dev/shm MPI may have one file per world, proportional to its processes on the host;
 * and some files per process, each kind with its own size. A mapped file of a
 * size that was counted already therefore belongs to another process.
 */
#include "host_resources.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "model/util/limits.h"
#include "model/util/shared_files.h"
#include "src/mpi/process_manager.h"

/* one task per guard */
enum { TASKS_OF_A_GUARD = 1 };
/* Minimum: an empty program has 5.6 MB of its own and 3.7 MB of /dev/shm. */
enum { MEMORY_OF_MPI_BYTES = 8 << 20 };

/* ---- /dev/shm -------------------------------------------------------------------------------- */

enum { SIZES_MAX = 32 };

/* Set of sizes of the mapped files of processes. */
struct sizes {
    int64_t bytes[SIZES_MAX];
    int count;
};

static void add_size(struct sizes *sizes, int64_t bytes)
{
    int i = 0;
    while (i < sizes->count && sizes->bytes[i] != bytes)
        i++;
    if (i == sizes->count && i < SIZES_MAX)
        sizes->bytes[sizes->count++] = bytes;
}

/* Count the processes of this world on this host, from the launcher's variables; without them, an
 * upper bound. */
static int64_t count_world_here(void)
{
    const struct nereus_process_manager *manager = nereus_process_manager();
    const char *here = getenv(manager->processes_here), *all = getenv(manager->processes),
               *text = here != NULL ? here : all;
    return text != NULL && atoi(text) > 0 ? atoi(text) : INT64_MAX;
}

/* Lines of /proc/self/maps: "7f00-7f10 rw-s 00 00:1a 10 /dev/shm/ucx_shm_posix_1 (deleted)". */
static int64_t measure_process_shm(void)
{
    static const char folder[] = NEREUS_SHARED_FOLDER "/";
    char line[512];
    unsigned long long begin, end;
    int64_t bytes = 0;
    struct sizes sizes = {.count = 0};
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        const char *name = strchr(line, '/');
        if (name == NULL || strncmp(name, folder, sizeof folder - 1) != 0 ||
            sscanf(line, "%llx-%llx", &begin, &end) != 2)
            continue;
        const enum nereus_shared_file file = nereus_shared_file_kind(name + sizeof folder - 1);
        if (file == NEREUS_SHARED_OF_PROCESS)
            add_size(&sizes, (int64_t)(end - begin));
        else if (file == NEREUS_SHARED_OF_WORLD)
            bytes += (int64_t)(end - begin) / count_world_here();
    }
    if (maps != NULL)
        fclose(maps);
    for (int i = 0; i < sizes.count; i++)
        bytes += sizes.bytes[i];
    return bytes;
}

static void read_shm(struct nereus_host_resources *resources)
{
    struct statvfs file_system;
    resources->shm_bytes = resources->shm_free_bytes = -1;
    resources->shm_bytes_each = measure_process_shm();
    if (statvfs(NEREUS_SHARED_FOLDER, &file_system) != 0 || file_system.f_blocks == 0)
        return; /* no size: unlimited */
    resources->shm_bytes = (int64_t)(file_system.f_blocks * file_system.f_frsize);
    resources->shm_free_bytes = (int64_t)(file_system.f_bavail * file_system.f_frsize);
}

/* ---- processes and threads ------------------------------------------------------------------- */

/* Read the number after a key of a file.
 * @return -1: none */
static int64_t read_number(const char *path, const char *key)
{
    char line[256];
    long long value = -1;
    FILE *file = fopen(path, "re");
    while (file != NULL && value < 0 && fgets(line, sizeof line, file) != NULL)
        if (nereus_text_begins_with(line, key))
            value = atoll(line + strlen(key));
    if (file != NULL)
        fclose(file);
    return value;
}

static int64_t read_status_number(const char *pid, const char *key)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/status", pid);
    return read_number(path, key);
}

/* Tasks of this user, as the limit counts them. */
static int64_t count_tasks(void)
{
    int64_t count = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const int64_t uid = entry->d_name[0] >= '1' && entry->d_name[0] <= '9'
                                ? read_status_number(entry->d_name, "Uid:")
                                : -1,
                      threads = uid == (int64_t)getuid()
                                    ? read_status_number(entry->d_name, "Threads:")
                                    : 0;
        count += threads > 0 ? threads : 0;
    }
    closedir(folder);
    return count;
}

/* Read the user's limit, which does not apply to root, and the limit of the control groups. */
static void read_tasks(struct nereus_host_resources *resources, const struct nereus_limits *limits)
{
    struct rlimit limit;
    const int64_t threads = read_status_number("self", "Threads:");
    resources->tasks_free = -1;
    resources->tasks_by = "ulimit -u";
    resources->tasks_each = (threads > 0 ? threads : 1) + TASKS_OF_A_GUARD;
    const int64_t tasks =
        getuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
            ? count_tasks()
            : -1;
    if (tasks >= 0)
        resources->tasks_free =
            (int64_t)limit.rlim_cur > tasks ? (int64_t)limit.rlim_cur - tasks : 0;
    if (limits->processes.remaining < 1e9 &&
        (resources->tasks_free < 0 ||
         limits->processes.remaining < (double)resources->tasks_free)) {
        resources->tasks_free = (int64_t)limits->processes.remaining;
        resources->tasks_by = limits->processes.place;
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Read the free memory, and the need of MPI only: the application's new parts are not counted, as
 * sources free their old parts. */
static void read_memory(struct nereus_host_resources *resources, const struct nereus_limits *limits)
{
    resources->memory_free_bytes =
        limits->bytes.remaining < 1e18 ? (int64_t)limits->bytes.remaining : -1;
    resources->memory_bytes_each = MEMORY_OF_MPI_BYTES;
}

int64_t nereus_memory_free_bytes(void)
{
    struct nereus_limits limits;
    nereus_limits_read(NULL, &limits);
    const int64_t kib = read_number("/proc/meminfo", "MemAvailable:");
    const double host = kib >= 0 ? (double)kib * 1024 : 1e18;
    return (int64_t)(limits.bytes.remaining < host ? limits.bytes.remaining : host);
}

/* ---- the answer ------------------------------------------------------------------------------ */

enum nereus_status nereus_host_resources_suffice(const struct nereus_host_resources *resources,
                                                 int64_t processes, struct nereus_error *failure)
{
    static const double mb = 1e6;
    const char *es = nereus_plural_es(processes),
               *need = nereus_choose_plural(processes, "needs", "need");
    const int64_t shm = resources->shm_bytes_each * processes,
                  tasks = resources->tasks_each * processes,
                  memory = resources->memory_bytes_each * processes;
    if (resources->shm_free_bytes >= 0 && shm > resources->shm_free_bytes)
        return nereus_fail(failure, NEREUS_ERR_SPAWN,
                           "%lld new process%s %s %.1f MB in " NEREUS_SHARED_FOLDER
                           ", which has %.1f MB, of which %.1f MB are free: nothing was started; "
                           "make it larger (in a container: --shm-size=1g)",
                           (long long)processes, es, need, (double)shm / mb,
                           (double)resources->shm_bytes / mb,
                           (double)resources->shm_free_bytes / mb);
    if (resources->memory_free_bytes >= 0 && memory > resources->memory_free_bytes)
        return nereus_fail(failure, NEREUS_ERR_SPAWN,
                           "%lld new process%s %s at least %.1f MB of memory, of which this job's "
                           "control group has %.1f MB left: nothing was started; raise its limit "
                           "(in a container: --memory)",
                           (long long)processes, es, need, (double)memory / mb,
                           (double)resources->memory_free_bytes / mb);
    if (resources->tasks_free >= 0 && tasks > resources->tasks_free)
        return nereus_fail(
            failure, NEREUS_ERR_SPAWN,
            "%lld new process%s, each with its guard, %s %lld processes and threads, of "
            "which %lld %s left: nothing was started; raise the limit (%.200s)",
            (long long)processes, es, need, (long long)tasks, (long long)resources->tasks_free,
            nereus_choose_plural(resources->tasks_free, "is", "are"), resources->tasks_by);
    return NEREUS_OK;
}

enum nereus_status nereus_check_host_resources(int64_t processes_here, struct nereus_error *failure)
{
    struct nereus_host_resources resources;
    struct nereus_limits limits;
    if (processes_here <= 0)
        return NEREUS_OK;
    read_shm(&resources);
    nereus_limits_read(NULL, &limits);
    read_tasks(&resources, &limits);
    read_memory(&resources, &limits);
    return nereus_host_resources_suffice(&resources, processes_here, failure);
}
