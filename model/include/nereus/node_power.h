/**
 * @file node_power.h
 * Describes the electric power of a node, from which energies of jobs and clusters are computed.
 */
#ifndef NEREUS_NODE_POWER_H
#define NEREUS_NODE_POWER_H

/** Watts that a node draws. */
struct nereus_node_power {
    double busy_w;   /**< while processes compute on it */
    double idle_w;   /**< without a process that computes: free, or with zombies only */
    double resize_w; /**< while the job on it is resized */
};

#endif
