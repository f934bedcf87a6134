/**
 * @file bind_choice.h
 * Chooses a process' cores. Pure arithmetic: no MPI and no hwloc.
 *
 * A host is the part of a node's name before the "/": virtual nodes ("host/a:1,host/b:2") share its
 * cores in the order in which they are declared, so a has the first one and b the next two.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"

enum nereus_bind_unit {
    NEREUS_BIND_NOTHING, /* keep the initial affinity */
    NEREUS_BIND_CORES,   /* whole cores, with all their hardware threads */
    NEREUS_BIND_THREADS  /* hardware threads: as many were declared as there are threads */
};

enum nereus_bind_reason {
    NEREUS_BIND_TO_ONE,      /* own units, as many as a process uses */
    NEREUS_BIND_TO_NODE,     /* oversubscribed: all units of the node */
    NEREUS_BIND_TOO_MANY,    /* oversubscribed, and no machine was declared */
    NEREUS_BIND_FEWER_CORES, /* fewer cores are allowed than declared for the host */
    NEREUS_BIND_OTHER_CORES  /* no machine was declared, and rank 0 is allowed other cores */
};

/** Position of a process. */
struct nereus_bind_position {
    int64_t node;      /* index in the machine */
    int64_t index;     /* index among the node's active processes */
    int64_t processes; /* active processes of the node */
};

/** Allowed on this host: cores with at least one allowed thread, and all allowed threads. */
struct nereus_bind_allowed {
    int64_t cores, threads;
};

/** The allowed units first .. first + count - 1, in the order of the machine (threads: the first of
 * each core, then the second of each, ...). */
struct nereus_bind_choice {
    enum nereus_bind_unit unit;
    enum nereus_bind_reason reason;
    int64_t first, count;
};

struct nereus_bind_choice nereus_bind_choose(const struct nereus_machine *machine,
                                             const struct nereus_bind_position *position,
                                             const struct nereus_bind_allowed *allowed);

/** Length of the host's part of a node's name. */
int nereus_bind_host_length(const char *node_name);
/** Are two nodes on one host? */
bool nereus_bind_same_host(const struct nereus_machine *machine, int64_t left, int64_t right);
