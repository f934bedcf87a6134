/**
 * @file slurm_job.h
 * The Slurm job in which nereus-mpiexec runs. Requeued it goes on later, on other nodes if it has
 * to, under the same number: whoever waits for it goes on waiting. Slurm's scontrol is run, and
 * waited for.
 */
#ifndef NEREUS_SRC_SUPERVISE_SLURM_JOB_H
#define NEREUS_SRC_SUPERVISE_SLURM_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slurm_job {
    bool is_batch;     /* submitted by sbatch: no other job can be requeued */
    bool is_preempted; /* Slurm wants its nodes, and has told so by a signal */
    double left_s;     /* time until the limit; negative: unknown */
};

bool slurm_job_is_one(void);
/* Has Slurm started the job again? */
bool slurm_job_is_requeued(void);
/* @return false: none, or Slurm does not answer */
bool slurm_job_read(struct slurm_job *job);
/* Parse the output of `scontrol show job -o`.
 * @param now_s  seconds since 1970 */
void slurm_job_parse(const char *text, double now_s, struct slurm_job *job);
/* Tasks of the allocation, or CPUs for tasks where none were asked for; 0: no allocation. */
struct slurm_tasks {
    int64_t all, most; /* most: on one node */
    bool asked_for;
};
struct slurm_tasks slurm_job_tasks(void);
/* Slurm ends the job, and queues it again.
 * @param tasks, nodes  that it is to have then; 0: as now
 * @return false: it does not, and the sentence says why */
bool slurm_job_requeue(int64_t tasks, int64_t nodes, char *sentence, size_t size);
/* Turn requeueing off when a requeued job ends well, if its end is that of the batch script. Slurm
 * 24.05 and later would start it once more: a flag of the preemption with GraceTime survives a
 * requeue (GRACE_PREEMPT in Slurm's _slurm_rpc_complete_batch_script). */
void slurm_job_ends_well(void);

#endif
