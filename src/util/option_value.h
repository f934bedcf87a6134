/**
 * @file option_value.h
 * Takes a value of nereus_init: from an option, else from an environment variable.
 */
#pragma once

#include "model/util/base.h"

/** Get an option, else an environment variable, else NULL. */
const char *nereus_option_find(const char *option, const char *variable);
/** Copy a value; NULL: *text is unchanged. */
enum nereus_status nereus_option_copy_text(char **text, const char *value,
                                           struct nereus_error *err);
/** Choose one of the words, which end with NULL, by an option, else by the environment, else
 * `otherwise`. */
enum nereus_status nereus_option_word(const char *option, const char *variable,
                                      const char *const *words, int otherwise, int *index,
                                      struct nereus_error *err);
/** Get a whole number above 0 from an option (0: not set), else from the environment, else the
 * default. */
enum nereus_status nereus_option_read_count(int64_t option, const char *variable, int64_t otherwise,
                                            int64_t *count, struct nereus_error *err);
/** Get seconds from an option, else from the environment, else the default. */
enum nereus_status nereus_option_read_seconds(double option, const char *variable, double otherwise,
                                              double *seconds, struct nereus_error *err);
