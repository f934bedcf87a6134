/**
 * @file try.h  Hands on a status that is not NEREUS_OK, from functions that have nothing to undo.
 */
#ifndef NEREUS_TRY_H
#define NEREUS_TRY_H

#include "nereus/status.h"

#define NEREUS_TRY(call)                                                                           \
    do {                                                                                           \
        const enum nereus_status try_status_ = (call);                                             \
        if (try_status_ != NEREUS_OK) {                                                            \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)

#endif
