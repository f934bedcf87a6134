/**
 * @file call_names.h
 * Translates names of calls in messages, as the program's language has them: job.point for
 * nereus_point.
 */
#pragma once

#include "model/util/base.h"

/** Set other names for messages. Called by the Python module.
 * @param pairs  C's name, the other name, ..., NULL; copied. NULL: the names of C */
void nereus_set_call_names(const char *const *pairs);
/** Replace C's names, as whole words, by the names that were set.
 * @param capacity  bytes of text; a longer result is cut off */
void nereus_replace_call_names(char *text, size_t capacity);
