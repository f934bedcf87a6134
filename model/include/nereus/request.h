/**
 * @file request.h
 * The request record: everything that determines a plan, as plain integers.
 *
 * One rank decides and broadcasts it, new processes receive it, and pure code makes the same plan
 * from it everywhere; its hash is compared before the first step that cannot be undone.
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

/**
 * Constant data may move while the application continues; variable data only while it is stopped.
 */
enum nereus_data_kind { NEREUS_CONSTANT = 0, NEREUS_VARIABLE = 1 };

/** Parts of a global array, equal values in every process, or bytes that the application moves
 * itself, with only their number known. */
enum nereus_data_placement {
    NEREUS_DISTRIBUTED = 0,
    NEREUS_REPLICATED = 1,
    NEREUS_MOVED_BY_APPLICATION = 2
};

/** What the elements are. A sparse matrix is three entries: its pointers (NEREUS_CSR, NEREUS_CSC),
 * which have the name, then its indices and its values. */
enum nereus_data_shape {
    NEREUS_ARRAY = 0,
    NEREUS_BY_ROWS,    /**< an element is a row of a dense matrix */
    NEREUS_BY_COLUMNS, /**< a column */
    NEREUS_CSR,        /**< start of each row in indices and values */
    NEREUS_CSC,        /**< start of each column */
    NEREUS_INDICES,
    NEREUS_VALUES,
    NEREUS_CUSTOM, /**< bytes packed by the application */
    NEREUS_SHAPE_COUNT
};

/** One registered data entry, as every process must know it. */
struct nereus_data_entry {
    char name[NEREUS_DATA_NAME_MAX];
    int64_t element_bytes;
    int64_t count; /**< global elements (replicated: of every copy) */
    enum nereus_data_kind kind;
    enum nereus_data_placement placement;
    enum nereus_data_shape shape;
    int64_t across; /**< matrices: extent of the other dimension; else 0 */
    /** its partition in the record, from 1; 0: block partition of its own */
    int64_t partition;
};

/** How an index space is partitioned. Entries of one partition have the same bounds. */
struct nereus_data_partition {
    /** empty: of all entries of that length that name none */
    char name[NEREUS_DATA_NAME_MAX];
    /** 0; else the partition (from 1) from which the bounds are derived: non-zeros from rows */
    int64_t parent;
    /** weights of indices. 0: equal; k: data entry k (from 1); -1: given by the application */
    int64_t weights;
    struct nereus_partition before, after; /**< of ns and of nt processes; owned */
};

/** New processes that start together on one node, in rank order. The strategy decides whether each
 * group is a world of its own or all groups are one world. */
struct nereus_group {
    int64_t node; /**< index in the machine */
    int64_t processes;
};

/** Sources first .. first + count - 1 leave: they end with their worlds, or become zombies. */
struct nereus_leavers {
    int64_t first, count;
    int64_t ends; /**< 1: they end; 0: they sleep */
};

struct nereus_request {
    int64_t version; /**< NEREUS_RECORD_VERSION */
    int64_t number;  /**< 1 for the first reconfiguration of a job */
    int64_t point;   /**< malleability points passed since the job began */
    int64_t ns;      /**< active processes now */
    int64_t nt;      /**< active processes wanted */
    int64_t zombies; /**< zombies now */
    int64_t next_world_id;
    struct nereus_method method;
    int64_t data_count;
    struct nereus_data_entry *data; /**< data_count entries, owned */
    int64_t partition_count;
    struct nereus_data_partition *partitions; /**< owned */
    int64_t group_count;
    struct nereus_group *groups; /**< of the new processes, owned; none: one group on node 0 */
    int64_t leaver_count;
    struct nereus_leavers
        *leavers;   /**< of a merge shrink, by rank, owned; none: the ranks from nt on sleep */
    int64_t bridge; /**< 1: old and new processes are connected without a port */
    int64_t batch;  /**< multiple: processes a spawn; 0 or 1: one */
    /** for the placement only, not in the portable form. 1: a world of zombies only is kept for the
     * next expansion; 0: it ends */
    int64_t keep_asleep;
    /** nodes that the machine has gained for this request: its last ones */
    int64_t gained;
    int64_t lost_count;
    int64_t *lost; /**< indices of the nodes that the machine loses at the commit, owned */
};

/** Bytes of the registered data. A distributed entry counts once, a replicated one once a new
 * process. */
struct nereus_request_bytes {
    int64_t constant_bytes;
    int64_t variable_bytes;
    int64_t replicated_bytes; /**< of one copy, in neither of the above */
};
void nereus_request_sum_bytes(const struct nereus_request *request,
                              struct nereus_request_bytes *bytes);

/** Bytes that nereus_request_pack writes. */
size_t nereus_request_packed_bytes(const struct nereus_request *request);

/**
 * Write the portable form (little-endian, versioned).
 * @param[out] buffer  nereus_request_packed_bytes() bytes
 */
void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer);

/**
 * Read the portable form. Free with nereus_request_fini after NEREUS_OK.
 * @return NEREUS_ERR_PARSE for another version, a truncated buffer or impossible values;
 *         NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err);
void nereus_request_fini(struct nereus_request *request);

/** FNV-1a hash, 64 bit. */
uint64_t nereus_hash(const void *data, size_t bytes);

NEREUS_END_C
#endif
