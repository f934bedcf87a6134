/**
 * @file supervise.c
 * nereus-supervise COMMAND ARGUMENTS...: runs mpiexec, each program of the job under a guard, and
 * ends with the status of the world that finished the job, non-zero if any process was killed. Used
 * by nereus-mpiexec.
 *
 * mpiexec returns the status of the initial world only; after a baseline reconfiguration
 * that world has long ended. The guards over spawned processes report to the socket named in
 * NEREUS_LAUNCHER. Worlds that are launched during the job are started from here and hold their
 * lifelines here (supervisor.h): the end of this process is the job's end, whichever world its root
 * is in.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"
#include "checkpoint_folder.h"
#include "job_line.h"
#include "model/layout/slurm.h"
#include "model/util/arith.h"
#include "model/util/clock.h"
#include "model/util/shared_files.h"
#include "model/util/strings.h"
#include "model/util/text.h"
#include "nereus/checkpoint.h"
#include "next_attempt.h"
#include "own_options.h"
#include "run.h"
#include "run_outcome.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"
#include "supervisor.h"
#include "survival.h"
#include "sweep.h"

/* Time for the processes of a job that was told to end. */
static const double ending_limit_s = 1;
/* Time for Slurm to end a job that it has queued again. */
static const double requeue_limit_s = 120;

/* Set the environment for mpiexec, which starts processes by srun in a Slurm job. A second step
 * would wait for the cores of the first (hence SLURM_OVERLAP). The number of tasks per node, by
 * which mpiexec fills the allocation, is not visible in the processes (hence the copy). */
static void prepare_for_slurm(void)
{
    if (getenv("SLURM_JOB_ID") == NULL)
        return;
    setenv("SLURM_OVERLAP", "1", 0);
    nereus_slurm_export_environment();
}

/* Remove files of a failed job, whose processes may outlive mpiexec for a moment, and still use
 * them. */
static void remove_shared_files(struct nereus_shared_files *before, int status)
{
    const double until_s = nereus_monotonic_s() + ending_limit_s;
    while (status != 0 && nereus_monotonic_s() < until_s && waitpid(-1, NULL, WNOHANG) >= 0)
        usleep(2000);
    nereus_shared_files_remove(before);
}

/* --help is handled by nereus-mpiexec, which calls this program. */
static bool is_a_job(char **mpiexec)
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
 * their numbers; what is written to them is lost, which is reported. */
static void fill_streams(void)
{
    int file = STDIN_FILENO;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file >= 0)
        close(file);
}

/* A job of this process. */
struct whole {
    struct run run;
    struct supervisor supervisor;
    struct attempt attempt;
    struct attempt_checkpoints checkpoints;
    struct survival survival;
    double begun_s;
    bool requeued;  /* the job has ended to be queued by Slurm again */
    bool is_queued; /* Slurm has queued it again: it has not ended */
};

/* ---- by Slurm -------------------------------------------------------------------------------- */

/* Slurm ends the job, which would go on to the next command of the user's batch script. */
static int await_end(struct run *run, struct supervisor *supervisor)
{
    const double until_s = nereus_monotonic_s() + requeue_limit_s;
    while (run->interrupt == 0 && nereus_monotonic_s() < until_s) {
        poll(&(struct pollfd){run->signals, POLLIN, 0}, 1, 1000);
        run_take_signals(run, supervisor);
    }
    return 128 + (run->interrupt != 0 ? run->interrupt : SIGTERM);
}

/* @param sentence  why it is queued again, and from what it goes on
 * @param tasks, nodes  that it is to have; 0: as now
 * @return the job's status */
static int queue_again(struct whole *whole, const char *sentence, int64_t tasks, int64_t nodes)
{
    char why[400] = "";
    fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    whole->is_queued = slurm_job_requeue(tasks, nodes, why, sizeof why);
    if (whole->is_queued)
        return await_end(&whole->run, &whole->supervisor);
    fprintf(stderr, "nereus-mpiexec: Slurm does not queue the job again, which ends: %s\n", why);
    return EXIT_FAILURE;
}

/* Slurm has sent SIGTERM to the job's processes, and will queue it again: at the end of GraceTime,
 * or at once. */
static bool is_preempted(const struct whole *whole)
{
    struct slurm_job job;
    return whole->supervisor.can_requeue && whole->run.interrupt == 0 && slurm_job_read(&job) &&
           job.is_preempted;
}

/* Has the job a checkpoint? A job with a checkpoint survives a loss, also while Slurm waits for
 * nodes. */
static bool has_checkpoint(const struct whole *whole)
{
    return whole->supervisor.checkpoint != NULL || whole->checkpoints.from[0] != '\0';
}

/* Nodes for so many tasks, each with as many as the fullest has now. */
static int64_t nodes_for(int64_t tasks)
{
    const int64_t most = slurm_job_tasks().most;
    return nereus_divide_up(tasks, most > 0 ? most : 1);
}

/* ---- as planned ------------------------------------------------------------------------------ */

static int go_on_elsewhere(struct whole *whole)
{
    const struct restart_order *planned = &whole->supervisor.planned;
    char sentence[PATH_MAX + 120];
    snprintf(sentence, sizeof sentence,
             "the job goes on as %lld process%s from %s when Slurm has further nodes",
             (long long)planned->processes, nereus_plural_es(planned->processes), planned->path);
    return queue_again(whole, sentence, planned->processes, nodes_for(planned->processes));
}

/* The restart that the job has asked for, when all of it has ended well.
 * @return the job's status; does not return if it goes on */
static int go_on_as_planned(struct whole *whole)
{
    const struct supervisor *supervisor = &whole->supervisor;
    struct attempt next = whole->attempt;
    if (strcmp(supervisor->planned.hosts, NEREUS_HOSTS_OF_SLURM) == 0)
        return go_on_elsewhere(whole);
    next.number++;
    next.processes = supervisor->planned.processes;
    next.hosts = supervisor->planned.hosts;
    next.lost_reads = 0;
    next.fell_back = false;
    next.checkpoints = supervisor->checkpoints;
    attempt_begin(&next, supervisor->planned.path);
    fprintf(stderr, "nereus-mpiexec: the job cannot be restarted: %s\n", strerror(errno));
    return EXIT_FAILURE;
}

/* ---- after a loss ---------------------------------------------------------------------------- */

static bool is_interrupted(void *user)
{
    struct whole *whole = user;
    run_take_signals(&whole->run, &whole->supervisor);
    return whole->run.interrupt != 0;
}

static struct attempt_loss describe_loss(const struct whole *whole)
{
    const struct restart_order *planned = &whole->supervisor.planned;
    const char *good = whole->supervisor.checkpoint;
    return (struct attempt_loss){.attempt = &whole->attempt,
                                 .checkpoints = &whole->checkpoints,
                                 .good = good != NULL ? good : planned->path,
                                 .reached = nereus_progress_points(whole->supervisor.root),
                                 .planned = planned->processes,
                                 .planned_hosts = planned->hosts,
                                 .survival = &whole->survival,
                                 .requeued = whole->requeued};
}

static bool all_answer(const struct job_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (!hosts->list[i].answers)
            return false;
    return true;
}

/* What is decided after a loss. */
struct decision {
    struct attempt_loss loss;
    struct next_attempt next;
    struct nereus_error why_not; /* the reason if there is no next attempt */
    bool goes_on;                /* a next attempt has a checkpoint, processes and hosts */
    bool by_slurm;               /* Slurm starts the next attempt */
    bool lost;                   /* the end was a loss, and not the program's own failure */
};

/* A preempted job is queued again even without a checkpoint. A job at its time limit is not, as it
 * would come as far again and no further. */
static void decide(struct whole *whole, bool lost, struct decision *decision)
{
    decision->loss = describe_loss(whole);
    decision->lost = lost;
    decision->goes_on =
        next_attempt_checkpoint(&decision->loss, &decision->next, &decision->why_not) == NEREUS_OK;
    decision->by_slurm = whole->requeued && (decision->goes_on || !whole->run.limit.ends_job);
}

/* End what the lost attempt has left on the other hosts, and choose hosts and processes of the next
 * attempt. Hosts that do not answer make the end a loss. */
static void clear_hosts(struct whole *whole, char **mpiexec, struct decision *decision)
{
    const struct sweep_limit limit = {whole->survival.answer_s, is_interrupted, whole};
    const double job_s = nereus_monotonic_s() - whole->begun_s;
    struct job_hosts hosts;
    if (!decision->goes_on) {
        sweep_other_hosts(mpiexec, job_s);
        return;
    }
    job_hosts_find(&hosts, whole->attempt.mpiexec);
    if (sweep_each_host(&hosts, mpiexec, job_s, &limit)) {
        decision->lost = decision->lost || !all_answer(&hosts);
        decision->goes_on =
            decision->lost && next_attempt_size(&decision->loss, &hosts, &decision->next,
                                                &decision->why_not) == NEREUS_OK;
    }
    if (decision->goes_on) {
        char folder[PATH_MAX];
        nereus_checkpoint_place(decision->next.checkpoint, folder);
        job_hosts_leave_out(&hosts, folder);
    }
    job_hosts_fini(&hosts);
}

/* @return the job's status */
static int end_interrupted(const struct run *run)
{
    fprintf(stderr, "nereus-mpiexec: %s; the job was interrupted by signal %d (%s)\n",
            run_what_was_lost(run), run->interrupt, strsignal(run->interrupt));
    return 128 + run->interrupt;
}

/* @return the job's status */
static int queue_after_loss(struct whole *whole, struct decision *decision)
{
    char sentence[sizeof whole->run.why + sizeof decision->next.sentence];
    next_attempt_say_requeued(&decision->loss, &decision->next,
                              decision->goes_on ? NULL : &decision->why_not);
    snprintf(sentence, sizeof sentence, "%s; the job %s", run_what_was_lost(&whole->run),
             decision->next.sentence);
    return queue_again(whole, sentence, 0, 0);
}

/* Returns only if the next attempt cannot begin: decision->why_not says why. */
static void begin_next(struct whole *whole, struct decision *decision)
{
    struct next_attempt *next = &decision->next;
    fprintf(stderr, "nereus-mpiexec: %s; the job %s\n", run_what_was_lost(&whole->run),
            next->sentence);
    next->attempt.checkpoints = whole->supervisor.checkpoints;
    attempt_begin(&next->attempt, next->checkpoint);
    nereus_fail(&decision->why_not, NEREUS_ERR_IO, "it cannot be restarted: %s", strerror(errno));
}

static void say_end(const struct run *run, const struct decision *decision)
{
    if (decision->lost)
        fprintf(stderr, "nereus-mpiexec: %s; the job does not go on, as %s\n",
                run->why[0] != '\0' ? run->why : run_what_was_lost(run), decision->why_not.text);
    else if (run->why[0] != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", run->why);
}

/* End the lost attempt and begin the next one. If Slurm starts the next attempt, Slurm also ends
 * the lost one: the time that is left before its limit is needed for the order.
 * @return the job's status; does not return if the next attempt has begun here */
static int go_on_after_loss(struct whole *whole, char **mpiexec, int status, bool lost)
{
    static struct decision decision; /* static: large, and zeroed */
    run_kill_orphans();
    decide(whole, lost, &decision);
    if (!decision.by_slurm)
        clear_hosts(whole, mpiexec, &decision);
    if (is_interrupted(whole))
        return end_interrupted(&whole->run);
    if (decision.by_slurm)
        return queue_after_loss(whole, &decision);
    if (decision.goes_on)
        begin_next(whole, &decision);
    say_end(&whole->run, &decision);
    return status;
}

/* Say how a job goes on that has ended badly, and that Slurm does not start again: only from a
 * checkpoint that it has written, or that it has read and got further. A job that failed at once
 * would fail again. */
static void say_how_to_go_on(const struct whole *whole)
{
    const struct attempt_loss loss = describe_loss(whole);
    char path[PATH_MAX];
    if (next_attempt_good(&loss, path))
        checkpoint_folder_say_command(&whole->attempt, &whole->survival, path);
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Run the job, and its next attempts.
 * @return its status */
static int run_job(struct whole *whole, char **mpiexec)
{
    struct run *run = &whole->run;
    struct supervisor *supervisor = &whole->supervisor;
    struct nereus_shared_files before;
    nereus_shared_files_record(NEREUS_SHARED_FOLDER, &before);
    if (mpiexec == NULL || !run_start(run, supervisor, mpiexec)) {
        fprintf(stderr, "nereus-mpiexec: %s\n", strerror(errno));
        return 1;
    }
    const int mpiexec_status = run_watch(run, supervisor);
    int status = run_end_output(run, supervisor, mpiexec_status);
    run_explain_end(run, supervisor, mpiexec_status, status);
    if (status == 0 || run->interrupt != 0 || run->output.missing[0] != '\0')
        run_say_at_once(run);
    const bool lost = run_is_loss(run, supervisor, mpiexec_status, !whole->attempt.first);
    status = status == 0 && run->output.lost ? 1 : status; /* already reported */
    remove_shared_files(&before, status);
    whole->requeued = run->limit.ends_job ||
                      (status != 0 && !(lost && has_checkpoint(whole)) && is_preempted(whole));
    if (run->holds)
        status = go_on_after_loss(whole, mpiexec, status, lost || whole->requeued);
    else if (status != 0 && run->output.missing[0] == '\0')
        sweep_other_hosts(mpiexec, nereus_monotonic_s() - whole->begun_s);
    else if (status == 0 && run->interrupt == 0 && supervisor->planned.processes > 0)
        status = go_on_as_planned(whole);
    if (status != 0 && !whole->is_queued && !(run->interrupt != 0 && supervisor->can_requeue))
        say_how_to_go_on(whole);
    if (status == 0 && supervisor->can_requeue)
        slurm_job_ends_well();
    supervisor_close(supervisor);
    return status;
}

/* @param[out] sentence  why not, or from where a job that was requeued goes on; "": neither */
static bool begin_first(struct whole *whole, char *sentence, size_t size)
{
    const struct survival *survival = &whole->survival;
    struct nereus_error err = {0};
    if (survival->is_given && !checkpoint_folder_check(survival->folder, sentence, size))
        return false;
    /* A job that a program of another one starts has inherited the folder: it writes none there */
    if (survival->is_given && (survival->restarts || survival->is_by_time) &&
        getenv(NEREUS_LAUNCHER_NAME) == NULL &&
        !checkpoint_folder_is_free(survival->folder, sentence, size))
        return false;
    if (next_attempt_first(&whole->attempt, survival, sentence, size, &err) == NEREUS_OK)
        return true;
    snprintf(sentence, size, "%s", err.text);
    return false;
}

/* The settings of a job, and the checkpoint that its first attempt begins from.
 * @return false: they are wrong, which has been said */
static bool read_settings(struct whole *whole)
{
    char sentence[NEXT_ATTEMPT_TEXT_MAX];
    const struct survival *survival = &whole->survival;
    bool good = survival_read(&whole->survival, sentence, sizeof sentence);
    if (good)
        *sentence = '\0';
    if (good && whole->attempt.first)
        good = begin_first(whole, sentence, sizeof sentence);
    if (*sentence != '\0')
        fprintf(stderr, "nereus-mpiexec: %s\n", sentence);
    next_attempt_note(&whole->checkpoints, survival->folder);
    if (good && whole->attempt.first && whole->checkpoints.from[0] == '\0')
        checkpoint_folder_note(survival, whole->attempt.mpiexec);
    whole->run.holds = whole->supervisor.finds_dead_hosts = survival->restarts;
    whole->supervisor.recovery.limit_s = survival->recovery_s;
    whole->supervisor.recovery.most = survival->most;
    whole->supervisor.checkpoints = whole->attempt.checkpoints;
    whole->supervisor.can_requeue =
        survival->restarts && survival->folder != NULL && slurm_job_is_one();
    if (whole->supervisor.can_requeue)
        setenv(NEREUS_WARNED_NAME, "1", 1);
    else
        unsetenv(NEREUS_WARNED_NAME); /* set by an outer job */
    return good;
}

int main(int argc, char **argv)
{
    static struct whole whole; /* static: large, and zeroed */
    whole.begun_s = nereus_monotonic_s();
    fill_streams();
    if (argc == 3 && strcmp(argv[1], SWEEP_OPTION) == 0)
        return sweep_here(argv[2]);
    if (!attempt_read(argv, &whole.attempt)) {
        fprintf(stderr, "nereus-supervise: give the command to run\n");
        return 2;
    }
    prepare_for_slurm();
    whole.attempt.mpiexec = own_options_translated(whole.attempt.mpiexec); /* until the end */
    if (whole.attempt.mpiexec == NULL || !is_a_job(whole.attempt.mpiexec) || !read_settings(&whole))
        return 2;
    run_watch_signals(&whole.run);
    char **mpiexec =
        job_line_resized(whole.attempt.mpiexec, whole.attempt.processes, whole.attempt.hosts);
    const int status = run_job(&whole, mpiexec);
    nereus_strings_free(mpiexec);
    return status;
}
