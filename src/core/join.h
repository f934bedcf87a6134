/**
 * @file join.h
 * Processes that enter the job: new ones in nereus_init (join.c), woken zombies (zombie_loop.c).
 */
#pragma once

#include "src/job/job.h"

/** Join as a spawned process.
 * @param failure  not OK: this process replaces a program that could not be started, and makes all
 *     cancel the reconfiguration */
enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err);
/** Join as a launched process, which has no parents. */
enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err);

/** Sleep until woken for work (RESIZED) or for the end (LEAVE). Closes the endpoint. */
enum nereus_status nereus_zombie_loop(nereus_job *job, struct zombie_endpoint *endpoint,
                                      enum nereus_action *action, struct nereus_error *err);
