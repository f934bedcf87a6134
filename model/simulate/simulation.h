/**
 * @file simulation.h
 * The state of a simulation, and the functions by which schedulers and policies read and change it.
 */
#pragma once

#include "availability.h"
#include "cluster.h"
#include "events.h"
#include "nereus/simulate.h"
#include "outages.h"
#include "running.h"
#include "waiting.h"

struct nereus_sim {
    const struct nereus_sim_settings *settings;
    struct nereus_sim_job *jobs; /**< jobs of the workload, owned by the caller */
    int64_t job_count, arrived, ended, given_up;
    double now_s;
    struct nereus_cluster cluster;
    struct nereus_events events;
    struct nereus_running running;
    int32_t first_queued, last_queued; /**< waiting jobs, in order of arrival */
    struct nereus_waiting waiting;     /**< the same jobs, to be searched */
    int32_t coming_free;               /**< nodes that shrinks under way will give back */
    struct nereus_outages outages;
    double next_round_s;   /**< next round of the policy; INFINITY: none is needed */
    double rounds_since_s; /**< the last round, or the end of its last resize */
    double ask_s;          /**< when the next resize of this round is asked for: now_s or later */
    /** one per job of the workload; NULL: no node can fail */
    struct nereus_sim_survival *survival;
    int64_t idle_outages;      /**< failures and repairs since a job ran or arrived */
    struct nereus_error error; /**< why the simulation ends */
    /** an estimated end has changed since the scheduler last cleared this */
    bool estimates_changed;
    struct nereus_availability availability; /**< for the scheduler conservative */
    int32_t *scratch;                        /**< room for a job per node, for policies */
    bool interrupted;
};

/** Seconds for which a job holds its nodes after its work is done. */
static inline double nereus_sim_tail_s(const struct nereus_sim *sim)
{
    return sim->settings->latency.job_s + sim->settings->latency.next_s;
}

/* --- for schedulers --- */

/** Start a waiting job that fits, on as many nodes as requested. */
void nereus_sim_start(struct nereus_sim *sim, int32_t job_index);
/** @return time for which a waiting job is expected to hold its nodes */
double nereus_sim_estimate_s(const struct nereus_sim *sim, int32_t job_index);
/** Does a waiting job fit into the free nodes? */
bool nereus_sim_fits(const struct nereus_sim *sim, int32_t job_index);

/* --- for policies --- */

/** Begin to resize a running job at its next iteration after ask_s, an expansion after the latency
 * of a submission. An expansion takes its nodes at once, a shrink gives them back when it is
 * complete and the batch system has them; the job computes nothing during the resize.
 * @return false, and nothing is done: no iteration follows, there is no price, or the expansion
 * would end the job later */
bool nereus_sim_resize(struct nereus_sim *sim, int32_t job_index, int32_t nodes);

/** List in sim->scratch the running malleable jobs without a resize under way, latest estimated end
 * first.
 * @return their number */
int32_t nereus_sim_list_malleable(struct nereus_sim *sim);

/** @return nodes that the first waiting job lacks, beyond free nodes and nodes that shrinks will
 * give back; 0: no job waits */
int32_t nereus_sim_count_missing(const struct nereus_sim *sim);

/** @return processes of a job on `nodes` nodes */
int64_t nereus_sim_processes(const struct nereus_sim *sim, const struct nereus_sim_job *job,
                             int32_t nodes);

/** @return work per second on `nodes` nodes, by Amdahl's law; 1 on the nodes requested */
double nereus_sim_rate(const struct nereus_sim *sim, const struct nereus_sim_job *job,
                       int32_t nodes);
