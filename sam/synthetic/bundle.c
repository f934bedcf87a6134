/** @file bundle.c  A bundle holds its parts one after the other, each with its terminating zero. */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

enum nereus_status sam_bundle_pack(const char *const parts[SAM_BUNDLE_PARTS], char **buffer,
                                   size_t *bytes, struct nereus_error *err)
{
    size_t total = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++)
        total += strlen(parts[i]) + 1;
    char *all = malloc(total);
    if (!all) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu bytes of configuration",
                           total);
    }
    size_t used = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++) {
        size_t size = strlen(parts[i]) + 1;
        memcpy(all + used, parts[i], size);
        used += size;
    }
    *buffer = all;
    *bytes = total;
    return NEREUS_OK;
}

enum nereus_status sam_bundle_unpack(const char *buffer, size_t bytes,
                                     const char *parts[SAM_BUNDLE_PARTS], struct nereus_error *err)
{
    const char *found[SAM_BUNDLE_PARTS];
    size_t at = 0;
    for (int i = 0; i < SAM_BUNDLE_PARTS; i++) {
        const char *end = at < bytes ? memchr(buffer + at, '\0', bytes - at) : NULL;
        if (!end) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "the received configuration is cut off after %zu bytes", bytes);
        }
        found[i] = buffer + at;
        at = (size_t)(end - buffer) + 1;
    }
    if (at != bytes) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the received configuration has %zu bytes too many", bytes - at);
    }
    memcpy(parts, found, sizeof found);
    return NEREUS_OK;
}
