/**
 * @file sim_record.h
 * Who held which node when, and how many nodes were held: collected change by change.
 */
#ifndef NEREUS_SIMULATE_SIM_RECORD_H
#define NEREUS_SIMULATE_SIM_RECORD_H

#include "simulation.h"

/** More bars are not drawn: nobody could tell them apart. */
enum { NEREUS_SIM_BARS_MAX = 20000 };

/** Some neighbouring nodes that a job has held for a time. */
struct nereus_sim_bar {
    int32_t job, node, count;
    double begin_s, end_s;
    bool resizing; /**< a resize was under way */
};

struct nereus_sim_record {
    int32_t nodes;
    double from_s, until_s; /**< what is drawn; both 0: everything */
    double now_s;           /**< of the last change */
    struct nereus_sim_holder {
        int32_t job; /**< NEREUS_SIM_NONE: free */
        double since_s;
        bool resizing;
    } * holders;                 /**< indexed by node; owned */
    struct nereus_sim_bar *bars; /**< owned */
    int64_t bar_count;           /**< beyond NEREUS_SIM_BARS_MAX they are counted only */
    struct nereus_sim_use {
        double time_s;
        int32_t held; /**< nodes from then on */
    } * uses;         /**< owned */
    int64_t use_count;
    bool no_memory;
};

/** @param nodes  of the machine. @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_sim_record_init(int32_t nodes, double from_s, double until_s,
                                          struct nereus_sim_record *record,
                                          struct nereus_error *err);
void nereus_sim_record_fini(struct nereus_sim_record *record);

/** After each change of a job's nodes. */
void nereus_sim_record_change(struct nereus_sim_record *record, const struct nereus_sim *sim,
                              int32_t job);

/** What is still held becomes bars, too: after the last change. */
void nereus_sim_record_close(struct nereus_sim_record *record);

#endif
