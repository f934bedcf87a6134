/**
 * @file consensus.h
 * Reaches consensus on a malleability point at which all processes stop, without a blocking call.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"
#include "nereus/nereus.h"

/** Answers of one process to rank 0's announcements. */
struct consensus_answer {
    MPI_Request request;
    int64_t word;  /**< The announced point if this process can stop there, else its negative */
    int64_t count; /**< answers received */
};

/** State of the consensus in one process. */
struct consensus {
    MPI_Request receive_request; /**< not rank 0: receive of rank 0's next message */
    int64_t word;
    /** The latest announced point; not rank 0: the point at which this process stops, if
     * `announced` */
    int64_t point;
    bool announced; /**< Rank 0: a point is announced; others: this process has agreed to it */
    /** Rank 0: number of announcements, and how many points ahead the latest one was */
    int64_t announcements, points_ahead;
    double announced_s;               /**< rank 0: time of the latest announcement */
    unsigned wants;                   /**< rank 0: the announced actions */
    struct consensus_answer *answers; /**< rank 0: by rank */
    /** MPI is not polled before this time, so that a point without a request costs almost
     * nothing */
    double next_poll_s;
};

/** Actions at the agreed point, as a set: a checkpoint comes before a change of size. */
enum { CONSENSUS_REQUEST = 1, CONSENSUS_CHECKPOINT = 2, CONSENSUS_OVERLAPPED = 4 };

struct resize_request;

/** Reset the consensus for a job or a new size; except at rank 0, post the receive of its next
 * message. */
void nereus_consensus_begin(nereus_job *job);
/** Rank 0: make this request pending; it is carried out at the agreed point. */
void nereus_consensus_request(nereus_job *job, const struct resize_request *request);
/** Is this the agreed point? Called at every point.
 * @param wants  rank 0: what needs agreement; 0: nothing
 * @param every  points between two polls of MPI while nothing is announced
 * @param[out] due  actions of all processes at this point; 0: this is not the agreed point
 *
 * Waits for rank 0 only at a point at which this process has answered that it can stop. */
enum nereus_status nereus_consensus_test(nereus_job *job, unsigned wants, int64_t every,
                                         unsigned *due, struct nereus_error *err);
/** Cancel a pending announcement; a pending request is kept.
 * @param announced  rank 0 has announced a point, and all have received it. Collective over
 *   control. */
enum nereus_status nereus_consensus_end(nereus_job *job, bool announced, struct nereus_error *err);
/** Cancel as nereus_consensus_end does; rank 0 broadcasts whether there is an announcement. */
enum nereus_status nereus_consensus_stop(nereus_job *job, struct nereus_error *err);
