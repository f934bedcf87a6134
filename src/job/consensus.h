/* Consensus on a malleability point at which all processes stop, found without a blocking call.
 * Private to src/. */
#ifndef NEREUS_SRC_CONSENSUS_H
#define NEREUS_SRC_CONSENSUS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "nereus/nereus.h"

/* What one process answers to rank 0's announcements. */
struct consensus_answer {
    MPI_Request request;
    /* The point that was announced if this process can stop there, else its negative */
    int64_t word;
    int64_t given; /* answers that have come */
};

struct consensus {
    MPI_Request received; /* not rank 0: the receive that rank 0's next word completes */
    int64_t word;
    /* The one announced last; not rank 0: at which this process stops, if announced */
    int64_t point;
    /* Rank 0: it has announced one; others: they answered that they can stop there */
    bool announced;
    /* Rank 0: how many, and how many points ahead the last one was */
    int64_t announcements, ahead;
    double announced_s;               /* rank 0: when the last one was */
    struct consensus_answer *answers; /* rank 0, once announced: by rank */
    /* No look at MPI before this time: a point without a request must cost nothing */
    double next_look_s;
};

struct resize_request;

void nereus_consensus_begin(nereus_job *job);
/* Rank 0: this request is pending, and carried out as soon as all have agreed on a point. */
void nereus_consensus_request(nereus_job *job, const struct resize_request *wanted);
/*
 * At every point: is it the one that was agreed on?
 * @param wants rank 0: there is something to agree on.
 * @param every points between two looks while nothing has been announced. Waits only at a point at
 * which this process has answered that it can stop, for rank 0 to come there.
 */
enum nereus_status nereus_consensus_look(nereus_job *job, bool wants, int64_t every, bool *due,
                                         struct nereus_error *err);
/* Ends an announcement under way; a pending request is kept.
 * @param announced  of rank 0, received by all before. Collective over control. */
enum nereus_status nereus_consensus_end(nereus_job *job, bool announced, struct nereus_error *err);
/* The same, with the announcement broadcast by rank 0. */
enum nereus_status nereus_consensus_stop(nereus_job *job, struct nereus_error *err);

#endif
