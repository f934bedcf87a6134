/**
 * @file parts.h
 * Functions by which the loop over events, and the starts, resizes and losses of jobs, change the
 * state of a simulation. Schedulers and policies use simulation.h instead. Private to
 * model/simulate.
 */
#pragma once

#include "simulation.h"

/** Add an arriving job to the queue, or a job that waits again, at its place by arrival. */
void nereus_queue_add(struct nereus_sim *sim, int32_t job_index);
/** Remove a job from the queue. Its link to the next job stays, so that a pass can continue. */
void nereus_queue_remove(struct nereus_sim *sim, int32_t job_index);

/** Let a job with nodes read its last checkpoint, if there is one, and compute. */
void nereus_sim_launch(struct nereus_sim *sim, int32_t job_index);

/** End the resize or restart of a job: it computes on its nodes from now on. */
void nereus_sim_resize_end(struct nereus_sim *sim, int32_t job_index);

/** Tell the observer that the nodes of a job have changed. */
void nereus_sim_notify_change(struct nereus_sim *sim, int32_t job_index);

/** Let a node fail that is not in repair: it leaves the free nodes, or its job. */
void nereus_sim_fail_node(struct nereus_sim *sim, int32_t node);
