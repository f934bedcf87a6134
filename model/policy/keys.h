/**
 * @file keys.h
 * Reads INI files that a table of keys describes: each value is checked, and refused with file,
 * line and key.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/policy.h"

enum nereus_key_type {
    NEREUS_KEY_INTEGER,       /**< int64_t */
    NEREUS_KEY_NUMBER,        /**< double */
    NEREUS_KEY_PERCENT,       /**< double: stored as a share */
    NEREUS_KEY_PERCENT_BELOW, /**< double: a percentage below max, stored as a share */
    NEREUS_KEY_SECONDS,       /**< double: as nereus_value_parse_seconds_or_0 reads it */
    NEREUS_KEY_BYTES,         /**< double */
    NEREUS_KEY_WORD,          /**< int: index in words */
    NEREUS_KEY_TEXT,          /**< char[NEREUS_POLICY_PATH_MAX] */
    NEREUS_KEY_HOSTS          /**< char *, owned by the section's struct: names, without ranges */
};

struct nereus_key {
    const char *section, *name; /**< section "class NAME": each [class ...] */
    const char *unit, *help;
    enum nereus_key_type type;
    size_t offset;   /**< in the struct of the section */
    double min, max; /**< range of numbers (shares: in percent); max 0: no limit */
    const char *const *words;
    int word_count;
};

struct nereus_key_file {
    const char *what;              /**< "policy file" */
    const struct nereus_key *keys; /**< ends with section NULL */
    const char *sections;          /**< "[policy] or [class NAME]" */
    /**
     * Begin a section.
     * @param name  rest of the header
     * @return the struct that takes the values of the section; NULL: err is set
     */
    void *(*begin)(void *user, const char *section, const char *name, struct nereus_error *err);
    void *user;
};

/** Keys of policy files and of applications; each list ends with section NULL. */
extern const struct nereus_key nereus_policy_file_keys[], nereus_application_keys[];

/** @return NEREUS_ERR_IO; NEREUS_ERR_PARSE or NEREUS_ERR_ARGUMENT with "FILE:LINE: ..." */
enum nereus_status nereus_keys_read(const char *path, const struct nereus_key_file *file,
                                    struct nereus_error *err);
