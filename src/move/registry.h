/* The registered data of a process. Private to src/. */
#ifndef NEREUS_REGISTRY_H
#define NEREUS_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/partition.h"
#include "nereus/request.h"
#include "parts.h"

/* What the application packs and unpacks itself: see nereus.h, struct nereus_custom. */
struct custom_calls {
    int64_t (*bytes)(void *user, int64_t first, int64_t count);
    void (*pack)(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes);
    void (*resize)(void *user, int64_t first, int64_t count);
    enum nereus_status (*unpack)(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes);
    void *user;
};

/* Packed elements first .. first + count - 1, as one source sent them. */
struct piece {
    struct nereus_range elements;
    int64_t bytes;
};

/* One registered array or set of replicated values. */
struct datum {
    struct nereus_data_entry entry;
    /* The application of this process has registered it; false: only received so far */
    bool claimed;
    bool received; /* it was there, with values, when the application registered it */
    int64_t type;  /* dense data: number of a predefined type of elements; 0: another type */
    /* distributed: the local part, owned; replicated and not claimed: the received values, owned */
    unsigned char *part;
    struct nereus_range range; /* distributed: which elements */
    void *values;              /* replicated and claimed: the application's memory */
    unsigned char *next_part;  /* while a reconfiguration is prepared */
    struct nereus_range next_range;
    /* Custom data: parts are packed bytes, which are there only while they move, or until they are
     * claimed. */
    struct custom_calls custom;
    struct piece *pieces; /* what the packed bytes that come (or have come) are made of, owned */
    int64_t piece_count;
    struct nereus_range elements; /* which elements they are */
};

/* How an index space is partitioned. Data of one space are partitioned alike. */
struct index_space {
    char name[NEREUS_DATA_NAME_MAX];
    bool claimed;
    int64_t parent;  /* number (from 1) of the space from which the bounds are derived; 0: none */
    int64_t weights; /* see struct nereus_data_partition */
    int64_t (*weigh)(void *user, int64_t first, int64_t count, int64_t *weights);
    void *user;
    /* next: while a reconfiguration is prepared, else of 0 processes */
    struct nereus_partition now, next;
};

struct registry {
    struct datum *data;
    int64_t count;
    struct index_space *spaces;
    int64_t space_count;
    /* Of this process, as a target of what was committed last */
    int64_t coming_bytes, staying_bytes;
    int64_t swaps; /* of arrays, since the last commit: the same in all processes */
};

/* "a constant array of 100 elements of 8 bytes": at most 119 characters. */
void nereus_entry_print(const struct nereus_data_entry *entry, char *text, size_t size);
/* Find by name; -1: none. */
int64_t nereus_registry_find(const struct registry *registry, const char *name);
/* Append an entry (not claimed, without memory). */
enum nereus_status nereus_registry_add(struct registry *registry,
                                       const struct nereus_data_entry *entry,
                                       struct nereus_error *err);
/* Make the registry hold exactly the entries and partitions of a record, keeping what is there
 * already (a woken zombie or a new process). */
enum nereus_status nereus_registry_match(struct registry *registry,
                                         const struct nereus_request *request,
                                         struct nereus_error *err);
/* Values of a replicated datum, wherever they are. */
void *nereus_datum_values(const struct datum *datum);
/* Bytes of the local part, or of the replicated values. */
int64_t nereus_datum_bytes(const struct datum *datum);

/* Allocate the parts that target `rank` of `processes` will hold, and room for replicated values
 * where they are lacking. On failure nothing stays allocated. */
enum nereus_status nereus_registry_prepare(struct registry *registry, int64_t processes,
                                           int64_t rank, bool lacks_replicated,
                                           struct nereus_error *err);
/* The same for one distributed datum, if its partition may have changed since it was prepared. */
enum nereus_status nereus_datum_prepare(const struct registry *registry, struct datum *datum,
                                        int64_t processes, int64_t rank, struct nereus_error *err);
/* Exchange old and new parts, freeing the old, at a malleability point; or drop the new ones.
 * rank: this process' from now on. */
void nereus_registry_commit(struct registry *registry, int rank, int64_t point);
void nereus_registry_roll_back(struct registry *registry);
/* The same without freeing: a transfer that can never be completed may still use the new parts. */
void nereus_registry_abandon(struct registry *registry);
/* A process that leaves or sleeps holds no data. */
void nereus_registry_release(struct registry *registry);
void nereus_registry_fini(struct registry *registry);

/* ---- partition table (partition_table.c) ------------------------------------------------------
 */

/* Index of the space of all data of this length without a space name (name ""), or of a named
 * space; -1: none. Spaces with derived bounds are not found. */
int64_t nereus_space_find(const struct registry *registry, const char *name, int64_t n);
/* Append one, partitioned into blocks. */
enum nereus_status nereus_space_add(struct registry *registry, const char *name, int64_t n,
                                    int64_t processes, int64_t parent, struct nereus_error *err);
/* A datum's partition before and after, NULL where it is a block partition of its own. */
const struct nereus_partition *nereus_datum_before(const struct registry *registry,
                                                   const struct datum *datum);
const struct nereus_partition *nereus_datum_after(const struct registry *registry,
                                                  const struct datum *datum);
/* The elements of a rank. processes: for a datum without a space. */
struct nereus_range nereus_datum_range(const struct registry *registry, const struct datum *datum,
                                       int64_t processes, int64_t rank);
/* The partitions are those of the record from now on, before and after. Source `rank` (-1: none)
 * learns how many bytes its custom data are. */
enum nereus_status nereus_spaces_follow(struct registry *registry,
                                        const struct nereus_request *request, int64_t rank,
                                        struct nereus_error *err);
void nereus_spaces_commit(struct registry *registry);
void nereus_spaces_roll_back(struct registry *registry);

/* ---- sparse matrices (sparse.c) -------------------------------------------------------------- */

/* Received pointers count from each sender's first non-zero: make them count from this process'
 * first. */
void nereus_rebase_pointers(const struct registry *registry, int64_t index);

/* ---- custom data (custom.c) ------------------------------------------------------------------ */

/* The pieces of what target `rank` receives. */
enum nereus_status nereus_custom_list_pieces(const struct registry *registry, struct datum *datum,
                                             int64_t rank, struct nereus_error *err);
/* Packed bytes are there only while they move. used: a pending MPI operation may still read and
 * write them, so they stay allocated. */
void nereus_custom_drop(struct datum *datum, bool used);
/* Unpack received data by the application and free the packed bytes: one datum, or all claimed. */
enum nereus_status nereus_custom_deliver(struct datum *datum, struct nereus_error *err);
enum nereus_status nereus_custom_deliver_all(struct registry *registry, struct nereus_error *err);

#endif
