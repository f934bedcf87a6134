/**
 * @file missing_finalize.c
 * Detects a program that exits, or calls MPI_Finalize, without nereus_finalize: MPI's launcher
 * would kill the other processes with a misleading message and status, or all would wait forever.
 * Also detects that the thread which called MPI_Init ends while its process lives on (pthread_exit
 * in main).
 */
#include <pthread.h>
#include <unistd.h>

#include "job_lifetime.h"
#include "src/link/supervise_requests.h"

/* Pid of the process with an open job, to distinguish it from forked children. 0: no open job. */
static pid_t open_pid;
/* The job whose process may end without nereus_finalize. NULL: none. */
static nereus_job *finalized_at_exit;

/* The Python module calls this function at the end of the interpreter, where the exit status is
 * unknown. */
void nereus_finalize_at_exit(nereus_job *job);

void nereus_finalize_at_exit(nereus_job *job)
{
    finalized_at_exit = job;
}

static void end_job(const char *sentence)
{
    fflush(NULL);
    nereus_supervise_end_mistaken_job(sentence);
    _exit(EXIT_FAILURE);
}

/* Report an exit with status 0 while a job is open. The guard reports every other status. */
static void check_exit(int status, void *nothing)
{
    (void)nothing;
    nereus_job *job = finalized_at_exit;
    finalized_at_exit = NULL;
    if (open_pid == getpid() && job != NULL && (status == 0 || job->leaving))
        nereus_finalize(&job);
    else if (open_pid == getpid() && status == 0)
        end_job(
            "the program ends without nereus_finalize, so its job is ended with status 1: call it in "
            "every process before main returns or exit is called");
}

bool nereus_job_is_open(void)
{
    return open_pid == getpid();
}

void nereus_abort_if_job_open(void)
{
    if (open_pid == getpid())
        end_job("MPI_Finalize is called before nereus_finalize, so the job is ended with status 1: "
                "call nereus_finalize first, in every process; it calls MPI_Finalize where "
                "nereus_init has called MPI_Init");
}

/* Destructor of a thread-specific value: runs at pthread_exit and at the return of a thread's
 * function, but not at exit or the return of main. */
static void handle_thread_end(void *process)
{
    int over = 0;
    if ((intptr_t)process == (intptr_t)getpid() && MPI_Finalized(&over) == MPI_SUCCESS && !over)
        end_job(
            "the thread that has called MPI_Init ends (pthread_exit) before MPI_Finalize, so the "
            "job is ended with status 1: let it wait for the other threads (pthread_join), and "
            "call nereus_finalize");
}

void nereus_record_mpi_thread(void)
{
    static pthread_key_t key;
    static bool made;
    made = made || pthread_key_create(&key, handle_thread_end) == 0;
    if (made)
        pthread_setspecific(key, (void *)(intptr_t)getpid());
}

void nereus_set_job_open(bool is_open)
{
    static bool registered;
    open_pid = is_open ? getpid() : 0;
    if (is_open)
        nereus_record_mpi_thread();
    if (is_open && !registered)
        registered = on_exit(check_exit, NULL) == 0;
}
