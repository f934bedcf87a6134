/**
 * @file option.h
 * A named value: its kind, and where it is stored. A row of a table, of the options of a command
 * line or the columns of a file.
 */
#ifndef NEREUS_UTIL_OPTION_H
#define NEREUS_UTIL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

/** Kind of a value, and the type that it is stored as. */
enum nereus_option_kind {
    NEREUS_OPTION_FLAG,    /**< bool; takes no value */
    NEREUS_OPTION_COUNT,   /**< int64_t, at least 1 */
    NEREUS_OPTION_NATURAL, /**< int64_t, at least 0 */
    NEREUS_OPTION_BYTES,   /**< int64_t, at least 0, with units (values.h) */
    NEREUS_OPTION_SECONDS, /**< double above 0, with units */
    NEREUS_OPTION_NUMBER,  /**< double, at least 0 */
    NEREUS_OPTION_TEXT,    /**< const char *, not empty; points into argv, unless it was ~/... */
    NEREUS_OPTION_PLACE, /**< the same: where more is written beside what is printed, so not "-" */
    NEREUS_OPTION_CHOICE /**< int: index in `choices` */
};

struct nereus_option {
    const char *name; /**< without "--" */
    char letter;      /**< short form, 0 for none */
    enum nereus_option_kind kind;
    const char *metavar; /**< "N", "FILE"; NULL for a flag */
    const char *help;
    size_t offset; /**< of the value in the group's storage */
    /** Ended by NULL. Of a CHOICE: all words. Of a TEXT: words that have a meaning of their own,
     * for manuals and completion; others are taken too. NULL: none */
    const char *const *choices;
};

/** Check and store one value, as the option's kind has it. @param what  begins a sentence about it */
enum nereus_status nereus_option_store(const char *what, const struct nereus_option *option,
                                       const char *text, void *storage, struct nereus_error *err);

/** The index of a word in a list that NULL ends. @return NEREUS_ERR_PARSE: it is not in it */
enum nereus_status nereus_choice_store(const char *what, const char *const *choices,
                                       const char *text, int *value, struct nereus_error *err);

#endif
