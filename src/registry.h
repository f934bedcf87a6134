/* The registered data of a process. Private to src/. */
#ifndef NEREUS_REGISTRY_H
#define NEREUS_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "distribution.h"
#include "request.h"

/* One registered array or set of replicated values. */
struct datum {
    struct nereus_data_entry entry;
    bool claimed; /* the application of this process has registered it; false: only received so far */
    unsigned char *
        part; /* distributed: the local part, owned; replicated and not claimed: the received values, owned */
    struct nereus_range range; /* distributed: which elements */
    void *values;              /* replicated and claimed: the application's memory */
    unsigned char *next_part;  /* while a reconfiguration is prepared */
    struct nereus_range next_range;
};

struct registry {
    struct datum *data;
    int64_t count, capacity;
};

/* Find by name; -1: none. */
int64_t nereus_registry_find(const struct registry *registry, const char *name);
/* Append an entry (not claimed, without memory). */
enum nereus_status nereus_registry_add(struct registry *registry, const struct nereus_data_entry *entry,
                                       struct nereus_error *err);
/* Make the registry hold exactly the entries of a record, keeping what is there already (a woken zombie or a
 * new process). */
enum nereus_status nereus_registry_match(struct registry *registry, const struct nereus_request *request,
                                         struct nereus_error *err);
/* Values of a replicated datum, wherever they are. */
void *nereus_datum_values(const struct datum *datum);

/* Allocate the parts that target `rank` of `processes` will hold, and room for replicated values where they
 * are lacking. On failure nothing stays allocated. */
enum nereus_status nereus_registry_prepare(struct registry *registry, int64_t processes, int64_t rank,
                                           bool lacks_replicated, struct nereus_error *err);
/* Exchange old and new parts, freeing the old; or drop the new ones. */
void nereus_registry_commit(struct registry *registry);
void nereus_registry_roll_back(struct registry *registry);
/* A process that leaves or sleeps holds no data. */
void nereus_registry_release(struct registry *registry);
void nereus_registry_fini(struct registry *registry);

#endif
