/**
 * @file port_list.h
 * Lists ports of groups that connect to each other, sent along the spawn tree.
 */
#pragma once

#include "src/util/pack_buffer.h"

/** Upwards: the group that opened the port, round 0. Downwards: the group that connects to it, and
 * the round. */
struct port_entry {
    int64_t group, round;
    char *port; /**< owned */
};

/** A list of ports. Zeroed: empty. */
struct port_list {
    struct port_entry *entries;
    int64_t count;
};

/** Append a copy of the port; not to a list that was unpacked, whose array has no room (grow.h). */
enum nereus_status nereus_port_list_add(struct port_list *list, int64_t group, int64_t round,
                                        const char *port, struct nereus_error *err);
/** Pack a list, or unpack one into an empty list. */
void nereus_port_list_pack(struct pack_buffer *pack, struct port_list *list);
/** Move the ports that a group connects to, by round, out of the list. */
void nereus_port_list_extract(struct port_list *list, int64_t group, char **ports, int64_t rounds);
/** Free the list. */
void nereus_port_list_fini(struct port_list *list);
