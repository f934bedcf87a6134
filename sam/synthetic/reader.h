/**
 * @file reader.h
 * Parses the text of an INI file: sections, keys, duplicates. Consistency is checked in check*.c.
 */
#pragma once

#include "config.h"
#include "keys.h"

/** Line numbers of sections and keys, from 1; 0: not in the file. */
struct sam_lines {
    int general[SAM_KEY_COUNT];
    int stage[SAM_STAGES_MAX][SAM_KEY_COUNT];
    int group[SAM_GROUPS_MAX][SAM_KEY_COUNT];
    int stage_header[SAM_STAGES_MAX];
    int group_header[SAM_GROUPS_MAX];
};

/**
 * Read text into config (which holds the defaults already) and lines (zeroed).
 * @return NEREUS_ERR_PARSE or NEREUS_ERR_UNSUPPORTED with "FILE:LINE: ..." for the first invalid
 *         line
 */
enum nereus_status sam_ini_read(const char *file, const char *text, struct sam_config *config,
                                struct sam_lines *lines, struct nereus_error *err);
