/* Redistributions: the communicator, a transfer, and the table of methods. Private to src/. */
#ifndef NEREUS_EXCHANGE_H
#define NEREUS_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "nereus/method.h"
#include "schedule.h"
#include "src/util/wait.h"

/* Who exchanges with whom. In an inter-communicator the sources are one group and the targets the
 * other; in an intra-communicator a process may be both, and source 0 is rank 0. */
struct exchange {
    MPI_Comm comm;
    bool inter;
    bool blocks;            /* nothing else happens between start and finish: a call may block */
    struct parties parties; /* its maps are borrowed: they live longer than any transfer */
    /* Targets from this number on hold no replicated values yet; nt: all do */
    int64_t first_new;
};

/* A redistribution of the selected data, from part to next_part. It is reserved before the
 * agreement, so that nothing lacks memory once data moves. The calls in this order; start to finish
 * are collective over exchange->comm: */
struct transfer;

/* Everything that needs memory. Local; new parts must be there. The exchange is copied. Free with
 * nereus_exchange_release. */
enum nereus_status nereus_exchange_reserve(const struct exchange *exchange, enum nereus_data method,
                                           struct registry *registry, enum data_selection selection,
                                           struct transfer **transfer, struct nereus_error *err);
/* Packs and posts; custom data have been packed. Waits for the others only where a method must (a
 * window is made), or where the exchange blocks. */
enum nereus_status nereus_exchange_start(struct transfer *transfer, struct nereus_waiting waiting,
                                         struct nereus_error *err);
/* Is this process' part complete? Advances what needs no waiting, copies a bounded amount of memory
 * itself, and never waits. Replicated values are left to finish. */
enum nereus_status nereus_exchange_test(struct transfer *transfer, bool *done,
                                        struct nereus_error *err);
/* Waits for this process' part, and for all processes where a method must (a window is freed). */
enum nereus_status nereus_exchange_finish(struct transfer *transfer, struct nereus_waiting waiting,
                                          struct nereus_error *err);
/* Frees it, also one that was never started or did not succeed. NULL: nothing. Sets *transfer to
 * NULL. */
void nereus_exchange_release(struct transfer **transfer);

/* ---- for the methods ------------------------------------------------------------------------- */

/* A batch that is being moved. */
struct load {
    struct batch batch;
    struct message_schedule schedule;
    MPI_Request *requests;
    int request_count;
    bool begun, done;
};

struct transfer {
    struct exchange exchange;
    const struct exchange_method *method;
    struct registry *registry;
    enum data_selection selection;
    struct load *loads; /* arrays that move from their own memory, then packed ones */
    int64_t load_count;
    /* So many move at the same time: the others, packed, one after the other */
    int64_t direct_count;
    int64_t next_packed; /* of these, the one that has been begun, or is next */
    /* Of packed loads: as large as the largest. */
    unsigned char *send_buffer, *receive_buffer;
    MPI_Request *requests;
    struct own_copy own;
    bool own_copied;
    int64_t copies_left_bytes; /* that may still be copied in this test */
    unsigned char *replicated; /* small ones together, or a piece of a large one */
    int64_t windows;           /* that are open */
    void *state;               /* the method's own */
};

/* One way to move data. Its functions return statuses of this process; what cannot be undone is an
 * MPI error. */
struct exchange_method {
    int64_t pack_limit_bytes; /* of a packed batch, in each direction */
    int64_t (*request_count)(const struct transfer *transfer, const struct load *load);
    /* Optional: memory of its own, once all loads are laid out; undone by `free`, also after a
     * failure. Local. */
    enum nereus_status (*reserve)(struct transfer *transfer, struct nereus_error *err);
    /* Optional: before the first load begins. Collective. */
    enum nereus_status (*open)(struct transfer *transfer, struct nereus_waiting waiting,
                               struct nereus_error *err);
    /* Post a load's requests, in load->requests (null ones at first). */
    enum nereus_status (*begin)(struct transfer *transfer, struct load *load,
                                struct nereus_error *err);
    /* Optional: at each test of a load that has begun. *done is set if the posted requests are
     * complete, and is cleared as long as there is more to do. */
    enum nereus_status (*advance)(struct transfer *transfer, struct load *load, bool *done,
                                  struct nereus_error *err);
    /* Optional: all loads are done here; is there more to wait for? Called again until *done. */
    enum nereus_status (*settle)(struct transfer *transfer, bool *done, struct nereus_error *err);
    /* Optional: when all is done here. Collective. */
    enum nereus_status (*close)(struct transfer *transfer, struct nereus_waiting waiting,
                                struct nereus_error *err);
    /* Optional. */
    void (*free)(struct transfer *transfer);
};
extern const struct exchange_method nereus_exchange_p2p, nereus_exchange_coll, nereus_exchange_rma,
    nereus_exchange_shared;

/* Receive or send message i of a load; both sides know the message by its index. */
enum nereus_status nereus_exchange_receive(struct transfer *transfer, struct load *load, int64_t i,
                                           MPI_Request *request, struct nereus_error *err);
enum nereus_status nereus_exchange_send(struct transfer *transfer, struct load *load, int64_t i,
                                        MPI_Request *request, struct nereus_error *err);
/* All of a load by messages; `requests` holds nereus_exchange_message_count of them. */
int64_t nereus_exchange_message_count(const struct transfer *transfer, const struct load *load);
enum nereus_status nereus_exchange_begin_messages(struct transfer *transfer, struct load *load,
                                                  struct nereus_error *err);

/* Replicated values, from rank 0 of the sources to the targets that lack them
 * (exchange_replicated.c): memory, and the broadcasts. Collective over exchange->comm. */
enum nereus_status nereus_replicated_reserve(struct transfer *transfer, struct nereus_error *err);
enum nereus_status nereus_replicated_move(struct transfer *transfer, struct nereus_waiting waiting,
                                          struct nereus_error *err);

#endif
