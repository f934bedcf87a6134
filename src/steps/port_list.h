/* Ports of groups that connect to each other, as a list that is sent along the spawn tree. Private
 * to src/. */
#ifndef NEREUS_SRC_PORT_LIST_H
#define NEREUS_SRC_PORT_LIST_H

#include <stdint.h>

#include "nereus/status.h"
#include "src/util/pack_buffer.h"

/* Upwards: which group opened it, round 0; downwards: which group connects to it, and in which
 * round. */
struct port_entry {
    int64_t group, round;
    char *port; /* owned */
};

struct port_list {
    struct port_entry *entries;
    int64_t count;
};

/* Append a copy of the port. */
enum nereus_status nereus_port_list_add(struct port_list *list, int64_t group, int64_t round,
                                        const char *port, struct nereus_error *err);
/* Write it; or read one into an empty list. */
void nereus_port_list_pack(struct pack_buffer *pack, struct port_list *list);
/* The ports that a group connects to, by round, are taken out of the list. */
void nereus_port_list_take(struct port_list *list, int64_t group, char **ports, int64_t rounds);
void nereus_port_list_fini(struct port_list *list);

#endif
