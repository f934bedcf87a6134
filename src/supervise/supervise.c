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
#include <sys/wait.h>
#include <unistd.h>

#include "checkpoint_folder.h"
#include "job_line.h"
#include "job_run.h"
#include "launcher.h"
#include "model/layout/slurm.h"
#include "model/util/clock.h"
#include "model/util/shared_files.h"
#include "model/util/strings.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"
#include "sweep.h"

/* Time limit for the processes of a job that was told to end. */
static const double ending_limit_s = 1;

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

/* Has the job a checkpoint? A job with a checkpoint survives a loss, also while Slurm waits for
 * nodes. */
static bool has_checkpoint(const struct job_run *job_run)
{
    return job_run->supervisor.checkpoint != NULL || job_run->checkpoints.from[0] != '\0';
}

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
        (status != 0 && !(is_loss && has_checkpoint(job_run)) && requeue_is_preempted(job_run));
    if (run->holds)
        status =
            continue_after_loss(job_run, mpiexec, status, is_loss || job_run->ended_for_requeue);
    else if (status != 0 && run->output.missing_program[0] == '\0')
        sweep_other_hosts(mpiexec, nereus_monotonic_s() - job_run->begun_s);
    else if (status == 0 && run->interrupt == 0 && supervisor->planned_restart.processes > 0)
        status = continue_as_planned(job_run);
    if (status != 0 && !job_run->is_requeued && !(run->interrupt != 0 && supervisor->can_requeue))
        continue_print_command(job_run);
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
