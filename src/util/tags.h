/**
 * @file tags.h
 * Lists the tags of the library's messages: each has a value of its own on whatever
 * communicator it is used, so that no message can match the receive of another one. The standard
 * guarantees tags up to 32767.
 */
#pragma once

#include "model/util/base.h"

/** Tags, by the communicator on which they are used. */
enum nereus_tag {
    /* links->halo_comm, a duplicate of the application's: the direction in which elements move */
    HALO_UP_TAG = 1,
    HALO_DOWN_TAG = 2,

    /* inter-communicators: comms.inter, and those between groups of new processes */
    FIRST_TAG = 12, /**< handshake: an empty message to each peer */
    HANDSHAKE_ANSWER_TAG = 16,
    STATEMENT_TAG = 21, /**< agreement between the two sides */
    READY_TAG = 32,     /**< failure detector: the new processes are ready */
    HANDOVER_TAG = 43,  /**< times of all sources, from their root to that of the targets */

    /* the redistribution's communicator: comms.merged, comms.inter or control */
    PACKED_TAG = 13, /**< all packed loads */
    OFFER_TAG = 14,  /**< rendezvous */
    RENDEZVOUS_ANSWER_TAG = 15,
    /** The first of DIRECT_TAGS: one per array, as the two sides may start the arrays in different
     * orders. */
    DIRECT_TAG = 1024,

    /* detector->sources, a duplicate of comms.parents */
    NOTICE_TAG = 31, /**< a process is lost */

    /* job->pool */
    WAKE_TAG = 33, /**< MPI_Comm_create_group with the zombies that are woken */
    SLEEP_TAG = 42,

    /* comms.old_control */
    STAMPS_TAG = 41, /**< times of a process that leaves */

    /* comms.parents */
    SPLIT_TAG = 44, /**< MPI_Comm_create_group of the staying processes */
    ADDRESS_TAG = 45,
    ROOT_TAG = 81, /**< record of a root that leaves, and then its list of zombies */
    ZOMBIES_TAG = 82,

    /* job->control */
    ANNOUNCEMENT_TAG = 51, /**< consensus */
    CONSENSUS_ANSWER_TAG = 52,
    CHECKPOINT_REPORT_TAG = 53, /**< this process has written its part */
    OFFSET_TAG = 102,           /**< correction of a host's clock */

    /* edges of the tree of new groups: child.inter, comms.parent */
    UP_TAG = 61,
    DOWN_TAG = 62,
    PORT_TAG = 71,   /**< port of the new processes' leader */
    BRIDGE_TAG = 72, /**< MPI_Intercomm_create over an edge's intra-communicator */

    /* comms.overlapped; new processes report on comms.inter or comms.merged */
    STAGE_TAG = 91,
    OVERLAP_REPORT_TAG = 95, /**< this process has redistributed its data */

    /* job->control, and comms.inter */
    CLOCK_TAG = 101 /**< ping-pong that measures the offset between two clocks */
};

/** Number of the tags from DIRECT_TAG on. */
enum { DIRECT_TAGS = 30000 };
