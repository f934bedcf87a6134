/** @file try.h  Returns a status that is not NEREUS_OK, in functions that have nothing to undo. */
#pragma once

#include "model/util/grow.h"
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

/** Make room for one more element of an array that grows by nereus_grow alone; the rest as of
 * NEREUS_TRY_MEMORY. */
#define NEREUS_TRY_GROW(items, count, err, ...)                                                    \
    do {                                                                                           \
        void *const grown_ = nereus_grow((items), (int64_t)(count), sizeof *(items));              \
        NEREUS_TRY_MEMORY(grown_, err, __VA_ARGS__);                                               \
        (items) = grown_;                                                                          \
    } while (0)
