/** @file init.c  nereus_init: begins a job in an initial process, or joins one. */
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include "data.h"
#include "job_lifetime.h"
#include "model/layout/slurm.h"
#include "model/util/limits.h"
#include "settings.h"
#include "src/core/external.h"
#include "src/core/join.h"
#include "src/core/model_choice.h"
#include "src/core/reconfigure.h"
#include "src/core/recover.h"
#include "src/core/trace.h"
#include "src/job/calls.h"
#include "src/job/machine.h"
#include "src/link/launch.h"
#include "src/link/supervise_requests.h"
#include "src/link/watchdog.h"
#include "src/monitor/monitor.h"
#include "src/mpi/mpi_library.h"
#include "src/mpi/process_manager.h"
#include "src/start/bind.h"
#include "src/start/hosts.h"
#include "src/start/join_payload.h"
#include "src/util/agree.h"
#include "src/util/error_handler.h"
#include "src/util/guard_link.h"
#include "src/util/loss.h"
#include "src/util/own_launcher.h"

static const struct nereus_options default_options = NEREUS_OPTIONS_INIT;

/* The caller may have been built with a shorter or longer struct. */
static enum nereus_status read_options(const struct nereus_options *given,
                                       struct nereus_options *options, struct nereus_error *err)
{
    *options = default_options;
    if (given == NULL)
        return NEREUS_OK;
    if (given->size < sizeof given->size || given->size > 16 * sizeof *options)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "nereus_options.size is %zu: begin with NEREUS_OPTIONS_INIT",
                           given->size);
    memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    return NEREUS_OK;
}

static enum nereus_status start_mpi(nereus_job *job, int *argc, char ***argv,
                                    struct nereus_error *err)
{
    int initialised;
    /* MPI_Init may not have reached the wrapper in mpi_init.c (order of libraries). */
    nereus_notify_guard(GUARD_REACHED_MPI);
    NEREUS_MPI(MPI_Initialized(&initialised), err);
    if (!initialised) {
        /* MPI_THREAD_MULTIPLE is for asynchronous methods; a request for one checks the level */
        int level;
        NEREUS_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level), err);
        job->initialised_mpi = true;
    }
    NEREUS_MPI(MPI_Comm_dup(MPI_COMM_SELF, &job->self), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(job->self, MPI_ERRORS_RETURN), err);
    NEREUS_TRY(nereus_error_handler_install(err));
    job->recovers = nereus_job_survives_loss();
    if (argc != NULL && argv != NULL) {
        job->argc = *argc;
        job->argv = *argv;
    }
    return NEREUS_OK;
}

static enum nereus_status create_communicators(nereus_job *job, struct nereus_error *err)
{
    /* the application's duplicate is made by the same code as after a resize */
    struct reconfiguration reconfig;
    nereus_reconfig_init(&reconfig, job);
    NEREUS_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &job->control), err);
    NEREUS_TRY(nereus_reconfig_set_next(&reconfig, job->control, err));
    NEREUS_TRY(nereus_reconfig_complete_next(&reconfig, err));
    job->app = reconfig.comms.next_app;
    job->pool = job->control;
    NEREUS_MPI(MPI_Comm_rank(job->control, &job->rank), err);
    NEREUS_MPI(MPI_Comm_size(job->control, &job->size), err);
    return NEREUS_OK;
}

/* Touch the memory that MPI needs for the next communicators now, so that the first reconfiguration
 * does not pay for it. */
static enum nereus_status reserve_communicators(struct nereus_error *err)
{
    enum { MOST = 16 };
    MPI_Comm comms[MOST];
    const int count = nereus_mpi()->communicators_at_once;
    for (int i = 0; i < count && i < MOST; i++)
        NEREUS_MPI(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]), err);
    for (int i = 0; i < count && i < MOST; i++)
        NEREUS_MPI(MPI_Comm_free(&comms[i]), err);
    return NEREUS_OK;
}

/* Cores usable by the initial processes: the union of their affinity masks, limited by the control
 * groups of rank 0. */
static enum nereus_status count_cores(nereus_job *job, struct nereus_error *err)
{
    struct {
        cpu_set_t cores;
        int64_t most; /* limit of rank 0; 0 in others */
    } own = {.most = 0}, all;
    if (sched_getaffinity(0, sizeof own.cores, &own.cores) != 0)
        CPU_ZERO(&own.cores);
    if (job->rank == 0)
        own.most = nereus_cores_within_limits(CPU_SETSIZE);
    NEREUS_MPI(MPI_Allreduce(&own, &all, (int)sizeof own, MPI_BYTE, MPI_BOR, job->control), err);
    const int64_t cores = CPU_COUNT(&all.cores);
    job->cores_here = cores < 1 ? 1 : cores < all.most ? cores : all.most;
    return NEREUS_OK;
}

/* Asynchronous methods need MPI_THREAD_MULTIPLE in all initial processes. */
static enum nereus_status determine_thread_support(nereus_job *job, struct nereus_error *err)
{
    int level, least;
    NEREUS_MPI(MPI_Query_thread(&level), err);
    NEREUS_MPI(MPI_Allreduce(&level, &least, 1, MPI_INT, MPI_MIN, job->control), err);
    job->has_threads = least >= MPI_THREAD_MULTIPLE;
    return NEREUS_OK;
}

/* Warn if mpiexec started several jobs of one process each, instead of one job. */
static void warn_of_separate_jobs(void)
{
    const int64_t processes = nereus_slurm_count_lone_processes();
    const char *number = getenv("SLURM_PROCID");
    if (processes > 0 && number != NULL && strcmp(number, "0") == 0)
        nereus_log("warning: each of the %lld processes that srun has started is a job of its own, "
                   "as MPI was not told of the others: start the job with nereus-mpiexec, or with "
                   "srun --mpi=pmi2",
                   (long long)processes);
}

/* Compare the hosts of the processes with the layout. Without a host file all must be on one
 * host. */
static enum nereus_status check_places(nereus_job *job, struct nereus_error *err)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const uint64_t name = nereus_hash(host, strlen(host));
    const bool several_hosts = nereus_machine_has_several_hosts(&job->machine);
    uint64_t own_words[3] = {name, ~name, several_hosts && !nereus_is_on_node(job) ? 0 : 1},
             least_words[3];
    NEREUS_MPI(MPI_Allreduce(own_words, least_words, 3, MPI_UINT64_T, MPI_MIN, job->control), err);
    job->misplaced = least_words[2] == 0;
    if (job->rank == 0 && !several_hosts && least_words[0] != ~least_words[1])
        nereus_log(
            "warning: the processes run on several hosts, and no host file says so: all is planned as "
            "on one host "
            "(NEREUS_HOSTFILE or options.hostfile)");
    return NEREUS_OK;
}

/* Rank 0: choose the number of the job. Never 0, which stands for "not known yet". */
static uint64_t choose_id(void)
{
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id)
        id = (uint64_t)getpid();
    return id | 1;
}

/* Rank 0: set up the job as its options say. */
static void set_up_job(nereus_job *job, const struct nereus_options *options,
                       struct nereus_error *own_error)
{
    job->id = choose_id();
    if (own_error->status == NEREUS_OK &&
        nereus_job_set_options(job, options, own_error) == NEREUS_OK &&
        nereus_machine_check_start(&job->machine, "the number of initial processes", job->size,
                                   own_error) == NEREUS_OK)
        nereus_jobstate_initial(&job->machine, job->size, &job->state, own_error);
}

/* Begin a job in an initial process, or continue one from a checkpoint. Rank 0 finds invalid
 * options, and all processes fail. */
static enum nereus_status begin_job(nereus_job *job, const struct nereus_options *options,
                                    const struct nereus_error *options_error,
                                    struct nereus_error *err)
{
    struct nereus_error own_error = *options_error;
    struct restart_result restart;
    nereus_launch_end_with_proxy();
    NEREUS_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &job->rank), err);
    nereus_job_update_watchdog(job); /* before the first call that waits for all */
    NEREUS_TRY(create_communicators(job, err));
    NEREUS_TRY(count_cores(job, err));
    NEREUS_TRY(determine_thread_support(job, err));
    if (job->rank == 0)
        set_up_job(job, options, &own_error);
    NEREUS_TRY(nereus_restart(job, &restart, &own_error, err));
    if (job->rank == 0 && own_error.status == NEREUS_OK)
        nereus_external_begin(job, &own_error);
    NEREUS_TRY(nereus_agree_or_fail(job->control, &own_error, err));
    if (job->rank == 0)
        nereus_model_choice_begin(job);
    NEREUS_TRY(nereus_settings_broadcast(job, err));
    NEREUS_TRY(check_places(job, err));
    if (!restart.restarted)
        NEREUS_TRY(nereus_register_mover(job, err));
    nereus_consensus_begin(job);
    if (job->trace.path != NULL)
        NEREUS_TRY(nereus_clock_align(job, err));
    if (job->rank == 0) {
        nereus_job_write_state(job);
        nereus_warn_oversubscribed(job, job->size);
        warn_of_separate_jobs();
    }
    nereus_bind(job);
    NEREUS_TRY(reserve_communicators(err));
    if (restart.restarted) {
        job->joined = true; /* this process was started by a reconfiguration */
        return nereus_restarted_complete(job, &restart, err);
    }
    nereus_external_open(job);
    return nereus_monitor_begin(job, err);
}

static enum nereus_status begin_or_join(nereus_job *job, const struct nereus_options *given,
                                        int *argc, char ***argv, struct nereus_error *err)
{
    struct nereus_options options;
    MPI_Comm parent;
    if (nereus_has_lost_launcher())
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "this process was started by nereus-mpiexec, and has not got its "
                           "launcher's environment (%s): it would be a job of its own; a "
                           "wrapper must not empty the environment (env -i), but may change it",
                           nereus_process_manager()->rank);
    if (nereus_has_closed_launcher())
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "a wrapper has closed the connection to the launcher (%s), which the "
                           "program must inherit: in Python subprocess.call(..., close_fds=False)",
                           nereus_process_manager()->connection);
    NEREUS_TRY(start_mpi(job, argc, argv, err));
    nereus_notify_guard(GUARD_ENTERS_JOB);
    job->watchdog = nereus_watchdog_begin(&job->points, "nereus_init");
    struct nereus_error own_error = {0};
    if (read_options(given, &options, &own_error) != NEREUS_OK ||
        nereus_check_mover(options.mover, &own_error) != NEREUS_OK)
        /* No early return: the others wait in the agreement below. */
        nereus_job_set_callbacks(job, &default_options);
    else
        nereus_job_set_callbacks(job, &options);
    NEREUS_MPI(MPI_Comm_get_parent(&parent), err);
    if (nereus_launch_is_launched()) {
        job->joined = true;
        return nereus_join_launched(job, &own_error, err);
    }
    /* A malleable program that another program has spawned begins a separate job. */
    if (parent == MPI_COMM_NULL || !nereus_has_guard())
        return begin_job(job, &options, &own_error, err);
    job->joined = true;
    return nereus_join(job, parent, &own_error, err);
}

enum nereus_status nereus_init(int *argc, char ***argv, const struct nereus_options *options,
                               nereus_job **job)
{
    struct nereus_error err = {0};
    *job = NULL;
    if (nereus_callback_check_outside("nereus_init", &err) == NEREUS_OK && nereus_job_is_open())
        nereus_fail(&err, NEREUS_ERR_STATE,
                    "nereus_init: this process has a job, which nereus_finalize ends");
    if (err.status != NEREUS_OK) {
        nereus_store_last_error(&err);
        return err.status;
    }
    nereus_abort_job_through(nereus_supervise_end_job);
    nereus_job *new_job = nereus_job_new(&err);
    enum nereus_status status =
        new_job == NULL ? err.status : begin_or_join(new_job, options, argc, argv, &err);
    if (status == NEREUS_OK) {
        *job = new_job;
        nereus_set_job_open(true);
        new_job->at_start = true;
        if (new_job->joined)
            nereus_watchdog_set_joined(new_job->watchdog);
        nereus_call_leave(new_job);
        return NEREUS_OK;
    }
    if (err.status == NEREUS_OK) /* a step wrote its message into the job */
        err = new_job->error;
    nereus_store_last_error(&err);
    const bool finalise = new_job != NULL && new_job->initialised_mpi;
    if (new_job != NULL)
        nereus_watchdog_end(new_job->watchdog);
    if (new_job == NULL || (new_job->rank == 0 && status != NEREUS_ERR_CANCELLED))
        nereus_log("%s", err.text); /* the sources report why the reconfiguration was cancelled */
    const bool joins = new_job != NULL && new_job->joined;
    nereus_notify_guard(joins ? GUARD_LEFT : GUARD_FINISHES);
    if (joins)
        nereus_notify_guard(GUARD_GIVES_UP); /* the sources report why */
    nereus_job_free(new_job);
    if (finalise)
        MPI_Finalize();
    return status;
}
