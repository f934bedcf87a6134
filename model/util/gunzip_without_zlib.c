/** @file gunzip_without_zlib.c  Replaces gunzip_with_zlib.c in a build without zlib, in which
 * packed files cannot be read. */

#include "gunzip.h"

struct nereus_gunzip *nereus_gunzip_new(void)
{
    errno = ENOTSUP;
    return NULL;
}

void nereus_gunzip_free(struct nereus_gunzip *unpacker)
{
    (void)unpacker;
}

bool nereus_gunzip_begin(struct nereus_gunzip *unpacker)
{
    (void)unpacker;
    return false;
}

ssize_t nereus_gunzip_next(struct nereus_gunzip *unpacker, struct nereus_gunzip_buffers *buffers)
{
    (void)unpacker;
    (void)buffers;
    return -1;
}
