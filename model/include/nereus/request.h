/**
 * @file request.h
 * Defines the request record: plain integers that determine a plan. Rank 0 decides and sends it;
 * every process makes the same plan from it, and the plans' hashes are compared before data moves.
 */
#ifndef NEREUS_REQUEST_H
#define NEREUS_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "jobstate.h"
#include "layout.h"
#include "method.h"
#include "partition.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_RECORD_VERSION = 4, NEREUS_DATA_NAME_MAX = 48 };

/** Constant data may move while the application continues; variable data only while it is stopped.
 */
enum nereus_data_kind { NEREUS_CONSTANT = 0, NEREUS_VARIABLE = 1 };

/** A range of a global array per process; the same values in every process; or data that the
 * application moves. */
enum nereus_data_placement {
    NEREUS_DISTRIBUTED = 0,
    NEREUS_REPLICATED = 1,
    NEREUS_MOVED_BY_APPLICATION = 2
};

/** Type of the elements. A sparse matrix is three entries: pointers (NEREUS_CSR, NEREUS_CSC),
 * indices and values. */
enum nereus_data_shape {
    NEREUS_ARRAY = 0,
    NEREUS_BY_ROWS, /**< an element is a row of a dense matrix */
    NEREUS_BY_COLUMNS,
    NEREUS_CSR, /**< start of each row in indices and values */
    NEREUS_CSC,
    NEREUS_INDICES,
    NEREUS_VALUES,
    NEREUS_CUSTOM, /**< bytes packed by the application */
    NEREUS_FIELD,  /**< one value per element of a grid */
    NEREUS_SHAPE_COUNT
};

/** A registered data entry. */
struct nereus_data_entry {
    char name[NEREUS_DATA_NAME_MAX];
    int64_t element_bytes;
    int64_t count; /**< elements in all processes; replicated: in one copy */
    enum nereus_data_kind kind;
    enum nereus_data_placement placement;
    enum nereus_data_shape shape;
    int64_t undistributed; /**< dense matrix: the dimension that is not distributed */
    int64_t partition;     /**< number, from 1; 0: the block partition */
};

/** Partition of an index space, shared by all entries that refer to it. */
struct nereus_data_partition {
    /** "": for all entries of this length that were registered without a partition */
    char name[NEREUS_DATA_NAME_MAX];
    /** number, from 1, of the partition that determines this one, as rows determine their
     * non-zeros; 0: none */
    int64_t parent;
    /** 0: equal; k: the values of data entry k, from 1; -1: by a callback of the application */
    int64_t weights;
    struct nereus_partition old_ranges, new_ranges; /**< owned */
};

/** New processes of one node, in rank order. With a strategy that starts several worlds, one world.
 */
struct nereus_group {
    int64_t node; /**< index in the machine */
    int64_t processes;
};

/** Sources that leave: ranks first .. first + count - 1. */
struct nereus_leavers {
    int64_t first, count;
    int64_t ends; /**< 1: they end, together with their worlds; 0: they become zombies */
};

struct nereus_request {
    int64_t version; /**< NEREUS_RECORD_VERSION */
    int64_t number;  /**< 1 for the first reconfiguration of a job */
    int64_t point;   /**< malleability points passed since the job began */
    int64_t ns;
    int64_t nt;
    int64_t zombies;
    int64_t next_world_id;
    struct nereus_method method;
    int64_t data_count;
    struct nereus_data_entry *data; /**< owned */
    int64_t partition_count;
    struct nereus_data_partition *partitions; /**< owned */
    int64_t group_count;
    struct nereus_group *groups; /**< owned; group_count 0: one group on node 0 */
    int64_t leaver_count;
    /** only in a merge shrink, by rank, owned; leaver_count 0: ranks from nt on become zombies */
    struct nereus_leavers *leavers;
    int64_t bridge; /**< 1: old and new processes are connected without a port */
    int64_t batch;  /**< strategy multiple: processes per spawn; 0 is the same as 1 */
    /** 1: a world of zombies only is kept for the next expansion; 0: it ends. Used by the
     * placement; not in the portable form */
    int64_t keep_asleep;
    int64_t gained_nodes; /**< number of nodes that were appended to the machine for this request */
    int64_t lost_count;
    int64_t
        *lost_nodes; /**< indices of nodes that are removed from the machine at the commit; owned */
};

/** Bytes of the registered data, each distributed entry once. */
struct nereus_request_bytes {
    int64_t constant_bytes;
    int64_t variable_bytes;
    int64_t replicated_bytes; /**< bytes of one copy; not in the others */
};
/**
 * Sum up the bytes of the registered data.
 * @param[out] bytes  sums
 */
void nereus_request_sum_bytes(const struct nereus_request *request,
                              struct nereus_request_bytes *bytes);

/** Bytes of the portable form. */
size_t nereus_request_packed_bytes(const struct nereus_request *request);

/**
 * Write the portable form: little-endian, versioned.
 * @param[out] buffer  nereus_request_packed_bytes bytes
 */
void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer);

/**
 * Read the portable form.
 * @param[out] request  to be freed with nereus_request_fini
 * @return NEREUS_ERR_PARSE for another version, a truncated buffer or impossible values
 */
enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err);
/** Free the arrays. A zeroed request is allowed. */
void nereus_request_fini(struct nereus_request *request);

/** FNV-1a hash, 64 bit. */
uint64_t nereus_hash(const void *data, size_t bytes);

NEREUS_END_C
#endif
