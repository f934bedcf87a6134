/** @file bundle.c  Packs and unpacks a bundle, which holds its parts one after the other, each with
 * its terminating zero. */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

enum nereus_status sam_bundle_pack(const char *const parts[SAM_BUNDLE_PARTS], char **buffer,
                                   size_t *bytes, struct nereus_error *err)
{
    size_t total = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++)
        total += strlen(parts[i]) + 1;
    char *packed_text = malloc(total);
    if (!packed_text) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu bytes of configuration",
                           total);
    }
    size_t used = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++) {
        size_t size = strlen(parts[i]) + 1;
        memcpy(packed_text + used, parts[i], size);
        used += size;
    }
    *buffer = packed_text;
    *bytes = total;
    return NEREUS_OK;
}

enum nereus_status sam_bundle_unpack(const char *buffer, size_t bytes,
                                     const char *parts[SAM_BUNDLE_PARTS], struct nereus_error *err)
{
    const char *found[SAM_BUNDLE_PARTS];
    size_t offset = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++) {
        const char *end = offset < bytes ? memchr(buffer + offset, '\0', bytes - offset) : NULL;
        if (!end) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "the received configuration is cut off after %zu bytes", bytes);
        }
        found[i] = buffer + offset;
        offset = (size_t)(end - buffer) + 1;
    }
    if (offset != bytes) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the received configuration has %zu bytes too many", bytes - offset);
    }
    memcpy(parts, found, sizeof found);
    return NEREUS_OK;
}
