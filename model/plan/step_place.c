#include "step_place.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

const char *nereus_step_place(enum nereus_step_kind kind, int64_t level, char text[32])
{
    const bool starts =
        kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH || kind == NEREUS_STEP_JOIN;
    text[0] = '\0';
    if (starts && level > 0)
        snprintf(text, 32, " of level %" PRId64, level);
    else if (kind == NEREUS_STEP_CONNECT && level > 0)
        snprintf(text, 32, " in round %" PRId64, level);
    else if (kind == NEREUS_STEP_SYNCHRONISE && level != 0)
        snprintf(text, 32, level > 0 ? " up" : " down");
    return text;
}
