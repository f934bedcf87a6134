/**
 * @file zombie.h
 * Handles zombies: processes that a shrink put to sleep. They wait in poll() on a socket, outside
 * MPI, and use no CPU.
 */
#pragma once

#include "connection.h"

/** Address of a zombie; fixed size, goes through MPI as bytes. */
struct zombie_address {
    int64_t pool_rank; /* -1: this process stays awake */
    int64_t world;     /* id of its world */
    int64_t pid;
    struct nereus_connection_address listener; /* contains the token that a caller must send */
};

/** Listening socket of a sleeping zombie. */
struct zombie_endpoint {
    int socket; /* -1: none */
    struct zombie_address address;
};

/** All zombies of a job, in the order in which they fell asleep (the last ones wake first). */
struct zombies {
    struct zombie_address *addresses;
    int64_t count;
};

/** Reasons to call a zombie: work; end of the job; disconnect from a world that ends. */
enum zombie_call { ZOMBIE_WAKE = 1, ZOMBIE_END = 2, ZOMBIE_DISCONNECT = 3 };

/** Listen, with a new token. */
enum nereus_status nereus_zombie_endpoint_open(int64_t pool_rank, struct zombie_endpoint *endpoint,
                                               struct nereus_error *err);
/** Close the socket. */
void nereus_zombie_endpoint_close(struct zombie_endpoint *endpoint);

/** Sleep until called. For ZOMBIE_WAKE: *pool_ranks has the pool ranks of the next communicator's
 * processes; the caller frees them. */
enum nereus_status nereus_zombie_sleep(struct zombie_endpoint *endpoint, enum zombie_call *call,
                                       int64_t **pool_ranks, int64_t *count,
                                       struct nereus_error *err);

/** Call the last `called` zombies, and send each the list: for ZOMBIE_WAKE the pool ranks of the
 * next group, for ZOMBIE_DISCONNECT what step_terminate.c reads. All or none: if one cannot be
 * reached, the call of the others is cancelled. Does not change the zombies. */
enum nereus_status nereus_zombies_call(const struct zombies *zombies, int64_t called,
                                       enum zombie_call call, const int64_t *list, int64_t count,
                                       struct nereus_error *err);
/** Reserve memory, so that appending `more` zombies cannot fail. */
enum nereus_status nereus_zombies_reserve(struct zombies *zombies, int64_t more,
                                          struct nereus_error *err);
/** Append a zombie to reserved memory. */
void nereus_zombies_append(struct zombies *zombies, const struct zombie_address *address);
/** Free the list. */
void nereus_zombies_fini(struct zombies *zombies);
