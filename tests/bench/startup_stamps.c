/**
 * @file startup_stamps.c
 * libstartup-stamps.so: loaded before a program's libraries (LD_PRELOAD) by startup.sh, to see what
 * the start of a new process consists of. Each process that MPI_Comm_spawn starts, and each call of
 * it, leaves lines in the file STARTUP_STAMPS, one for a point of its start:
 *
 *   PID NAME TIME_S CPU_S FAULTS PMI_S
 *
 * CLOCK_MONOTONIC; and since the process began its CPU time, page faults, and seconds in which it
 * has waited for the process manager. Needs Hydra (PMI_SPAWNED, PMI_FD).
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int file = -1, manager = -1;
static double waited_s; /* for the process manager */

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void describe(const char *name, char line[160])
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    snprintf(line, 160, "%ld %s %.9f %.9f %ld %.9f\n", (long)getpid(), name,
             seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID), used.ru_minflt, waited_s);
}

static void open_file(void)
{
    const char *path = getenv("STARTUP_STAMPS");
    if (path != NULL && file < 0)
        file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void stamp(const char *name)
{
    char line[160];
    if (getenv("PMI_SPAWNED") != NULL)
        open_file();
    if (file < 0)
        return;
    describe(name, line);
    if (write(file, line, strlen(line)) < 0) /* at once: all processes append to the same file */
        file = -1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *connection = getenv("PMI_FD");
    manager = connection != NULL ? atoi(connection) : -1;
    stamp("begin");
}

/* WRAP(RESULT, NAME, (PARAMETERS), (ARGUMENTS)): stamps NAME, calls it, stamps NAME-end. */
#define WRAP(result_type, name, parameters, arguments)                                             \
    result_type name parameters                                                                    \
    {                                                                                              \
        static result_type(*next) parameters;                                                      \
        void *const found = dlsym(RTLD_NEXT, #name);                                               \
        memcpy(&next, &found, sizeof next);                                                        \
        stamp(#name);                                                                              \
        const result_type result = next arguments;                                                 \
        stamp(#name "-end");                                                                       \
        return result;                                                                             \
    }

WRAP(int, execvp, (const char *path, char *const argv[]), (path, argv))
WRAP(int, MPI_Init, (int *argc, char ***argv), (argc, argv))
WRAP(int, PMPI_Init, (int *argc, char ***argv), (argc, argv))
WRAP(int, MPI_Init_thread, (int *argc, char ***argv, int wanted, int *given),
     (argc, argv, wanted, given))
WRAP(int, PMPI_Init_thread, (int *argc, char ***argv, int wanted, int *given),
     (argc, argv, wanted, given))

/* Of UCX, which is loaded with libmpi; its types do not matter here. */
int ucp_init_version(unsigned major, unsigned minor, const void *parameters, const void *config,
                     void **context);
int ucp_worker_create(void *context, const void *parameters, void **worker);
WRAP(int, ucp_init_version,
     (unsigned major, unsigned minor, const void *parameters, const void *config, void **context),
     (major, minor, parameters, config, context))
WRAP(int, ucp_worker_create, (void *context, const void *parameters, void **worker),
     (context, parameters, worker))

/* In the sources: when the call is made and when it returns. */
int MPI_Comm_spawn(const char *command, char *argv[], int count, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *inter, int codes[])
{
    open_file();
    stamp("spawn");
    const int code = PMPI_Comm_spawn(command, argv, count, info, root, comm, inter, codes);
    stamp("spawn-end");
    return code;
}

ssize_t read(int from, void *buffer, size_t bytes)
{
    static ssize_t (*next)(int, void *, size_t);
    if (next == NULL) {
        void *const found = dlsym(RTLD_NEXT, "read");
        memcpy(&next, &found, sizeof next);
    }
    const double begin_s = from == manager ? seconds(CLOCK_MONOTONIC) : 0;
    const ssize_t got = next(from, buffer, bytes);
    const int error = errno;
    if (from == manager)
        waited_s += seconds(CLOCK_MONOTONIC) - begin_s;
    errno = error;
    return got;
}
