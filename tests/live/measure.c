/**
 * @file measure.c
 * See measure.h. Communicators are counted by intercepting the MPI calls that make and free them,
 * also those of the library.
 */
#include "measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/mpi/mpi_library.h"
#include "src/mpi/process_manager.h"

/* ---- communicators --------------------------------------------------------------------------- */

static atomic_long communicators;

static int made(int code, const MPI_Comm *comm)
{
    if (code == MPI_SUCCESS && *comm != MPI_COMM_NULL)
        communicators++;
    return code;
}

static int ended(int code)
{
    if (code == MPI_SUCCESS)
        communicators--;
    return code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *result)
{
    return made(PMPI_Comm_dup(comm, result), result);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *result, MPI_Request *request)
{
    communicators++;
    return PMPI_Comm_idup(comm, result, request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *result)
{
    return made(PMPI_Comm_split(comm, color, key, result), result);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *result)
{
    return made(PMPI_Comm_create_group(comm, group, tag, result), result);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *result)
{
    return made(PMPI_Intercomm_merge(comm, high, result), result);
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag,
                         MPI_Comm *result)
{
    return made(PMPI_Intercomm_create(local, leader, peer, remote, tag, result), result);
}

int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *result)
{
    return made(PMPI_Comm_accept(port, info, root, comm, result), result);
}

int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *result)
{
    return made(PMPI_Comm_connect(port, info, root, comm, result), result);
}

int MPI_Comm_get_parent(MPI_Comm *parent)
{
    static bool counted;
    const int code = PMPI_Comm_get_parent(parent);
    if (counted)
        return code;
    counted = true;
    return made(code, parent);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    return ended(PMPI_Comm_free(comm));
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return ended(PMPI_Comm_disconnect(comm));
}

/* ---- the log --------------------------------------------------------------------------------- */

static void append(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void append(const char *format, ...)
{
    char text[1024];
    va_list list;
    const char *path = getenv("NEREUS_TEST_LOG");
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const int fd = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
    if (fd < 0)
        return;
    if (write(fd, text, (size_t)length) != length)
        perror(path);
    close(fd);
}

int MPI_Comm_spawn(const char *command, char **words, int count, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *result, int *codes)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == root)
        append("spawn %d\n", count);
    return made(PMPI_Comm_spawn(command, words, count, info, root, comm, result, codes), result);
}

/* ---- /proc ----------------------------------------------------------------------------------- */

static int count_entries(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return 0;
    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count - 2; /* . and .. */
}

/* A number of /proc/PID/status: VmRSS (kB), Threads. */
static long status_of(long pid, const char *key)
{
    char path[64], line[256];
    long value = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':')
            value = strtol(line + strlen(key) + 1, NULL, 10);
    if (file != NULL)
        fclose(file);
    return value;
}

static int descriptors_of(long pid)
{
    char folder[64];
    snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
    return count_entries(folder);
}

/* Does the process belong to this job? */
static bool is_marked(long pid)
{
    static char environment[1 << 16];
    char path[64], mark[256];
    const char *job = getenv("NEREUS_TEST_JOB");
    snprintf(path, sizeof path, "/proc/%ld/environ", pid);
    const int length = snprintf(mark, sizeof mark, "NEREUS_TEST_JOB=%s", job == NULL ? "" : job);
    const int fd = job != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    const ssize_t n = read(fd, environment, sizeof environment);
    close(fd);
    for (ssize_t at = 0; at < n; at += (ssize_t)strnlen(environment + at, (size_t)(n - at)) + 1)
        if (n - at > length && memcmp(environment + at, mark, (size_t)length + 1) == 0)
            return true;
    return false;
}

static void name_of(long pid, char name[64])
{
    char path[64], target[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/exe", pid);
    name[0] = '\0';
    if (readlink(path, target, sizeof target - 1) > 0)
        snprintf(name, 64, "%.63s",
                 strrchr(target, '/') != NULL ? strrchr(target, '/') + 1 : target);
}

/* ---- this process ---------------------------------------------------------------------------- */

enum { MEMORY, DESCRIPTORS, THREADS, COMMUNICATORS, KINDS, SAMPLES_MAX = 1024, ENOUGH = 12 };
static long samples[KINDS][SAMPLES_MAX];
static int sample_count;

void measure_sample(void)
{
    const long me = getpid();
    if (getenv("NEREUS_TEST_LOG") == NULL || sample_count == SAMPLES_MAX)
        return;
    samples[MEMORY][sample_count] = status_of(me, "VmRSS");
    samples[DESCRIPTORS][sample_count] = descriptors_of(me);
    samples[THREADS][sample_count] = status_of(me, "Threads");
    samples[COMMUNICATORS][sample_count++] = communicators;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Growth a sample: the median slope of all pairs of samples that are a third of the life apart
 * (Theil and Sen). What is taken once, as buffers of the network are, moves few of them; what leaks
 * moves all. */
static double growth(int kind)
{
    const int apart = sample_count / 3;
    double *slopes = malloc((size_t)sample_count * (size_t)sample_count * sizeof *slopes);
    size_t count = 0;
    for (int i = 0; slopes != NULL && i + apart < sample_count; i++)
        for (int j = i + apart; j < sample_count; j++)
            slopes[count++] = (double)(samples[kind][j] - samples[kind][i]) / (double)(j - i);
    if (count == 0)
        return 0;
    qsort(slopes, count, sizeof *slopes, compare);
    const double median = slopes[count / 2];
    free(slopes);
    return median;
}

/* Names of the files in /dev/shm that this process has mapped: a check after the end of the job
 * finds those that stay. */
static void append_shared_files(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        const char *name = strstr(line, "/dev/shm/");
        if (name != NULL && strstr(name, "(deleted)") == NULL)
            append("shm %s", name);
    }
    if (maps != NULL)
        fclose(maps);
}

void measure_end(void)
{
    append("pid %ld\n", (long)getpid());
    append_shared_files();
    if (sample_count >= ENOUGH)
        append("process %ld samples %d kB %.3f descriptors %.3f threads %.3f communicators %.3f\n",
               (long)getpid(), sample_count, growth(MEMORY), growth(DESCRIPTORS), growth(THREADS),
               growth(COMMUNICATORS));
}

/* ---- the job --------------------------------------------------------------------------------- */

enum { MPIEXEC = 1, PROXY = 2, GUARD = 3 };
static const char *const roles[] = {"nereus-supervise", "mpiexec", "hydra_pmi_proxy",
                                    "nereus-guard"};
enum { ROLES = sizeof roles / sizeof *roles };
struct holding {
    int ranks, processes[ROLES];
    long kb[ROLES], descriptors[ROLES];
};

static void add_process(struct holding *holding, long pid, const char *own_name)
{
    char name[64];
    name_of(pid, name);
    if (strcmp(name, nereus_process_manager()->launcher) == 0)
        strcpy(name, roles[MPIEXEC]);
    holding->ranks += strcmp(name, own_name) == 0;
    for (int i = 0; i < ROLES; i++) {
        if (strncmp(name, roles[i], strlen(roles[i])) != 0)
            continue;
        holding->processes[i]++;
        holding->kb[i] += status_of(pid, "VmRSS");
        holding->descriptors[i] += descriptors_of(pid);
    }
}

static struct holding look(void)
{
    struct holding holding = {0};
    const struct dirent *entry;
    char own_name[64];
    name_of(getpid(), own_name);
    DIR *processes = opendir("/proc");
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        const long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0 && is_marked(pid))
            add_process(&holding, pid, own_name);
    }
    closedir(processes);
    return holding;
}

static bool are_proxies_as_expected(int proxies, int ranks, int launchers)
{
    return nereus_mpi()->proxy_a_world ? proxies >= launchers && proxies <= ranks
                                       : proxies == launchers;
}

/* A guard ends after its process, some time later on a busy machine. */
static bool is_as_expected(const struct holding *holding, int ranks, int launchers)
{
    const int proxies = nereus_process_manager()->proxy != NULL ? launchers : 0;
    return holding->ranks == ranks && holding->processes[GUARD] <= ranks &&
           (launchers < 0 || (holding->processes[MPIEXEC] == launchers &&
                              are_proxies_as_expected(holding->processes[PROXY], ranks, proxies)));
}

int measure_job(const char *label, int expected, int launchers)
{
    struct holding holding = look();
    for (int tries = 0; tries < 100 && !is_as_expected(&holding, expected, launchers); tries++) {
        usleep(50000);
        holding = look();
    }
    for (int i = 0; i < ROLES; i++)
        append("job %s %s %d kB %ld descriptors %ld\n", label, roles[i], holding.processes[i],
               holding.kb[i], holding.descriptors[i]);
    if (is_as_expected(&holding, expected, launchers))
        return 0;
    fprintf(
        stderr,
        "measure: %d processes of the job run, expected %d; %d mpiexec, %d proxies, expected %d\n",
        holding.ranks, expected, holding.processes[MPIEXEC], holding.processes[PROXY], launchers);
    return 1;
}
