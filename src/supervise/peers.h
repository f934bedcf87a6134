/** @file peers.h  The supervisor's tables: processes that have connected, and launched worlds. */
#ifndef NEREUS_SRC_SUPERVISE_PEERS_H
#define NEREUS_SRC_SUPERVISE_PEERS_H

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

#endif
