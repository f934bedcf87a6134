/**
 * @file method_slots.h
 * Private to method*.c: the places of the method grammar, in order, with the words that each may hold.
 */
#ifndef NEREUS_METHOD_SLOTS_H
#define NEREUS_METHOD_SLOTS_H

#include "nereus/method.h"

enum nereus_method_slot_index {
    NEREUS_SLOT_PROCESS,
    NEREUS_SLOT_STRATEGY,
    NEREUS_SLOT_ASYNC,
    NEREUS_SLOT_SHRINK,
    NEREUS_SLOT_DATA, /* the first one behind the "/" */
    NEREUS_SLOT_OVERLAP,
    NEREUS_SLOT_DISTRIBUTION,
    NEREUS_SLOT_COUNT
};

struct nereus_method_slot {
    const char *what;         /* for sentences: "a spawn strategy" */
    const char *const *words; /* by enum value; "": left out */
    int count;
};

extern const struct nereus_method_slot nereus_method_slots[NEREUS_SLOT_COUNT];

/* The enum value of every slot. */
void nereus_method_to_values(const struct nereus_method *method, int values[NEREUS_SLOT_COUNT]);

#endif
