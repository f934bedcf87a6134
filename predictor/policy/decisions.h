/** @file decisions.h  Prints the log of a policy's decisions (docs/policies.md) in words. */
#pragma once

#include "model/util/base.h"

/** Which decisions are printed. */
struct nereus_decisions_shown {
    bool all;         /**< print also decisions that change nothing */
    int64_t interval; /**< print only the decision before this interval, from 0; -1: all */
};

/** @return NEREUS_ERR_PARSE with file and line: the decisions before that line were printed;
 *   NEREUS_ERR_ARGUMENT: no decision is before that interval; NEREUS_ERR_IO */
enum nereus_status nereus_decisions_print(const char *path,
                                          const struct nereus_decisions_shown *shown, FILE *stream,
                                          struct nereus_error *err);
