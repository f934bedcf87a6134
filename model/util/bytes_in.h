/**
 * @file bytes_in.h
 * Reads bytes of a file, a pipe or standard input, unpacked if gzip has packed them. Private to
 * text_file.c.
 */
#pragma once

#include <sys/types.h>

#include "gunzip.h"

struct nereus_bytes_in {
    int descriptor;
    unsigned char *bytes;           /**< NULL before the first call */
    size_t from, to;                /**< range of `bytes` that was not returned yet */
    bool begun, packed;             /**< packed: gzip */
    bool is_between_members;        /**< between two members of a gzip file */
    struct nereus_gunzip *unpacker; /**< where packed */
};

enum { NEREUS_BYTES_IN_DAMAGED = -2, NEREUS_BYTES_IN_FOLLOWED = -3, NEREUS_BYTES_IN_PACKED = -4 };

/** Read the next bytes, at most `capacity`. The call waits for the first byte only, so that a pipe
 * can be followed.
 * @return 0: the end so far (a file may grow); -1: errno; NEREUS_BYTES_IN_DAMAGED: wrong or
 *         incomplete gzip data; NEREUS_BYTES_IN_FOLLOWED: other bytes after the gzip data;
 *         NEREUS_BYTES_IN_PACKED: gzip data, and built without zlib */
ssize_t nereus_bytes_in_read(struct nereus_bytes_in *input, char *to, size_t capacity);
void nereus_bytes_in_fini(struct nereus_bytes_in *input);
