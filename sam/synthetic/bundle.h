/**
 * @file bundle.h
 * Packs strings into one buffer, in which the configuration is sent to all processes.
 */
#pragma once

#include <stddef.h>

#include "nereus/status.h"

/** What every process needs and only one has read. */
enum sam_bundle_part {
    SAM_BUNDLE_FILE,    /**< name of the configuration file */
    SAM_BUNDLE_TEXT,    /**< its content */
    SAM_BUNDLE_RESULTS, /**< --results, "" if not given */
    SAM_BUNDLE_FORMAT,  /**< --format */
    SAM_BUNDLE_PARTS
};

/** @param[out] buffer, bytes  to be freed with free() */
enum nereus_status sam_bundle_pack(const char *const parts[SAM_BUNDLE_PARTS], char **buffer,
                                   size_t *bytes, struct nereus_error *err);

/**
 * @param[out] parts  point into the buffer.
 * @return NEREUS_ERR_PARSE if the buffer is not a bundle
 */
enum nereus_status sam_bundle_unpack(const char *buffer, size_t bytes,
                                     const char *parts[SAM_BUNDLE_PARTS], struct nereus_error *err);
