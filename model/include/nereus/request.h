/**
 * @file request.h
 * The request record: everything that a plan is made from, as plain integers.
 *
 * One rank decides and broadcasts it, new processes receive it, and pure code turns it into the same plan everywhere;
 * its hash is compared before the first step that cannot be taken back.
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

#ifdef __cplusplus
extern "C" {
#endif

enum { NEREUS_RECORD_VERSION = 3, NEREUS_DATA_NAME_MAX = 48 };

/** Constant data may move while the application runs; variable data only while it stands still. */
enum nereus_data_kind { NEREUS_CONSTANT = 0, NEREUS_VARIABLE = 1 };

/** Ranges of a global array, or the same values in every process. */
enum nereus_data_placement { NEREUS_DISTRIBUTED = 0, NEREUS_REPLICATED = 1 };

/** What the elements are. A sparse matrix is three entries: its pointers (NEREUS_CSR, NEREUS_CSC), which have the name, and after them its
 *  indices and its values. */
enum nereus_data_shape {
    NEREUS_ARRAY = 0,
    NEREUS_BY_ROWS,    /**< an element is a row of a dense matrix */
    NEREUS_BY_COLUMNS, /**< a column */
    NEREUS_CSR,        /**< where each row begins in indices and values */
    NEREUS_CSC,        /**< each column */
    NEREUS_INDICES,
    NEREUS_VALUES,
    NEREUS_CUSTOM, /**< bytes that the application packs */
    NEREUS_SHAPE_COUNT
};

/** One registered piece of data, as every process must know it. */
struct nereus_data_entry {
    char name[NEREUS_DATA_NAME_MAX];
    int64_t element_bytes;
    int64_t count; /**< global elements (replicated: of every copy) */
    enum nereus_data_kind kind;
    enum nereus_data_placement placement;
    enum nereus_data_shape shape;
    int64_t across;    /**< matrices: elements the other way; else 0 */
    int64_t partition; /**< number of its partition in the record, from 1; 0: a block partition of its own */
};

/** How an index space is cut. Data of one partition are cut alike. */
struct nereus_data_partition {
    char name[NEREUS_DATA_NAME_MAX]; /**< empty: of all data of that length that name none */
    int64_t
        parent; /**< 0; else the bounds follow from those of this partition (number from 1): non-zeros from
                         rows */
    int64_t
        weights; /**< indices weigh 0: all the same; k: as much as they have in data entry k (from 1); -1: what the application
                          says */
    struct nereus_partition before, after; /**< of ns and of nt processes; owned */
};

/** New processes that start together on one node, in the order of their new ranks. Each group is a world of its own, but
 *  with the strategies plain and single, which make all of them one world. */
struct nereus_group {
    int64_t node; /**< index in the machine */
    int64_t processes;
};

/** Sources first .. first + count - 1 leave: with their whole worlds (ends), or as zombies. */
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
    int64_t zombies; /**< asleep now */
    int64_t next_world_id;
    struct nereus_method method;
    int64_t data_count;
    struct nereus_data_entry *data; /**< data_count entries, owned */
    int64_t partition_count;
    struct nereus_data_partition *partitions; /**< owned */
    int64_t group_count;
    struct nereus_group *groups; /**< of the new processes, owned; none: one group of all of them on node 0 */
    int64_t leaver_count;
    struct nereus_leavers
        *leavers;   /**< of a merge shrink, by rank, owned; none: the ranks from nt on sleep */
    int64_t bridge; /**< 1: old and new processes are connected without a port (strategies that connect) */
    int64_t batch;  /**< multiple: processes a spawn; 0 or 1: one */
};

/** Sums over the registered data, in bytes. A distributed entry counts once, a replicated one once per new process. */
struct nereus_request_bytes {
    int64_t constant_bytes;
    int64_t variable_bytes;
    int64_t replicated_bytes; /**< of one copy, included in neither of the above */
};
void nereus_request_sum_bytes(const struct nereus_request *request, struct nereus_request_bytes *bytes);

/** Bytes that nereus_request_pack writes. */
size_t nereus_request_packed_bytes(const struct nereus_request *request);

/** Write the portable form (little-endian, versioned). @param[out] buffer nereus_request_packed_bytes() long */
void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer);

/** Read it back. Refuses another version, a truncated buffer, negative counts. Free with nereus_request_fini. */
enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err);
void nereus_request_fini(struct nereus_request *request);

/** FNV-1a, 64 bit. */
uint64_t nereus_hash(const void *data, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
