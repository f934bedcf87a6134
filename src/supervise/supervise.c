/**
 * @file supervise.c
 * nereus-supervise COMMAND ARGUMENTS...: runs mpiexec, each program of the job under a guard, and
 * ends with the status of the world that finished the job, non-zero if any process was killed.
 * nereus-mpiexec executes it.
 *
 * mpiexec returns the status of the initial world only; after a baseline reconfiguration that world
 * has long ended. The guards over spawned processes report to the socket named in NEREUS_LAUNCHER.
 * This process also starts the worlds that are launched during the job, and their guards keep a
 * connection to it (supervisor.h): when this process ends the whole job ends, in whichever world
 * the root is.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"
#include "checkpoint_folder.h"
#include "job_line.h"
#include "launcher.h"
#include "model/layout/slurm.h"
#include "model/util/clock.h"
#include "model/util/shared_files.h"
#include "model/util/strings.h"
#include "nereus/checkpoint.h"
#include "next_attempt.h"
#include "run.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"
#include "supervisor.h"
#include "survival.h"
#include "sweep.h"

/* Time limit for the processes of a job that was told to end. */
static const double ending_limit_s = 1;
/* Time limit for Slurm to end a job that it has queued again. */
static const double requeue_limit_s = 120;

/* Set the environment for mpiexec, which starts processes by srun in a Slurm job. SLURM_OVERLAP: a
 * second step would wait for the cores of the first. The number of tasks per node, from which
 * mpiexec computes the placement, is copied, as srun replaces it in the processes. */
static void prepare_for_slurm(void)
{
    if (getenv("SLURM_JOB_ID") == NULL)
        return;
    setenv("SLURM_OVERLAP", "1", 0);
    nereus_slurm_export_environment();
}

/* Remove files of a failed job, whose processes may outlive mpiexec for a moment, and still use
 * them. */
static void remove_shared_files(struct nereus_shared_files *earlier_files, int status)
{
    const double deadline_s = nereus_monotonic_s() + ending_limit_s;
    while (status != 0 && nereus_monotonic_s() < deadline_s && waitpid(-1, NULL, WNOHANG) >= 0)
        usleep(2000);
    nereus_shared_files_remove(earlier_files);
}

/* Does the command line start a job? One that is refused is reported. --help replaces this process
 * by nereus-mpiexec, which calls this program and prints the help. */
static bool accept_job_line(char **mpiexec)
{
    char sentence[400], path[PATH_MAX];
    const char *unchecked = getenv("NEREUS_MPIEXEC_UNCHECKED");
    const enum job_line_kind kind =
        job_line_kind(mpiexec, unchecked == NULL || *unchecked == '\0', sentence, sizeof sentence);
    if (kind == JOB_LINE_REFUSED)
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    if (kind == JOB_LINE_HELP && run_find_program("../../bin/nereus-mpiexec", path, sizeof path))
        execl(path, path, "--help", (char *)NULL);
    return kind == JOB_LINE_JOB;
}

/* Reserve descriptors 0 to 2 if they are closed (`>&-`), so that sockets opened here do not get
 * their numbers; output to them is lost, and that is reported. */
static void fill_streams(void)
{
    int file = STDIN_FILENO;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file >= 0)
        close(file);
}

/* The job that this process runs: its present attempt, settings and state. */
struct job_run {
    struct run run;
    struct supervisor supervisor;
    struct attempt attempt;
    struct attempt_checkpoints checkpoints;
    struct survival survival;
    double begun_s;
    bool ended_for_requeue; /* the job has ended so that Slurm queues it again */
    bool is_requeued;       /* Slurm has queued it again: the job is not over */
};

/* ---- by Slurm -------------------------------------------------------------------------------- */

/* Wait until Slurm ends the job: the user's batch script would continue with its next command. */
static int await_end(struct run *run, struct supervisor *supervisor)
{
    const double deadline_s = nereus_monotonic_s() + requeue_limit_s;
    while (run->interrupt == 0 && nereus_monotonic_s() < deadline_s) {
        poll(&(struct pollfd){run->signals, POLLIN, 0}, 1, 1000);
        run_forward_signals(run, supervisor);
    }
    return 128 + (run->interrupt != 0 ? run->interrupt : SIGTERM);
}

/* @param sentence  why the job is queued again, and from which checkpoint it continues
 * @param tasks, nodes  size of the requeued job; 0: as now
 * @return the job's status */
static int queue_again(struct job_run *job_run, const char *sentence, int64_t tasks, int64_t nodes)
{
    char why[400] = "";
    fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    job_run->is_requeued = slurm_job_requeue(tasks, nodes, why, sizeof why);
    if (job_run->is_requeued)
        return await_end(&job_run->run, &job_run->supervisor);
    fprintf(stderr, "nereus-mpiexec: Slurm does not queue the job again, which ends: %s\n", why);
    return EXIT_FAILURE;
}

/* Is the job preempted? Slurm has sent SIGTERM to the job's processes, and will queue it again, at
 * the end of GraceTime or at once. */
static bool is_preempted(const struct job_run *job_run)
{
    struct slurm_job job;
    return job_run->supervisor.can_requeue && job_run->run.interrupt == 0 && slurm_job_read(&job) &&
           job.is_preempted;
}

/* Has the job a checkpoint? A job with a checkpoint survives a loss, also while Slurm waits for
 * nodes. */
static bool has_checkpoint(const struct job_run *job_run)
{
    return job_run->supervisor.checkpoint != NULL || job_run->checkpoints.from[0] != '\0';
}

/* Count the nodes for `tasks` tasks, each with as many tasks as the fullest node has now. */
static int64_t count_nodes_for(int64_t tasks)
{
    const int64_t most = slurm_job_tasks().max_per_node;
    return nereus_divide_up(tasks, most > 0 ? most : 1);
}

/* ---- as planned ------------------------------------------------------------------------------ */

static int continue_by_requeue(struct job_run *job_run)
{
    const struct restart_order *planned_restart = &job_run->supervisor.planned_restart;
    char sentence[PATH_MAX + 120];
    snprintf(sentence, sizeof sentence,
             "the job goes on as %lld process%s from %s when Slurm has further nodes",
             (long long)planned_restart->processes, nereus_plural_es(planned_restart->processes),
             planned_restart->path);
    return queue_again(job_run, sentence, planned_restart->processes,
                       count_nodes_for(planned_restart->processes));
}

/* Carry out the restart that the job has requested, after all its processes have ended well.
 * @return the job's status; does not return if the next attempt begins */
static int continue_as_planned(struct job_run *job_run)
{
    const struct supervisor *supervisor = &job_run->supervisor;
    struct attempt next = job_run->attempt;
    if (strcmp(supervisor->planned_restart.hosts, NEREUS_HOSTS_OF_SLURM) == 0)
        return continue_by_requeue(job_run);
    next.number++;
    next.processes = supervisor->planned_restart.processes;
    next.hosts = supervisor->planned_restart.hosts;
    next.failed_reads = 0;
    next.is_older = false;
    next.checkpoints = supervisor->checkpoints;
    attempt_begin(&next, supervisor->planned_restart.path);
    fprintf(stderr, "nereus-mpiexec: the job cannot be restarted: %s\n", strerror(errno));
    return EXIT_FAILURE;
}

/* ---- after a loss ---------------------------------------------------------------------------- */

static bool is_interrupted(void *user)
{
    struct job_run *job_run = user;
    run_forward_signals(&job_run->run, &job_run->supervisor);
    return job_run->run.interrupt != 0;
}

static struct attempt_loss describe_loss(const struct job_run *job_run)
{
    const struct restart_order *planned_restart = &job_run->supervisor.planned_restart;
    const char *good = job_run->supervisor.checkpoint;
    return (struct attempt_loss){.attempt = &job_run->attempt,
                                 .checkpoints = &job_run->checkpoints,
                                 .good_checkpoint = good != NULL ? good : planned_restart->path,
                                 .reached_points = nereus_progress_points(job_run->supervisor.root),
                                 .planned_processes = planned_restart->processes,
                                 .planned_hosts = planned_restart->hosts,
                                 .survival = &job_run->survival,
                                 .requeued = job_run->ended_for_requeue};
}

static bool do_all_hosts_answer(const struct job_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (!hosts->list[i].answers)
            return false;
    return true;
}

/* The decision after a loss. */
struct decision {
    struct attempt_loss loss;
    struct next_attempt next;
    struct nereus_error why_not; /* the reason if there is no next attempt */
    bool goes_on;                /* a next attempt has a checkpoint, processes and hosts */
    bool by_slurm;               /* Slurm starts the next attempt */
    bool is_loss;                /* the end was a loss, not a failure of the program */
};

/* A preempted job is queued again even without a checkpoint. A job at its time limit is not: from
 * its beginning it would reach the same limit again. */
static void decide_after_loss(struct job_run *job_run, bool is_loss, struct decision *decision)
{
    decision->loss = describe_loss(job_run);
    decision->is_loss = is_loss;
    decision->goes_on = next_attempt_choose_checkpoint(&decision->loss, &decision->next,
                                                       &decision->why_not) == NEREUS_OK;
    decision->by_slurm =
        job_run->ended_for_requeue && (decision->goes_on || !job_run->run.limit.ends_job);
}

/* End the processes of the lost attempt on the other hosts, and choose hosts and processes of the
 * next attempt. If a host does not answer, the end was a loss. */
static void clear_hosts(struct job_run *job_run, char **mpiexec, struct decision *decision)
{
    const struct sweep_limit limit = {job_run->survival.answer_s, is_interrupted, job_run};
    const double job_s = nereus_monotonic_s() - job_run->begun_s;
    struct job_hosts hosts;
    if (!decision->goes_on) {
        sweep_other_hosts(mpiexec, job_s);
        return;
    }
    job_hosts_find(&hosts, job_run->attempt.mpiexec);
    if (sweep_each_host(&hosts, mpiexec, job_s, &limit)) {
        decision->is_loss = decision->is_loss || !do_all_hosts_answer(&hosts);
        decision->goes_on =
            decision->is_loss && next_attempt_choose_size(&decision->loss, &hosts, &decision->next,
                                                          &decision->why_not) == NEREUS_OK;
    }
    if (decision->goes_on) {
        char folder[PATH_MAX];
        nereus_checkpoint_split_path(decision->next.checkpoint, folder);
        job_hosts_leave_out(&hosts, folder);
    }
    job_hosts_fini(&hosts);
}

/* @return the job's status */
static int end_interrupted(const struct run *run)
{
    fprintf(stderr, "nereus-mpiexec: %s; the job was interrupted by signal %d (%s)\n",
            run_get_loss(run), run->interrupt, strsignal(run->interrupt));
    return 128 + run->interrupt;
}

/* @return the job's status */
static int queue_after_loss(struct job_run *job_run, struct decision *decision)
{
    char sentence[sizeof job_run->run.why + sizeof decision->next.sentence];
    next_attempt_describe_requeued(&decision->loss, &decision->next,
                                   decision->goes_on ? NULL : &decision->why_not);
    snprintf(sentence, sizeof sentence, "%s; the job %s", run_get_loss(&job_run->run),
             decision->next.sentence);
    return queue_again(job_run, sentence, 0, 0);
}

/* Begin the next attempt. Returns only if it cannot begin: decision->why_not says why. */
static void begin_next(struct job_run *job_run, struct decision *decision)
{
    struct next_attempt *next = &decision->next;
    fprintf(stderr, "nereus-mpiexec: %s; the job %s\n", run_get_loss(&job_run->run),
            next->sentence);
    next->attempt.checkpoints = job_run->supervisor.checkpoints;
    attempt_begin(&next->attempt, next->checkpoint);
    nereus_fail(&decision->why_not, NEREUS_ERR_IO, "it cannot be restarted: %s", strerror(errno));
}

static void print_end(const struct run *run, const struct decision *decision)
{
    if (decision->is_loss)
        fprintf(stderr, "nereus-mpiexec: %s; the job does not go on, as %s\n",
                run->why[0] != '\0' ? run->why : run_get_loss(run), decision->why_not.text);
    else if (run->why[0] != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", run->why);
}

/* End the lost attempt and begin the next one. If Slurm starts the next attempt, Slurm also ends
 * the lost one: the time before its limit is needed to requeue the job.
 * @return the job's status; does not return if the next attempt has begun here */
static int continue_after_loss(struct job_run *job_run, char **mpiexec, int status, bool is_loss)
{
    static struct decision decision; /* static: large, and zeroed */
    run_kill_orphans();
    decide_after_loss(job_run, is_loss, &decision);
    if (!decision.by_slurm)
        clear_hosts(job_run, mpiexec, &decision);
    if (is_interrupted(job_run))
        return end_interrupted(&job_run->run);
    if (decision.by_slurm)
        return queue_after_loss(job_run, &decision);
    if (decision.goes_on)
        begin_next(job_run, &decision);
    print_end(&job_run->run, &decision);
    return status;
}

/* Print how to continue a failed job that Slurm does not start again. Only if it has written a
 * checkpoint, or has computed further from the one that it read: a job that failed at once would
 * fail again. */
static void print_how_to_continue(const struct job_run *job_run)
{
    const struct attempt_loss loss = describe_loss(job_run);
    char path[PATH_MAX];
    if (next_attempt_find_usable(&loss, path))
        checkpoint_folder_print_command(&job_run->attempt, &job_run->survival, path);
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Run the job, and its next attempts.
 * @return its status */
static int run_job(struct job_run *job_run, char **mpiexec)
{
    struct run *run = &job_run->run;
    struct supervisor *supervisor = &job_run->supervisor;
    struct nereus_shared_files earlier_files;
    nereus_shared_files_record(NEREUS_SHARED_FOLDER, &earlier_files);
    if (mpiexec == NULL || !run_start(run, supervisor, mpiexec)) {
        fprintf(stderr, "nereus-mpiexec: %s\n", strerror(errno));
        return 1;
    }
    const int mpiexec_status = run_watch(run, supervisor);
    int status = run_end_output(run, supervisor, mpiexec_status);
    run_explain_end(run, supervisor, mpiexec_status, status);
    if (status == 0 || run->interrupt != 0 || run->output.missing_program[0] != '\0')
        run_print_reasons(run);
    const bool is_loss = run_is_loss(run, supervisor, mpiexec_status, !job_run->attempt.first);
    status = status == 0 && run->output.lost ? 1 : status; /* already reported */
    remove_shared_files(&earlier_files, status);
    job_run->ended_for_requeue =
        run->limit.ends_job ||
        (status != 0 && !(is_loss && has_checkpoint(job_run)) && is_preempted(job_run));
    if (run->holds)
        status =
            continue_after_loss(job_run, mpiexec, status, is_loss || job_run->ended_for_requeue);
    else if (status != 0 && run->output.missing_program[0] == '\0')
        sweep_other_hosts(mpiexec, nereus_monotonic_s() - job_run->begun_s);
    else if (status == 0 && run->interrupt == 0 && supervisor->planned_restart.processes > 0)
        status = continue_as_planned(job_run);
    if (status != 0 && !job_run->is_requeued && !(run->interrupt != 0 && supervisor->can_requeue))
        print_how_to_continue(job_run);
    if (status == 0 && supervisor->can_requeue)
        slurm_job_disable_requeue();
    supervisor_close(supervisor);
    return status;
}

/* @param[out] sentence  why the job cannot begin, or from which checkpoint a requeued job
 *   continues; "": neither */
static bool begin_first(struct job_run *job_run, char *sentence, size_t size)
{
    const struct survival *survival = &job_run->survival;
    struct nereus_error err = {0};
    if (survival->is_given && !checkpoint_folder_check(survival->folder, sentence, size))
        return false;
    /* A job that was started by a program of another job has inherited the variable of the folder,
     * and writes no checkpoints there */
    if (survival->is_given && (survival->restarts || survival->is_by_time) &&
        getenv(NEREUS_LAUNCHER_NAME) == NULL &&
        !checkpoint_folder_await_free(survival->folder, sentence, size))
        return false;
    if (next_attempt_choose_first(&job_run->attempt, survival, sentence, size, &err) == NEREUS_OK)
        return true;
    snprintf(sentence, size, "%s", err.text);
    return false;
}

/* Read the settings of a job, and the checkpoint from which its first attempt begins.
 * @return false: invalid settings, after an error message */
static bool read_settings(struct job_run *job_run)
{
    char sentence[NEXT_ATTEMPT_TEXT_MAX];
    const struct survival *survival = &job_run->survival;
    bool good = survival_read(&job_run->survival, sentence, sizeof sentence);
    if (good)
        *sentence = '\0';
    if (good && job_run->attempt.first)
        good = begin_first(job_run, sentence, sizeof sentence);
    if (*sentence != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    next_attempt_record_checkpoints(&job_run->checkpoints, survival->folder);
    if (good && job_run->attempt.first && job_run->checkpoints.from[0] == '\0')
        checkpoint_folder_record(survival, job_run->attempt.mpiexec);
    job_run->run.holds = job_run->supervisor.finds_dead_hosts = survival->restarts;
    job_run->supervisor.recovery.limit_s = survival->recovery_s;
    job_run->supervisor.recovery.max_recoveries = survival->max_restarts;
    job_run->supervisor.checkpoints = job_run->attempt.checkpoints;
    job_run->supervisor.can_requeue =
        survival->restarts && survival->folder != NULL && slurm_job_is_present();
    if (job_run->supervisor.can_requeue)
        setenv(NEREUS_WARNED_NAME, "1", 1);
    else
        unsetenv(NEREUS_WARNED_NAME); /* set by an outer job */
    return good;
}

int main(int argc, char **argv)
{
    static struct job_run job_run; /* static: large, and zeroed */
    job_run.begun_s = nereus_monotonic_s();
    fill_streams();
    if (argc == 3 && strcmp(argv[1], SWEEP_OPTION) == 0)
        return sweep_this_host(argv[2]);
    if (!attempt_read(argv, &job_run.attempt)) {
        fprintf(stderr, "nereus-supervise: give the command to run\n");
        return 2;
    }
    prepare_for_slurm();
    /* owned until the end of the program */
    job_run.attempt.mpiexec = own_options_translate(job_run.attempt.mpiexec);
    if (job_run.attempt.mpiexec == NULL || !accept_job_line(job_run.attempt.mpiexec) ||
        !read_settings(&job_run))
        return 2;
    run_watch_signals(&job_run.run);
    char **mpiexec =
        job_line_resized(job_run.attempt.mpiexec, job_run.attempt.processes, job_run.attempt.hosts);
    const int status = run_job(&job_run, mpiexec);
    nereus_strings_free(mpiexec);
    return status;
}
