/**
 * @file job_run.h
 * The job that nereus-supervise runs (supervise.c), and what begins its next attempt: Slurm
 * (requeue.c), a restart that the job has requested, or a loss (continue.c).
 */
#pragma once

#include "next_attempt.h"
#include "run.h"

/** The job that this process runs: its present attempt, settings and state. */
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

/** @param sentence  why Slurm queues the job again, and from which checkpoint it continues
 * @param tasks, nodes  size of the requeued job; 0: as now
 * @return the job's status */
int requeue_job(struct job_run *job_run, const char *sentence, int64_t tasks, int64_t nodes);
/** Is the job preempted? Slurm has sent SIGTERM to the job's processes, and will queue it again, at
 * the end of GraceTime or at once. */
bool requeue_is_preempted(const struct job_run *job_run);

/** Carry out the restart that the job has requested, after all its processes have ended well.
 * @return the job's status; does not return if the next attempt begins */
int continue_as_planned(struct job_run *job_run);
/** End the lost attempt and begin the next one. If Slurm starts the next attempt, Slurm also ends
 * the lost one: the time before its limit is needed to requeue the job.
 * @return the job's status; does not return if the next attempt has begun here */
int continue_after_loss(struct job_run *job_run, char **mpiexec, int status, bool is_loss);
/** Print how to continue a failed job that Slurm does not start again. Only if it has written a
 * checkpoint, or has computed further from the one that it read: a job that failed at once would
 * fail again. */
void continue_print_command(const struct job_run *job_run);
