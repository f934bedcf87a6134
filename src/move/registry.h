/** @file registry.h  Stores the registered data of a process. */
#pragma once

#include "model/partition/box.h"
#include "nereus/partition.h"
#include "nereus/request.h"
#include "parts.h"

/** Callbacks of custom data: see nereus.h, struct nereus_custom. */
struct custom_calls {
    int64_t (*bytes)(void *user, int64_t first, int64_t count);
    void (*pack)(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes);
    void (*resize)(void *user, int64_t first, int64_t count);
    enum nereus_status (*unpack)(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes);
    void *user;
};

/** Packed elements first .. first + count - 1 from one source. */
struct piece {
    struct nereus_range elements;
    int64_t bytes;
};

/** struct datum, type: a type that is not predefined, or that is unknown. No predefined type has
 * the number 0. */
enum { TYPE_NOT_PREDEFINED = 0 };

/** One registered array or set of replicated values. */
struct datum {
    struct nereus_data_entry entry;
    /** registered by the application of this process; false: only received so far */
    bool claimed;
    bool received; /**< values had been received when the application registered the datum */
    int64_t type;  /**< dense data: number of a predefined type; TYPE_NOT_PREDEFINED */
    /** rank 0 of a job that began with a checkpoint: name of its predefined type; "": unknown */
    char written_type[40];
    /** distributed: the local part, owned; replicated and unclaimed: the received values, owned */
    unsigned char *part;
    struct nereus_range range; /**< distributed: the elements of the part */
    void *values;              /**< replicated and claimed: the application's memory */
    unsigned char *next_part;  /**< new part during a reconfiguration */
    struct nereus_range next_range;
    int64_t place, next_place; /**< field of a grid: places of both boxes in the process grids */
    /** Custom data: parts are packed bytes, which exist only during a redistribution or until they
     * are claimed. */
    struct custom_calls custom;
    struct piece *pieces; /**< pieces of received packed bytes, owned */
    int64_t piece_count;
    struct nereus_range elements; /**< range of the elements in all pieces */
};

/** Partition of an index space. All data of one space are partitioned alike. */
struct index_space {
    char name[NEREUS_DATA_NAME_MAX];
    bool claimed;
    int64_t parent;  /**< number (from 1) of the space from which its bounds are derived; 0: none */
    int64_t weights; /**< see struct nereus_data_partition */
    int64_t (*weigh)(void *user, int64_t first, int64_t count, int64_t *weights);
    void *user;
    struct nereus_partition partition;
    struct nereus_partition next_partition; /**< of 0 processes, except during a reconfiguration */
    struct nereus_grid
        written_grid; /**< grid: the process grid that wrote the checkpoint being read */
};

/** All registered data of a process, with their partitions. */
struct registry {
    struct datum *data;
    int64_t count;
    struct index_space *spaces;
    int64_t space_count;
    /** bytes received and kept by this process in the latest reconfiguration */
    int64_t coming_bytes, staying_bytes;
    int64_t swaps; /**< nereus_swap calls since the latest commit; the same in all processes */
};

/** "a constant array of 100 elements of 8 bytes": at most 119 characters. */
void nereus_entry_format(const struct nereus_data_entry *entry, char *text, size_t size);
/** Is there data that the application moves itself? It is the first entry. */
static inline bool nereus_registry_has_mover(const struct registry *registry)
{
    return registry->count > 0 && registry->data[0].entry.placement == NEREUS_MOVED_BY_APPLICATION;
}
/** Hash of an entry as registered, for comparison between processes. Bytes of custom data, and of
 * data that the application moves, are left out: they are queried for each reconfiguration, and may
 * differ between processes after a failed one.
 * @param previous_hash  hash of the entries before it */
uint64_t nereus_entry_hash(const struct nereus_data_entry *entry, uint64_t previous_hash);
/** Index of the entry with this name; -1: none. */
int64_t nereus_registry_find(const struct registry *registry, const char *name);
/** Append an entry, unclaimed and without memory. */
enum nereus_status nereus_registry_add(struct registry *registry,
                                       const struct nereus_data_entry *entry,
                                       struct nereus_error *err);
/** Set the registry to the entries and partitions of a record, keeping existing ones (in a woken
 * zombie or a new process). */
enum nereus_status nereus_registry_match(struct registry *registry,
                                         const struct nereus_request *request,
                                         struct nereus_error *err);
/** Memory of a replicated datum's values. */
void *nereus_datum_values(const struct datum *datum);
/** Bytes of the local part (of a field with its halo), or of the replicated values. */
int64_t nereus_datum_bytes(const struct registry *registry, const struct datum *datum);
/** Allocate the part whose range nereus_datum_locate has set; nothing for 0 bytes. A new field is
 * zeroed, for its halo. */
enum nereus_status nereus_datum_allocate(const struct registry *registry, struct datum *datum,
                                         bool zeroed, struct nereus_error *err);

/** Allocate the new parts of target `rank` of `processes`, and missing replicated values. On
 * failure nothing stays allocated. */
enum nereus_status nereus_registry_prepare(struct registry *registry, int64_t processes,
                                           int64_t rank, bool lacks_replicated,
                                           struct nereus_error *err);
/** Replace old parts by new ones, at a malleability point. rank: this process' new rank. */
void nereus_registry_commit(struct registry *registry, int rank, int64_t point);
/** Replace the application's registered data by those of a checkpoint, which were read into the
 * unclaimed `registry`: same data numbers, other parts and values.
 * @param[in,out] old_registry  the application's registry; afterwards without parts, freed by the
 * caller
 * @return NEREUS_ERR_MISMATCH: the checkpoint has other data; or the status of `unpack` */
enum nereus_status nereus_registry_renew(struct registry *registry, struct registry *old_registry,
                                         int rank, int64_t point, struct nereus_error *err);
/** Drop the new parts. */
void nereus_registry_roll_back(struct registry *registry);
/** Drop new parts without freeing them: a transfer that never completes may still use them. */
void nereus_registry_abandon(struct registry *registry);
/** Free all data of a process that leaves or sleeps. */
void nereus_registry_release(struct registry *registry);
/** Free the registry. */
void nereus_registry_fini(struct registry *registry);

/* ---- partition table (partition_table.c) ----------------------------------------------------- */

/** Index of a named space, or (name "") of the space of all data of this length; -1: none. Derived
 * spaces are not found. */
int64_t nereus_space_find(const struct registry *registry, const char *name, int64_t n);
/** Append a space with a block partition. */
enum nereus_status nereus_space_add(struct registry *registry, const char *name, int64_t n,
                                    int64_t processes, int64_t parent, struct nereus_error *err);
/** A datum's partition before; NULL for a block partition without a space. */
const struct nereus_partition *nereus_datum_before(const struct registry *registry,
                                                   const struct datum *datum);
/** A datum's partition after; NULL for a block partition without a space. */
const struct nereus_partition *nereus_datum_after(const struct registry *registry,
                                                  const struct datum *datum);
/** Elements of a rank. processes: used for a datum without a space. */
struct nereus_range nereus_datum_range(const struct registry *registry, const struct datum *datum,
                                       int64_t processes, int64_t rank);
/** The box of a field in memory: the old part of `old_ranges`, or the new one of `new_ranges`. */
struct box nereus_datum_box(const struct registry *registry, const struct datum *datum, bool next);
/** Set range and place of a rank's part; the part itself is the caller's. */
void nereus_datum_locate(const struct registry *registry, struct datum *datum, int64_t processes,
                         int64_t rank);
/** Take the partitions of the record, before and after. Source `rank` (-1: none) also stores the
 * bytes of its custom data. */
enum nereus_status nereus_spaces_set(struct registry *registry,
                                     const struct nereus_request *request, int64_t rank,
                                     struct nereus_error *err);
/** Make the next partitions the present ones. */
void nereus_spaces_commit(struct registry *registry);
/** Drop the next partitions. */
void nereus_spaces_roll_back(struct registry *registry);

/* ---- custom data (custom.c) ------------------------------------------------------------------ */

/** List the pieces that target `rank` receives. */
enum nereus_status nereus_custom_list_pieces(const struct registry *registry, struct datum *datum,
                                             int64_t rank, struct nereus_error *err);
/** Free packed bytes.
 * @param used  a pending MPI operation may still access them, so they stay allocated */
void nereus_custom_drop(struct datum *datum, bool used);
/** Let the application unpack a received datum, and free the packed bytes. */
enum nereus_status nereus_custom_deliver(struct datum *datum, struct nereus_error *err);
/** Deliver all data that the application has claimed. */
enum nereus_status nereus_custom_deliver_all(struct registry *registry, struct nereus_error *err);
