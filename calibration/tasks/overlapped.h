/**
 * @file overlapped.h
 * Number of iterations overlapped with an operation that ends in the middle of one. No function
 * fails.
 */
#pragma once

/** End times of iterations, by nereus_monotonic_s. */
struct nereus_overlapped_ends {
    int count;                     /**< ended iterations */
    double first_s;                /**< when the first one began */
    double last_s, previous_end_s; /**< end of the last one, and of the previous one; 0: none */
};

/** A time, and the iterations in it. */
struct nereus_overlapped_span {
    double time_s, iterations;
};

/** Add the end time of the next iteration. */
void nereus_overlapped_add_end(struct nereus_overlapped_ends *ends, double end_s);

/**
 * Iterations until the operation ended: whole ones, and of the last one the part that did not
 * remain, by the time of an iteration alone. If it ended within the first iteration, that one as a
 * whole: a process that waits inside MPI for the operation makes no progress meanwhile.
 * @param operation_end_s  after the end of the last iteration but two, as each iteration checks it
 * @param alone_s          time of an iteration alone
 */
struct nereus_overlapped_span nereus_overlapped_span_of(const struct nereus_overlapped_ends *ends,
                                                        double operation_end_s, double alone_s);
