/** @file sam.h  Queries the synthetic application about a configuration. */
#pragma once

#include "model/util/base.h"

/**
 * Check a configuration and get its first number of processes.
 * @param[in] program  nereus-sam
 * @return NEREUS_ERR_PARSE with its message, which begins with file and line
 */
enum nereus_status nereus_sam_query(const char *program, const char *file, int64_t *processes,
                                    struct nereus_error *err);
