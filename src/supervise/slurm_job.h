/**
 * @file slurm_job.h
 * Reads and changes the Slurm job in which nereus-mpiexec runs. A requeued job continues later, if
 * needed on other nodes, under the same job number, so that dependent jobs still wait for it.
 * Functions that read or change the job run Slurm's scontrol and wait for it; others read the
 * environment.
 */
#pragma once

#include "model/util/base.h"

struct slurm_job {
    bool is_batch;     /* submitted by sbatch: no other job can be requeued */
    bool is_preempted; /* Slurm needs the nodes of the job, and has sent a signal */
    double left_s;     /* time until the limit; negative: unknown */
};

bool slurm_job_is_present(void);
/** Has Slurm started the job again? */
bool slurm_job_is_requeued(void);
/** @return false: no Slurm job, or Slurm does not answer */
bool slurm_job_read(struct slurm_job *job);
/** Parse the output of `scontrol show job -o`.
 * @param now_s  seconds since 1970 */
void slurm_job_parse(const char *text, double now_s, struct slurm_job *job);
struct slurm_tasks {
    int64_t total, max_per_node;
    bool asked_for; /* false: as many as the CPUs can have */
};
/** @return tasks of the allocation or, if none were requested, those that its CPUs can have; 0: no
 * allocation */
struct slurm_tasks slurm_job_tasks(void);
/** Let Slurm end the job and queue it again.
 * @param tasks, nodes  size of the requeued job; 0: as now
 * @return false: Slurm refuses, and the sentence says why */
bool slurm_job_requeue(int64_t tasks, int64_t nodes, char *sentence, size_t size);
/** Turn requeueing off when a requeued job ends well, if its end is that of the batch script. Slurm
 * 24.05 and later would start the job once more: a flag of the preemption with GraceTime survives a
 * requeue (GRACE_PREEMPT in Slurm's _slurm_rpc_complete_batch_script). */
void slurm_job_disable_requeue(void);
