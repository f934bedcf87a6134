/**
 * @file method_slots.h
 * Lists the slots of the method grammar, in order: parser, printer and check use the same table.
 * Private to method*.c.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/method.h"

enum nereus_method_slot_index {
    NEREUS_SLOT_PROCESS,
    NEREUS_SLOT_STRATEGY,
    NEREUS_SLOT_ASYNC,
    NEREUS_SLOT_SHRINK,
    NEREUS_SLOT_DATA, /* first slot after the "/" */
    NEREUS_SLOT_OVERLAP,
    NEREUS_SLOT_DISTRIBUTION,
    NEREUS_SLOT_COUNT
};

struct nereus_method_slot {
    const char *what;         /* for messages: "a spawn strategy" */
    const char *const *words; /* indexed by enum value; "": not printed */
    int count;
};

extern const struct nereus_method_slot nereus_method_slots[NEREUS_SLOT_COUNT];

void nereus_method_to_values(const struct nereus_method *method, int values[NEREUS_SLOT_COUNT]);
