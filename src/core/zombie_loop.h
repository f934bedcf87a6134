/**
 * @file zombie_loop.h
 * The time of a zombie between falling asleep and being woken (zombie shrink).
 */
#ifndef NEREUS_SRC_CORE_ZOMBIE_LOOP_H
#define NEREUS_SRC_CORE_ZOMBIE_LOOP_H

#include "src/job/job.h"

/** Sleep until woken for work (RESIZED) or for the end (LEAVE). Closes the endpoint. */
enum nereus_status nereus_zombie_loop(nereus_job *job, struct zombie_endpoint *endpoint,
                                      enum nereus_action *action, struct nereus_error *err);

#endif
