/**
 * @file shrink_completion.h
 * Completes a shrink while the staying processes compute: leaving processes send their stamps and
 * wait for the message to sleep.
 */
#pragma once

#include "reconfiguration.h"

/** Staying process: start the reduction to the root, which also posts receives for the stamps of
 * the leaving processes. Later calls do nothing. Collective over the staying processes;
 * non-blocking. */
enum nereus_status nereus_completion_begin(struct reconfiguration *reconfig,
                                           struct nereus_error *err);
/** Wait for all requests. */
enum nereus_status nereus_completion_wait(struct nereus_completion *completion,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err);
/** Leaving process: send its stamps to the root. Later calls do nothing. */
enum nereus_status nereus_completion_report(struct reconfiguration *reconfig,
                                            struct nereus_error *err);
/** Leaving process: poll with backoff, as it shares its core, until the root's message to sleep. */
enum nereus_status nereus_completion_await_sleep(struct reconfiguration *reconfig,
                                                 struct nereus_error *err);
/** Complete the shrink, at a later point or before the next reconfiguration (wait): once all stamps
 * have arrived, the root tells the leaving processes to sleep, and job->completion is NULL. */
enum nereus_status nereus_completion_finish(nereus_job *job, bool wait, struct nereus_error *err);
