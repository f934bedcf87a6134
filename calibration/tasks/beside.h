/**
 * @file beside.h
 * How many iterations were done beside something that lasts a while and ends in the middle of one.
 */
#ifndef NEREUS_CALIBRATION_BESIDE_H
#define NEREUS_CALIBRATION_BESIDE_H

/** Ends of the iterations, seconds of the host's clock. */
struct beside_ends {
    int count;              /**< of iterations that have ended */
    double first_s;         /**< when the first one began */
    double last_s, ahead_s; /**< end of the last one, and of the one ahead of it; 0: there was none */
};

/** A time and the iterations that were done in it. */
struct beside_time {
    double time_s, iterations;
};

void beside_ended(struct beside_ends *ends, double end_s);

/**
 * Until it was over: whole iterations and part of one, that is what had not to be done afterwards, at the pace of an iteration by
 * itself. Where it was over within the first iteration, that one as a whole: who waits for all of a start gets on no further, but
 * takes no longer than the start and what is left.
 * @param over_s   when it was over, after the end of the last iteration but two: each ends with a look at it
 * @param alone_s  an iteration by itself
 */
struct beside_time beside_done(const struct beside_ends *ends, double over_s, double alone_s);

#endif
