/**
 * @file mpi_init.c
 * Wraps MPI_Init, MPI_Finalize, MPI_Finalized and MPI_Abort (MPI's profiling interface). The
 * wrappers notify the guard when the application calls these without nereus_init, detect a job that
 * is still open at MPI_Finalize, and end MPI without its own MPI_Finalize where that must not be
 * called.
 */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_lifetime.h"
#include "nereus_mpi_config.h"
#include "src/link/launch.h"
#include "src/link/launcher_environment.h"
#include "src/link/supervise_requests.h"
#include "src/mpi/mpi_library.h"
#include "src/start/bind.h"
#include "src/util/clock.h"
#include "src/util/guard_link.h"
#include "src/util/wait.h"

static bool launched; /* part of a world that the launcher started */

/* Set the variables that this MPI needs, as found when the project was set up; the user's settings
 * take precedence. */
static void set_mpi_environment(void)
{
    static const char *const settings[] = NEREUS_MPI_ENVIRONMENT;
    for (size_t i = 0; settings[i] != NULL; i += 2)
        setenv(settings[i], settings[i + 1], 0);
    static const char *const by_module[] = NEREUS_MPI_MODULE_ENVIRONMENT;
    const char *module = getenv("MPIR_CVAR_CH4_NETMOD");
    for (size_t i = 0; module != NULL && by_module[i] != NULL; i += 3)
        if (strcmp(module, by_module[i]) == 0)
            setenv(by_module[i + 1], by_module[i + 2], 0);
}

static void prepare_mpi_start(void)
{
    launched = nereus_launch_is_launched();
    set_mpi_environment();
    nereus_bind_store_initial(true);
    nereus_notify_guard(GUARD_REACHED_MPI);
    nereus_record_mpi_thread();
}

int MPI_Init(int *argc, char ***argv)
{
    prepare_mpi_start();
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    prepare_mpi_start();
    return PMPI_Init_thread(argc, argv, required, provided);
}

/* State of the replacement of MPI_Finalize, in use once `is_skipped` is set. */
static struct {
    bool is_skipped, has_ended;
    MPI_Comm peers;
} finalize_state;

void nereus_skip_finalize(MPI_Comm peers)
{
    finalize_state.is_skipped = true;
    finalize_state.peers = peers;
}

/* Let MPI make progress, so that it sends the last messages. */
static void progress_sends(void)
{
    static const double end_wait_s = 0.2;
    const double deadline_s = nereus_skewed_monotonic_s() + end_wait_s;
    int arrived;
    double pause_s = 0;
    while (nereus_skewed_monotonic_s() < deadline_s) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, finalize_state.peers, &arrived, MPI_STATUS_IGNORE);
        nereus_back_off(&pause_s);
    }
}

/* Barrier in place of MPI_Finalize: messages of a process that ends at once may be lost before they
 * are received. */
static int finalize_mpi(void)
{
    if (!finalize_state.is_skipped)
        return PMPI_Finalize();
    if (finalize_state.has_ended) {
        nereus_log("MPI_Finalize is called twice");
        return MPI_ERR_OTHER;
    }
    PMPI_Barrier(finalize_state.peers);
    progress_sends();
    finalize_state.has_ended = true;
    if (nereus_mpi()->recovery != NULL && nereus_mpi()->recovery->leave != NULL)
        nereus_mpi()->recovery->leave();
    nereus_finalise_launcher();
    return MPI_SUCCESS;
}

int MPI_Finalize(void)
{
    nereus_abort_if_job_open();
    nereus_notify_guard(GUARD_ENDS_MPI);
    const int code = finalize_mpi();
    nereus_notify_guard(GUARD_HAS_NO_MPI);
    return code;
}

int MPI_Finalized(int *over)
{
    const int code = PMPI_Finalized(over);
    *over = *over || finalize_state.has_ended;
    return code;
}

/* Wait until the launcher has read what this process has written to a pipe, for at most 0.2 s: it
 * may end the job without reading the last words, which say why. */
static void await_reader(int fd)
{
    struct stat file;
    int unread = 0;
    if (fstat(fd, &file) != 0 || !S_ISFIFO(file.st_mode))
        return;
    for (int i = 0; i < 200 && ioctl(fd, FIONREAD, &unread) == 0 && unread > 0; i++)
        usleep(1000);
}

static void report_abort(int given, int status)
{
    char sentence[160], meant[48] = "";
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (given != status)
        snprintf(meant, sizeof meant, ", which counts as %d", status);
    snprintf(sentence, sizeof sentence,
             "process %d of %s world has called MPI_Abort with status %d%s", rank,
             nereus_has_guard() ? "a spawned" : "the initial", given, meant);
    fflush(NULL);
    await_reader(STDOUT_FILENO);
    await_reader(STDERR_FILENO);
    nereus_set_job_open(false);
    nereus_supervise_abort(status, sentence);
    nereus_notify_guard(GUARD_GIVES_UP);
}

/* End the job with this status; 1 if a shell would see 0. Before MPI_Init and after MPI_Finalize
 * the call is an MPI error. In a launched world the guard reports the abort, as the job may not
 * depend on that world yet. */
int MPI_Abort(MPI_Comm comm, int given)
{
    const int status = (given & 0xff) != 0 ? given & 0xff : EXIT_FAILURE;
    int begun = 0, over = 0;
    if (PMPI_Initialized(&begun) == MPI_SUCCESS && begun && MPI_Finalized(&over) == MPI_SUCCESS &&
        !over && !launched)
        report_abort(given, status);
    return PMPI_Abort(comm, status);
}
