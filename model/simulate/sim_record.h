/**
 * @file sim_record.h
 * Records a simulation for pictures: the nodes of each job over time (Gantt chart), and the number
 * of allocated nodes.
 */
#pragma once

#include "simulation.h"

/** Limit of drawn bars: more would not be distinguishable. */
enum { NEREUS_SIM_BARS_MAX = 20000 };

/** A range of nodes that a job held for a time. */
struct nereus_sim_bar {
    int32_t job, node, count;
    double begin_s, end_s;
    bool resizing; /**< a resize was under way */
};

struct nereus_sim_record {
    int32_t nodes;
    double from_s, until_s; /**< period that is recorded; both 0: everything */
    double now_s;           /**< time of the last change */
    struct nereus_sim_holder {
        int32_t job; /**< NEREUS_SIM_NONE: free */
        double since_s;
        bool resizing;
    } * holders;                 /**< indexed by node; owned */
    struct nereus_sim_bar *bars; /**< owned */
    int64_t bar_count;           /**< bars beyond NEREUS_SIM_BARS_MAX are counted only */
    struct nereus_sim_use {
        double time_s;
        int32_t held; /**< allocated nodes from this time on */
    } * uses;         /**< owned */
    int64_t use_count;
    bool no_memory;
};

/**
 * @param nodes  of the machine
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_sim_record_init(int32_t nodes, double from_s, double until_s,
                                          struct nereus_sim_record *record,
                                          struct nereus_error *err);
void nereus_sim_record_fini(struct nereus_sim_record *record);

/** Record a change; to be called after each change of a job's nodes. */
void nereus_sim_record_change(struct nereus_sim_record *record, const struct nereus_sim *sim,
                              int32_t job_index);

/** End the record after the last change: add bars for nodes that are still allocated. */
void nereus_sim_record_finish(struct nereus_sim_record *record);
