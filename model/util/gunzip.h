/** @file gunzip.h  Unpacks bytes that gzip has packed (RFC 1952). Private to bytes_in.c. */
#pragma once

#include <sys/types.h>

#include "model/util/base.h"

struct nereus_gunzip;

/** @return NULL: errno; ENOTSUP: built without zlib */
struct nereus_gunzip *nereus_gunzip_new(void);
void nereus_gunzip_free(struct nereus_gunzip *unpacker);

/** Begin the next member.
 * @return false: zlib failed */
bool nereus_gunzip_begin(struct nereus_gunzip *unpacker);

/** Packed bytes up to input_end, and room for unpacked bytes. */
struct nereus_gunzip_buffers {
    const unsigned char *input, *input_end; /**< `input` is advanced past what was consumed */
    char *output;
    size_t capacity;
    bool member_ends;
};
/** @return number of unpacked bytes; -1: the packed bytes are damaged */
ssize_t nereus_gunzip_next(struct nereus_gunzip *unpacker, struct nereus_gunzip_buffers *buffers);
