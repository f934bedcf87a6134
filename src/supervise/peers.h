/**
 * @file peers.h
 * Handles what connected processes report and request: the tables of processes and launched worlds
 * (peers.c), launched worlds (launched.c), processes of the job's mpiexec (mpiexec_processes.c),
 * rank 0's requests for the next attempt (restart_requests.c).
 */
#pragma once

#include "supervisor.h"

/** Find a group. NULL: there is none. */
struct group *group_find(const struct supervisor *supervisor, const char *session, int number);
/** Is the peer a guard of this world? */
bool peer_is_of(const struct peer *peer, const struct group *group);
/** Append a zeroed peer. NULL: no memory. */
struct peer *peer_new(struct supervisor *supervisor);
/** Append a zeroed group. NULL: no memory. */
struct group *group_new(struct supervisor *supervisor);
/** Close the connection; the entry stays until peers_remove_closed. */
void peer_close(struct peer *peer);
/** Remove closed entries from the tables. */
void peers_remove_closed(struct supervisor *supervisor);

/** Carry out an order: a line of the root. */
void launched_follow_order(struct supervisor *supervisor, const char *session, char *line);
/** The root that gave the orders has ended: groups that have not joined will never join. */
void launched_drop_orders(struct supervisor *supervisor, const char *session, bool on_purpose);
/** Report that a group has failed, with the reason. */
void launched_fail(struct supervisor *supervisor, struct group *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** End a launched world: its guards end their programs when their connections are closed, and its
 * launcher ends with the guards. */
void launched_end(struct supervisor *supervisor, struct group *group);
/** Handle a report: a line of a guard. */
void launched_handle_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Is the launcher checked for an end of what it has started (group->check)? */
bool launched_is_checked(const struct group *group);
/** End the groups whose time limit to connect or to end has passed. */
void launched_act_on_limits(struct supervisor *supervisor, double now_s);

/** Handle a line of a guard over an initial process. */
void mpiexec_handle_initial(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle a line of a guard over a spawned process. */
void mpiexec_handle_spawned(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle the end of a peer's guard. */
void mpiexec_handle_guard_end(struct supervisor *supervisor, const struct peer *peer);

/** REQUEST_CHECKPOINTED: store the path of the newest checkpoint, and open rank 0's progress
 * record.
 * @param message  the request's words; modified */
void restart_note_checkpoint(struct supervisor *supervisor, char *message);
/** REQUEST_AWAIT_WARNING: keep rank 0's connection, and tell it when a checkpoint is needed; at
 * once if one is needed already. */
void restart_await_warning(const struct supervisor *supervisor, struct peer *peer);
/** REQUEST_RESTART: store the planned restart, or refuse it; the peer gets the reply.
 * @param message  the request's words; modified */
void restart_handle_request(struct supervisor *supervisor, const struct peer *peer, char *message);
