/**
 * @file messages.h
 * Collects the messages of a stage from all processes, and writes them as offsets of
 * ranks, or as rows of a file where processes differ.
 */
#pragma once

#include "sequence.h"
#include "twin.h"

/** Longest list; a longer one is easier to read as rows of a file. */
enum { NEREUS_MESSAGES_TEXT = 170 };

/** Append what process r sends in the block. */
enum nereus_status nereus_messages_add(struct nereus_twin_stage *stage, int r, int processes,
                                       const struct nereus_block *block, struct nereus_error *err);

/** Sort the messages and set the bytes of the stage; if each process exchanges equal messages with
 * the ranks before and after its own, the bytes describe them, and the list becomes empty. */
void nereus_messages_simplify(struct nereus_twin_stage *stage, int processes);

/** Divide each message of more than bytes_max into as few equal ones as possible. */
enum nereus_status nereus_messages_divide(struct nereus_twin_stage *stage, int64_t bytes_max,
                                          struct nereus_error *err);

/** List "offset:bytes,...", if it is the same for all processes and fits.
 * @return false: only rows can say it */
bool nereus_messages_list(const struct nereus_twin_stage *stage, int processes,
                          char text[NEREUS_MESSAGES_TEXT]);

/** Write rows "processes,stage,from,to,bytes" of the stages that need them.
 * @return their number */
int64_t nereus_messages_write(const struct nereus_twin *twin, FILE *stream);

/* traffic.c: What all processes send in an iteration, of a program and of its twin. */

/** Add `share` of each call of a process that sends. */
void nereus_traffic_add_calls(struct nereus_twin *twin, const struct nereus_call *calls,
                              int64_t count, double share);
/** Add a stage of the twin that runs so often in an iteration. */
void nereus_traffic_add_stage(struct nereus_twin *twin, const struct nereus_twin_stage *stage,
                              double runs);

/* waits.c: What processes wait for: in the program, and in its twin, whose messages of an exchange
 * are all sent before any is waited for. */

/** Does the process send a message after it has received one, before it has sent any since the last
 * collective (a sweep, a pipeline, a worker)? In an exchange of the twin it does not. */
bool nereus_calls_relay(const struct nereus_calls *calls);

/** Time of an iteration of the twin in which nothing that is communicated takes time: computing,
 * and waiting for the processes that compute longer.
 * @param[out] iteration_s  in the mean over some iterations
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_twin_simulate_ideal_network(const struct nereus_twin *twin,
                                                      double *iteration_s,
                                                      struct nereus_error *err);
