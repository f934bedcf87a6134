/**
 * @file keys.h
 * Declares the table of all keys of a configuration file, and the values they take.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config.h"

/** The kinds of sections of a file. */
enum sam_section { SAM_GENERAL, SAM_STAGE, SAM_GROUP, SAM_SECTION_COUNT };

/** The type of a value, in the file and in memory. */
enum sam_key_type {
    SAM_INTEGER, /**< int64_t, min .. max */
    SAM_BYTES,   /**< bytes, optionally with a unit (model/util/values.h) */
    SAM_REAL,    /**< double, min .. max */
    SAM_CHOICE,  /**< int64_t: one of a list, by name or number */
    SAM_TEXT     /**< char[SAM_TEXT_MAX] */
};

/** A value that can be written as a name or as a number. */
struct sam_choice {
    const char *name;
    int64_t number;
};

enum { SAM_KEY_NAMES_MAX = 3 };

/** One key of the table. */
struct sam_key {
    enum sam_section section;
    const char *names[SAM_KEY_NAMES_MAX]; /**< the first is the one used in messages */
    enum sam_key_type type;
    size_t offset; /**< offset of the value in its section's struct */
    double min, max;
    const struct sam_choice *choices; /**< SAM_CHOICE: its values; the list ends with a NULL name */
    const char *default_text; /**< the default, parsed like a value; NULL: set by the checks */
    const char *default_help; /**< the default as shown in help */
    const char *help;
};

/** Index of every key in the table. */
enum sam_key_id {
    SAM_KEY_STAGES,
    SAM_KEY_GRANULARITY,
    SAM_KEY_RECONFIGURATIONS,
    SAM_KEY_BYTES,
    SAM_KEY_CONSTANT_PERCENT,
    SAM_KEY_CONSTANT_BYTES,
    SAM_KEY_VARIABLE_BYTES,
    SAM_KEY_RESULTS,
    SAM_KEY_TRACE,
    SAM_KEY_STATE,
    SAM_KEY_HOSTFILE,
    SAM_KEY_SLOTS,
    SAM_KEY_PROGRAM,
    SAM_KEY_RIGID,
    SAM_KEY_CAPTURE,
    SAM_KEY_T_OP,
    SAM_KEY_THREADS,
    SAM_KEY_SCALING,
    SAM_KEY_FOLDER,
    SAM_KEY_PHASES,
    SAM_KEY_STAGE_TYPE,
    SAM_KEY_STAGE_TIME,
    SAM_KEY_STAGE_BYTES,
    SAM_KEY_STAGE_CAPPED,
    SAM_KEY_IMBALANCE,
    SAM_KEY_VARIATION,
    SAM_KEY_PHASE,
    SAM_KEY_EVERY,
    SAM_KEY_STAGE_PROCESSES,
    SAM_KEY_ROOT,
    SAM_KEY_NEIGHBOURS,
    SAM_KEY_ITERATIONS,
    SAM_KEY_PROCESSES,
    SAM_KEY_FACTOR,
    SAM_KEY_METHOD,
    SAM_KEY_SPAWN_METHOD,
    SAM_KEY_SPAWN_STRATEGY,
    SAM_KEY_REDISTRIBUTION_METHOD,
    SAM_KEY_REDISTRIBUTION_STRATEGY,
    SAM_KEY_PLACEMENT,
    SAM_KEY_ASYNCH_TYPE,
    SAM_KEY_COUNT
};

/** The table, by enum sam_key_id. */
extern const struct sam_key sam_keys[SAM_KEY_COUNT];

/** The section of a name: "general", "stage", "group" (also as "resize"). */
const char *sam_section_name(enum sam_section section);

/** The key of a section with one of its names (whatever the case), or SAM_KEY_COUNT. */
enum sam_key_id sam_key_find(enum sam_section section, const char *name);

/** The nearest name of a key in that section, or NULL. */
const char *sam_key_suggest(enum sam_section section, const char *name);

/**
 * Parse a value into the struct of its section (struct sam_config, sam_stage or sam_group).
 * @param[out] err  "must be an integer from 1 to 9, not 'x'"; the caller puts file, line and key
 *                  before it
 */
enum nereus_status sam_key_set(enum sam_key_id id, const char *value, void *section,
                               struct nereus_error *err);

/** Set every key of a section that has a default. */
void sam_keys_set_defaults(enum sam_section section, void *base);

/** The name of a word's value, or "?". */
const char *sam_choice_name(enum sam_key_id id, int64_t number);

/** Print the table of keys. */
void sam_keys_print(FILE *stream);
