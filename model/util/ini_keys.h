/**
 * @file ini_keys.h
 * Reads INI files that a table of sections and keys describes, and prints the table as help. A
 * value that the table does not allow is refused with file, line and key. Capitals do not matter
 * in the names of sections, keys and choices.
 */
#pragma once

#include "model/util/base.h"

enum nereus_ini_type {
    NEREUS_INI_TYPE_INTEGER,    /**< int64_t */
    NEREUS_INI_TYPE_BYTES,      /**< int64_t; a fraction of a byte is rounded */
    NEREUS_INI_TYPE_REAL_BYTES, /**< double; rounded as well */
    NEREUS_INI_TYPE_NUMBER,     /**< double */
    NEREUS_INI_TYPE_PERCENT,    /**< double: stored as a share */
    NEREUS_INI_TYPE_SECONDS,    /**< double, with units as in values.h */
    NEREUS_INI_TYPE_CHOICE,     /**< int64_t: by name or by number */
    NEREUS_INI_TYPE_WORD,       /**< int (an enum): by name */
    NEREUS_INI_TYPE_TEXT,       /**< char[max + 1]; ~ at its start is the home folder */
    NEREUS_INI_TYPE_OWN         /**< any type: the function `parse` of the key stores it */
};

struct nereus_ini_choice {
    const char *name;
    int64_t number;
};

/** Reads a value of a type of its own; `what` begins its message. */
typedef enum nereus_status nereus_ini_parse(const char *what, const char *value, void *member,
                                            struct nereus_error *err);

enum { NEREUS_INI_NAMES_MAX = 3, NEREUS_INI_KEYS_MAX = 64 };

struct nereus_ini_key {
    int section;   /**< index in the table */
    size_t offset; /**< in the struct of the section */
    enum nereus_ini_type type;
    double min, max; /**< of numbers (percentages: in percent), or of a text's length */
    const struct nereus_ini_choice *choices; /**< ends with name NULL; NULL: any value */
    nereus_ini_parse *parse;
    const char *default_value; /**< read like a value; NULL: what the struct has already */
    const char *default_words; /**< said in help instead; NULL: the value, or none */
    const char *help;
    const char *names[NEREUS_INI_NAMES_MAX]; /**< the first is for messages */
};

/** A row. member: section, and offset in its struct; values: as below; then names. */
#define NEREUS_INI_KEY(member, values, default_value, default_words, help, ...)                    \
    {                                                                                              \
        member, values, default_value, default_words, help,                                        \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/** The values of a row: type, range, choices, own type. max INFINITY: no limit. */
#define NEREUS_INI_INTEGER(min, max)    NEREUS_INI_TYPE_INTEGER, min, max, NULL, NULL
#define NEREUS_INI_BYTES(min, max)      NEREUS_INI_TYPE_BYTES, min, max, NULL, NULL
#define NEREUS_INI_REAL_BYTES(min, max) NEREUS_INI_TYPE_REAL_BYTES, min, max, NULL, NULL
#define NEREUS_INI_NUMBER(min, max)     NEREUS_INI_TYPE_NUMBER, min, max, NULL, NULL
#define NEREUS_INI_PERCENT(min, max)    NEREUS_INI_TYPE_PERCENT, min, max, NULL, NULL
#define NEREUS_INI_SECONDS              NEREUS_INI_TYPE_SECONDS, 0, INFINITY, NULL, NULL
#define NEREUS_INI_CHOICE(choices)      NEREUS_INI_TYPE_CHOICE, 0, 0, choices, NULL
#define NEREUS_INI_WORD(choices)        NEREUS_INI_TYPE_WORD, 0, 0, choices, NULL
#define NEREUS_INI_TEXT(min, size)      NEREUS_INI_TYPE_TEXT, min, (size)-1, NULL, NULL
#define NEREUS_INI_OWN(parse)           NEREUS_INI_TYPE_OWN, 0, 0, NULL, parse

enum { NEREUS_INI_NAMED = -1 };

struct nereus_ini_section {
    const char *name, *other_name; /**< other_name: another one for the same section, or NULL */
    int max; /**< sections [name0], [name1], ...; 0: one [name]; NEREUS_INI_NAMED: [name NAME] */
};

struct nereus_ini_table {
    const struct nereus_ini_section *sections;
    int section_count;
    const struct nereus_ini_key *keys;
    int key_count;
};

/** Check the limits of a table, whose readers have arrays of NEREUS_INI_KEYS_MAX elements: one for
 * each key, or one for each of the two names of a section. Belongs beside the table. */
#define NEREUS_INI_CHECK_LIMITS(section_count, key_count)                                          \
    _Static_assert(2 * (int)(section_count) <= NEREUS_INI_KEYS_MAX &&                              \
                       (int)(key_count) <= NEREUS_INI_KEYS_MAX,                                    \
                   "a table with more sections or keys than NEREUS_INI_KEYS_MAX allows")

/** A section's header in a file. */
struct nereus_ini_header {
    int section;      /**< index in the table */
    const char *name; /**< of [name NAME] */
    int index;        /**< of [name0] */
    int line;
};

/** Where a section's values go. */
struct nereus_ini_storage {
    void *values;
    int *lines; /**< line of each key of the table, from 1; 0: not given yet */
};

/** Called for each header of a file; a section that is given twice is refused before. */
typedef enum nereus_status nereus_ini_begin(void *user, const struct nereus_ini_header *header,
                                            struct nereus_ini_storage *storage,
                                            struct nereus_error *err);

/** Read a text.
 * @param file  name for messages
 * @return NEREUS_ERR_PARSE, or what `begin` or `parse` returned, with "FILE:LINE: ..." */
enum nereus_status nereus_ini_keys_read(const char *file, const char *text,
                                        const struct nereus_ini_table *table,
                                        nereus_ini_begin *begin, void *user,
                                        struct nereus_error *err);

/** Read a file; as nereus_ini_keys_read.
 * @param what  "policy file": of one that cannot be read */
enum nereus_status nereus_ini_keys_read_file(const char *path, const char *what,
                                             const struct nereus_ini_table *table,
                                             nereus_ini_begin *begin, void *user,
                                             struct nereus_error *err);

/** Set the keys of a section that have a default value.
 * @return of the first default that its own key refuses, which a unit test of the table excludes */
enum nereus_status nereus_ini_keys_set_defaults(const struct nereus_ini_table *table, int section,
                                                void *values);

/** @return index of the key with this name in the section; -1: none */
int nereus_ini_keys_find(const struct nereus_ini_table *table, int section, const char *name);

/** @return the default as help says it; NULL: none */
static inline const char *nereus_ini_key_default(const struct nereus_ini_key *key)
{
    return key->default_words != NULL ? key->default_words : key->default_value;
}

/** Print sections and keys with values, defaults and meaning. */
void nereus_ini_keys_print(const struct nereus_ini_table *table, FILE *stream);
