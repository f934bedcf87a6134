/** @file peers.c  Stores peers and groups in arrays. */

#include "peers.h"

struct group *group_find(const struct supervisor *supervisor, const char *session, int number)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].number == number &&
            strcmp(supervisor->groups[i].session, session) == 0)
            return &supervisor->groups[i];
    return NULL;
}

bool peer_is_of(const struct peer *peer, const struct group *group)
{
    return peer->kind == PEER_LIFELINE && peer->group == group->number &&
           strcmp(peer->session, group->session) == 0;
}

struct peer *peer_new(struct supervisor *supervisor)
{
    struct peer *peers =
        nereus_grow(supervisor->peers, (int64_t)supervisor->peer_count, sizeof *peers);
    if (peers == NULL)
        return NULL;
    supervisor->peers = peers;
    return memset(&peers[supervisor->peer_count++], 0, sizeof *peers);
}

struct group *group_new(struct supervisor *supervisor)
{
    struct group *groups =
        nereus_grow(supervisor->groups, (int64_t)supervisor->group_count, sizeof *groups);
    if (groups == NULL)
        return NULL;
    supervisor->groups = groups;
    struct group *group = memset(&groups[supervisor->group_count++], 0, sizeof *groups);
    group->errors.from = -1;
    return group;
}

void peer_close(struct peer *peer)
{
    pending_spawn_free(peer->spawn);
    peer->spawn = NULL;
    free(peer->why);
    peer->why = NULL;
    free(peer->record);
    peer->record = NULL;
    nereus_connection_fini(&peer->connection);
}

void peers_remove_closed(struct supervisor *supervisor)
{
    size_t kept_count = 0;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].connection.fd >= 0)
            supervisor->peers[kept_count++] = supervisor->peers[i];
    supervisor->peer_count = kept_count;
    kept_count = 0;
    for (size_t i = 0; i < supervisor->group_count; i++) {
        bool alive = supervisor->groups[i].launcher != 0 || supervisor->groups[i].errors.from >= 0;
        for (size_t k = 0; k < supervisor->peer_count && !alive; k++)
            alive = peer_is_of(&supervisor->peers[k], &supervisor->groups[i]);
        if (alive || supervisor->groups[i].state == GROUP_CONNECTING ||
            supervisor->groups[i].state == GROUP_CONNECTED)
            supervisor->groups[kept_count++] = supervisor->groups[i];
    }
    supervisor->group_count = kept_count;
}
