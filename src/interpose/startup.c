/**
 * @file startup.c
 * libnereus-startup.so: loaded before a program's libraries (LD_PRELOAD). It reports to
 * nereus-calibrate when the program has returned from MPI_Init and when it calls nereus_init, and
 * ends the program there.
 *
 *     nereus-guard -> APP -> MPI_Init, notify the parents -> nereus_init, notify them again, end
 *
 * C, Fortran and mpi4py all call these functions of the C libraries. A program without libnereus
 * ends after MPI_Init. A program that was not spawned is not changed. The library does not link
 * MPI, because shells and interpreters also load it; it finds functions when it calls them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include "src/mpi/weak_handles.h"
#include "src/util/guard_link.h"

/* Functions besides MPI's that this library replaces (nereus.h; api/join_in_place.c). */
int nereus_init(int *argc, char ***argv, const void *options, void **job);
int nereus_join_in_place(const char *reason);

typedef int nereus_init_function(int *argc, char ***argv, const void *options, void **job);

static MPI_Comm parents = MPI_COMM_NULL;
static bool has_reached_init;

static int find_mpi(struct dl_phdr_info *library, size_t size, void *path)
{
    (void)size;
    if (strstr(library->dlpi_name, "/libmpi.") == NULL)
        return 0;
    snprintf(path, PATH_MAX, "%s", library->dlpi_name);
    return 1;
}

/* Find the definition of a function in the libraries after this one. An interpreter may have loaded
 * MPI only for one module: then make it visible.
 * @param[out] function  a pointer to a function; NULL: not found
 * @return was it found */
static bool find_next(const char *name, void *function)
{
    static bool has_searched;
    char path[PATH_MAX] = "";
    if (!has_searched && dl_iterate_phdr(find_mpi, path) == 1)
        dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    has_searched = true;
    void *const found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* Send a number to the calibration task: MPI_Allreduce over an inter-communicator gives each group
 * the minimum of the other group. */
static void notify_parents(int value)
{
    int ignored;
    PMPI_Allreduce(&value, &ignored, 1, MPI_INT, MPI_MIN, parents);
}

static void leave_calibration(void)
{
    PMPI_Barrier(parents);
    PMPI_Comm_disconnect(&parents);
    nereus_notify_guard(GUARD_LEFT);
    PMPI_Finalize();
    exit(EXIT_SUCCESS);
}

/* Called after MPI_Init. MPI_Init may call MPI_Init_thread: only the first return is reported. */
static void report_mpi_initialised(void)
{
    nereus_init_function *unused;
    const int has_nereus = find_next("nereus_init", &unused);
    if (has_reached_init)
        return;
    has_reached_init = true;
    nereus_notify_guard(GUARD_REACHED_MPI);
    PMPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL)
        return;
    notify_parents(has_nereus);
    if (!has_nereus)
        leave_calibration();
}

static int init(const char *name, int *argc, char ***argv)
{
    int (*function)(int *, char ***);
    const int code = find_next(name, &function) ? function(argc, argv) : MPI_ERR_OTHER;
    report_mpi_initialised();
    return code;
}

static int init_thread(const char *name, int *argc, char ***argv, int required, int *provided)
{
    int (*function)(int *, char ***, int, int *);
    const int code =
        find_next(name, &function) ? function(argc, argv, required, provided) : MPI_ERR_OTHER;
    report_mpi_initialised();
    return code;
}

int MPI_Init(int *argc, char ***argv)
{
    return init("MPI_Init", argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return init_thread("MPI_Init_thread", argc, argv, required, provided);
}

/* `use mpi_f08` calls the PMPI functions. */
int PMPI_Init(int *argc, char ***argv)
{
    return init("PMPI_Init", argc, argv);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return init_thread("PMPI_Init_thread", argc, argv, required, provided);
}

/* Replaces nereus_init, and initialises MPI like it, if the program has not. */
int nereus_init(int *argc, char ***argv, const void *options, void **job)
{
    nereus_init_function *function;
    int initialised, level;
    MPI_Initialized(&initialised);
    if (!initialised)
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    if (parents == MPI_COMM_NULL && find_next("nereus_init", &function))
        return function(argc, argv, options, job);
    notify_parents(1);
    leave_calibration();
    return 0;
}

/* A program with libnereus may end without a call of nereus_init. */
int MPI_Finalize(void)
{
    if (parents != MPI_COMM_NULL) {
        notify_parents(0);
        leave_calibration();
    }
    int (*finalize)(void);
    return find_next("MPI_Finalize", &finalize) ? finalize() : PMPI_Finalize();
}

/* Replaces libnereus' function in nereus-guard-join: the program never reached MPI_Init. Print the
 * guard's reason and abort this world. */
int nereus_join_in_place(const char *reason)
{
    fprintf(stderr, "nereus-calibrate: %s\n", reason);
    has_reached_init = true;
    PMPI_Init(NULL, NULL);
    return PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}
