/**
 * @file synthetic.h
 * Makes a synthetic cluster: a profile from a line of text, without measurements; in libnereus-fit.
 *
 *   nodes:16 cores:20 latency:1.5us bandwidth:12GB/s spawn:0.3s
 *
 *   nodes      number of nodes                                       (16)
 *   cores      cores of a node                                       (20)
 *   latency    time of a short message between two processes         (1.5us)
 *   bandwidth  of a long message, as 12GB/s or 100Gbit/s               (12GB/s)
 *   node-bandwidth  of all processes of a node                         (bandwidth)
 *   spawn      time to start one process on an empty node            (0.3s)
 *   file-write, file-read  of all processes together, to and from a checkpoint (assumed)
 *   start      of a restart: old processes end, new ones are in MPI (as spawn)
 *
 * Entries are separated by blanks or commas; the defaults are in brackets. How times grow with
 * sizes is taken from the priors of a fit, and each step that is not described has its prior:
 * predictions name them.
 */
#ifndef NEREUS_SYNTHETIC_H
#define NEREUS_SYNTHETIC_H

#include <stdint.h>

#include "profile.h"
#include "status.h"

NEREUS_BEGIN_C

struct nereus_synthetic {
    int64_t nodes, cores;
    double latency_s, bandwidth; /**< bytes per second */
    double spawn_s;
    double node_bandwidth;                 /**< in and out of a node; 0: as bandwidth */
    double file_write, file_read, start_s; /**< rates and start time of a restart; 0: assumed */
};

/**
 * Read the text of a synthetic cluster.
 * @param[out] cluster  defaults for keys that are not given
 * @return NEREUS_ERR_PARSE for an unknown key or a value without its unit, NEREUS_ERR_ARGUMENT for
 *         one that is given twice or out of range
 */
enum nereus_status nereus_synthetic_parse(const char *text, struct nereus_synthetic *cluster,
                                          struct nereus_error *err);

/**
 * Make the profile of a synthetic cluster.
 * @param[out] profile  to be freed with nereus_profile_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_synthetic_profile(const struct nereus_synthetic *cluster,
                                            struct nereus_profile *profile,
                                            struct nereus_error *err);

NEREUS_END_C
#endif
