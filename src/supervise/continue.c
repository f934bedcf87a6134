/**
 * @file continue.c
 * Continues the job in a next attempt: after a restart that it has requested, or after a loss.
 */
#include <signal.h>

#include "checkpoint_folder.h"
#include "job_run.h"
#include "model/util/clock.h"
#include "nereus/checkpoint.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"
#include "sweep.h"

/* ---- as planned ------------------------------------------------------------------------------ */

/* Count the nodes for `tasks` tasks, each with as many tasks as the fullest node has now. */
static int64_t count_nodes_for(int64_t tasks)
{
    const int64_t most = slurm_job_tasks().max_per_node;
    return nereus_divide_up(tasks, most > 0 ? most : 1);
}

static int continue_by_requeue(struct job_run *job_run)
{
    const struct restart_order *planned_restart = &job_run->supervisor.planned_restart;
    char sentence[PATH_MAX + 120];
    snprintf(sentence, sizeof sentence,
             "the job goes on as %lld process%s from %s when Slurm has further nodes",
             (long long)planned_restart->processes, nereus_plural_es(planned_restart->processes),
             planned_restart->path);
    return requeue_job(job_run, sentence, planned_restart->processes,
                       count_nodes_for(planned_restart->processes));
}

int continue_as_planned(struct job_run *job_run)
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
    return requeue_job(job_run, sentence, 0, 0);
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

int continue_after_loss(struct job_run *job_run, char **mpiexec, int status, bool is_loss)
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

void continue_print_command(const struct job_run *job_run)
{
    const struct attempt_loss loss = describe_loss(job_run);
    char path[PATH_MAX];
    if (next_attempt_find_usable(&loss, path))
        checkpoint_folder_print_command(&job_run->attempt, &job_run->survival, path);
}
