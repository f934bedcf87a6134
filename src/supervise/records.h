/**
 * @file records.h
 * Stores start records of guards by name: written by the root of a reconfiguration, fetched by its
 * guards.
 */
#pragma once

#include "model/util/base.h"

/** Number of records that are kept. A record is unused once the next reconfiguration starts guards;
 * more than one is kept, as requests may be cancelled in between. */
enum { RECORDS_KEPT = 4 };

struct record {
    char *name, *text; /* owned */
};

struct records {
    struct record items[RECORDS_KEPT];
    int next; /* next entry to be replaced */
};

/** @return false: no memory */
bool records_store(struct records *records, const char *name, const char *text);
/** Find a record by its name. NULL: unknown name. */
const char *records_find(const struct records *records, const char *name);
/** Free all records. */
void records_fini(struct records *records);
