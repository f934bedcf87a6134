/**
 * @file left_out.h
 * Collects which methods could not be predicted for which cases, to print one sentence per method,
 * with a clause per reason.
 */
#ifndef NEREUS_PREDICTOR_SCENARIO_LEFT_OUT_H
#define NEREUS_PREDICTOR_SCENARIO_LEFT_OUT_H

#include <stdint.h>

#include "nereus/method.h"
#include "nereus/status.h"

/** Reasons that differ in numbers only count as one. */
struct nereus_omission_reason {
    int64_t cases, first_line;
    char text[512];
};

struct nereus_omission {
    struct nereus_method method;
    int64_t cases;
    struct nereus_omission_reason *reasons; /**< in the order of their first lines; owned */
    int reason_count;
};

struct nereus_omissions {
    struct nereus_omission *items; /**< in the order in which they were first left out; owned */
    int count;
};

/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_omissions_add(struct nereus_omissions *all,
                                        const struct nereus_method *method, int64_t line,
                                        const char *why, struct nereus_error *err);
void nereus_omissions_fini(struct nereus_omissions *all);

/** Print a sentence such as "merge-ts is left out of 3 of 3 cases; line 2: ...; line 3 and 1 more:
 * ...".
 * @return to be freed; NULL without memory */
char *nereus_omission_make_sentence(const struct nereus_omission *omission, int64_t cases);

#endif
