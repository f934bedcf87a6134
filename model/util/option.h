/**
 * @file option.h
 * Describes a named value: a row of a table of command-line options, or of the columns of a file.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** Kind, and the type that the value is stored as. */
enum nereus_option_kind {
    NEREUS_OPTION_FLAG,    /**< bool; takes no value */
    NEREUS_OPTION_COUNT,   /**< int64_t, at least 1 */
    NEREUS_OPTION_NATURAL, /**< int64_t, at least 0 */
    NEREUS_OPTION_BYTES,   /**< int64_t, at least 0, with units (values.h) */
    NEREUS_OPTION_SECONDS, /**< double above 0, with units */
    NEREUS_OPTION_DELAY,   /**< double, at least 0, with units */
    NEREUS_OPTION_RATE,    /**< double, bytes per second, with units */
    NEREUS_OPTION_NUMBER,  /**< double, at least 0 */
    NEREUS_OPTION_TEXT,    /**< const char *, not empty; points into argv, except for ~/... */
    NEREUS_OPTION_PLACE,   /**< a file to write; not "-", as standard output is used already */
    NEREUS_OPTION_CHOICE   /**< int: index in `choices` */
};

struct nereus_option {
    const char *name; /**< without "--" */
    char letter;      /**< 0: none */
    enum nereus_option_kind kind;
    const char *metavar; /**< "N", "FILE"; NULL for a flag */
    const char *help;
    size_t offset; /**< in the storage */
    /** ends with NULL; of a CHOICE all words, of a TEXT words with a meaning of their own */
    const char *const *choices;
};

/** Store the value of an option in its member.
 * @param what  begins a message */
enum nereus_status nereus_option_store(const char *what, const struct nereus_option *option,
                                       const char *text, void *storage, struct nereus_error *err);

/** Store the index of a word in a list that ends with NULL.
 * @return NEREUS_ERR_PARSE: none */
enum nereus_status nereus_choice_store(const char *what, const char *const *choices,
                                       const char *text, int *value, struct nereus_error *err);

/** A text with entries, as "nodes:16 cores:20". */
struct nereus_entries {
    const char *what;                    /**< begins messages: "--synthetic" */
    const struct nereus_option *options; /**< no texts; the metavar of each is an example */
    size_t count;                        /**< at most 64 */
    const char *separators; /**< of entries; with a blank among them empty ones are passed over */
    char between;           /**< between the name of an option and its value */
};

/** Store the values of a text's entries in their members.
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY */
enum nereus_status nereus_entries_store(const struct nereus_entries *entries, const char *text,
                                        void *storage, struct nereus_error *err);
