/**
 * @file by_method.h
 * Errors, method by method.
 */
#pragma once

#include "nereus/method.h"
#include "scores.h"

enum { BY_METHOD_MAX = 16 };

/** Zeroed: empty. */
struct by_method {
    struct scores scores[BY_METHOD_MAX];
    char names[BY_METHOD_MAX][NEREUS_METHOD_TEXT_MAX];
    int count;
};

/** The errors of one method, which is added where it is new. */
struct scores *by_method_of(struct by_method *by, const struct nereus_method *method);
/** " NAME 1.2" for each method: the median, in per cent. */
void by_method_print(const struct by_method *by);
void by_method_fini(struct by_method *by);
