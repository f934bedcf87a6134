/** @file pack_buffer.h  Serialises records of variable length for messages. */
#pragma once

#include <mpi.h>

#include "wait.h"

/** A record is described by one function for writing and reading: each pack_* call appends a value
 * to the buffer or, when reading, takes it from there. A value read replaces the old one, whose
 * memory is freed. */
struct pack_buffer {
    unsigned char *data; /**< owned, except after nereus_pack_reading */
    size_t bytes, read_offset;
    bool reading;
    bool broken; /**< no memory, or read past the end: later calls do nothing */
};

/** Make a buffer that reads these bytes, which are borrowed. */
struct pack_buffer nereus_pack_reading(const void *data, size_t bytes);

/** Pack or unpack a value of fixed size. */
void nereus_pack_bytes(struct pack_buffer *pack, void *value, size_t bytes);
#define NEREUS_PACK(pack, value) nereus_pack_bytes(pack, &(value), sizeof(value))
/** Pack or unpack an owned array of *count items.
 * @return the array */
void *nereus_pack_items(struct pack_buffer *pack, void *items, int64_t *count, size_t item_bytes);
#define NEREUS_PACK_ITEMS(pack, items, count)                                                      \
    ((items) = nereus_pack_items(pack, items, &(count), sizeof *(items))) /**< NULL: no items */
/** Pack or unpack an owned text; NULL stays NULL. */
void nereus_pack_text(struct pack_buffer *pack, char **text);
/** Pack or unpack an owned, NULL-terminated list of owned texts. */
void nereus_pack_names(struct pack_buffer *pack, char ***names);

/* ---- messages: the sender's buffer is freed, the receiver frees its own ---------------------- */

/* No process waits for one without memory. A sender with a broken buffer fails, and so does its
 * receiver; a receiver without memory fails alone. */

/** Send to process 0 of the other group of an inter-communicator. The record must not be empty: an
 * empty message says that the sender has no memory. */
enum nereus_status nereus_pack_send(struct pack_buffer *pack, MPI_Comm comm, int tag,
                                    struct nereus_error *err);
/** Receive from process 0 of the other group of an inter-communicator. */
enum nereus_status nereus_pack_receive(struct pack_buffer *pack, MPI_Comm comm, int tag,
                                       struct nereus_wait_mode wait_mode, double limit_s,
                                       struct nereus_error *err);
/* If one process lacks memory or has a broken buffer, a collective message fails in all of them,
 * and all buffers are freed. Unpacking may still fail in one process alone. */

/** Broadcast rank 0's buffer, which it keeps; the others get it for reading. Collective. */
enum nereus_status nereus_pack_broadcast(struct pack_buffer *pack, MPI_Comm comm,
                                         struct nereus_error *err);
/** Gather the buffers at rank 0, concatenated in rank order, for reading; less than 2 GiB.
 * Collective. */
enum nereus_status nereus_pack_gather(struct pack_buffer *pack, MPI_Comm comm,
                                      struct nereus_error *err);
