/** @file try.h  Returns a status that is not NEREUS_OK, in functions that have nothing to undo. */
#pragma once

#include "nereus/status.h"

#define NEREUS_TRY(call)                                                                           \
    do {                                                                                           \
        const enum nereus_status try_status_ = (call);                                             \
        if (try_status_ != NEREUS_OK)                                                              \
            return try_status_;                                                                    \
    } while (0)

/** If `memory` is NULL: "no memory " and the purpose, which begins with "for" or "to" and may have
 * printf's arguments. */
#define NEREUS_TRY_MEMORY(memory, err, ...)                                                        \
    do {                                                                                           \
        if (!(memory))                                                                             \
            return nereus_fail((err), NEREUS_ERR_MEMORY, "no memory " __VA_ARGS__);                \
    } while (0)
