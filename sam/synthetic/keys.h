/**
 * @file keys.h
 * Declares the table of all keys of a configuration file (model/util/ini_keys.h).
 */
#pragma once

#include "config.h"
#include "model/util/ini_keys.h"

/** The kinds of sections of a file. */
enum sam_section { SAM_GENERAL, SAM_STAGE, SAM_GROUP, SAM_SECTION_COUNT };

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

/** The rows of the table, by enum sam_key_id, and the table, by enum sam_section. */
extern const struct nereus_ini_key sam_keys[SAM_KEY_COUNT];
extern const struct nereus_ini_table sam_table;

/** The name of a choice's number, or "?". */
const char *sam_choice_name(enum sam_key_id id, int64_t number);
