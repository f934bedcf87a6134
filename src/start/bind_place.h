/*
 * Which of a host's cores a process gets. No MPI and no hwloc: numbers in, numbers out. Private to
 * src/.
 *
 * A host is what stands before the "/" of a node's name: virtual nodes ("host/a:1,host/b:2") share
 * its cores in the order in which they are declared, so a has the first one and b the next two.
 */
#ifndef NEREUS_BIND_PLACE_H
#define NEREUS_BIND_PLACE_H

#include <stdint.h>

#include "nereus/layout.h"

enum nereus_bind_unit {
    NEREUS_BIND_NOTHING, /* leave the process what it was started with */
    NEREUS_BIND_CORES,   /* whole cores, with all their hardware threads */
    NEREUS_BIND_THREADS  /* hardware threads: as many were declared */
};

enum nereus_bind_reason {
    NEREUS_BIND_TO_ONE,      /* a unit of its own, or as many as a process takes */
    NEREUS_BIND_TO_NODE,     /* the node has more processes than cores: all of the node's */
    NEREUS_BIND_TOO_MANY,    /* the same where nobody declared the machine */
    NEREUS_BIND_FEWER_CORES, /* this process may use fewer than the host was declared to have */
    NEREUS_BIND_OTHER_CORES  /* nobody declared the machine, and this process may use others than
                                rank 0 */
};

/* Where a process stands. */
struct nereus_bind_position {
    int64_t node;      /* of the machine */
    int64_t index;     /* among the active processes of this node, from 0 */
    int64_t processes; /* active ones on this node */
};

/* What a process may use here: the cores with at least one allowed thread, and all allowed threads.
 */
struct nereus_bind_allowed {
    int64_t cores, threads;
};

/* The allowed units first .. first + count - 1, counted in the order of the machine (of threads:
 * the first of each core, then the second of each, ...). */
struct nereus_bind_choice {
    enum nereus_bind_unit unit;
    enum nereus_bind_reason reason;
    int64_t first, count;
};

struct nereus_bind_choice nereus_bind_choose(const struct nereus_machine *machine,
                                             const struct nereus_bind_position *position,
                                             const struct nereus_bind_allowed *allowed);

/* Length of the host's part of a node's name; are two nodes on one host? */
int nereus_bind_host_length(const char *node_name);
bool nereus_bind_same_host(const struct nereus_machine *machine, int64_t left, int64_t right);

#endif
