/** @file exchange.h  Carries out redistributions: participants, transfers, and the table of
 * methods. */
#pragma once

#include <mpi.h>

#include "nereus/method.h"
#include "schedule.h"
#include "src/util/wait.h"

/** Participants. In an inter-communicator the sources are one group and the targets the other; in
 * an intra-communicator a process may be both, and source 0 is rank 0. */
struct exchange {
    MPI_Comm comm;
    bool inter;
    /** the application does not run between start and finish: calls may block */
    bool blocks;
    /** processes of both sides; the maps are borrowed, and must outlive every transfer */
    struct parties parties;
    /** targets from this number on lack the replicated values; nt: no target does */
    int64_t first_new;
};

/** A redistribution of the selected data from part to next_part. Memory is reserved before the
 * agreement, so that no allocation can fail while data moves. The functions below are called in
 * this order; start to finish are collective over exchange->comm. */
struct transfer;

/** Allocate all memory. Local; new parts must exist. The exchange is copied. Free with
 * nereus_exchange_release. */
enum nereus_status nereus_exchange_reserve(const struct exchange *exchange, enum nereus_data method,
                                           struct registry *registry, enum data_selection selection,
                                           struct transfer **transfer, struct nereus_error *err);
/** Pack and post; custom data have been packed. Waits for others only if the method must (creation
 * of a window), or if the exchange may block. */
enum nereus_status nereus_exchange_start(struct transfer *transfer,
                                         struct nereus_wait_mode wait_mode,
                                         struct nereus_error *err);
/** Test whether this process' part is complete. Makes progress without waiting, and copies a
 * bounded amount of memory. Replicated values are left to finish. */
enum nereus_status nereus_exchange_test(struct transfer *transfer, bool *done,
                                        struct nereus_error *err);
/** Wait for this process' part, and for all processes if the method must (MPI_Win_free). */
enum nereus_status nereus_exchange_finish(struct transfer *transfer,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err);
/** Free a transfer, also if it was never started or has failed. NULL: nothing. Sets *transfer to
 * NULL. */
void nereus_exchange_release(struct transfer **transfer);

/* ---- for the methods ------------------------------------------------------------------------- */

/** A batch that is being moved. */
struct load {
    struct batch batch;
    struct message_schedule schedule;
    MPI_Request *requests;
    int request_count;
    bool begun, done;
};

/** State of one redistribution in this process. */
struct transfer {
    struct exchange exchange;
    const struct exchange_method *method;
    struct registry *registry;
    enum data_selection selection;
    struct load *loads; /**< direct loads, then packed ones */
    int64_t load_count;
    /** number of direct loads, which move at the same time; packed ones follow one after the
     * other */
    int64_t direct_count;
    int64_t next_packed; /**< packed load that is in progress, or next */
    /** buffers of packed loads, as large as the largest */
    unsigned char *send_buffer, *receive_buffer;
    MPI_Request *requests;
    struct own_copy own_copy;
    bool own_copied;
    int64_t copies_left_bytes; /**< budget of the present test */
    unsigned char *replicated; /**< buffer: all small values, or a piece of a large one */
    int64_t windows;           /**< open windows */
    void *state;               /**< state of the method */
};

/** A way to move data. Its functions return the status of this process; NEREUS_ERR_MPI means that
 * the redistribution cannot be rolled back. */
struct exchange_method {
    int64_t (*request_count)(const struct transfer *transfer, const struct load *load);
    /** Optional: allocate memory of the method, after all loads are planned; undone by `free`, also
     * after a failure. Local. */
    enum nereus_status (*reserve)(struct transfer *transfer, struct nereus_error *err);
    /** Optional: called before the first load begins. Collective. */
    enum nereus_status (*open)(struct transfer *transfer, struct nereus_wait_mode wait_mode,
                               struct nereus_error *err);
    /** Post a load's requests into load->requests (initially null). */
    enum nereus_status (*begin)(struct transfer *transfer, struct load *load,
                                struct nereus_error *err);
    /** Optional, at each test of a started load. *done is true if the posted requests are complete;
     * cleared if there is more to do. */
    enum nereus_status (*advance)(struct transfer *transfer, struct load *load, bool *done,
                                  struct nereus_error *err);
    /** Optional: all loads are complete here; further steps, called until *done. */
    enum nereus_status (*settle)(struct transfer *transfer, bool *done, struct nereus_error *err);
    /** Optional: called after the last load. Collective. */
    enum nereus_status (*close)(struct transfer *transfer, struct nereus_wait_mode wait_mode,
                                struct nereus_error *err);
    /** Optional: free the memory of `reserve`. */
    void (*free)(struct transfer *transfer);
};
/** The methods (exchange_NAME.c). */
extern const struct exchange_method nereus_exchange_p2p, nereus_exchange_coll, nereus_exchange_rma,
    nereus_exchange_shared;

/** Post the receive of message i of a load. Both sides know the message by its index. */
enum nereus_status nereus_exchange_receive(struct transfer *transfer, struct load *load, int64_t i,
                                           MPI_Request *request, struct nereus_error *err);
/** Post the send of message i of a load. */
enum nereus_status nereus_exchange_send(struct transfer *transfer, struct load *load, int64_t i,
                                        MPI_Request *request, struct nereus_error *err);
/** Number of requests that nereus_exchange_begin_messages needs for a load. */
int64_t nereus_exchange_message_count(const struct transfer *transfer, const struct load *load);
/** Post a whole load as messages; `requests` has nereus_exchange_message_count entries. */
enum nereus_status nereus_exchange_begin_messages(struct transfer *transfer, struct load *load,
                                                  struct nereus_error *err);

/** Reserve memory for the replicated values (exchange_replicated.c). */
enum nereus_status nereus_replicated_reserve(struct transfer *transfer, struct nereus_error *err);
/** Broadcast the replicated values from rank 0 of the sources to targets that lack them. Collective
 * over exchange->comm. */
enum nereus_status nereus_replicated_move(struct transfer *transfer,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err);
