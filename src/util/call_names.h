/**
 * @file call_names.h
 * Names of calls in messages, as the program's language has them: job.point for nereus_point.
 */
#ifndef NEREUS_SRC_UTIL_CALL_NAMES_H
#define NEREUS_SRC_UTIL_CALL_NAMES_H

#include <stddef.h>

/** From now on messages have other names. Called by the module of Python.
 * @param pairs  C's name, the other one, and so on to NULL; copied. NULL: those of C */
void nereus_set_call_names(const char *const *pairs);
/** Replace C's names, as whole words, where there are others.
 * @param room  bytes of text; what goes beyond is cut */
void nereus_name_calls(char *text, size_t room);

#endif
