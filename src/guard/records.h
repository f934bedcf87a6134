/* What guards start, by name: left by the root of a reconfiguration, fetched by its guards. Private
 * to src/guard. */
#ifndef NEREUS_RECORDS_H
#define NEREUS_RECORDS_H

#include <stdbool.h>

/* The guards of one reconfiguration have all begun when the next one does; some more are kept for
 * those of requests that were called off. */
enum { RECORDS_KEPT = 4 };

struct record {
    char *name, *text; /* owned */
};

struct records {
    struct record kept[RECORDS_KEPT];
    int next; /* to be replaced */
};

/* @return false: no memory */
bool records_put(struct records *records, const char *name, const char *text);
/* NULL: there is none of this name. */
const char *records_find(const struct records *records, const char *name);
void records_fini(struct records *records);

#endif
